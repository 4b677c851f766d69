"""`without-the-runner`: what a program that only runs other commands would have run, by its own configuration."""

import configparser
import itertools
import json
import posixpath
import re
import shlex
from collections.abc import Callable, Iterator

from cases.shell import Command, steps_of
from cases.touches import canonical
from cases.touches.names import things
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.documented.asking import strictly
from probes.replay.documented.programs import missing_programs
from probes.replay.documented.remedies import set_ups
from probes.replay.documented.survey import Survey
from probes.replay.documented.way import Try, Way
from probes.replay.documented.words import Runner, table
from sandboxes import SandboxError

PLAN = RoutePlan(
    id="without-the-runner",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: programs that run what a file of the task's tells them; done by hand",
)
LONGEST = 200_000
"""Bytes of a configuration."""


def without_the_runner(survey: Survey) -> Way:
    """What the missing program was to run; open where that is not known, for a person can run it by hand."""
    missing = missing_programs(survey)
    everything = [step.command for step in steps_of(survey.command)]
    steps = [one for one in everything if one.program in missing]
    called = [(one, runner) for one in steps for runner in table().runner if one.program in runner.programs]
    inner = [line for one in steps if (line := _called_by_its_words(survey, one))]
    inner += [canonical(one) for one in everything if one.words and any(name in missing for name in one.wrappers)]
    if not called and not inner:
        return Way(PLAN, lacking="no program that only runs others is missing")
    lines = [line for line in _lines(survey, *called[-1]) if line] if called else []
    if lines := lines or inner[-1:]:
        script, begun = "\n".join(lines), f"cd {shlex.quote(survey.folder)}"
        alone = Try(strictly(script, begun), (*lines,))
        set_up = (Try(strictly(script, begun, one), (one, *lines)) for one in set_ups(survey, script))
        return Way(PLAN, (alone, *set_up))
    command, runner = called[-1]
    name = command.program
    if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", survey.prompt):
        return Way(PLAN, lacking=f"the task's own text asks for {name}")
    there = survey.existing(posixpath.join(survey.folder, one) for one in runner.files)
    if there or not runner.files:
        told = f"{there[0]} tells what {name} runs" if there else f"what {name} does takes a few lines of any language"
        return Way(PLAN, open=f"could not be tried: {told}, and that can be done by hand")
    return Way(PLAN, lacking=f"nothing tells what {name} would run")


def _called_by_its_words(survey: Survey, command: Command) -> str:
    """The rest of its words from the first that is a program of the machine; empty where none is."""
    words = list(command.arguments)
    there = survey.programs(word for word in words if not word.startswith("-") and word not in things().ordinary.words)
    first = next((place for place, word in enumerate(words) if word in there), None)
    return shlex.join(words[first:]) if first is not None else ""


def _lines(survey: Survey, command: Command, runner: Runner) -> Iterator[str]:
    reader = _READERS.get(runner.read)
    for name in runner.files if reader else ():
        text = _text(survey, name)
        if text and reader:
            yield from reader(text, command)
            return


def _text(survey: Survey, name: str) -> str:
    try:
        return survey.trial.session.get(posixpath.join(survey.folder, name), limit=LONGEST).decode("utf-8", "replace")
    except SandboxError:
        return ""


def _tox(text: str, command: Command) -> Iterator[str]:
    """The settings and commands of the environment that is asked for, else of the first that is listed."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    words = command.arguments
    asked = next((after for word, after in itertools.pairwise(words) if word in ("-e", "-qe")), "")
    listed = re.split(r"[\s,]+", parser.get("tox", "envlist", fallback="").strip())
    name = asked or (listed[0] if listed else "")
    section = f"testenv:{name}" if parser.has_section(f"testenv:{name}") else "testenv"
    for key in ("setenv", "set_env"):
        for line in _option(parser, section, key):
            variable, _, value = line.partition("=")
            yield f"export {variable.strip()}={shlex.quote(value.strip())}"
    for line in _option(parser, section, "commands"):
        yield re.sub(r"\{(?:toxinidir|tox_root)\}", ".", re.sub(r"\{posargs(?::([^}]*))?\}", r"\1", line.lstrip("- ")))


def _option(parser: configparser.ConfigParser, section: str, key: str) -> list[str]:
    for one in (section, "testenv"):
        if parser.has_option(one, key):
            return [line.strip() for line in parser.get(one, key).replace("\\\n", " ").splitlines() if line.strip()]
    return []


def _npm(text: str, command: Command) -> Iterator[str]:
    """The script that is asked for, with what comes before and after it."""
    try:
        scripts = json.loads(text).get("scripts", {})
    except (ValueError, AttributeError):
        return
    words = [word for word in command.arguments if not word.startswith("-") and word not in ("run", "run-script")]
    name = words[0] if words else ""
    name = {"t": "test", "tst": "test"}.get(name, name)
    found = [scripts.get(one) for one in (f"pre{name}", name, f"post{name}")]
    if isinstance(found[1], str):
        yield 'export PATH="$PWD/node_modules/.bin:$PATH"'
        yield from (one for one in found if isinstance(one, str))


_READERS: dict[str, Callable[[str, Command], Iterator[str]]] = {"tox": _tox, "npm": _npm}
