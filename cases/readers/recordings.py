"""Recordings of terminals: asciinema's `.cast` files, and a terminal's output as it was sent."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from cases import benchmarks
from cases import patterns as re
from cases.errors import InputError
from cases.failing import command_failed
from cases.loading import Expression, load
from cases.model import Model, Run, Transcript
from cases.readers.base import Found, Problem, RunRecord
from cases.readers.clipping import transcript_of_pieces
from cases.readers.fields import listed, mapping, number_of, stem_of
from cases.readers.messages import Piece, call_of, clean, dumped
from cases.readers.screen import READY, TAKEN, Typed, of_bytes, of_events
from cases.readers.sniff import HEAD_BYTES, Head
from cases.readers.streams import WHOLE_LIMIT, load_object, loads, opened
from cases.sentences import Sentences

say = Sentences(__name__)

TRIAL = re.compile(r"\A(?P<task>.+)\.\d+-of-\d+(?:\..+)?\Z")
"""Terminal-Bench's name of a trial."""
BENCHMARK = "terminal_bench"
PROGRAM, KEYBOARD = "terminal", "keyboard"
WIDTH = 80
"""Columns of a terminal that does not say how many it has."""
SHORT = 5
"""Lines that a shell writes where a program does not start."""


class _Harness(Model):
    installs: Expression
    installs_source: str
    tests: Expression
    tests_source: str
    adds: Expression
    adds_source: str
    idle: Expression
    idle_source: str


class _Console(Model):
    name: str
    heads: Expression
    roles: dict[str, str]
    ends: Expression
    wraps: bool
    """Whether it breaks lines between words at the terminal's width."""
    source: str


class _Recordings(Model):
    harness: _Harness
    console: tuple[_Console, ...]


@cache
def _data() -> _Recordings:
    return load(_Recordings, __package__, "recordings.toml")


class RecordingReader:
    """Reads one run a file: what was typed, and what the terminal showed of it."""

    name = "terminal recording (asciinema .cast, raw output)"
    signs = "asciinema's header, or a shell's marks around typed lines"
    omits = "when things happened, colours, and screens that programs drew"

    def recognises(self, head: Head) -> bool:
        """The header of any version, or the marks."""
        if head.json_keys:
            sized = {"width", "height"} <= head.json_keys or "term" in head.json_keys
            return "version" in head.json_keys and sized and ("stdout" in head.json_keys or b"\n[" in head.start)
        text = head.text or ""
        return READY in text and TAKEN in text

    def read(self, path: Path) -> Found:
        """One run; none where it shows a benchmark's tests. A long recording is read to its end only when loaded."""
        lines, width, whole = _typed(path, HEAD_BYTES)
        if any(re.search(_data().harness.tests, one.line) for one in lines):
            message, remedy = say("recordings.shows_benchmark_tests_not"), say("recordings.file_left_out")
            return Found(problems=[Problem(file=str(path), place="", message=message, remedy=remedy)])
        trial = next((found for folder in path.resolve().parents[:2] if (found := TRIAL.match(folder.name))), None)
        run_id = trial[0] if trial else stem_of(path).removesuffix(".cast").removesuffix(".log")
        task_id = trial["task"] if trial else run_id
        run = Run(run_id=run_id, environment={"recording": "terminal"}, source=str(path))
        load_ = partial(_transcript, path) if not whole or _pieces(lines, width)[0] else None
        benchmark = BENCHMARK if trial else benchmarks.of_task_id(task_id)
        return Found([RunRecord(benchmark, task_id, run, load=load_, own_id=trial is not None)])


def _transcript(path: Path) -> Transcript | None:
    lines, width, _ = _typed(path)
    pieces, note = _pieces(lines, width)
    transcript = transcript_of_pieces(pieces, [note] if note else [])
    return transcript.model_copy(update={"complete": False}) if transcript and note else transcript


def _typed(path: Path, most: int = WHOLE_LIMIT) -> tuple[list[Typed], int, bool]:
    """What was typed, how wide the terminal was, and whether that is all, of so many bytes."""
    with opened(path) as stream:
        raw = stream.read(most + 1)
    whole = len(raw) <= most
    if not whole and most == WHOLE_LIMIT:
        raise InputError(say("recordings.recording_too_large_taken", path=path))
    if not raw.lstrip().startswith(b"{"):
        return list(of_bytes(raw.decode("utf-8", "replace"))), WIDTH, whole
    if b'"stdout"' in raw[:HEAD_BYTES].partition(b"\n[")[0]:
        return *_first_version(path), True
    first, _, rest = raw.lstrip().partition(b"\n")
    events = list(_events(path, rest))
    if any(kind == "i" for kind, _ in events):
        return list(of_events(events)), _width(mapping(loads(path, first, 1))), whole
    shown = "".join(text for kind, text in events if kind == "o")
    return list(of_bytes(shown)), _width(mapping(loads(path, first, 1))), whole


