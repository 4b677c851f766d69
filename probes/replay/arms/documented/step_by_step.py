"""`step-by-step`: the failing command without what installs, and a script of it past the step that fails.

Neither is more than an open way: nobody knows whether what then comes of it is what the task asks for.
"""

import posixpath
import shlex
from collections.abc import Sequence
from functools import cache

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, steps_of
from cases.touches import idle, prepares
from cases.touches.names import things
from probes.barriers import RoutePlan
from probes.model import Barrier, Tier
from probes.replay.arms.documented.asking import Own, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="step-by-step",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="sh(1): a script's commands can be run one by one; those behind a failing one need not depend on it",
)
LONGEST = 60_000
"""Bytes of a script that is read."""
_SHELLS = frozenset({"sh", "bash", "dash", "ksh", "zsh", ".", "source"})
_TELLING = frozenset({"echo", "printf", "ls", "date", "du", "df", "tree", "pwd", "whoami", "hostname"})
"""Programs that only say something."""
_SUMS = frozenset({"md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "shasum"})
_CHECK = frozenset({"-c", "--check"})
"""With which they only compare (coreutils, perl)."""
_BEGINS = re.compile(r"#! *\S*[/ ](?:ba|da|k|z)?sh\b")
_ENDS_AT_ONCE = (
    r"s/(^|;)[[:space:]]*set[[:space:]]+-[a-zA-Z]*e[a-zA-Z]*([[:space:]]+pipefail)?[[:space:]]*(;|$)/\1:\3/; "
    r"s/(^|;)[[:space:]]*set[[:space:]]+-o[[:space:]]+errexit/\1:/; 1s/^(#!.*sh)[[:space:]]+-[a-zA-Z]*e[a-zA-Z]*/\1/; "
    r"s/\|\|[[:space:]]*(exit|return)([[:space:]]+[0-9]+)?[[:space:]]*(;|$)/\3/"
)
"""What keeps a script from going on, taken away by sed."""
_NOTHING = "^ *0 [^ ]*[/.][^ ]*$"
"""What wc says of a file with nothing in it."""
_MADE = "find . -type f -newer {since} -size +0 -not -path '*/.*' -not -path '*/__pycache__/*' 2>/dev/null | sort"
_SINCE, _BEFORE, _AFTER = "/tmp/.since", "/tmp/.made-before", "/tmp/.made-after"  # noqa: S108 - in a container
_IDLE = "$HOME/.installs-nothing"
_EXPORTS = f'export PATH="{_IDLE}/bin:$PATH" PYTHONPATH="{_IDLE}:${{PYTHONPATH:-}}"'
_STAND_IN = f"""#!/bin/sh
for word in "$@"; do case "$word" in VERBS) exit 0;; esac; done
PATH="${{PATH#"{_IDLE}/bin:"}}" exec NAME "$@"
"""
"""Installs nothing, and leaves all else to the program in whose place it is put."""


@cache
def _installers() -> dict[str, str]:
    """Programs that install, each with what is put in its place."""
    known = [entry for entry in things().installer if entry.verbs]
    text = {name: "|".join(sorted(entry.verbs)) for entry in known for name in entry.programs}
    return {name: _STAND_IN.replace("VERBS", verbs).replace("NAME", name) for name, verbs in sorted(text.items())}


@cache
def _installs() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, _installers()))})(?![\w.-])")


def step_by_step(survey: Survey) -> Way:
    """Open where the command works without what installs, or its script makes more than before once it goes on."""
    steps = [step.command for step in steps_of(survey.command)]
    if survey.own is None and not any(one.program in ("make", "gmake") for one in steps):
        return Way(PLAN, lacking=say("step_by_step.no_script"))
    text = _text(survey, survey.own) if survey.own else ""
    installs = _installs().search(f"{text}\n{survey.source}") and not all(prepares(one) or idle(one) for one in steps)
    tries = [_installing_nothing(survey)] if installs else []
    if survey.own and text:
        lines = [step.command for step in steps_of(text) if step.inside == "line" and step.command.words]
        if sum(not idle(one) for one in lines) > 1:
            told = [one for one in lines if _only_tells(one) and text[one.end :].lstrip()[:1] != "|"]
            tries.append(_going_on(survey, survey.own, _without(told, text)))
    return Way(PLAN, tuple(tries), lacking="" if tries else say("step_by_step.no_script"))


