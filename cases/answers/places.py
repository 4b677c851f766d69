"""Where on a page a value of the expected answer's kind stands, and in which words; pure functions on text."""

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from cases import patterns as re
from cases.answers.equivalence import items
from cases.answers.values import NUMBER, NUMBER_WORDS, SCALES, Quantity, dates, folded, quantity, tokens, unaccented
from cases.answers.words import goes_without_saying, unit_names
from cases.text import is_unspaced, whole

Kind = Literal["number", "day", "words"]
LONGEST = 600_000
"""Characters of a page that are searched."""
_AROUND = 240
_HIRAGANA = re.compile("[\u3040-\u309f]+")
SUBJECT = 2
"""Words of the task that stand around a value where it is meant."""
_STEM = 4
"""Letters of a word that may have another ending."""
_BEFORE, _AFTER = 8, 4
"""Words kept of what stands around a value."""
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = re.compile(
    rf"(?i)\b(?:\d{{4}}[-/]\d\d?[-/]\d\d?|\d\d?[./]\d\d?[./]\d{{4}}|{_MONTH}\.? \d\d?(?:st|nd|rd|th)?,? \d{{4}}|"
    rf"\d\d?(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?,? \d{{4}})\b"
)
_SPELT = re.compile(
    rf"(?i)\b(?:{'|'.join(NUMBER_WORDS)})(?:(?:[\s-]|\sand\s)(?:{'|'.join([*NUMBER_WORDS, *SCALES])}))*\b"
)


@dataclass(frozen=True)
class Place:
    """A value on a page."""

    text: str
    """As the page writes it."""
    before: tuple[str, ...]
    """The words before it, the nearest last."""
    after: tuple[str, ...]
    quote: str
    """The value with a few words on either side."""


def kind_of(value: str) -> Kind:
    """What kind of value a text is."""
    if quantity(value):
        return "number"
    return "day" if dates(value) else "words"


def places(page: str, value: str) -> tuple[Place, ...]:
    """Where on a page a value of the kind of `value` stands; for words, only where these very words stand."""
    text = unaccented(page[:LONGEST])
    finders = {"number": _numbers, "day": _days}
    kind = kind_of(value)
    found = finders[kind](text) if kind != "words" else _words(text, unaccented(value))
    return tuple(_place(text, start, end) for start, end in found)


def _place(text: str, start: int, end: int) -> Place:
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    quote = " ".join(f"{before[-80:].partition(' ')[2]}{text[start:end]}{after[:60].rpartition(' ')[0]}".split())
    return Place(text[start:end], tuple(tokens(before)[-_BEFORE:]), tuple(tokens(f"x {after}")[1:][:_AFTER]), quote)


@lru_cache
def _number() -> re.Pattern[str]:
    units = sorted(unit_names(), key=len, reverse=True)
    signs = "|".join(re.escape(unit) for unit in units if not unit[-1].isalnum())
    scales = "|".join(SCALES)
    named = "|".join(map(re.escape, units))
    return re.compile(
        rf"(?i)(?<![\w.,])(?<!\d[-/:])(?:(?:{signs})\s?)?[-+−]?(?:{NUMBER})(?!\w*@)"
        rf"(?:\s?(?:{scales})\b)?(?:[\s-]?(?:{named})(?!\w))?(?![-/:]\d)"
    )


def _numbers(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_number(), _SPELT):
        for match in pattern.finditer(text):
            behind = text[match.end() : match.end() + 1]
            if (not behind.isalnum() or is_unspaced(behind)) and quantity(match.group()):
                yield match.span()


def _days(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _DAY.finditer(text) if dates(match.group()))


def _words(text: str, value: str) -> Iterator[tuple[int, int]]:
    words = re.findall(r"\w+", value)
    if not words:
        return
    pattern = r"\W{1,5}".join(map(re.escape, words))
    found = re.finditer(rf"(?i){whole(pattern, words[0][0] + words[-1][-1])}", text)
    yield from (match.span() for match in found)


def within_others(page: str, value: str) -> bool:
    """Whether a value in a script without spaces stands on a page, be it as a part of other words."""
    written, text = (unicodedata.normalize("NFKC", one).casefold() for one in (value, page[:LONGEST]))
    return any(map(is_unspaced, written)) and re.search(rf"(?<!\d){re.escape(written)}(?!\d)", text) is not None


def inflected(page: str, value: str) -> bool:
    """Whether the words of a value may stand on a page with other endings; of several, less of each must agree."""
    words = re.findall(r"[^\W\d_]+", unaccented(value))
    if kind_of(value) != "words" or not words or max(map(len, words)) < _STEM:
        return False
    stem = 0.6 if len(words) > 1 else 0.7
    stems = [re.escape(word[: max(_STEM - 1, int(len(word) * stem))]) for word in words]
    pattern = r"\w{0,6}\W{1,5}".join(stems)
    return re.search(rf"(?i)(?<!\w){pattern}", unaccented(page[:LONGEST])) is not None


