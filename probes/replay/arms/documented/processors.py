"""`on-the-processor`: the same work without the accelerator that a word or a settings file of the command asks for."""

import posixpath
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, inputs, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import says_how, table

say = Sentences(__name__)

PLAN = RoutePlan(
    id="on-the-processor",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: names of accelerators, as the libraries that use them spell them",
)
_SPELLED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
"""A word of a command, wherever a text spells it."""
_SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf")


def on_the_processor(survey: Survey) -> Way:
    """The failing command with the processor in place of an accelerator, in its own words and in a copy of a file."""
    tries = tuple(_tries(survey))
    return Way(PLAN, tries, "" if tries else say("processors.neither_command_nor"))


def _tries(survey: Survey) -> Iterator[Try]:
    known = table().accelerator
    steps = [step for step in steps_of(survey.command) if step.inside == "line"]
    words = [word for step in steps for word in _chosen(step.command.words, known.pattern)]
    if words:
        changed = exchanged(survey.command, {word: _renamed(word.text, known.instead) for word in words})
        prompt = " ".join(survey.prompt.split())
        told = any(_SPELLED.within(word.text, prompt) for word in words)
        yield Try(strictly(changed), (changed,), open=say("processors.told") if told else "")
    files = [(word, place) for step in steps for word, place in inputs(step) if place.endswith(_SETTINGS)]
    there = set(survey.existing(place for _, place in files)) if files else set()
    for word, place in files:
        if place in there:
            yield _in_a_copy(survey, word, place)


def _chosen(words: Sequence[Word], accelerators: str) -> Iterator[Word]:
    """Words that name an accelerator as the value of an option that says how the work is done."""
    for option, word in pairwise(words):
        name, _, value = word.text.rpartition("=")
        named = word.literal and re.fullmatch(rf"(?i)(?:{accelerators})", value)
        if named and says_how(name or option.text, value):
            yield word


def _in_a_copy(survey: Survey, word: Word, place: str) -> Try:
    """Beside the file, so that what it names stays where it is; it proves nothing where nothing in it was changed."""
    known = table().accelerator
    copy = _beside(place, known.instead)
    expression = f"s/(^|[^[:alnum:]_.-])({known.pattern})($|[^[:alnum:]_.-])/\\1{known.instead}\\3/Ig"
    change = f"sed -E {shlex.quote(expression)} {shlex.quote(place)} > {shlex.quote(copy)}"
    differs = f"! cmp -s {shlex.quote(place)} {shlex.quote(copy)}"
    line = exchanged(survey.command, {word: _beside(word.text, known.instead)})
    return Try(strictly(line, change, f"{differs} || exit 1"), (change, line))


def _beside(path: str, instead: str) -> str:
    stem, ending = posixpath.splitext(path)
    return f"{stem}.{instead}{ending}"


def _renamed(word: str, instead: str) -> str:
    option, joined, _ = word.rpartition("=")
    return f"{option}{joined}{instead}"
