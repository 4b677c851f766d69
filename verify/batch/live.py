"""What a batch shows while it runs: one moving line on a terminal, plain lines with their task elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cases.sentences import Sentences
from verify.progress import Loudness, Reporter
from verify.terminal import err, out

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from graph.verdict import Status

say = Sentences(__name__)

PULSE_SECONDS = 10
"""Between two plain lines that say how far it is."""


class Live:
    """How far a batch is; a context manager, because a terminal's moving line must be put away."""

    def __init__(self, loudness: Loudness, total: int, earlier: int) -> None:
        """Of `total` tasks, of which `earlier` commands finished some."""
        self._loudness = loudness
        self._total, self._earlier = total, earlier
        self._statuses: Counter[Status] = Counter()
        self._failed = 0
        self._began = self._told = monotonic()
        self._console = err()
        self._bar: Bar | None = None
        self._line: TaskID | None = None

    def __enter__(self) -> Self:
        """Begin to show it."""
        if self._loudness != "quiet" and self._console.is_terminal:
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
            self._bar = Progress(*columns, console=self._console, transient=True)
            self._line = self._bar.add_task(self.state, total=None)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Put the moving line away."""
        if self._bar is not None:
            self._bar.stop()

    def reporter(self, told: Callable[[str], str], task: str) -> Reporter:
        """For the steps of one audit."""
        return Reporter(self._loudness, told, self._bar, task)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Put the moving line away while an answer is printed on the same terminal."""
        bar = self._bar if out().is_terminal else None
        if bar:
            bar.stop()
        yield
        if bar:
            bar.start()

    def finished(self, status: "Status") -> None:
        """One more has its pack."""
        self._statuses[status] += 1
        self._show()

    def failed(self) -> None:
        """One more could not be audited."""
        self._failed += 1
        self._show()

    @property
    def state(self) -> str:
        """How far it is, in one line."""
        now = self._statuses.total() + self._failed
        done = self._earlier + now
        counts = [f"{count} {status.value.replace('_', ' ')}" for status, count in sorted(self._statuses.items())]
        counts += [say("batch.live.could_not_audited", failed=self._failed)] * bool(self._failed)
        counts += [say("batch.live.finished_earlier", earlier=self._earlier)] * bool(self._earlier)
        rate = now / max(monotonic() - self._began, 0.001)
        left = say("batch.live.second_left", rate=rate, time=_time((self._total - done) / rate)) if now else ""
        return "; ".join(part for part in (f"{done} of {self._total}", ", ".join(counts), left) if part)

    def _show(self) -> None:
        if self._bar is not None and self._line is not None:
            self._bar.update(self._line, description=self.state)
        elif self._loudness != "quiet" and monotonic() - self._told >= PULSE_SECONDS:
            self._told = monotonic()
            self._console.print(self.state, style="dim")


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