def _first_version(path: Path) -> tuple[list[Typed], int]:
    """A recording that is one JSON object."""
    data = load_object(path, "recording")
    frames = (frame for frame in listed(data.get("stdout")) if isinstance(frame, list) and len(frame) == 2)
    shown = "".join(clean(text) for _, text in frames if isinstance(text, str))
    return list(of_bytes(shown)), _width(data)


def _width(header: dict[str, Any]) -> int:
    size = mapping(header.get("term")) or header
    return int(number_of(size.get("width", size.get("cols"))) or WIDTH)


def _events(path: Path, text: bytes) -> Iterator[tuple[str, str]]:
    """Each event's kind and text; a line that breaks off ends the recording."""
    for number, line in enumerate(text.split(b"\n"), 2):
        try:
            event = loads(path, line, number) if line.strip() else None
        except InputError:
            return
        if isinstance(event, list) and len(event) == 3 and all(isinstance(one, str) for one in event[1:]):
            yield event[1], clean(event[2])


def _pieces(lines: Sequence[Typed], width: int) -> tuple[list[Piece], str]:
    """The blocks to be, and what the recording cannot show."""
    data = _data().harness
    work = [one for one in lines if one.said or not re.fullmatch(data.idle, one.line)]
    installed = next((at for at, one in enumerate(work) if re.search(data.installs, one.line)), None)
    if installed is None:
        return [piece for number, one in enumerate(work) for piece in _of_agent(one, number)], ""
    pieces = [piece for one in work[installed:] for piece in _of_harness(one, width)]
    if any(piece.role == "assistant" for piece in pieces) or any(piece.kind == "result" for piece in pieces):
        return pieces, ""
    return pieces, say("recordings.recording_shows_agent_program")


def _of_agent(one: Typed, number: int) -> Iterator[Piece]:
    for text in one.said:
        yield Piece("assistant", "message", _words(text))
    if not one.line:
        return
    line = re.sub(_data().harness.adds, "", one.line)
    tool = PROGRAM if one.to_shell else KEYBOARD
    yield call_of("assistant", tool, {"keystrokes": line}, f"line-{number}")
    yield Piece("tool", "result", one.output, tool, call_id=f"line-{number}")


def _words(text: str) -> str:
    """What was said at a mark, without the keys, which are typed behind it."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(said, dict) or "commands" not in said:
        return text
    return dumped({name: value for name, value in said.items() if name != "commands"})


def _of_harness(one: Typed, width: int) -> Iterator[Piece]:
    """What a harness typed; an error where the shell could not run it, and its turns where an agent's program ran."""
    data = _data()
    line, output = re.sub(data.harness.adds, "", one.line), one.output
    installs = re.search(data.harness.installs, line)
    yield Piece("harness", "message", f"$ {line}")
    if installs or len(output.splitlines()) <= SHORT:
        broke = _lacks_echo(line, output) if installs else command_failed(line, output, None) == "yes"
        yield Piece("harness", "result" if broke else "message", output)
        return
    turns = next((found for console in data.console if (found := list(_turns(console, output, width)))), None)
    yield from turns or [Piece("harness", "message", output)]


def _lacks_echo(line: str, output: str) -> bool:
    """Whether a line that ends in printing a word, where all before it went well, did not print it."""
    word = re.search(r"&& *echo ('\w+'|\"\w+\"|\w+)\s*\Z", line)
    return word is not None and word[1].strip("'\"") not in output.split()


def _turns(console: _Console, output: str, width: int) -> Iterator[Piece]:
    """The turns of an agent's program; none where it writes them otherwise."""
    heads = list(re.finditer(console.heads, output, re.MULTILINE))
    ends = [*(head.start() for head in heads[1:]), len(output)]
    for head, end in zip(heads, ends, strict=False):
        body = output[head.end() : end]
        text = re.sub(console.ends, "", body, flags=re.MULTILINE).strip("\n")
        role = console.roles[head["role"].lower()]
        yield Piece(role, "message", _unwrapped(text, width) if console.wraps else text)


def _unwrapped(text: str, width: int) -> str:
    """The lines as they were before each was broken where its next word did not fit."""
    lines = text.split("\n")
    whole = lines[:1]
    last = len(lines[0])
    for line in lines[1:]:
        word = line.split(" ", 1)[0]
        if word and not word.startswith("```") and last <= width < last + 1 + len(word):
            whole[-1] += f" {line}"
        else:
            whole.append(line)
        last = len(line)
    return "\n".join(whole)
