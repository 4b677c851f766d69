"""`step-by-step`: a shell script of the task's without what only prepares the machine, and past the failing step."""

import posixpath
import shlex
from collections.abc import Sequence

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, steps_of
from cases.touches import idle, prepares
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import Own
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
_BEGINS = re.compile(r"#! *\S*[/ ](?:ba|da|k|z)?sh\b")
_ENDS_AT_ONCE = (
    r"s/(^|;)[[:space:]]*set[[:space:]]+-[a-zA-Z]*e[a-zA-Z]*([[:space:]]+pipefail)?[[:space:]]*(;|$)/\1:\3/; "
    r"s/(^|;)[[:space:]]*set[[:space:]]+-o[[:space:]]+errexit/\1:/; 1s/^(#!.*sh)[[:space:]]+-[a-zA-Z]*e[a-zA-Z]*/\1/; "
    r"s/\|\|[[:space:]]*(exit|return)([[:space:]]+[0-9]+)?[[:space:]]*(;|$)/\3/"
)
"""What keeps a script from going on, taken away by sed."""
_MADE = "find . -type f -newer {since} -size +0 -not -path '*/.*' -not -path '*/__pycache__/*' 2>/dev/null | sort"
_SINCE, _BEFORE, _AFTER = "/tmp/.since", "/tmp/.made-before", "/tmp/.made-after"  # noqa: S108 - in a container
_NAMED = "sed 's#.*/##; s/[.][^.]*$//' | tr -cd 'A-Za-z0-9\\n' | tr A-Z a-z | grep -E '.{5}' | grep -E '[a-z]'"


def step_by_step(survey: Survey) -> Way:
    """The script of the failing command without its preparing steps, where that makes a file that the prompt names; and
    without stopping at a failure, where that makes more than before: of this nobody knows whether it is what is asked.
    """
    own = survey.own
    text = _text(survey, own) if own else ""
    lines = [step for step in steps_of(text) if step.inside == "line" and step.command.words]
    if own is None or sum(not idle(step.command) for step in lines) < 2:
        return Way(PLAN, lacking=say("step_by_step.no_script"))
    folder = own.step.at(own.script.text, survey.folder)
    copy = posixpath.join(posixpath.dirname(own.script.text), f".step-by-step-{own.name}")
    called = f"{own.line[: own.script.start]}{copy}{own.line[own.script.end :]}"
    told = [one.command for one in lines if _only_tells(one.command) and text[one.command.end :].lstrip()[:1] != "|"]
    ready = [step.command for step in lines if prepares(step.command)]
    tries = [_going_on(survey, own, copy, called, _without(told, text))]
    if ready and folder and survey.prompt:
        tries.insert(0, _unprepared(survey, own, copy, called, _without(ready, text)))
    return Way(PLAN, tuple(tries))


def _only_tells(command: Command) -> bool:
    return command.program in _TELLING and not command.redirects


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


def _made(since: str) -> str:
    return _MADE.format(since=since)


def _unprepared(survey: Survey, own: Own, copy: str, called: str, text: str) -> Try:
    """It ends at the first failure, so that all that comes before what it makes has worked."""
    prompt, place = re.sub(r"[^a-z0-9]", "", survey.prompt.lower()), shlex.quote(posixpath.join(own.folder, copy))
    first, _, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
    strict = "\n".join((first, "set -e", rest))
    write = f"printf %s {shlex.quote(strict)} > {place} && chmod u+rx {place}"
    spoken = f"while IFS= read -r n; do case {prompt} in *$n*) echo $n;; esac; done"
    there = f"{_made(_SINCE)} | {_NAMED} | {spoken} | grep -q ."
    script = "\n".join(
        (
            f"{write} || exit 1",
            f"touch {_SINCE}; sleep 0.1; ( {called} ) > {_AFTER}.said 2>&1 || {{ {there}; }} && exit 0",
            f"tail -20 {_AFTER}.said; exit 1",
        )
    )
    return Try(script, (write, called))


def _going_on(survey: Survey, own: Own, copy: str, called: str, text: str) -> Try:
    place, name = shlex.quote(posixpath.join(own.folder, copy)), own.script.text
    changed = f"printf %s {shlex.quote(text)} | sed -E {shlex.quote(_ENDS_AT_ONCE)} > {place} && chmod u+rx {place}"
    script = "\n".join(
        (
            *_watched(survey.command, _BEFORE),
            f"( {changed} ) || exit 1",
            *_watched(called, _AFTER),
            f"comm -13 {_BEFORE} {_AFTER} | grep . || "
            f"grep -vxFf {_BEFORE}.said {_AFTER}.said | grep '[0-9]' | grep -q .",
        )
    )
    return Try(script, (changed, called), in_bash=True, open=say("step_by_step.more", script=name))


def _watched(command: str, into: str) -> tuple[str, ...]:
    """Run, with what it made and said written down."""
    return f"touch {_SINCE}; sleep 0.1", f"( {command} ) > {into}.said 2>/dev/null", f"{_made(_SINCE)} > {into}"
