"""`switched-off`: what the command's own settings turn on and the machine lacks, turned off in them."""

import posixpath
import shlex
from collections.abc import Iterator
from difflib import SequenceMatcher

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="switched-off",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="settings that the failing command was seen to read: what one turns on by name can be turned off",
)
MOST = 6
FILES = 40
SHARED = 3
"""Letters that a setting's own name and what is missing have in common, one after another."""
OFF = {"true": "false", "yes": "no", "on": "off"}
_LINE = re.compile(
    r"(?P<file>[^:]+):(?P<number>\d+):(?P<before>.*?(?P<key>[A-Za-z][\w.-]{2,})['\"\])]*\s*[:=]\s*['\"]?)"
    r"(?P<value>(?i:true|yes|on))\b"
)


def switched_off(survey: Survey) -> Way:
    """The failing command with one such setting after another the other way round."""
    found = [one for one in _on(survey) if any(_shares(one[2], name) for name in _missing(survey))]
    tries = tuple(_try(survey, path, number, value) for path, number, _, value in found[:MOST])
    return Way(PLAN, tries, lacking="" if tries else say("switches.none_on"))


def _missing(survey: Survey) -> list[str]:
    facts = (fact.subject for fact in survey.trial.outcome.facts if fact.named)
    return [posixpath.basename(name.rstrip("/")).lower() for name in (survey.trial.subject.about, *facts)]


def _shares(key: str, name: str) -> bool:
    one, other = key.lower().rpartition(".")[2], re.sub(r"[^a-z]", " ", name)
    match = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return len(one[match.a : match.a + match.size].strip()) >= SHARED


def _on(survey: Survey) -> Iterator[tuple[str, int, str, str]]:
    """Files of the task's own that were opened, with each line, name and value of what they turn on."""
    folder = survey.trial.session.spec.workdir.rstrip("/")
    files = [path for path in survey.trial.outcome.opened if path.startswith(f"{folder}/")][:FILES]
    if not files:
        return
    words = "|".join(OFF)
    lines = survey.ask(
        "switches", f"grep -nHIiE '[:=][[:space:]]*[\"'\\'']?({words})([^[:alnum:]]|$)' {shlex.join(files)}"
    )
    for line in lines:
        if match := _LINE.match(line):
            yield match["file"], int(match["number"]), match["key"], match["value"]


def _try(survey: Survey, path: str, number: int, value: str) -> Try:
    off = OFF[value.lower()]
    other = off.upper() if value.isupper() else off.capitalize() if value[0].isupper() else off
    edit = f"sed -i.on '{number}s/{value}/{other}/' {shlex.quote(path)}"
    back = f"mv {shlex.quote(path)}.on {shlex.quote(path)}"
    script = f"{edit}\n( {strictly(survey.command)}\n)\nr=$?; [ $r = 0 ] || {back}; exit $r"
    return Try(script, (edit, survey.command))
