"""How a run ended: in an answer, in a patch that it handed in, in its last words, or in none of them."""

from functools import cache

from pydantic import Field

from cases import patterns as re
from cases.loading import Expression, load
from cases.model import Block, Model, Run, Transcript
from cases.sentences import Sentences

say = Sentences(__name__)

_LONGEST = 200
_NAMED = 2
"""Files of a patch that are named."""
_CHANGED = re.compile(r"^--- (\S[^\t\n]{0,400})[^\n]*\n\+\+\+ (\S[^\t\n]{0,400})[^\n]*\n@@ -\d", re.MULTILINE)
_MOVED = re.compile(
    r"^diff --git a/(\S[^\n]{0,400}) b/(\S[^\n]{0,400})\n(?:old mode|new mode|deleted|new file|rename|similarity|copy)",
    re.MULTILINE,
)


class Stop(Model):
    """Words that only end a conversation."""

    pattern: Expression
    catches: tuple[str, ...] = Field(min_length=1)
    misses: tuple[str, ...] = Field(min_length=1)
    source: str = Field(min_length=1)


def stops() -> tuple[Stop, ...]:
    """The shipped ones."""
    return load(tuple[Stop, ...], __package__, "endings.toml", "stop")


@cache
def _stop() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{'|'.join(f'(?:{one.pattern})' for one in stops())})\s*")


def last_words(transcript: Transcript | None) -> Block | None:
    """The last message of somebody who acts, whatever they are called, that does more than end the conversation."""
    if transcript is None:
        return None
    agents = transcript.agents
    spoken = (block for block in reversed(transcript.blocks) if block.role in agents and block.kind == "message")
    return next((block for block in spoken if block.text.strip() and not _stop().fullmatch(block.text)), None)


def patched(text: str | None) -> tuple[str, ...]:
    """The files that a text changes, where it is a patch: as `git diff` and `diff -u` write them."""
    found = [new if new != "/dev/null" else old for old, new in _CHANGED.findall(text or "")]
    found += [new for _, new in _MOVED.findall(text or "")]
    return tuple(dict.fromkeys(name.strip().removeprefix("a/").removeprefix("b/") for name in found))


def ended(run: Run) -> str:
    """How it ended, in one sentence."""
    if files := patched(run.answer):
        more = say("endings.more", number=len(files) - _NAMED) if len(files) > _NAMED else ""
        return say("endings.agent_handed_patch", files=", ".join(f"`{name}`" for name in files[:_NAMED]), more=more)
    answer = " ".join((run.answer or "").split())
    if answer:
        return say(
            "endings.agent_ended", answer=answer if len(answer) <= _LONGEST else f"{answer[:_LONGEST].rstrip()}…"
        )
    last = last_words(run.transcript)
    if last is None:
        whole = run.transcript and run.transcript.understood
        return say("endings.agent_gave_no_answer") if whole else say("endings.record_shows_no_answer")
    lines = last.text.strip().splitlines()
    kept = lines[:-1] if len(lines) > 1 and _stop().fullmatch(lines[-1]) else lines
    words = " ".join(" ".join(kept).split())
    return say("endings.agent_ended", answer=words if len(words) <= _LONGEST else f"…{words[-_LONGEST:].lstrip()}")
