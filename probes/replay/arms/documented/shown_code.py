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
    """Each piece with the name of a file that the failing command reads; it must print something, make what that was to
    make, and fail without the file.
    """
    given = [place for _, place in inputs(survey.own.step)] if survey.own else []
    there = [path for path in survey.existing(given) if survey.holds(f"test -f {shlex.quote(path)}")] if given else []
    to_make = [path for path in given if path not in survey.existing(given) and ("/" in path or "." in path)]
    found = [one for one in dict.fromkeys(_pieces(survey)) if any(_quoted(path).search(one) for path in there)][:MOST]
    if not found:
        return Way(PLAN, lacking=say("shown_code.none_shown"))
    return Way(PLAN, tuple(_try(survey, code, there, to_make) for code in found))


def _quoted(path: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<open>['\"])(?:\./)?{re.escape(path.removeprefix('./'))}(?P<close>['\"])")


def _pieces(survey: Survey) -> Iterator[str]:
    for text in survey.texts:
        for match in _FENCE.finditer(text):
            code = match["code"] or ""
            lines = code.splitlines()
            if any(line.startswith(">>>") for line in lines):
                code = "\n".join(_CONSOLE.sub("", line) for line in lines if _CONSOLE.match(line))
            yield code


def _try(survey: Survey, code: str, there: list[str], to_make: list[str]) -> Try:
    without = code
    for path in there:
        without = _quoted(path).sub(f"'{path}.not-there'", without)
    own = f"python3 -c {shlex.quote(code)}"
    return Try(_printed(survey, own, to_make), (own,), _printed(survey, f"python3 -c {shlex.quote(without)}", to_make))


def _printed(survey: Survey, command: str, to_make: list[str]) -> str:
    place = posixpath.join(survey.folder, survey.own.folder if survey.own else ".")
    said = f"$(cd {shlex.quote(place)} && {command})"
    made = "".join(f" && test -s {shlex.quote(posixpath.join(survey.folder, path))}" for path in to_make)
    return f'out="{said}" && printf "%s\\n" "$out" && test -n "$out"{made}'
