"""`own-copy-in-its-place`: a folder that may be read and not be written, copied, and the copy given to the program."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word
from cases.task_words import spelled_around
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, inputs, strictly
from probes.replay.arms.documented.settings import defaults
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import table
from probes.replay.handlers.demands import demand_for

say = Sentences(__name__)

PLAN = RoutePlan(
    id="own-copy-in-its-place",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="cp(1): whoever may read a folder may have a copy that is his own; the program's own variables and options",
)
OWN = "/tmp/.own-copy"  # noqa: S108 - in a container
MOST_MB = 500
_UNREADABLE = "find -L {} ! -readable -print 2>/dev/null | head -n 1"
_REFUSED = frozenset({"denied", "read-only"})
_OPTION = re.compile(
    r"['\"](?P<flag>--[a-zA-Z][\w-]*)['\"][^()]{0,200}?\bdefault\s*=\s*['\"](?P<place>[/~.][^'\"\s]*)['\"]"
)
"""An option that a source defines, with the place that is taken where it is not given."""


@dataclass(frozen=True)
class _Given:
    """Something that tells the program a place."""

    place: str
    """Absolute."""
    name: str = ""
    """Of the variable or the option."""
    word: Word | None = None
    """Of the command."""


def own_copies(survey: Survey) -> Way:
    """The failing command with a copy of the folder in which it was refused, unless the task demands that place."""
    facts = [fact for fact in survey.trial.outcome.facts if fact.kind in _REFUSED and fact.access != "read"]
    refused = [fact.subject for fact in facts]
    refused = [path for path in refused if demand_for(survey.trial, path) is None]
    given = [one for one in dict.fromkeys(_given(survey)) if refused and _may_be_copied(survey, one, refused)]
    if not given:
        return Way(PLAN, lacking=say("own_copies.nothing_told"))
    whole = [
        one for one in given if not survey.ask("unreadable", _UNREADABLE.format(shlex.quote(_folder(survey, one))))
    ]
    tries = tuple(_try(survey, one) for one in whole)
    return Way(PLAN, tries, open="" if tries else say("own_copies.not_whole"))


def _given(survey: Survey) -> Iterator[_Given]:
    own = survey.own
    for word, place in inputs(own.step) if own else ():
        yield _Given(_absolute(survey, place), word=word)
    for name, place in defaults(survey.source):
        yield _Given(_absolute(survey, place), name)
    for match in _OPTION.finditer(survey.source) if own else ():
        if own and not own.has(match["flag"]):
            yield _Given(_absolute(survey, match["place"]), match["flag"])


def _absolute(survey: Survey, place: str) -> str:
    home = survey.trial.subject.home
    place = place.replace("~", home, 1) if place.startswith("~") else place
    return posixpath.normpath(posixpath.join(survey.folder, place))


def _folder(survey: Survey, given: _Given) -> str:
    return given.place if survey.holds(f"test -d {shlex.quote(given.place)}") else posixpath.dirname(given.place)


def _may_be_copied(survey: Survey, given: _Given, refused: list[str]) -> bool:
    """Whether it lies in a folder in which the command was refused something and that is nobody's whole system; where
    the prompt names that place, a copy is of use for what is read there alone.
    """
    folder, outcome = _folder(survey, given), survey.trial.outcome
    inside = [path for path in refused if f"{path}/".startswith(f"{folder}/")]
    named = any(spelled_around(survey.prompt, path, survey.trial.session.spec.workdir) for path in inside)
    if named and not any(path.startswith(f"{folder}/") for path in outcome.opened):
        return False
    if not inside or folder.count("/") < 2 or folder.startswith(tuple(table().system.words)):
        return False
    quoted = shlex.quote(folder)
    return survey.holds(f'test -r {quoted} && test "$(du -smL {quoted} 2>/dev/null | cut -f 1)" -lt {MOST_MB}')


def _try(survey: Survey, given: _Given) -> Try:
    folder = _folder(survey, given)
    copy = f"rm -rf {OWN} && cp -rL {shlex.quote(folder)} {OWN} && chmod -R u+rwX {OWN}"
    there = posixpath.normpath(posixpath.join(OWN, posixpath.relpath(given.place, folder)))
    command, export = survey.command, ""
    if given.word:
        command = exchanged(command, {given.word: there})
    elif given.name.startswith("-") and survey.own:
        command = survey.own.with_words(f"{given.name} {shlex.quote(there)}")
    else:
        export = f"export {given.name}={shlex.quote(there)}"
    before = (copy, export) if export else (copy,)
    return Try(strictly(command, f"{copy} || exit 1", *before[1:]), (*before, command))
