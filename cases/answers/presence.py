"""Whether a page shows the expected answer, in three values."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal
from urllib.parse import urlsplit

from cases import Task
from cases import patterns as re
from cases.answers.figures import (
    BEHIND,
    DIGITS,
    GROUPING,
    RARE,
    ROUND,
    WRITTEN,
    YEAR,
    grouped,
    in_figures,
    is_year,
    numbers_shown,
    roman,
)
from cases.answers.forms import PARTS
from cases.answers.places import SUBJECT, Place, content, found, inflected, values_of, within_others
from cases.answers.text_match import needed_texts, normalise, telling, visible
from cases.answers.values import tokens

Presence = Literal["shown", "maybe", "absent"]
_LONGER = re.compile(r"\d[.,'’ \u00a0\u202f]$")
_AROUND, _LINES = 120, 2
"""Characters before a number, and lines of them at most, in which stands what it is about."""
_PARAGRAPH = 320
"""Characters before a number that say what it is about."""
_NAME = re.compile(r"(?<=[^.?!:¿¡] )[^\W\d_a-z][^\W\d_]{3,}")
"""A word that is written as a name, within a sentence."""
_HITS = 200
"""Places at which a number stands that are looked at."""


@dataclass(frozen=True)
class _Subject:
    """What a task is about."""

    words: set[str]
    names: set[str]
    tokens: set[str]

    def around(self, text: str, place: int) -> bool:
        """Whether words of the task stand before a number, in its line or the one above."""
        line = " ".join(text[max(0, place - _AROUND) : place].splitlines()[-_LINES:])
        return len(content(tokens(line)) & self.words) >= SUBJECT

    def named(self, text: str, place: int) -> bool:
        """Whether a name from the task, or two of its words or numbers, stand in the paragraph before a number."""
        here = set(tokens((text[max(0, place - _PARAGRAPH) : place].splitlines() or [""])[-1]))
        numbers = {word for word in here & self.tokens if word.isdecimal() and len(word) >= DIGITS}
        return bool(here & self.names) or len((content(list(here)) & self.words) | numbers) >= SUBJECT


def presence(texts: Iterable[str], task: Task, url: str) -> Presence:
    """Whether the texts of one page hold every value of the expected answer.

    A value so short that it stands on any page counts only among the task's own words.
    """
    pages = [text for text in texts if text]
    states = [_value(pages, value, task, url) for value in values_of(task.gold or "")]
    if not states or "absent" in states:
        return _in_parts("\n".join(pages), task, url) if len(states) == 1 else "absent"
    return "shown" if all(state == "shown" for state in states) else "maybe"


def traced(text: str, task: Task, url: str) -> Presence:
    """Whether one text holds the expected answer, be it a number without its unit or grouped in another way.

    Words may be it where they stand with other endings.

    Such a number is shown where two of the task's words stand before it in its line, or in the one above, and no other
    unit behind it; one of four digits that is no year wherever its paragraph speaks of what the task names. Elsewhere
    it may be another, and its digits with the point elsewhere may be it in another unit.
    """
    text, gold = in_figures(text), in_figures(task.gold or "")
    task = task.model_copy(update={"gold": gold}) if gold != task.gold else task
    state = presence([text], task, url)
    number, values = WRITTEN.search(task.gold or ""), values_of(task.gold or "")
    like = inflected if number is None or len(values) > 1 else within_others
    if state == "absent" and all(like(text, value) or within_others(text, value) for value in values):
        return "maybe"
    if state != "absent" or number is None or len(values) > 1:
        return state
    digits, decimals = re.sub(r"\D", "", number["whole"]), number["decimals"] or ""
    return _by_digits(text, task, number, state) if len(digits + decimals) >= DIGITS else state


def _by_digits(text: str, task: Task, number: re.Match[str], state: Presence) -> Presence:
    """The same for an answer that is one number of several digits; `state` is what its spelling tells."""
    digits, decimals = re.sub(r"\D", "", number["whole"]), number["decimals"] or ""
    unit = re.sub(r"\W", "", (task.gold or "")[number.end() :]).casefold()
    rare = len(digits + decimals) >= RARE and not ROUND.search(digits + decimals)
    rare = rare and (bool(decimals) or not YEAR.fullmatch(digits))
    subject = _Subject(content(tokens(task.prompt or "")), names_in(task), set(tokens(task.prompt or "")))
    for match in islice(grouped(digits, decimals).finditer(text), _HITS):
        state = "maybe"
        if _LONGER.search(text[max(0, match.start() - 2) : match.start()]):
            continue
        behind = BEHIND.match(text[match.end() : match.end() + _AROUND])
        other = behind and behind[1].casefold()[:2] != unit[:2]
        if (not other and subject.around(text, match.start())) or (rare and subject.named(text, match.start())):
            return "shown"
    if is_year(task.gold or "") and re.search(
        rf"(?<!\w)['’]{digits[2:]}(?!\d)|(?<!\w){roman(int(digits))}(?!\w)", text
    ):
        return "maybe"
    same = f"{GROUPING}?".join(f"{digits}{decimals}".strip("0"))
    loose = re.compile(rf"(?<!\d)(?:0[.,]0*)?{same}0*(?!\d)")
    return "maybe" if state == "absent" and loose.search(text) else state


def _in_parts(text: str, task: Task, url: str) -> Presence:
    """Whether all parts of an answer such as `a name, a time` stand in a text: shown where they stand together, or, on
    the page that the benchmark names, each of several digits among words of the task.
    """
    parts = [part for part in PARTS.split(task.gold or "") if part.strip()]
    plain = normalise(text)
    own = urlsplit(url)[1:3] in {urlsplit(one)[1:3] for one in task.gold_urls}
    if own and numbers_shown(text, normalise(task.gold or ""), url):
        return "shown"
    if len(parts) < SUBJECT or not all(visible((part,), text, "") for part in parts):
        return "absent"
    if own and all(_among_words(plain, normalise(part), task) for part in parts):
        return "shown"
    first = max(parts, key=len)
    if not telling_value(first, task):
        return "maybe"
    places = islice(re.finditer(re.escape(normalise(first)), plain), _HITS)
    windows = (plain[max(0, one.start() - _AROUND) : one.end() + _AROUND] for one in places)
    whole = [window for window in windows if all(normalise(part) in window for part in parts)]
    return "shown" if any(_speaks_of(window, task) for window in whole) else "maybe"


def _among_words(text: str, part: str, task: Task) -> bool:
    """Whether a part of several digits stands somewhere among two of the task's words, whatever their endings."""
    if sum(char.isdigit() for char in part) < DIGITS:
        return False
    asked = content(tokens(task.prompt or ""))
    places = islice(re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text), _HITS)
    windows = (text[max(0, one.start() - _AROUND) : one.end() + _AROUND] for one in places)
    return any(sum(word in tokens(here) or inflected(here, word) for word in asked) >= SUBJECT for here in windows)


def _speaks_of(text: str, task: Task) -> bool:
    """Whether a number of the task's, or two of its words, stand in a text."""
    prompt = task.prompt or ""
    numbers = set(re.findall(r"\d+", prompt)).intersection(re.findall(r"\d+", text))
    return bool(numbers) or len(content(tokens(text)) & content(tokens(prompt))) >= SUBJECT


def names_in(task: Task) -> set[str]:
    """The words that a task writes as names, in lower case."""
    return {name.casefold() for name in _NAME.findall(task.prompt or "")}


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
    return len(content((*place.before, *place.after)) & content(tokens(prompt))) >= SUBJECT
