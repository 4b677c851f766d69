"""`documented-code`: code that a document shows, which does with the failing command's files what that was to do."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import inputs
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="documented-code",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="code that a document of the task's shows, with the files that the failing command is given",
)
MOST = 3
"""Pieces of code."""
_FENCE = re.compile(r"(?ms)^ {0,3}```[ \t]*(?:python3?|py)[ \t]*\n(?P<code>.*?)^ {0,3}```")
_CONSOLE = re.compile(r"(?m)^(?:>>>|\.\.\.) ?")


def documented_code(survey: Survey) -> Way:
    """Each piece that names a file which the failing command reads; it must print something, and fail without that."""
    read = [place for _, place in inputs(survey.own.step)] if survey.own else []
    there = survey.existing(read) if read else []
    found = [one for one in dict.fromkeys(_pieces(survey)) if any(path in one for path in there)][:MOST]
    if not found:
        return Way(PLAN, lacking=say("shown_code.none_shown"))
    return Way(PLAN, tuple(_try(survey, code, there) for code in found))


def _pieces(survey: Survey) -> Iterator[str]:
    for text in survey.texts:
        for match in _FENCE.finditer(text):
            code = match["code"] or ""
            lines = code.splitlines()
            if any(line.startswith(">>>") for line in lines):
                code = "\n".join(_CONSOLE.sub("", line) for line in lines if _CONSOLE.match(line))
            yield code


def _try(survey: Survey, code: str, there: list[str]) -> Try:
    without = code
    for path in there:
        without = without.replace(path, posixpath.join(posixpath.dirname(path), f"not-{posixpath.basename(path)}"))
    own = f"python3 -c {shlex.quote(code)}"
    return Try(_printed(survey, own), (own,), _printed(survey, f"python3 -c {shlex.quote(without)}"))


def _printed(survey: Survey, command: str) -> str:
    place = posixpath.join(survey.folder, survey.own.folder if survey.own else ".")
    said = f"$(cd {shlex.quote(place)} && {command})"
    return f'out="{said}" && printf "%s\\n" "$out" && test -n "$out"'
