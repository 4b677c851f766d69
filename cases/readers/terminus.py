"""Terminus's `agent-logs`: a folder an episode, with what the model was asked, what it answered, and the raw call."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cases import patterns as re
from cases.links import leads_out
from cases.model import Run, Task, Transcript
from cases.readers.base import Found, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, mapping, text_of
from cases.readers.messages import Piece, message_of
from cases.readers.recordings import BENCHMARK, TRIAL
from cases.readers.sniff import Head
from cases.readers.streams import load_object, load_text
from cases.sentences import Sentences

say = Sentences(__name__)

EPISODE = re.compile(r"\Aepisode-(\d+)\Z")
ASKED, ANSWERED, CALLED = "prompt.txt", ("response.txt", "response.json"), "debug.json"
GIVEN = re.compile(
    r"(?m)^(?:Instruction|Task Description):\n((?s:.+?))\n\s*\n(?:The current|Current|Your response must be)"
)
"""What stands around the task in Terminus's prompts, of both generations."""


class TerminusReader:
    """Reads one run of all episodes that lie beside each other; the last one's file gives it."""

    name = "Terminus agent-logs (episode-N)"
    signs = "a model's raw call with its messages, or an answer of keystrokes"
    omits = "the calls' parameters and timings"

    def recognises(self, head: Head) -> bool:
        """A raw call, or the answer's commands."""
        if {"messages", "original_response"} <= head.json_keys:
            return True
        commands = head.shape.get("commands")
        return commands is not None and commands.kind == "array" and "keystrokes" in commands.keys

    def read(self, path: Path) -> Found:
        """One run; none by a file that is not the one that gives it."""
        whole = path.resolve()
        episodes = _episodes(whole)
        if whole != (_giving(episodes[-1]) if episodes else whole):
            return Found()
        trial = next((found for folder in whole.parents[:4] if (found := TRIAL.match(folder.name))), None)
        run_id = trial[0] if trial else whole.parents[2].name if episodes and len(whole.parents) > 2 else whole.stem
        run = Run(run_id=run_id, agent="Terminus", environment={"scaffold": "Terminus"}, source=str(path))
        asked = GIVEN.search(_text(episodes[0] / ASKED)) if episodes else None
        task = Task(prompt=asked[1] if asked else None)
        benchmark, task_id = (BENCHMARK, trial["task"]) if trial else (None, run_id)
        load = partial(_transcript, path)
        return Found([RunRecord(benchmark, task_id, run, task, load, own_id=trial is not None)])


def _episodes(whole: Path) -> list[Path]:
    """The folders of all episodes in their order; none for a file that lies in none."""
    if not EPISODE.match(whole.parent.name):
        return []
    trial = whole.parent.parent
    beside = ((EPISODE.match(folder.name), folder) for folder in trial.iterdir() if not leads_out(folder, trial))
    return [folder for _, folder in sorted((int(match[1]), folder) for match, folder in beside if match)]


def _giving(folder: Path) -> Path:
    return next((folder / name for name in (CALLED, *ANSWERED) if _there(folder / name)), folder / CALLED)


def _transcript(path: Path) -> Transcript | None:
    whole = path.resolve()
    episodes = _episodes(whole)
    spoken = [list(_spoken(folder)) for folder in episodes]
    if not any(spoken):
        return transcript_of_pieces(_alone(whole))
    lost = spoken.count([])
    transcript = transcript_of_pieces((piece for part in spoken for piece in part), _note(lost, len(episodes)))
    return transcript.model_copy(update={"complete": False}) if transcript and lost else transcript


def _note(lost: int, of: int) -> list[str]:
    return [say("terminus.episodes_record_lacks_said", number=of, lost=lost)] if lost else []


def _spoken(folder: Path) -> Iterator[Piece]:
    """One episode's question and its answer, or how the provider failed where there is none."""
    asked = _text(folder / ASKED)
    if asked:
        yield Piece("user", "message", asked)
        yield from _answered(folder)


def _answered(folder: Path) -> Iterator[Piece]:
    kept = next((text for name in ANSWERED if (text := _text(folder / name))), "")
    if kept:
        yield Piece("assistant", "message", kept)
    elif _there(folder / CALLED):
        yield from _returned(load_object(folder / CALLED, "call").get("original_response"))


def _returned(answer: object) -> Iterator[Piece]:
    """What a call brought: the model's message, or the provider's error."""
    if text := _content(answer):
        yield Piece("assistant", "message", text)
    elif said := text_of(answer):
        yield Piece("harness", "result", said)


def _alone(path: Path) -> Iterator[Piece]:
    """A raw call, which repeats the whole conversation, or one answer, whatever lies beside it."""
    data = load_object(path, "call or an answer")
    if "messages" not in data:
        yield Piece("assistant", "message", _text(path))
        return
    for raw in listed(data["messages"]):
        yield from message_of(raw).pieces
    yield from _returned(data.get("original_response"))


def _content(answer: object) -> str:
    """The message in a provider's answer."""
    try:
        data = json.loads(answer) if isinstance(answer, str) else answer
    except (ValueError, RecursionError):
        return ""
    choice = mapping(next(iter(listed(mapping(data).get("choices"))), None))
    return text_of(mapping(choice.get("message")).get("content")) or ""


def _text(path: Path) -> str:
    return load_text(path, "text of an episode") if _there(path) else ""


def _there(path: Path) -> bool:
    return path.is_file() and not leads_out(path, path.parent)
