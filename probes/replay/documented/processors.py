"""`on-the-processor`: the same work without the accelerator that a word or a settings file of the command asks for."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.shell import Word, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.documented.asking import inputs, strictly
from probes.replay.documented.survey import Survey
from probes.replay.documented.way import Try, Way
from probes.replay.documented.words import table

PLAN = RoutePlan(
    id="on-the-processor",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: names of accelerators, as the libraries that use them spell them",
)
_SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf")


def on_the_processor(survey: Survey) -> Way:
    """The failing command with the processor in place of an accelerator, in its own words and in a copy of a file."""
    tries = tuple(_tries(survey))
    return Way(PLAN, tries, "" if tries else "neither the command nor a settings file of its names an accelerator")


def _tries(survey: Survey) -> Iterator[Try]:
    known = table().accelerator
    named = re.compile(rf"(?i)(?:[\w-]+=)?(?:{known.pattern})")
    steps = [step for step in steps_of(survey.command) if step.inside == "line"]
    words = [word for step in steps for word in step.command.words[1:] if word.literal and named.fullmatch(word.text)]
    if words:
        changed = _with(survey.command, {word: _renamed(word.text, known.instead) for word in words})
        yield Try(strictly(changed), (changed,))
    files = [(word, place) for step in steps for word, place in inputs(step) if place.endswith(_SETTINGS)]
    there = set(survey.existing(place for _, place in files)) if files else set()
    for word, place in files:
        if place in there:
            yield _in_a_copy(survey, word, place)


def _in_a_copy(survey: Survey, word: Word, place: str) -> Try:
    """Beside the file, so that what it names stays where it is; it proves nothing where nothing in it was changed."""
    known = table().accelerator
    copy = _beside(place, known.instead)
    expression = f"s/(^|[^[:alnum:]_.-])({known.pattern})($|[^[:alnum:]_.-])/\\1{known.instead}\\3/Ig"
    change = f"sed -E {shlex.quote(expression)} {shlex.quote(place)} > {shlex.quote(copy)}"
    differs = f"! cmp -s {shlex.quote(place)} {shlex.quote(copy)}"
    line = _with(survey.command, {word: _beside(word.text, known.instead)})
    return Try(strictly(line, change, f"{differs} || exit 1"), (change, line))


def _beside(path: str, instead: str) -> str:
    stem, ending = posixpath.splitext(path)
    return f"{stem}.{instead}{ending}"


def _renamed(word: str, instead: str) -> str:
    option, joined, _ = word.rpartition("=")
    return f"{option}{joined}{instead}"


def _with(line: str, words: dict[Word, str]) -> str:
    for word in sorted(words, key=lambda one: -one.start):
        line = f"{line[: word.start]}{shlex.quote(words[word])}{line[word.end :]}"
    return line
