"""`makefile-variable`: another value of a variable by which a Makefile chooses what it includes or does."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Step, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import MAKES, and_made
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_subject, other_work

say = Sentences(__name__)

PLAN = RoutePlan(
    id="makefile-variable",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="GNU make manual, Overriding Variables; Including Other Makefiles; Syntax of Conditionals; Computed Names",
)
MOST = 5
LONGEST = 200_000
"""Bytes of makefiles."""
_NAMES = "Makefile makefile GNUmakefile"
_OPPOSITE = {"0": "1", "1": "0", "no": "yes", "yes": "no", "off": "on", "on": "off", "true": "false", "false": "true"}
_SWITCH = frozenset({*_OPPOSITE, "none", ""})
_OF_MAKE = frozenset({"OS", "MAKECMDGOALS", "MAKELEVEL", "UNAME", "UNAME_S", "UNAME_M", "ARCH", "HOSTTYPE"})
"""Variables that tell of the machine, or that make sets itself."""
_INCLUDES = re.compile(r"(?m)^-?include[ \t]+(?P<before>[\w./-]*)\$[({](?P<name>\w+)[)}](?P<after>[\w.-]*)[ \t]*$")
_SETS = re.compile(r"(?m)^[ \t]*(?P<name>\w+)[ \t]*[?:]*=[ \t]*(?P<value>[\w.-]+)[ \t]*(?:#.*)?$")
_BRINGS = re.compile(r"(?m)^-?s?include[ \t]+(?P<files>[\w./ \t-]+)$")
"""Makefiles that another brings in by their names."""
_COMPUTES = re.compile(r"\$[({](?P<before>\w*)\$[({](?P<name>\w+)[)}](?P<after>\w*)[)}]")
_COMPARES = re.compile(
    r"(?m)^[ \t]*(?:else[ \t]+)?ifn?eq[ \t]*(?:\([ \t]*\$[({](?P<name>\w+)[)}][ \t]*,[ \t]*(?P<value>[\w.-]+)[ \t]*\)"
    r"|[\"']\$[({](?P<other>\w+)[)}][\"'][ \t]+[\"'](?P<quoted>[\w.-]+)[\"'])"
)


def makefile_variable(survey: Survey) -> Way:
    """The failing build with one such value after another; it must make something."""
    steps = [step for step in steps_of(survey.command) if step.command.program in MAKES and step.inside == "line"]
    found = list(dict.fromkeys(_values(survey, steps[-1])))[:MOST] if steps else []
    if not found:
        return Way(PLAN, lacking=say("make_variables.no_choice"))
    end = steps[-1].command.words[0].end
    commands = [f"{survey.command[:end]} {value}{survey.command[end:]}" for value in found]
    return Way(PLAN, tuple(Try(and_made(command, survey.folder), (command,)) for command in commands))


def _values(survey: Survey, step: Step) -> Iterator[str]:
    """Assignments for make's words, of variables that the command does not set and of which the prompt says nothing."""
    given = step.command.arguments
    if any(word.startswith(("-C", "-f", "--directory", "--file", "--makefile")) for word in given):
        return
    folder = shlex.quote(posixpath.join(survey.folder, step.folder or ""))
    text = "\n".join(survey.ask("makefiles", f"cd {folder} && cat {_NAMES} 2>/dev/null | head -c {LONGEST}"))
    brought = [file for match in _BRINGS.finditer(text) for file in (match["files"] or "").split()]
    if brought:
        ask = f"cd {folder} && cat -- {shlex.join(brought)} 2>/dev/null | head -c {LONGEST}"
        text = "\n".join((text, *survey.ask("makefiles", ask)))
    for name, value in (*_included(survey, folder, text), *_compared(text), *_computed(text)):
        told = any(word.startswith(f"{name}=") for word in given) or name in survey.prompt or name in _OF_MAKE
        said = (name,) if value.lower() in _SWITCH else (name, value)
        if not told and not any(other_work(word) or other_subject(word) for word in said):
            yield f"{name}={value}"


def _included(survey: Survey, folder: str, text: str) -> Iterator[tuple[str, str]]:
    for match in _INCLUDES.finditer(text):
        before, after = match["before"] or "", match["after"] or ""
        if not (before or after):
            continue
        listed = survey.ask("included", f"cd {folder} && ls -d -- {shlex.quote(before)}*{shlex.quote(after)}")
        for path in listed:
            value = path.removeprefix(before).removesuffix(after)
            if match["name"] and value and value == posixpath.basename(value):
                yield match["name"], value


def _computed(text: str) -> Iterator[tuple[str, str]]:
    """The values of a variable for which others are set whose names are computed from it, but for its own."""
    set_to = {match["name"]: match["value"] for match in _SETS.finditer(text)}
    for match in _COMPUTES.finditer(text):
        before, name, after = match["before"] or "", match["name"] or "", match["after"] or ""
        fits = (
            [one for one in set_to if one and one.startswith(before) and one.endswith(after)] if before or after else []
        )
        values = (one.removeprefix(before).removesuffix(after) for one in fits)
        yield from ((name, value) for value in values if value and value != set_to.get(name))


def _compared(text: str) -> Iterator[tuple[str, str]]:
    """The values that a variable is compared with; of one that has such a value already, another."""
    set_to = {match["name"]: match["value"] for match in _SETS.finditer(text)}
    for match in _COMPARES.finditer(text):
        name, value = match["name"] or match["other"] or "", match["value"] or match["quoted"] or ""
        yield name, _OPPOSITE.get(value.lower(), "") if set_to.get(name) == value else value
