"""`names-as-before`: names that a library has dropped, given back to it under what it calls the same thing now."""

import json
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from cases import Model
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="names-as-before",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/renames.toml: what libraries call the same thing now, by their own release notes",
)
_GONE = (
    re.compile(r"module ['\"]?(?P<module>[\w.]+)['\"]? has no attribute '(?P<name>\w+)'"),
    re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'"),
    re.compile(r"No module named '(?P<module>[\w.]+)'"),
)
"""What CPython says of a name, or a module, that is not there."""
_FOLDER = "$HOME/.names-as-before"


class Library(Model):
    """Names that a module has dropped, each with the place where the same is now."""

    module: str
    names: dict[str, str]
    source: str


class Moved(Model):
    """Modules that lie elsewhere now."""

    modules: dict[str, str]
    source: str


class Renames(Model):
    """`renames.toml`."""

    library: tuple[Library, ...]
    moved: tuple[Moved, ...]

    @property
    def names(self) -> dict[str, dict[str, str]]:
        """Old names and where the same is now, by module."""
        return {one.module: one.names for one in self.library}

    @property
    def modules(self) -> dict[str, str]:
        """Old modules and new ones."""
        return {old: new for one in self.moved for old, new in one.modules.items()}


def renames() -> Renames:
    """The shipped table."""
    return load(Renames, __package__, "renames.toml")


def names_as_before(survey: Survey) -> Way:
    """The failing command with the dropped names given back, where what it says is missing is one of them."""
    decisive = survey.trial.outcome.decisive
    if decisive is None or not any(dropped(decisive.done.output)):
        return Way(PLAN, (), say("renames.misses_no_name"))
    steps = (
        f'mkdir -p "{_FOLDER}" && printf %s {shlex.quote(restoring())} >"{_FOLDER}/sitecustomize.py"',
        f'export PYTHONPATH="{_FOLDER}${{PYTHONPATH:+:$PYTHONPATH}}"',
    )
    return Way(PLAN, (Try(strictly(survey.command, *steps), (*steps, survey.command)),))


def dropped(output: str) -> Iterator[str]:
    """Names that the output misses and the table has."""
    known = renames()
    for pattern in _GONE:
        for match in pattern.finditer(output):
            told = match.groupdict()
            if told.get("name") in known.names.get(told["module"], {}) or told["module"] in known.modules:
                yield match[0]


@cache
def restoring() -> str:
    """The module that gives them back."""
    text = files(__package__).joinpath("hooks", "sitecustomize.py").read_text(encoding="utf-8")
    known = renames()
    text = text.replace("NAMES = {}", f"NAMES = {json.dumps(known.names)}")
    return text.replace("MOVED = {}", f"MOVED = {json.dumps(known.modules)}")