def _installing_nothing(survey: Survey) -> Try:
    """With the installers that its sources name, and Python's `pip`, in whose place something is put."""
    named = {match[0] for match in _installs().finditer(survey.source)} | {"pip", "pip3"}
    each = (
        f'printf %s {shlex.quote(text)} > "{_IDLE}/bin/{name}" && chmod 755 "{_IDLE}/bin/{name}"'
        for name, text in _installers().items()
        if name in named
    )
    modules = f': > "{_IDLE}/pip/__init__.py"; : > "{_IDLE}/pip/__main__.py"'
    put = f'mkdir -p "{_IDLE}/pip" "{_IDLE}/bin"; {"; ".join(each)}; {modules}'
    script = "\n".join((put, _EXPORTS, strictly(survey.command)))
    return Try(script, (put, _EXPORTS, survey.command), in_bash=True, open=say("step_by_step.works"))


def _only_tells(command: Command) -> bool:
    checks = command.program in _SUMS and not _CHECK.isdisjoint(command.arguments)
    return (command.program in _TELLING or checks) and not command.redirects


def _without(commands: Sequence[Command], text: str) -> str:
    for command in reversed(commands):
        text = f"{text[: command.start]}true{text[command.end :]}"
    return text


def _text(survey: Survey, own: Own) -> str:
    """Of a script for a shell; empty of anything else."""
    place = own.step.at(own.script.text, survey.folder)
    if place is None or own.step.command.module:
        return ""
    text = survey.trial.run("replay-step-by-step", f"head -c {LONGEST} {shlex.quote(place)}", seconds=10)[0].output
    by_name = own.step.command.program in _SHELLS
    return text if _BEGINS.match(text) or (by_name and not text.startswith("#!")) else ""


def _going_on(survey: Survey, own: Own, text: str) -> Try:
    copy = posixpath.join(posixpath.dirname(own.script.text), f".step-by-step-{own.name}")
    called = f"{own.line[: own.script.start]}{copy}{own.line[own.script.end :]}"
    place = shlex.quote(posixpath.join(own.folder, copy))
    changed = f"printf %s {shlex.quote(text)} | sed -E {shlex.quote(_ENDS_AT_ONCE)} > {place} && chmod u+rx {place}"
    script = "\n".join(
        (
            *_watched(survey.command, _BEFORE),
            f"( {changed} ) || exit 1",
            *_watched(called, _AFTER),
            f"comm -13 {_BEFORE} {_AFTER}{_other_kinds(survey)} | grep . || "
            f"grep -vxFf {_BEFORE}.said {_AFTER}.said | grep -vE '{_NOTHING}' | grep '[0-9]' | grep -q .",
        )
    )
    return Try(script, (changed, called), in_bash=True, open=say("step_by_step.more", script=own.script.text))


def _other_kinds(survey: Survey) -> str:
    """A filter that leaves out what differs only by its numbers from what was made before: each round of a loop comes
    to a program that is missing in the same way.
    """
    alike = "sed -E 's/[0-9.]+/#/g'"
    missing = survey.trial.subject.barrier is Barrier.COMMAND
    return f" | {alike} | grep -vxFf <({alike} {_BEFORE})" if missing else ""


def _watched(command: str, into: str) -> tuple[str, ...]:
    """Run, with what it made and said written down."""
    made = _MADE.format(since=_SINCE)
    return f"touch {_SINCE}; sleep 0.1", f"( {command} ) > {into}.said 2>/dev/null", f"{made} > {into}"
