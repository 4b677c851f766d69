"""AssistantBench predictions, as its leaderboard takes them: one `{"id", "answer"}` a line."""

from pathlib import Path
from typing import Any

from cases.model import Run
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.fields import stem_of, text_of, trimmed
from cases.readers.messages import dumped
from cases.readers.records import Place, records
from cases.readers.sniff import Head
from cases.sentences import Sentences

say = Sentences(__name__)

TASKS = frozenset({"task", "question", "gold_url", "messages"})


class PredictionsReader:
    """Reads answers by task id."""

    name = "AssistantBench predictions jsonl"
    signs = "id and answer on a line, without the task's text"
    omits = "any field beside id and answer"

    def recognises(self, head: Head) -> bool:
        """An id and an answer, but no data set's row."""
        keys = head.json_keys
        return {"id", "answer"} <= keys and not keys & TASKS

    def read(self, path: Path) -> Found:
        """One run a line, without a transcript."""
        found = Found()

        def take(data: dict[str, Any], place: Place) -> None:
            task_id = trimmed(data.get("id"))
            if task_id is None:
                message, remedy = say("predictions.id_missing"), say("predictions.answer_left_out")
                found.problems.append(
                    Problem(file=str(path), place=f"line {place.line}", message=message, remedy=remedy)
                )
                return
            given = data.get("answer")
            answer = dumped(given) if isinstance(given, dict | list) else text_of(given)
            run = Run(run_id=stem_of(path), answer=answer, source=str(path))
            found.runs.append(RunRecord("assistantbench", task_id, run, own_id=False, guessed=True))

        found.problems += records(path, take)
        return found
