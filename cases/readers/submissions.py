"""HAL's `{run_id}_RAW_SUBMISSIONS.jsonl`: one `{task_id: answer}` a line."""

from pathlib import Path
from typing import Any

from cases import benchmarks
from cases.model import HAL, HARNESS, Run
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.fields import stem_of, text_of, trimmed
from cases.readers.messages import dumped
from cases.readers.records import Place, records
from cases.readers.shape import shape_of_text
from cases.readers.sniff import Head
from cases.sentences import Sentences

say = Sentences(__name__)

SUFFIX = "_RAW_SUBMISSIONS"
FAILED = "ERROR"


class SubmissionsReader:
    """Reads answers by task; a line `{task_id: {answer, metrics}}` or `{task_id: "ERROR…"}` is one, too."""

    name = "HAL RAW_SUBMISSIONS jsonl"
    signs = (
        "one key a line, whose value is a text or holds an answer; a lone line has a known task id or a file so named"
    )
    omits = "metrics beside an answer"

    def recognises(self, head: Head) -> bool:
        """A single key with a text, or with an answer inside."""
        if len(head.shape) != 1:
            return False
        ((key, value),) = head.shape.items()
        if value.kind == "map":
            return "answer" in value.keys
        return value.kind == "string" and (
            benchmarks.of_task_id(key) is not None or stem_of(head.path).endswith(SUFFIX) or _other_key(head, key)
        )

    def read(self, path: Path) -> Found:
        """One run a task, without a transcript."""
        found = Found()
        stem = stem_of(path)

        def take(data: dict[str, Any], place: Place) -> None:
            for key, value in data.items():
                task_id = trimmed(key)
                if task_id is None:
                    message, remedy = say("submissions.task_id_empty"), say("submissions.answer_left_out")
                    found.problems.append(
                        Problem(file=str(path), place=f"line {place.line}", message=message, remedy=remedy)
                    )
                    continue
                run = _run(path, stem, value)
                known = benchmarks.of_task_id(task_id) or benchmarks.of_file_name(stem)
                found.runs.append(RunRecord(known, task_id, run, own_id=stem.endswith(SUFFIX)))

        found.problems += records(path, take)
        return found


def _other_key(head: Head, key: str) -> bool:
    """Whether the second line has a single key, too, and another one."""
    lines = [line for line in (head.text or "").splitlines() if line.strip()][:2]
    second = shape_of_text(lines[1]) if len(lines) == 2 else {}
    return len(second) == 1 and key not in second


def _run(path: Path, stem: str, value: Any) -> Run:  # noqa: ANN401
    given = value.get("answer") if isinstance(value, dict) and "answer" in value else value
    answer = text_of(given) if given is None or isinstance(given, str | int | float) else dumped(given)
    answer = "" if answer is None and isinstance(given, str) else answer
    broken = answer if isinstance(answer, str) and answer.startswith(FAILED) else None
    return Run(
        run_id=stem.removesuffix(SUFFIX),
        answer=None if broken else answer,
        environment=({HARNESS: HAL} if stem.endswith(SUFFIX) else {}) | ({"error": broken} if broken else {}),
        source=str(path),
    )