def matches(place: Place, value: str, task: str) -> bool | None:
    """Whether a place holds the value; None where only a person could tell."""
    mine, theirs = quantity(place.text), quantity(value)
    if mine and theirs:
        return _equal(mine, theirs, task)
    ours, other = dates(place.text), dates(value)
    if ours and other:
        return (True if len(ours) == len(other) == 1 else None) if ours & other else False
    return kind_of(value) == "words"


def _equal(mine: Quantity, theirs: Quantity, task: str) -> bool | None:
    if not comparable(mine, theirs):
        return False
    if mine.value == theirs.value:
        unit = mine.unit or theirs.unit
        return True if mine.unit == theirs.unit or goes_without_saying(unit, task) else None
    swapped = {mine.value, mine.other} & {theirs.value, theirs.other} - {None}
    return None if swapped else False


def comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers may be of one unit."""
    return not one.unit or not other.unit or one.unit == other.unit


def found(page: str, value: str, task: str) -> tuple[tuple[Place, ...], bool]:
    """Where the value surely stands, and whether it may stand in further places."""
    judged = [(place, matches(place, value, task)) for place in places(page, value)]
    return tuple(place for place, same in judged if same), any(same is None for _, same in judged)


def values_of(gold: str) -> tuple[str, ...]:
    """The items of an expected answer, each a value of its own."""
    return items(gold) or (gold,)


def content(words: Sequence[str]) -> set[str]:
    """Words that name something; of scripts without spaces, but for Hiragana, which mostly serves grammar, each three
    letters that stand together, or two where there are no more.
    """
    lettered = (word for word in words if not re.search(r"[\d_]", word))
    found = {word for word in lettered if len(word) > 3 and not is_unspaced(word[0])}
    for word in words:
        if is_unspaced(word[:1]):
            for run in _HIRAGANA.split(unicodedata.normalize("NFC", word)):
                found.update({run} if len(run) == 2 else {run[at : at + 3] for at in range(len(run) - 2)})
    return found


def shared(words: Sequence[str], others: Sequence[str]) -> set[str]:
    """Those of the words that name something and stand among others, be it with another ending."""
    there = defaultdict[str, list[str]](list)
    for other in content(others):
        there[other[:_STEM]].append(other)
    return {word for word in content(words) if any(_akin(word, other) for other in there[word[:_STEM]])}


def _akin(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    stem = max(_STEM, math.ceil(0.7 * shorter))
    return one == other or (stem <= shorter and one[:stem] == other[:stem])


def has_numbers(text: str) -> bool:
    """Whether a number stands in a text, in figures or in English words."""
    return any(char.isnumeric() for char in text) or _SPELT.search(text) is not None


def restated(then: str, now: str, gold: str, others: Sequence[str], task: str) -> Place | None:
    """Where `now` says, in the very words in which `then` said the expected value, one other value and only that.

    `others` are the words that may stand in the place of an expected answer in words.
    """
    values = (gold, *others)
    before, after = _all(then, values), _all(now, values)
    pairs = [
        (one, other)
        for one in before
        if matches(one, gold, task) and (kind_of(gold) != "words" or _like(one.text, gold))
        for other in after
        if same_words(one, other) and _succeeds(one, other)
    ]
    if not pairs or len({_key(other.text) for _, other in pairs}) != 1:
        return None
    one, other = pairs[0]
    said = {_key(place.text) for place in before if same_words(place, other)}
    says = {_key(place.text) for place in after if same_words(place, one)}
    return other if len(said) == len(says) == 1 else None


def _all(page: str, values: Sequence[str]) -> list[Place]:
    return list(dict.fromkeys(place for value in values for place in places(page, value)))


def _like(one: str, other: str) -> bool:
    return re.findall(r"\w+", folded(one)) == re.findall(r"\w+", folded(other))


def _key(text: str) -> str:
    """Equal for the same value in other letters."""
    number, days = quantity(text), dates(text)
    if number:
        return f"{number.value.normalize():f}"
    return min(days).isoformat() if days else " ".join(re.findall(r"\w+", folded(text)))


def same_words(one: Place, other: Place) -> bool:
    """Whether two values stand in the same words: two before them at least, and two in all that name something."""
    before = _common(one.before[::-1], other.before[::-1])
    after = _common(one.after, other.after)
    return len(before) >= 2 and bool(content(before)) and len(content((*before, *after))) >= 2


def _common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    shared = []
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared.append(mine)
    return shared


def _succeeds(one: Place, other: Place) -> bool:
    """Whether one value may have taken the other's place: of one kind and unit, and another value."""
    mine, theirs = quantity(one.text), quantity(other.text)
    if mine and theirs:
        return mine.unit == theirs.unit and mine.value != theirs.value
    whole = kind_of(one.text) != "words" or one.after[:1] == other.after[:1]
    return whole and kind_of(one.text) == kind_of(other.text) and _key(one.text) != _key(other.text)
