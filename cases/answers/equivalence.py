"""Whether an answer says the same as the expected one: same, different, or only a person can tell.

Deterministic, and in doubt `unsure`: only what no reader would call another answer is the same, and only what shares
nothing with the expected answer, or is another number or day, is different.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from cases import patterns as re
from cases.answers.values import (
    DROPPED,
    NUMBER_WORDS,
    Quantity,
    bare,
    bare_words,
    dates,
    folded,
    listed,
    quantity,
    symbols,
    tokens,
    unaccented,
    zeros,
)
from cases.answers.words import asks_label, asks_order, goes_without_saying
from cases.sentences import Sentences

say = Sentences(__name__)

Likeness = Literal["same", "unsure", "different"]
LONGEST = 20_000
"""Characters of an answer that are compared."""
MOST_ITEMS = 60
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_SPELT = NUMBER_WORDS.keys() - {"one"}
_FEW = 0.5
"""Share of common words (F1) below which two names are two names."""


@dataclass(frozen=True)
class Comparison:
    """What came of comparing."""

    likeness: Likeness
    reason: str
    """Part of a sentence; holds neither answer."""
    differences: frozenset[str] = frozenset()
    """In what two equal answers differ, as `words.toml` names it under `settles`."""


def compare(answer: str, gold: str, task: str = "") -> Comparison:
    """Compare an answer with the expected one; `task` is the text that says what was asked."""
    if max(len(answer), len(gold)) > LONGEST:
        return Comparison("unsure", say("equivalence.too_long_compare"))
    if answer == gold:
        return Comparison("same", say("equivalence.expected_answer_character"))
    wanted, given = items(gold), items(answer)
    if len(wanted) > 1:
        return _lists(likened(answer, given, len(wanted)), wanted, task)
    if listed(answer) is not None and len(given) == 1 and listed(gold) is None:
        inner = compare(given[0], gold, task)
        likeness: Likeness = "unsure" if inner.likeness == "same" else inner.likeness
        return Comparison(likeness, say("equivalence.list_around_one", reason=inner.reason))
    return _values(answer, wanted[0] if wanted else gold, task)


def items(text: str) -> tuple[str, ...]:
    """The items of a JSON list or of lines."""
    parsed = listed(text)
    if parsed is not None:
        return tuple(item if isinstance(item, str) else json.dumps(item, sort_keys=True) for item in parsed)
    return tuple(_BULLET.sub("", line).strip() for line in text.splitlines() if line.strip())


def likened(answer: str, given: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The answer's items; where one line holds `count` between commas, those."""
    if len(given) != 1 or listed(answer) is not None:
        return given
    for pattern in (r";\s*(?:and\s+)?", r",\s+(?:and\s+)?|\s+and\s+", r",\s*(?:and\s+)?", r"\s+and\s+"):
        parts = tuple(part.strip() for part in re.split(pattern, given[0].strip().removesuffix(".")) if part.strip())
        if len(parts) == count:
            return parts
    return given


def _lists(given: Sequence[str], wanted: Sequence[str], task: str) -> Comparison:
    if max(len(given), len(wanted)) > MOST_ITEMS:
        return Comparison("unsure", say("equivalence.too_many_items"))
    likes = _likes(given, wanted, task)
    pairs = _pairs([[like.likeness == "same" for like in row] for row in likes])
    if len(pairs) == len(given) == len(wanted):
        moved = any(one != other for one, other in pairs)
        if moved and asks_order(task):
            words = say("equivalence.expected_items_another")
            return Comparison("unsure", words)
        differences = frozenset({"list form"}).union(*(likes[one][other].differences for one, other in pairs))
        words = say("equivalence.expected_items") + (say("equivalence.another_order_task") if moved else "")
        return Comparison("same", words, differences | {"order"} if moved else differences)
    if pairs:
        return Comparison("unsure", say("equivalence.expected_items_2", pairs=len(pairs), wanted=len(wanted)))
    if all(like.likeness == "different" for row in likes for like in row):
        return Comparison("different", say("equivalence.none_expected_items"))
    return Comparison("unsure", say("equivalence.items_not_clearly"))


def paired(given: Sequence[str], wanted: Sequence[str], task: str) -> list[tuple[int, int]]:
    """Which item of an answer is which of the expected ones; each once, and only what is the same."""
    if max(len(given), len(wanted)) > MOST_ITEMS:
        return []
    return _pairs([[like.likeness == "same" for like in row] for row in _likes(given, wanted, task)])


def _likes(given: Sequence[str], wanted: Sequence[str], task: str) -> list[list[Comparison]]:
    return [[_values(one, other, task) for other in wanted] for one in given]


def _pairs(same: list[list[bool]]) -> list[tuple[int, int]]:
    """One expected item for each equal one, the one of the same place first."""
    free = set(range(len(same[0]) if same else 0))
    pairs = []
    for one, row in enumerate(same):
        order = sorted(free, key=lambda other: (other != one, other))
        match = next((other for other in order if row[other]), None)
        if match is not None:
            free.discard(match)
            pairs.append((one, match))
    return pairs


def _values(answer: str, gold: str, task: str) -> Comparison:
    if answer == gold:
        return Comparison("same", say("equivalence.same_character_character"))
    mine, theirs = quantity(answer), quantity(gold)
    if mine and theirs:
        return _quantities(mine, theirs, answer, gold, task)
    days, expected = dates(answer), dates(gold)
    if days and expected:
        if len(days) == len(expected) == 1:
            same = days == expected
            return Comparison(
                "same" if same else "different",
                say("equivalence.day", how=say("equivalence.same") if same else "another"),
                _DATE,
            )
        likeness: Likeness = "unsure" if days & expected else "different"
        return Comparison(
            likeness, say("equivalence.day_month_can") if days & expected else say("equivalence.another_day")
        )
    if theirs:
        return _number_in(answer, theirs)
    return _texts(answer, gold)


