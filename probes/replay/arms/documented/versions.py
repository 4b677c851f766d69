"""`another-version`: a version of a program the command uses that lies on the machine beside the one it found."""

import shlex

from cases.sentences import Sentences
from cases.shell import steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import put_first, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import table

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-version",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: programs that a machine may have in several versions",
)
MOST = 4
"""Of one program."""
_PRUNED = "\\( -path /proc -o -path /sys -o -path /dev -o -path /opt/impassable \\) -prune"


def another_version(survey: Survey) -> Way:
    """The failing command with each other version put before the one it found."""
    used = {step.command.program for step in steps_of(survey.command)} | set(survey.trial.outcome.ended)
    used.add(interpreter(survey))
    known = [names for names in table().versions.names if used.intersection(names)]
    tries = [_try(survey, names, place) for names in known for place in _others(survey, names)]
    return Way(PLAN, tuple(tries), "" if tries else say("versions.machine_no_other"))


def interpreter(survey: Survey) -> str:
    """What the first line of the task's own program names; empty where there is none."""
    if survey.own is None:
        return ""
    script = shlex.quote(survey.own.script.text)
    lines = survey.ask("first-line", f"cd {shlex.quote(survey.folder)} && head -c 200 {script} | head -1 | tr -d '\\0'")
    words = lines[0].removeprefix("#!").split() if lines and lines[0].startswith("#!") else []
    return next((word.rpartition("/")[2] for word in reversed(words) if not word.startswith("-")), "")


def _others(survey: Survey, names: tuple[str, ...]) -> list[str]:
    """Where programs of one of the names lie, with a version behind it or not, that are not the one that is found.

    A virtual environment of Python's is one of its own though its program is a link to that one.
    """
    any_of = "|".join(name.replace("+", "\\+") for name in names)
    found = (
        f'here="$(for n in {shlex.join(names)}; do command -v "$n" && break; done | xargs -r readlink -f)"; '
        f"find / -xdev {_PRUNED} -o -regextype posix-extended -regex '.*/bin/({any_of})[-.]?[0-9.]*' "
        '\\( -type f -o -type l \\) -executable -print 2>/dev/null | while IFS= read -r p; do r="$(readlink -f "$p")"; '
        'b="${p%/*}"; [ -e "$b/../pyvenv.cfg" ] && r="$b"; '
        '[ "$r" = "$here" ] || printf "%s\\t%s\\n" "$r" "$p"; done | sort -u -k1,1 | cut -f2'
    )
    return survey.ask("versions", found)[:MOST]


def _try(survey: Survey, names: tuple[str, ...], place: str) -> Try:
    begun = put_first(".versions", dict.fromkeys(names, place))
    return Try(strictly(survey.command, *begun), (*begun, survey.command))
