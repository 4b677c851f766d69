"""One audit's result."""

from pathlib import Path

from impassable.types import Document, Status


class Result(Document):
    """What an audit found: the object that `verify TASK_ID --json` prints, with short names for what is asked most."""

    @property
    def task_id(self) -> str:
        """The task's full id."""
        return self.case.task_id

    @property
    def benchmark(self) -> str:
        """Its benchmark."""
        return self.case.benchmark

    @property
    def status(self) -> Status:
        """Whether it is shown that the benchmark was impassable: supported, not_supported or inconclusive."""
        return self.verdict.status

    @property
    def score(self) -> int:
        """1 where it is supported, otherwise 0."""
        return self.verdict.score

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        return self.verdict.reason

    @property
    def path(self) -> Path:
        """The pack's folder."""
        return Path(self.pack)