_DATE = frozenset({"date form"})


def _quantities(mine: Quantity, theirs: Quantity, answer: str, gold: str, task: str) -> Comparison:
    equal = mine.value == theirs.value
    if mine.unit and theirs.unit and mine.unit != theirs.unit:
        words = say("equivalence.given_expected_answer", unit=mine.unit, expected=theirs.unit)
        return Comparison("different" if equal else "unsure", words)
    others = {value for value in (mine.value, mine.other) if value is not None}
    if not equal:
        near = others & {theirs.value, theirs.other}
        words = say("equivalence.same_number_only") if near else say("equivalence.another_number")
        return Comparison("unsure" if near else "different", words)
    if zeros(mine.written) != zeros(theirs.written):
        return Comparison("unsure", say("equivalence.same_number_other"))
    if mine.written != theirs.written and asks_label(task):
        return Comparison("unsure", say("equivalence.same_number_written"))
    unit = mine.unit or theirs.unit
    if mine.unit != theirs.unit and not goes_without_saying(unit, task):
        return Comparison("unsure", say("equivalence.only_one_two", unit=unit))
    told = {"unit"} if mine.unit != theirs.unit or (folded(answer) != folded(gold) and unit) else set()
    told |= _digits(mine, theirs)
    around = "space" if answer.strip() == gold.strip() else "surrounding punctuation"
    return Comparison("same", say("equivalence.same_number"), frozenset(told or {around}))


def _digits(mine: Quantity, theirs: Quantity) -> frozenset[str]:
    """In what the digits of two equal numbers differ."""
    if mine.spelt or theirs.spelt:
        return frozenset({"number word"} if mine.spelt != theirs.spelt else {"number form"})
    if bare(mine.written) != bare(theirs.written):
        return frozenset({"number form"})
    told = {"thousands separators"} if mine.grouped != theirs.grouped else set()
    return frozenset(told | ({"trailing zeros"} if mine.written != theirs.written else set()))


def _number_in(answer: str, gold: Quantity) -> Comparison:
    """A text for an expected number: the number may stand in it."""
    found = [quantity(token) for token in tokens(answer)]
    if any(one and gold.value in {one.value, one.other, -one.value} for one in found):
        return Comparison("unsure", say("equivalence.expected_number_stands"))
    scaled = any(one and one.value and gold.value and _same_digits(one, gold) for one in found)
    if scaled:
        return Comparison("unsure", say("equivalence.number_same_digits"))
    if re.search(r"\d[/⁄]\d", folded(answer)) or _SPELT.intersection(tokens(answer)):
        return Comparison("unsure", say("equivalence.fraction_number_words"))
    return Comparison("different", say("equivalence.expected_number_not"))


def _same_digits(one: Quantity, other: Quantity) -> bool:
    digits = [re.sub(r"\D|0+$", "", format(abs(each.value.normalize()), "f")).strip("0") for each in (one, other)]
    return digits[0] == digits[1]


def _texts(answer: str, gold: str) -> Comparison:
    mine, theirs = tokens(answer), tokens(gold)
    if not mine:
        return Comparison("different", say("equivalence.holds_no_word"))
    if mine != theirs:
        return _words(mine, theirs)
    if symbols(answer) != symbols(gold):
        return Comparison("unsure", say("equivalence.words_same_signs"))
    return Comparison("same", say("equivalence.words_same"), _letters(answer, gold))


def _words(mine: Sequence[str], theirs: Sequence[str]) -> Comparison:
    common = sum((Counter(mine) & Counter(theirs)).values())
    doubts = (
        ("".join(mine) == "".join(theirs), say("equivalence.letters_same_words")),
        (theirs and common == len(theirs), say("equivalence.all_words_expected")),
        (common == len(mine), say("equivalence.part_expected_answer")),
        (_initials(mine, theirs) or _initials(theirs, mine), say("equivalence.one_other_abbreviation")),
        (2 * common >= _FEW * (len(mine) + len(theirs)), say("equivalence.shares_words_expected")),
    )
    doubt = next((reason for holds, reason in doubts if holds), None)
    if doubt:
        return Comparison("unsure", doubt)
    return Comparison(
        "different", say("equivalence.hardly_word_expected") if common else say("equivalence.no_word_common")
    )


def _initials(short: Sequence[str], long: Sequence[str]) -> bool:
    joined = "".join(short)
    return len(long) > 1 and 1 < len(joined) <= len(long) and joined in "".join(word[0] for word in long)


_AROUND = "".join(DROPPED) + " "
_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("space", lambda text: " ".join(text.split())),
    ("surrounding punctuation", lambda text: text.strip(_AROUND)),
    ("case", str.casefold),
    ("accent", unaccented),
    ("punctuation", lambda text: " ".join(bare_words(text))),
    ("article", lambda text: " ".join(tokens(text))),
)


def _letters(answer: str, gold: str) -> frozenset[str]:
    """In what two texts of the same words differ: the fewest steps of normalising that make them one."""
    needed = next((count for count in range(1, len(_STEPS)) if _alike(answer, gold, _STEPS[:count])), len(_STEPS))
    steps = _STEPS[:needed]
    for step in steps[:-1]:
        rest = tuple(other for other in steps if other is not step)
        steps = rest if _alike(answer, gold, rest) else steps
    return frozenset(name for name, _ in steps)


def _alike(answer: str, gold: str, steps: Sequence[tuple[str, Callable[[str], str]]]) -> bool:
    for _, step in steps:
        answer, gold = step(answer), step(gold)
    return answer == gold
