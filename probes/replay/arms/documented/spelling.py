"""`as-the-texts-spell-it`: the failing command with words of the run's own put as the task's texts spell them."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="as-the-texts-spell-it",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="the task's own texts: a word that they do not have was meant for one of theirs that is much like it",
)
MOST = 4
SHORTEST = 4
ALIKE = 0.85
"""As `difflib` has it: words that are that much alike may be meant by one another."""
NONSENSE = "-zqx"
_TOLD = re.compile(r"[A-Za-z0-9](?:[\w.+:/@-]*[A-Za-z0-9])?")


def as_spelled(survey: Survey) -> Way:
    """With one such word after another."""
    text = "\n".join(survey.texts)
    told = [word for word in dict.fromkeys(_TOLD.findall(text)) if len(word) >= SHORTEST]
    tries = [
        _try(survey.command, word, own, other)
        for word, own in _words(survey.command)
        if len(own) >= SHORTEST and own not in text
        for other in told
        if alike(own, other)
    ]
    return Way(PLAN, tuple(tries[:MOST]), lacking="" if tries else say("spelling.none_alike"))


def alike(own: str, other: str) -> bool:
    """Whether two different words differ in letters' size and marks alone, or but a little."""
    if own == other or own.isdigit():
        return False
    return plain(own) == plain(other) or SequenceMatcher(None, own, other).ratio() >= ALIKE


def plain(word: str) -> str:
    """Its letters and digits alone, in small letters."""
    return "".join(letter for letter in word.lower() if letter.isalnum())


def _words(command: str) -> Iterator[tuple[Word, str]]:
    """What the line gives its programs, and of `--option=value` the value."""
    for step in steps_of(command):
        if step.inside == "line":
            for word in step.command.words[1:]:
                value = word.text.partition("=")[2] if word.text.startswith("-") else word.text
                if word.literal and value:
                    yield word, value


def _try(command: str, word: Word, own: str, other: str) -> Try:
    begun = word.text.removesuffix(own)
    changed = exchanged(command, {word: f"{begun}{other}"})
    return Try(strictly(changed), (changed,), strictly(exchanged(command, {word: f"{begun}{other}{NONSENSE}"})))
