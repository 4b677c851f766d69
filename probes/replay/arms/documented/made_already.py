"""`made-already`: a file that a build's failing rule would make, and that lies there as the task was given."""

import posixpath
import shlex

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import MAKES, and_made
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
_FAILED = re.compile(r"(?m)^g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]\n]*:\d+: )?(?P<target>[^\]\n:]+)\] Error 127$")
"""GNU make of a rule whose program is not there."""
_MOVED = re.compile(r"(?m)^g?make(?:\[\d+\])?: (?P<how>Entering|Leaving) directory '(?P<folder>[^'\n]+)'$")
_WORD = re.Whole(r"[\w-]", r"[\w-]")
_LAST = r"s/^g?make[^ ]*: [*]{3} \[([^]]*:[0-9]+: )?([^]:]+)\] Error [0-9]+$/\2/p"
_EACH = """for n in 1 2 3 4 5 6; do
    out="$( {script} 2>&1)"; ended=$?
    [ $ended -ne 0 ] || {{ printf '%s\\n' "$out"; exit; }}
    t="$(printf '%s\\n' "$out" | grep -q 'not found' && printf '%s\\n' "$out" | sed -nE {last} | head -n 1)"
    cd {folder} && test -s "$t" || {{ printf '%s\\n' "$out"; exit 1; }}
    [ -x "$t" ] || ! printf '%s' {prompt} | grep -qwF -- "$(basename "$t")" || exit 1
    sleep 1; touch "$t"
done; exit 1"""
"""Touches one after another that a failing rule would make and that is there, until the build makes something else; no
document that the task's text names is touched.
"""


def made_already(survey: Survey) -> Way:
    """The failing build once that file counts as made, unless the task's text names it; it must make something else."""
    found = _target(survey)
    if found is None:
        return Way(PLAN, lacking=say("made_already.no_target"))
    target, folder = found
    touch, build = f"touch {shlex.quote(target)}", and_made(survey.command, folder)
    script = f"( cd {shlex.quote(survey.folder)}; {build}\n)"
    each = _EACH.format(
        script=script, last=shlex.quote(_LAST), folder=shlex.quote(folder), prompt=shlex.quote(survey.prompt)
    )
    return Way(PLAN, (Try(f"{touch}; {build}", (touch, survey.command)), Try(each, (each,), in_bash=True)))


def _target(survey: Survey) -> tuple[str, str] | None:
    """It, and the folder in which its rule was carried out, both absolute."""
    decisive = survey.trial.outcome.decisive
    if decisive is None or not any(step.command.program in MAKES for step in steps_of(survey.command)):
        return None
    output = decisive.done.output
    failed = next(_FAILED.finditer(output), None)
    if failed is None:
        return None
    inside = [survey.folder]
    for moved in _MOVED.finditer(output[: failed.start()]):
        inside = [*inside, moved["folder"] or ""] if moved["how"] == "Entering" else inside[:-1] or [survey.folder]
    target = posixpath.normpath(posixpath.join(inside[-1], failed["target"] or ""))
    named = _WORD.within(posixpath.basename(target), survey.prompt)
    there = not named and not survey.of_the_run(target) and survey.holds(f"test -s {shlex.quote(target)}")
    return (target, inside[-1]) if there else None
