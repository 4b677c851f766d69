"""`made-already`: a file that a build's failing rule would make, and that lies there as the task was given."""

import posixpath
import shlex

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="made-already",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="GNU make manual, Instead of Execution: `--touch` marks a target as made",
)
_MAKES = frozenset({"make", "gmake"})
_FAILED = re.compile(r"(?m)^g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]\n]*:\d+: )?(?P<target>[^\]\n:]+)\] Error 127$")
"""GNU make of a rule whose program is not there."""
_MOVED = re.compile(r"(?m)^g?make(?:\[\d+\])?: (?P<how>Entering|Leaving) directory '(?P<folder>[^'\n]+)'$")
_WORD = re.Whole(r"[\w-]", r"[\w-]")
_SINCE = "/tmp/.made-already"  # noqa: S108 - in a container


def made_already(survey: Survey) -> Way:
    """The failing build once that file counts as made, unless the task's text names it; it must make something else."""
    target = _target(survey)
    if not target:
        return Way(PLAN, lacking=say("made_already.no_target"))
    touch, quoted = f"touch {shlex.quote(target)}", shlex.quote(target)
    find = f"find . {shlex.quote(posixpath.dirname(target))} -type f -newer {_SINCE} ! -path {quoted}"
    other = f'test -n "$({find} | head -n 1)"'
    script = "\n".join((f"{touch}; touch {_SINCE}; sleep 0.1", f"( {strictly(survey.command)}\n) || exit", other))
    return Way(PLAN, (Try(script, (touch, survey.command)),))


def _target(survey: Survey) -> str:
    """Absolute; empty where there is none."""
    decisive = survey.trial.outcome.decisive
    if decisive is None or not any(step.command.program in _MAKES for step in steps_of(survey.command)):
        return ""
    output = decisive.done.output
    failed = next(_FAILED.finditer(output), None)
    if failed is None:
        return ""
    inside = [survey.folder]
    for moved in _MOVED.finditer(output[: failed.start()]):
        inside = [*inside, moved["folder"] or ""] if moved["how"] == "Entering" else inside[:-1] or [survey.folder]
    target = posixpath.normpath(posixpath.join(inside[-1], failed["target"] or ""))
    named = _WORD.within(posixpath.basename(target), survey.prompt)
    there = not named and not survey.of_the_run(target) and survey.holds(f"test -s {shlex.quote(target)}")
    return target if there else ""
