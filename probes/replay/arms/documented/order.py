"""`words-in-another-order`: the failing command with what it gives the task's own program in each other order."""

import shlex
from itertools import permutations

from cases.sentences import Sentences
from cases.shell import Word
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import Own, exchanged, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="words-in-another-order",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="POSIX.1, Utility Argument Syntax: what operands mean is told by their order",
)
FEWEST, MOST = 2, 3
"""Operands."""


def another_order(survey: Survey) -> Way:
    """Every other order; what was read must stay as it is, and what was to be written must be there."""
    own = survey.own
    given = operands(own) if own else []
    places = {word: own.step.at(word.text) or "" for word in given} if own else {}
    there = set(survey.existing(place for place in places.values() if place))
    read = [word for word in given if places[word] in there]
    if not read:
        return Way(PLAN, lacking=say("order.no_operands"))
    written = [word.text for word in given if word not in read and ("/" in word.text or "." in word.text)]
    orders = [order for order in permutations(given) if [one.text for one in order] != [one.text for one in given]]
    return Way(PLAN, tuple(_try(survey, given, order, read, written) for order in orders))


def operands(own: Own) -> list[Word]:
    """Two or three different words and no option; else none."""
    words = [word for word in own.step.command.words if word.start > own.script.start]
    plain = all(word.literal and not word.text.startswith("-") for word in words)
    return words if plain and FEWEST <= len({word.text for word in words}) == len(words) <= MOST else []


def _try(survey: Survey, given: list[Word], order: tuple[Word, ...], read: list[Word], written: list[str]) -> Try:
    changed = exchanged(survey.command, {word: new.text for word, new in zip(given, order, strict=True)})
    blind = {word: new.text + (".not-there" if new in read else "") for word, new in zip(given, order, strict=True)}
    own = survey.own
    folder = shlex.quote(own.folder if own else ".")
    sums = f"$(cd {folder} && cksum {shlex.join(word.text for word in read)})"
    made = "".join(f" && test -s {shlex.quote(text)}" for text in written)
    script = "\n".join(
        (
            f'read="{sums}"',
            f"( {strictly(changed)}\n); [ $? -eq 0 ] || exit 1",
            f'test "$read" = "{sums}" && cd {folder}{made}',
        )
    )
    return Try(script, (changed,), strictly(exchanged(survey.command, blind)))
