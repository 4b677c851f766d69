"""`build-option`: options that a build's own files declare, and what its generator knows against fetching."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Step, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import Generator, other_work, table

say = Sentences(__name__)

PLAN = RoutePlan(
    id="build-option",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="options that the build's own files declare; cmake(1), FetchContent; meson(1), wraps",
)
MOST = 6
LONGEST = 200_000
"""Bytes of a build's files."""


def build_option(survey: Survey) -> Way:
    """The failing command with one option after another, those that the task's documents name first."""
    found = generators(survey.command)
    if not found:
        return Way(PLAN, lacking=say("build_options.no_build"))
    configuring = [(step, known) for step, known in found if not at_work(step, known)]
    if not configuring:
        return Way(PLAN, lacking=say("build_options.configures_nothing", word=at_work(*found[-1])))
    step, known = configuring[-1]
    options = list(dict.fromkeys(_options(survey, step, known)))[:MOST]
    commands = [_with(survey.command, step, option) for option in options]
    tries = tuple(Try(strictly(command), (command,)) for command in commands)
    return Way(PLAN, tries, "" if tries else say("build_options.no_option"))


def generators(command: str) -> list[tuple[Step, Generator]]:
    """The steps of a line that call a program which configures builds."""
    known = [(step, one) for step in steps_of(command) for one in table().generator]
    return [(step, one) for step, one in known if step.command.program in one.programs]


def at_work(step: Step, known: Generator) -> str:
    """The word with which it does other work than to configure; empty where it configures."""
    return next((word for word in step.command.arguments if word.startswith(tuple(known.works))), "")


def _options(survey: Survey, step: Step, known: Generator) -> Iterator[str]:
    """What the documents name, a copy of what would be fetched, what the generator knows, and what is only declared."""
    text, given = _files(survey, step, known), step.command.text
    declared = {option: name for name, option in switches(text, known).items() if name not in given}
    yield from (option for option, name in declared.items() if any(name in text for text in survey.texts))
    for name in dict.fromkeys(match["name"] for match in re.finditer(known.fetched, text)) if known.fetched else ():
        for place in _copies(survey, name):
            yield known.copy_of.format(name=name.upper(), place=shlex.quote(place))
    yield from (one for one in known.always if one not in given)
    yield from declared


def switches(text: str, known: Generator) -> dict[str, str]:
    """Names of what a build's files let one turn on or off, each with the option that turns it the other way; without
    those that do other work than was asked for.
    """
    found = {match["name"]: match["value"].lower() for match in re.finditer(known.declared, text)}
    return {
        name: known.sets.format(name=name, value=known.opposite[value])
        for name, value in found.items()
        if not other_work(name)
    }


def _files(survey: Survey, step: Step, known: Generator) -> str:
    names = " -o ".join(f"-name {shlex.quote(name)}" for name in known.files)
    folder = shlex.quote(posixpath.normpath(posixpath.join(survey.folder, step.folder or "")))
    find = f"find {folder} -maxdepth 4 -type f -size -100k -not -path '*/_deps/*' \\( {names} \\)"
    return "\n".join(survey.ask("build-files", f"{find} -exec cat {{}} + 2>/dev/null | head -c {LONGEST}"))


def _copies(survey: Survey, name: str) -> list[str]:
    """Folders of that name with a build's file of their own."""
    pruned = "\\( -path /proc -o -path /sys -o -path '*/_deps' \\) -prune"
    find = f"find / -xdev {pruned} -o -type d -iname {shlex.quote(name)} -print 2>/dev/null"
    with_files = 'while IFS= read -r d; do test -e "$d/CMakeLists.txt" && echo "$d"; done'
    return survey.ask("build-copies", f"{find} | {with_files} | head -2")


def _with(line: str, step: Step, option: str) -> str:
    end = step.command.words[0].end
    return f"{line[:end]} {option}{line[end:]}"
