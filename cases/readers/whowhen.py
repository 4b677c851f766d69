"""Who&When: one failed multi-agent conversation a file, with a person's label of who erred, and when."""

from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases import patterns as re
from cases.errors import InputError
from cases.model import Block, Claim, Outcome, Run, Task, Transcript
from cases.readers.base import ClaimRecord, Found, Problem, RunRecord
from cases.readers.clipping import checked
from cases.readers.fields import text_of
from cases.readers.messages import message_of
from cases.readers.sniff import Head
from cases.readers.streams import load_json
from cases.sentences import Sentences

say = Sentences(__name__)

TERMINAL = re.compile(r"\A(?:exitcode: (-?\d+) \(|The script ran,? then exited with (?:Unix )?exit code: (-?\d+))")
FINAL = re.compile(r"^FINAL ANSWER: *(.+)$", re.MULTILINE)
LABELS = ("mistake_agent", "mistake_step", "mistake_reason")


class WhoWhenReader:
    """Reads both halves of the data set: messages with role and name, and messages with a role only."""

    name = "Who&When json"
    signs = "question_ID, or a history beside the labels"
    omits = ""

    def recognises(self, head: Head) -> bool:
        """A history with the data set's own fields beside it."""
        keys = head.json_keys
        return "question_ID" in keys or bool("history" in keys and {*LABELS, "question"} & keys)

    def read(self, path: Path) -> Found:
        """One run, and the person's label as a claim without a score: it says who erred, not why.

        Raises:
            InputError: the task has no id.
        """
        data = _object(path)
        task_id = text_of(data.get("question_ID"))
        if task_id is None:
            raise InputError(say("whowhen.question_id_task_id", path=path))
        task_id = task_id.strip()
        benchmark = benchmarks.of_task_id(task_id)
        found = Found()
        history = data.get("history")
        messages = history if isinstance(history, list) else []
        if not messages:
            message = say("whowhen.conversation_empty", task_id=task_id)
            remedy = say("whowhen.run_taken_without_transcript")
            found.problems.append(Problem(file=str(path), place="history", message=message, remedy=remedy))
        task = Task(prompt=text_of(data.get("question")), gold=text_of(data.get("ground_truth")))
        load = partial(_transcript, path) if messages else None
        run = _run(path, data, messages)
        found.runs.append(
            RunRecord(benchmark or "gaia", task_id, run, task, load, own_id=False, guessed=benchmark is None)
        )
        if claim := _label(path, data, run.run_id):
            found.claims.append(ClaimRecord(benchmark or "gaia", task_id, claim))
        return found


def _object(path: Path) -> dict[str, Any]:
    data = load_json(path)
    if not isinstance(data, dict):
        raise InputError(say("whowhen.when_file_holds_json", path=path))
    return data


def _run(path: Path, data: dict[str, Any], messages: list[Any]) -> Run:
    correct = data.get("is_correct", data.get("is_corrected"))
    outcome = Outcome.UNKNOWN
    if isinstance(correct, bool):
        outcome = Outcome.PASSED if correct else Outcome.FAILED
    texts = (message_of(message).body for message in reversed(messages))
    answers = next((found for text in texts if (found := FINAL.findall(text))), [])
    stem = path.name.split(".json")[0]
    return Run(
        run_id=f"{path.resolve().parent.name}/{stem}" if stem.isdigit() else stem,
        outcome=outcome,
        answer=answers[-1].strip() if answers else None,
        source=str(path),
    )


def _label(path: Path, data: dict[str, Any], run_id: str) -> Claim | None:
    said = [f"{name}: {value}" for name in LABELS if (value := text_of(data.get(name)))]
    if not said:
        return None
    return Claim(
        claim_id=f"claim:{path.name.split('.json')[0]}:label",
        source=f"{path}: mistake_reason",
        kind="person",
        run_id=run_id,
        score=None,
        text="\n".join(said),
    )


def _transcript(path: Path) -> Transcript | None:
    history = _object(path).get("history")
    if not isinstance(history, list) or not history:
        return None
    blocks: list[Block] = []
    for raw in history:
        name = text_of(raw.get("name")) if isinstance(raw, dict) else None
        for piece in message_of(raw).pieces:
            role = name or piece.role
            terminal = TERMINAL.match(piece.text)
            blocks.append(
                Block(
                    index=len(blocks),
                    role=role,
                    kind="result" if terminal else _kind(piece.kind),
                    text=piece.text,
                    tool=role if terminal else piece.tool,
                    arguments=piece.arguments,
                    call_id=piece.call_id,
                    exit_code=_int(terminal[1] or terminal[2]) if terminal else None,
                )
            )
    return checked(tuple(blocks))


def _kind(kind: str) -> Any:  # noqa: ANN401 - one of the three that Block allows
    return kind


def _int(digits: str) -> int | None:
    return int(digits) if len(digits) < 10 else None
