"""How far a record was understood: its calls counted by their marks, beside those that became events."""

import itertools
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Literal

from cases import patterns as re
from cases.events import pages
from cases.events.acts import Act, acts_of
from cases.events.prose import NOT_AGENTS
from cases.events.spans import compiled
from cases.loading import Expression, load
from cases.model import Block, Model, Speaker, Transcript, Understanding
from cases.sentences import Sentences, counted

say = Sentences(__name__)

FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
HEREDOC = re.compile(r"<<-?[ \t]*['\"]?(\w+)['\"]?")
ASSISTANTS = frozenset({"assistant", "ai", "model", "agent", "gpt"})
ASKING = frozenset({"system", "developer", "user", "human"})
ANSWERING = frozenset({"tool", "function", "environment"})


class _Strong(Model):
    patterns: tuple[Expression, ...]
    source: str


class _Weak(Model):
    languages: frozenset[str]
    lines: Expression
    source: str


class _Markers(Model):
    strong: _Strong
    weak: _Weak


class _Omission(Model):
    pattern: Expression
    source: str


def _markers() -> _Markers:
    return load(_Markers, __package__, "markers.toml")


@cache
def _strong_marks() -> re.Pattern[str]:
    return compiled(f"(?:{')|(?:'.join(_markers().strong.patterns)})")


@cache
def _omissions() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(entry.pattern) for entry in load(tuple[_Omission, ...], __package__, "omissions.toml", "mark")
    )


def understood(transcript: Transcript, acts: Sequence[Act] | None = None) -> Transcript:
    """The transcript with how far it was understood, incomplete where observations say that text was left out.

    `acts` are those of its blocks, where they are known.
    """
    blocks = transcript.blocks
    acts = acts_of(blocks) if acts is None else acts
    pages_shown = frozenset(index for visit in pages.visits(blocks) for index in visit.blocks)
    seen = _observations(blocks, acts) | pages_shown
    omitted = [(at, mark) for at in sorted(seen) if (mark := _omission(blocks[at].text))]
    speakers = _speakers(blocks, acts, seen)
    acting = {speaker.name for speaker in speakers if speaker.does == "acts"}
    calls, read = _counted(blocks, acts, acting, seen, pages_shown)
    measured = Understanding(
        blocks=len(blocks),
        calls=calls,
        calls_read=read,
        observations=len(seen),
        omitted=len(omitted),
        exchanges=sum(
            before.role in acting and after.role not in acting for before, after in itertools.pairwise(blocks)
        ),
        speakers=speakers,
    )
    said = [
        say("understanding.blocks_lost_text_first", number=counted(len(omitted), "block"), at=at, mark=mark)
        for at, mark in omitted[:1]
    ]
    complete = transcript.complete and not omitted
    notes = (*transcript.notes, *(note for note in said if note not in transcript.notes))
    return transcript.model_copy(update={"understanding": measured, "complete": complete, "notes": notes})


def _observations(blocks: Sequence[Block], acts: Sequence[Act]) -> frozenset[int]:
    """What answers calls, and what tools say."""
    answers = {act.answered for act in acts if act.answered is not None}
    results = {block.index for block in blocks if block.kind == "result" and block.role != "harness"}
    return frozenset(answers | results)


def _omission(text: str) -> str | None:
    return next((match[0] for pattern in _omissions() if (match := pattern.search(text))), None)


def _speakers(blocks: Sequence[Block], acts: Sequence[Act], seen: frozenset[int]) -> tuple[Speaker, ...]:
    """In the order in which they first speak."""
    spoken = Counter(block.role for block in blocks)
    answered = Counter(blocks[index].role for index in seen)
    called = {blocks[act.blocks[0]].role for act in acts if act.tool}
    return tuple(
        Speaker(name=name, does=_does(name, answered[name] * 2 >= count, name in called), blocks=count)
        for name, count in spoken.items()
    )


def _does(name: str, answers: bool, calls: bool) -> Literal["asks", "acts", "answers", "harness"]:
    role = name.lower()
    if role == "harness":
        return "harness"
    if role in ASSISTANTS:
        return "acts"
    if role in ANSWERING or (answers and not (calls and role not in NOT_AGENTS)):
        return "answers"
    return "asks" if role in ASKING else "acts"


def _counted(
    blocks: Sequence[Block], acts: Sequence[Act], acting: set[str], seen: frozenset[int], shown: frozenset[int]
) -> tuple[int, int]:
    """Calls present and calls read; `shown` are the pages among what is `seen`."""
    said = [block for block in blocks if block.role in acting and block.kind == "message" and block.index not in seen]
    last = max((block.index for block in blocks if block.role not in acting), default=-1)
    strong = {block.index: marks for block in said if (marks := _strong(block.text))}
    weak = {block.index: marks for block in said if block.index < last and (marks := _weak(block.text))}
    if not (acts or strong or weak):
        return 0, 0
    structured = sum(block.kind == "call" for block in blocks)
    style = structured + sum(strong.values()) + len(shown)
    loose = sum(count for index, count in weak.items() if index not in strong)
    present = strong if style and style * 2 >= loose else weak
    read = Counter(act.blocks[0] for act in acts if act.tool and blocks[act.blocks[0]].kind == "message")
    whole = {index for act in acts if act.nested for index in act.blocks}
    found = taken = structured
    for index in present.keys() | read.keys():
        marks = max(present.get(index, 0), read[index])
        found += marks
        taken += marks if index in whole else read[index]
    return found, taken


def _strong(text: str) -> int:
    return sum(1 for _ in _strong_marks().finditer(text))


def _weak(text: str) -> int:
    """Opened fences of languages that can be run, else lines that begin as an action does; none in a file's text."""
    text = _without_heredocs(text)
    opened = [match[1].lower() for match in FENCE.finditer(text)][::2]
    fences = sum(language in _markers().weak.languages for language in opened)
    return fences or len(compiled(_markers().weak.lines).findall(text))


def _without_heredocs(text: str) -> str:
    """The text without what shell commands in it write word for word."""
    if "<<" not in text:
        return text
    lines = text.split("\n")
    last = {line.strip(): number for number, line in enumerate(lines)}
    kept: list[str] = []
    end = ""
    for number, line in enumerate(lines):
        if not end:
            kept.append(line)
            opened = HEREDOC.search(line)
            end = opened[1] if opened and last.get(opened[1], -1) > number else ""
        elif line.strip() == end:
            end = ""
    return "\n".join(kept)
