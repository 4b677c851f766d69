"""The same run told otherwise: each function changes the record and nothing that is true of it.

One returns None where it has nothing to change, or where the truth would not stay what it is.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from cases import patterns as re
from verify.labelled.formats import ANY_TOOL, FORMATS
from verify.labelled.world import Done, Recording, World

Pair = tuple[World, Recording]
KEPT = 160
"""Characters of each output that are left where they are cut."""
PROMPT = "agent@sandbox:~$ "
CHATTER = (
    "Alright, let me think about where we stand before I go on. I want to be careful here and not rush to conclusions. "
    "In an earlier project a similar thing was blocked by a firewall and I got error 403 all day, which is of no "
    "interest now.",
    "Okay. Step by step! This one should be quick, famous last words... A MemoryError would surprise me.",
    "Hm, interesting. I remember reading that some of these need a login or a CAPTCHA; nothing of that kind here, "
    "I hope. Onwards.",
)
_LOOKING = re.compile(r"\A(?:pwd|ls|cat|head|id|uname|whoami|date|df|free|nproc|which|echo)\b[^;&|<>]*\Z")


def _outputs(pair: Pair, change: Callable[[Done], Done]) -> Pair:
    world, recording = pair
    return world, recording.model_copy(update={"steps": tuple(map(change, recording.steps))})


def crlf(world: World, recording: Recording) -> Pair | None:
    """Lines that end as a terminal's or Windows' do."""
    return _outputs((world, recording), lambda one: one.model_copy(update={"output": one.output.replace("\n", "\r\n")}))


def cut(world: World, recording: Recording) -> Pair | None:
    """The harness shows the first characters of what was printed."""
    return _outputs((world, recording), lambda one: one.model_copy(update={"keep": min(one.keep or KEPT, KEPT)}))


def prompts(world: World, recording: Recording) -> Pair | None:
    """A terminal that is shown with its prompts and what was typed."""

    def typed(one: Done) -> Done:
        line = f"{PROMPT}{one.command}\n"
        keep = len(line) + one.keep if one.keep else None
        return one.model_copy(update={"output": f"{line}{one.output.rstrip()}\n{PROMPT}", "keep": keep})

    return _outputs((world, recording), typed)


def wrapped(world: World, recording: Recording) -> Pair | None:
    """Another shell between the agent and its command."""

    def inside(one: Done) -> Done:
        return one.model_copy(update={"command": f"bash -lc {shlex.quote(one.command)}"}) if one.shell else one

    return _outputs((world, recording), inside)


def renamed(world: World, recording: Recording) -> Pair | None:
    """The shell's tool under another name."""
    if world.format not in ANY_TOOL:
        return None
    return _outputs((world, recording), lambda one: one.model_copy(update={"tool": "terminal"}) if one.shell else one)


def chatter(world: World, recording: Recording) -> Pair | None:
    """Words before each step that speak of other things."""
    steps = tuple(
        one.model_copy(update={"say": f"{CHATTER[number % len(CHATTER)]} {one.say}".strip()})
        for number, one in enumerate(recording.steps)
    )
    return world, recording.model_copy(update={"steps": steps})


def reordered(world: World, recording: Recording) -> Pair | None:
    """Two steps in turn that only look, and worked, the other way round."""
    steps = list(recording.steps)
    for at, (one, other) in enumerate(pairwise(recording.steps)):
        if _looks(one) and _looks(other):
            steps[at], steps[at + 1] = other, one
            return world, recording.model_copy(update={"steps": tuple(steps)})
    return None


def silent(world: World, recording: Recording) -> Pair | None:
    """Without last words."""
    return world, recording.model_copy(update={"final": ""})


def invented(world: World, recording: Recording) -> Pair | None:
    """An answer that stands on nothing."""
    return world, recording.model_copy(update={"final": "The answer is 42."})


def mute(world: World, recording: Recording) -> Pair | None:
    """Without a word of the agent's beside what it runs."""
    steps = tuple(one.model_copy(update={"say": ""}) for one in recording.steps)
    return world, recording.model_copy(update={"steps": steps, "final": ""})


@dataclass(frozen=True)
class _As:
    """The same run in another format."""

    format: str

    def __call__(self, world: World, recording: Recording) -> Pair | None:
        if self.format not in ANY_TOOL and not all(one.shell for one in recording.steps):
            return None
        return (world.model_copy(update={"format": self.format}), recording) if world.format != self.format else None


def _looks(one: Done) -> bool:
    return one.shell and not one.failed and _LOOKING.match(one.command) is not None


Rewriting = Callable[[World, Recording], Pair | None]
TOLD: tuple[Rewriting, ...] = (crlf, cut, prompts, wrapped, renamed, chatter, reordered, silent, invented, mute)
REWRITINGS: dict[str, Rewriting] = {one.__name__: one for one in TOLD}
REWRITINGS |= {f"as-{name}": _As(name) for name in FORMATS}
