"""Whether a page shows the expected answer, in three values."""

from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations
from typing import Literal

from cases import Task
from cases import patterns as re
from cases.answers.places import Place, content, found, values_of
from cases.answers.text_match import needed_texts, telling, visible
from cases.answers.values import quantity, tokens

Presence = Literal["shown", "maybe", "absent"]
_DIGITS = 3
"""Of a number, that its presence says something."""
_GROUPING = r"[.,'’ \u00a0\u202f]"
_NUMBER = re.compile(r"(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,](?P<decimals>\d+))?")
_LONGER = re.compile(r"\d[.,'’ \u00a0\u202f]$")
_BEHIND = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+)")
_AROUND, _LINES = 120, 2
"""Characters before a number, and lines of them at most, in which stands what it is about."""
_RARE, _PARAGRAPH = 4, 320
"""Digits of a number that hardly stands anywhere by chance, and the characters before it that say what it is about."""
_ROUND = re.compile(r"^0*\d{1,2}0*$")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NAME = re.compile(r"(?<=[^.?!:¿¡] )[^\W\d_a-z][^\W\d_]{3,}")
"""A word that is written as a name, within a sentence."""
_TERMS = 60
"""Numbers of which any two are added and subtracted."""
_SUBJECT = 2
"""Words of the task that stand around a short value where it is meant."""


def presence(texts: Iterable[str], task: Task, url: str) -> Presence:
    """Whether the texts of one page hold every value of the expected answer.

    A value so short that it stands on any page counts only among the task's own words.
    """
    pages = [text for text in texts if text]
    states = [_value(pages, value, task, url) for value in values_of(task.gold or "")]
    if not states or "absent" in states:
        return "absent"
    return "shown" if all(state == "shown" for state in states) else "maybe"


def traced(text: str, task: Task, url: str) -> Presence:
    """Whether one text holds the expected answer, be it a number without its unit or grouped in another way.

    Such a number is shown where two of the task's words stand before it in its line, or in the one above, and no other
    unit behind it; one of four digits that is no year wherever its paragraph speaks of what the task names. Elsewhere
    it may be another, and its digits with the point elsewhere may be it in another unit.
    """
    state = presence([text], task, url)
    number = _NUMBER.search(task.gold or "")
    if state != "absent" or number is None or len(values_of(task.gold or "")) > 1:
        return state
    whole, decimals = number["whole"], number["decimals"] or ""
    digits = re.sub(r"\D", "", whole)
    if len(digits + decimals) < _DIGITS:
        return state
    groups = [digits[max(0, end - 3) : end] for end in range(len(digits), 0, -3)][::-1]
    fraction = rf"[.,]{decimals}0*" if decimals else ""
    stands = re.compile(rf"(?<!\d)(?:{digits}|{_GROUPING.join(groups)}){fraction}(?!\d)(?![.,]\d)")
    unit = re.sub(r"\W", "", (task.gold or "")[number.end() :]).casefold()
    rare = len(digits + decimals) >= _RARE and not _ROUND.search(digits + decimals)
    rare = rare and (bool(decimals) or not _YEAR.fullmatch(digits))
    for match in stands.finditer(text):
        state = "maybe"
        if _LONGER.search(text[max(0, match.start() - 2) : match.start()]):
            continue
        behind = _BEHIND.match(text[match.end() : match.end() + _AROUND])
        other = behind and behind[1].casefold()[:2] != unit[:2]
        if (not other and _about(text, match.start(), task)) or (rare and _named(text, match.start(), task)):
            return "shown"
    same = f"{_GROUPING}?".join(f"{digits}{decimals}".strip("0"))
    loose = re.compile(rf"(?<!\d)(?:0[.,]0*)?{same}0*(?!\d)")
    return "maybe" if state == "absent" and loose.search(text) else state


def follows(texts: Iterable[str], task: Task) -> bool:
    """Whether an expected number may be the sum or difference of two that stand in lines with words of the task."""
    gold = quantity((task.gold or "").strip())
    if gold is None or len(gold.written.replace(".", "")) < _DIGITS or len(values_of(task.gold or "")) > 1:
        return False
    asked, found = content(tokens(task.prompt or "")), dict[Decimal, None]()
    for line in (line for text in texts for line in text.splitlines()):
        if content(tokens(line)) & asked:
            read = [one for match in _NUMBER.finditer(line) if (one := quantity(match[0]))]
            found |= dict.fromkeys(value for one in read for value in (one.value, one.other) if value is not None)
    numbers, wanted = list(found)[:_TERMS], {gold.value, gold.other} - {None}
    return any(one + two in wanted or abs(one - two) in wanted for one, two in combinations(numbers, 2))


def _about(text: str, place: int, task: Task) -> bool:
    """Whether words of the task stand before a number, in its line or the one above."""
    line = " ".join(text[max(0, place - _AROUND) : place].splitlines()[-_LINES:])
    return len(content(tokens(line)) & content(tokens(task.prompt or ""))) >= _SUBJECT


def _named(text: str, place: int, task: Task) -> bool:
    """Whether a name from the task, or two of its words or numbers, stand in the paragraph before a number."""
    paragraph = (text[max(0, place - _PARAGRAPH) : place].splitlines() or [""])[-1]
    names = {name.casefold() for name in _NAME.findall(task.prompt or "")}
    here, asked = set(tokens(paragraph)), set(tokens(task.prompt or ""))
    numbers = {word for word in here & asked if word.isdecimal() and len(word) >= _DIGITS}
    return bool(here & names) or len((content(list(here)) & content(list(asked))) | numbers) >= _SUBJECT


def telling_value(value: str, task: Task, url: str = "") -> bool:
    """Whether the mere presence of a value on a page says something."""
    return bool(telling(needed_texts((), Task(prompt=task.prompt, gold=value)), url))


def _value(pages: list[str], value: str, task: Task, url: str) -> Presence:
    prompt = task.prompt or ""
    results = [found(page, value, prompt) for page in pages]
    hits = [place for places, _ in results for place in places]
    spelt = any(visible((value,), page, url) for page in pages)
    if not hits and not spelt:
        return "maybe" if any(doubtful for _, doubtful in results) else "absent"
    firm = telling_value(value, task, url) or any(_meant(place, prompt) for place in hits)
    return "shown" if firm else "maybe"


def _meant(place: Place, prompt: str) -> bool:
    return len(content((*place.before, *place.after)) & content(tokens(prompt))) >= _SUBJECT
