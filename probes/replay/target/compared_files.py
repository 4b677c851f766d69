"""Shell checks of which two cannot hold at once: one compares what was made with a file, which the other refuses."""

import base64
import posixpath
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cases import patterns as re
from cases.shell import Step, steps_of
from sandboxes import Session

SECONDS = 60
MOST = 3
"""Pairs that are tried."""
SHELL = re.compile(r"(?:^|/)[\w.-]+\.(?:sh|bash)$")
_COMPARE = frozenset({"cmp", "diff"})
_TOOLS = frozenset({"awk", "cmp", "diff", "egrep", "fgrep", "gawk", "grep", "jq", "mawk", "test", "["})
"""Programs that look at nothing but what they are given."""
_OWN, _CHECKS = "/tmp/.made-by-the-run", "/tmp/.checks-as-given"  # noqa: S108 - in a container


@dataclass(frozen=True)
class Excluding:
    """A comparison and the other check, each as it stands and by its line, counted from 1."""

    comparison: str
    first: int
    other: str
    second: int


@dataclass(frozen=True)
class _Bench:
    """Where the checks are run and changed."""

    session: Session
    folder: str
    command: str
    checks: str
    text: str

    def ends_well(self, command: str, *before: str) -> bool:
        """Whether a command ends with 0 behind others."""
        line = "\n".join((f"cd {shlex.quote(self.folder)} || exit", *before, command))
        return self.session.run(line, seconds=SECONDS, looks=True).ok

    def without(self, step: Step) -> str:
        """What leaves a check out of the file."""
        start, end = step.command.start, step.command.end
        changed = base64.b64encode(f"{self.text[:start]}true{self.text[end:]}".encode()).decode()
        return f"echo {changed} | base64 -d > {shlex.quote(self.checks)}"


def excluding(
    session: Session, command: str, checks: str, text: str, folder: str, own: Callable[[str], bool]
) -> Iterator[Excluding]:
    """Checks of a shell script that exclude each other, shown by running them.

    `command`, run in `folder`, runs the checks; `own` tells of a file's name whether the run wrote that. The fixed file
    stands in the place of what was made: then the comparison holds and the other check fails, and the command ends well
    once that one is left out. It does not where what was made is another thing, so that the comparison decides, too.
    """
    steps = [step for step in steps_of(text) if _alone(step)]
    bench = _Bench(session, folder, command, checks, text)
    kept = f"cp -p {shlex.quote(checks)} {_CHECKS}"
    pairs = [pair for step in steps for pair in _pairs(step, steps, posixpath.dirname(checks), folder, own)]
    if not pairs or bench.ends_well(command):
        return
    for comparison, other, made, fixed in pairs[:MOST]:
        back = f"cat {_CHECKS} > {shlex.quote(checks)}"
        grant = f"test -e {made} && cp -p {made} {_OWN} && cat {fixed} > {made}"
        if not bench.ends_well(grant, kept):
            continue
        refused = not bench.ends_well(other.command.text)
        shut = refused and not bench.ends_well(command, f"cat {fixed} > {made}")
        passes = shut and bench.ends_well(command, bench.without(other), f"cat {fixed} > {made}")
        decides = passes and not bench.ends_well(command, f"echo >> {made}")
        bench.ends_well(f"cp -p {_OWN} {made}", back)
        if decides:
            yield Excluding(comparison.command.text, _line(text, comparison), other.command.text, _line(text, other))


def _alone(step: Step) -> bool:
    """Whether it is a check of one line that reads from files alone and is no part of a pipeline."""
    command = step.command
    plain = command.program in _TOOLS and all(word.literal for word in command.words) and not command.wrappers
    return plain and "\n" not in command.text and not (step.fed or step.feeds or command.outputs)


def _pairs(
    step: Step, steps: list[Step], given: str, folder: str, own: Callable[[str], bool]
) -> Iterator[tuple[Step, Step, str, str]]:
    """A comparison, each other check of the same file, that file and the one that is fixed."""
    files = [word for word in step.command.arguments if not word.startswith("-")]
    if step.command.program not in _COMPARE or len(files) != 2:
        return
    for made, fixed in (files, files[::-1]):
        place, to_make = (posixpath.normpath(posixpath.join(folder, path)) for path in (fixed, made))
        if not place.startswith(f"{given}/") or own(place) or own(fixed) or to_make.startswith(f"{given}/"):
            continue
        for other in steps:
            words = [word for word in other.command.arguments if word != made and ("/" in word or "." in word)]
            if other is not step and made in other.command.arguments and not any(map(own, words)):
                yield step, other, shlex.quote(made), shlex.quote(fixed)


def _line(text: str, step: Step) -> int:
    return text.count("\n", 0, step.command.start) + 1
