"""BrowserGym and AgentLab: a run's directory, known by its `summary_info.json`; its steps are pickles."""

import itertools
from functools import partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases import patterns as re
from cases.errors import InputError
from cases.links import leads_out
from cases.model import Outcome, Run, Task, Transcript
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, mapping, number_of, text_of
from cases.readers.messages import Piece, call_of, clean, message_of
from cases.readers.pickles import Inert, unpickled
from cases.readers.sniff import Head
from cases.readers.streams import load_json
from cases.sentences import Sentences

say = Sentences(__name__)

FACTS = frozenset({"err_msg", "terminated", "truncated", "stack_trace"})
SUMMARY = "summary_info.json"
TASK = re.compile(r"_on_(?P<task>.+?)(?:_(?P<seed>\d+))?(?:_[0-9a-f]{6,})?\Z")
STEP = re.compile(r"step_(\d{1,9})\.pkl(?:\.gz)?\Z")
SHOWN = ("axtree_txt", "pruned_html", "dom_txt", "last_action_error")


class AgentLabReader:
    """Reads the summary; the steps only where the caller trusts them, and even then without running their code."""

    name = "BrowserGym/AgentLab summary_info.json"
    signs = "cum_reward and n_steps beside err_msg, terminated or truncated"
    omits = "screenshots but for a page's last one, and statistics"

    def __init__(self, *, trusted: bool = False) -> None:
        """`trusted` opens the steps' pickles."""
        self._trusted = trusted

    def recognises(self, head: Head) -> bool:
        """The summary's keys."""
        keys = head.json_keys
        return {"cum_reward", "n_steps"} <= keys and bool(FACTS & keys)

    def read(self, path: Path) -> Found:
        """One run."""
        data = mapping(load_json(path))
        folder = path.resolve().parent
        named = TASK.search(folder.name)
        task_id = clean(named["task"] if named else folder.name)
        reward = number_of(data.get("cum_reward"))
        error = text_of(data.get("err_msg"))
        outcomes = {0.0: Outcome.FAILED, 1.0: Outcome.PASSED}
        run = Run(
            run_id=clean(folder.name),
            agent=clean(folder.name[: named.start()]) if named else None,
            outcome=Outcome.UNKNOWN if reward is None else outcomes.get(reward, Outcome.UNKNOWN),
            score=reward,
            environment={"scaffold": "browsergym"} | ({"error": error} if error else {}),
            source=str(path),
        )
        benchmark = benchmarks.normalised(task_id.split(".")[0]) if "." in task_id else None
        steps = _steps(folder)
        found = Found()
        load = None
        task = Task()
        if steps and self._trusted:
            load = partial(_transcript, steps, number_of(data.get("n_steps")) or 0)
            task = Task(prompt=_goal(next(iter(steps.values()))))
        elif steps:
            message = say("agentlab.run_steps_python_pickles", number=len(steps))
            remedy = say("agentlab.they_left_unread_trust")
            found.problems.append(Problem(file=str(path), place="", message=message, remedy=remedy))
        found.runs.append(RunRecord(benchmark, task_id, run, task, load))
        return found


def is_step(path: Path) -> bool:
    """Whether a file is read with the summary beside it."""
    return STEP.match(path.name) is not None and path.with_name(SUMMARY).is_file()


def _steps(folder: Path) -> dict[int, Path]:
    """By their numbers, in order."""
    try:
        inside = (entry for entry in folder.iterdir() if not leads_out(entry, folder))
        found = [(int(match[1]), entry) for entry in inside if (match := STEP.match(entry.name))]
    except OSError as error:
        raise InputError(say("agentlab.directory_cannot_read_check", folder=folder, error=error)) from error
    return dict(sorted(found))


def _goal(step: Path) -> str | None:
    return text_of(_fields(_fields(unpickled(step)).get("obs")).get("goal"))


def _transcript(steps: dict[int, Path], told: float) -> Transcript | None:
    transcript = transcript_of_pieces(_pieces(tuple(steps.values())))
    there = next(number for number in itertools.count() if number not in steps)
    if transcript is None or (there == len(steps) and there >= told):
        return transcript
    note = say("agentlab.steps_run_not_directory", number=max(*steps, int(told) - 1) + 1 - len(steps))
    return transcript.model_copy(update={"complete": False, "notes": (*transcript.notes, note)})


def _pieces(steps: tuple[Path, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    said: list[Any] = []
    for number, path in enumerate(steps):
        step = _fields(unpickled(path))
        seen = _fields(step.get("obs"))
        talk = [_plain(entry) for entry in listed(seen.get("chat_messages"))]
        pieces += [piece for entry in talk[len(said) :] for piece in message_of(entry).pieces]
        said = talk
        pieces.append(_observation(seen, f"step-{number - 1}" if number else None))
        thought = text_of(_fields(step.get("agent_info")).get("think"))
        if thought:
            pieces.append(Piece("assistant", "message", thought))
        if action := text_of(step.get("action")):
            pieces.append(_action(action, f"step-{number}"))
    return pieces


def _observation(seen: dict[str, Any], call_id: str | None) -> Piece:
    url = text_of(seen.get("url"))
    texts = [text for name in SHOWN if (text := text_of(seen.get(name)))]
    text = "\n".join([f"Current url: {url}", *texts] if url else texts)
    return Piece("environment", "result" if call_id else "message", text, call_id=call_id, url=url)


def _action(action: str, call_id: str) -> Piece:
    """`goto('…')` and the like; the first quoted argument of a navigation is its address."""
    match = re.match(r"""\s*(\w+)\(\s*(?:'([^'\n]*)'|"([^"\n]*)")""", action)
    if match and match[1] == "goto":
        return call_of("assistant", "goto", {"url": match[2] or match[3] or ""}, call_id)
    name = re.match(r"\s*(\w+)\(", action)
    return Piece("assistant", "call", action, name[1] if name else "action", call_id=call_id)


def _plain(entry: object) -> Any:  # noqa: ANN401
    fields = _fields(entry)
    return {"role": fields.get("role"), "content": fields.get("message")} if "message" in fields else str(entry)


def _fields(value: object) -> dict[str, Any]:
    """The fields of an object of a class that was not loaded, or a mapping."""
    return value.state if isinstance(value, Inert) else mapping(value)
