"""Whether a page shows the expected answer, in three values."""

import datetime as dt
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, combinations, islice
from typing import Literal
from urllib.parse import urlsplit

from cases import Task
from cases import patterns as re
from cases.answers.forms import PARTS, lacks_a_name
from cases.answers.places import Place, content, found, inflected, values_of, within_others
from cases.answers.text_match import needed_texts, normalise, telling, visible
from cases.answers.values import quantity, tokens

Presence = Literal["shown", "maybe", "absent"]
_DIGITS = 3
"""Of a number, that its presence says something."""
_GROUPING = r"[.,'’ \u00a0\u202f]"
_NUMBER = re.compile(r"(?P<whole>\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,](?P<decimals>\d+))?")
_LONGER = re.compile(r"\d[.,'’ \u00a0\u202f]$")
_BEHIND = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+)")
_TIME = re.compile(r"\d:\d")
_AT = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+|[€$£¥₹%°])")
_AT_BEFORE = re.compile(r"([^\W\d_]+|[€$£¥₹])[ \u00a0\u202f]?$")
_AROUND, _LINES = 120, 2
"""Characters before a number, and lines of them at most, in which stands what it is about."""
_RARE, _PARAGRAPH = 4, 320
"""Digits of a number that hardly stands anywhere by chance, and the characters before it that say what it is about."""
_ROUND = re.compile(r"^0*\d{1,2}0*$")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NAME = re.compile(r"(?<=[^.?!:¿¡] )[^\W\d_a-z][^\W\d_]{3,}")
"""A word that is written as a name, within a sentence."""
_TERMS, _FEW, _LONG, _UNIT = 120, 30, 20_000, 12
"""Numbers of which any two are taken together, and any three; characters of a text that say what it is about; and those
of a unit.
"""
_NEARLY = Decimal("0.005")
"""By how much, as a share of it, a number may differ from the one that it is rounded to."""
_DIGITS_OF_SCRIPTS = {
    code: str(unicodedata.decimal(chr(code))) for code in range(128, sys.maxunicode + 1) if chr(code).isdecimal()
}
_FRACTION = re.compile(r"(?<=\d)[\u00bc-\u00be\u2150-\u215e]")
_POINT = re.compile(r"(?<=\d)[\u00b7\u066b€£](?=\d{2}(?![\d€£$]))")
_DATE = re.compile(r"(?P<iso>\d{4})-(\d{1,2})-(\d{1,2})|(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)")
_HITS = 200
"""Places at which a number stands that are looked at."""
_SUBJECT = 2
"""Words of the task that stand around a short value where it is meant."""


@dataclass(frozen=True)
class _Subject:
    """What a task is about."""

    words: set[str]
    names: set[str]
    tokens: set[str]

    def around(self, text: str, place: int) -> bool:
        """Whether words of the task stand before a number, in its line or the one above."""
        line = " ".join(text[max(0, place - _AROUND) : place].splitlines()[-_LINES:])
        return len(content(tokens(line)) & self.words) >= _SUBJECT

    def named(self, text: str, place: int) -> bool:
        """Whether a name from the task, or two of its words or numbers, stand in the paragraph before a number."""
        here = set(tokens((text[max(0, place - _PARAGRAPH) : place].splitlines() or [""])[-1]))
        numbers = {word for word in here & self.tokens if word.isdecimal() and len(word) >= _DIGITS}
        return bool(here & self.names) or len((content(list(here)) & self.words) | numbers) >= _SUBJECT


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
    text, gold = _in_figures(text), _in_figures(task.gold or "")
    task = task.model_copy(update={"gold": gold}) if gold != task.gold else task
    state = presence([text], task, url)
    number, values = _NUMBER.search(task.gold or ""), values_of(task.gold or "")
    like = inflected if number is None else within_others
    if state == "absent" and all(like(text, value) or within_others(text, value) for value in values):
        return "maybe"
    if state != "absent" or number is None or len(values) > 1:
        return state
    digits, decimals = re.sub(r"\D", "", number["whole"]), number["decimals"] or ""
    return _by_digits(text, task, number, state) if len(digits + decimals) >= _DIGITS else state


def _by_digits(text: str, task: Task, number: re.Match[str], state: Presence) -> Presence:
    """The same for an answer that is one number of several digits; `state` is what its spelling tells."""
    digits, decimals = re.sub(r"\D", "", number["whole"]), number["decimals"] or ""
    unit = re.sub(r"\W", "", (task.gold or "")[number.end() :]).casefold()
    rare = len(digits + decimals) >= _RARE and not _ROUND.search(digits + decimals)
    rare = rare and (bool(decimals) or not _YEAR.fullmatch(digits))
    subject = _Subject(content(tokens(task.prompt or "")), names_in(task), set(tokens(task.prompt or "")))
    for match in islice(_grouped(digits, decimals).finditer(text), _HITS):
        state = "maybe"
        if _LONGER.search(text[max(0, match.start() - 2) : match.start()]):
            continue
        behind = _BEHIND.match(text[match.end() : match.end() + _AROUND])
        other = behind and behind[1].casefold()[:2] != unit[:2]
        if (not other and subject.around(text, match.start())) or (rare and subject.named(text, match.start())):
            return "shown"
    if is_year(task.gold or "") and re.search(
        rf"(?<!\w)['’]{digits[2:]}(?!\d)|(?<!\w){_roman(int(digits))}(?!\w)", text
    ):
        return "maybe"
    same = f"{_GROUPING}?".join(f"{digits}{decimals}".strip("0"))
    loose = re.compile(rf"(?<!\d)(?:0[.,]0*)?{same}0*(?!\d)")
    return "maybe" if state == "absent" and loose.search(text) else state


def _grouped(digits: str, decimals: str) -> re.Pattern[str]:
    """A number as it stands, with its thousands grouped or not."""
    groups = [digits[max(0, end - 3) : end] for end in range(len(digits), 0, -3)][::-1]
    fraction = rf"[.,]{decimals}0*" if decimals else ""
    return re.compile(rf"(?<!\d)(?:{digits}|{_GROUPING.join(groups)}){fraction}(?!\d)(?![.,]\d)")


def _in_parts(text: str, task: Task, url: str) -> Presence:
    """Whether all parts of an answer such as `a name, a time` stand in a text: shown where they stand together, or, on
    the page that the benchmark names, each of several digits among words of the task.
    """
    parts = [part for part in PARTS.split(task.gold or "") if part.strip()]
    plain = normalise(text)
    own = urlsplit(url)[1:3] in {urlsplit(one)[1:3] for one in task.gold_urls}
    if own and _by_its_numbers(text, normalise(task.gold or ""), url):
        return "shown"
    if len(parts) < _SUBJECT or not all(visible((part,), text, "") for part in parts):
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


def _by_its_numbers(text: str, gold: str, url: str) -> bool:
    """Whether a page shows every number of an answer that has several, one of them long: with the same word or sign at
    it, or in one line with such a one, as where the page is in another language; and a year in its address.
    """
    wanted = list(_NUMBER.finditer(gold))
    kinds = {match[0] for match in wanted}
    if (
        _TIME.search(gold)
        or len(kinds) < _SUBJECT
        or all(sum(map(str.isdigit, one)) < _DIGITS or _YEAR.fullmatch(one) for one in kinds)
    ):
        return False
    lines = [_told_in(normalise(line)) for line in text.splitlines()]
    told = {(number, sign) for number, sign in _told_in(gold) if sign}
    firm = [set(line) & told for line in lines]
    beside = {number for line, sure in zip(lines, firm, strict=True) if sure for number, _ in line}
    sure = {number for each in firm for number, _ in each}
    years = {one for one in re.findall(r"\d{4}", urlsplit(url).path) if _YEAR.fullmatch(one)}
    return bool(sure) and {_figures(one) for one in kinds} <= sure | beside | years


def _told_in(text: str) -> list[tuple[str, str]]:
    """The numbers of a text, each with the word or the sign behind it, and with that before it."""
    found = []
    for match in islice(_NUMBER.finditer(text), _TERMS):
        behind, before = (
            _AT.match(text, match.end()),
            _AT_BEFORE.search(text[max(0, match.start() - _UNIT) : match.start()]),
        )
        signs = [one[1] for one in (behind, before) if one]
        found += [(_figures(match[0]), sign) for sign in signs or [""]]
    return found


def _figures(number: str) -> str:
    return re.sub(r"[ '’\u00a0\u202f]", "", number)


def _among_words(text: str, part: str, task: Task) -> bool:
    """Whether a part of several digits stands somewhere among two of the task's words, whatever their endings."""
    if sum(char.isdigit() for char in part) < _DIGITS:
        return False
    asked = content(tokens(task.prompt or ""))
    places = islice(re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text), _HITS)
    windows = (text[max(0, one.start() - _AROUND) : one.end() + _AROUND] for one in places)
    return any(sum(word in tokens(here) or inflected(here, word) for word in asked) >= _SUBJECT for here in windows)


def _speaks_of(text: str, task: Task) -> bool:
    """Whether a number of the task's, or two of its words, stand in a text."""
    prompt = task.prompt or ""
    numbers = set(re.findall(r"\d+", prompt)).intersection(re.findall(r"\d+", text))
    return bool(numbers) or len(content(tokens(text)) & content(tokens(prompt))) >= _SUBJECT


def _in_figures(text: str) -> str:
    """The text with every digit as ASCII has it, `½` as `.5`, and a point where decimals begin otherwise: `14€60`."""
    if text.isascii():
        return text
    return _POINT.sub(".", _FRACTION.sub(_decimals, text.translate(_DIGITS_OF_SCRIPTS)))


def _decimals(found: re.Match[str]) -> str:
    return f"{unicodedata.numeric(found[0]):.3g}"[1:]


def derivable(texts: Sequence[str], task: Task) -> bool:
    """Whether an expected number may follow from what stands there: as a sum, difference, product or quotient of two
    numbers in lines about it, as one of them rounded, or as the days between two dates.

    These are lines with words of the task, and the rows of tables on pages that speak of it. Of three numbers only the
    sum is tried, and of more numbers than a few it is always possible. Numbers with the expected one's unit are also
    added up where more of them follow one another. With a name beside it that stands nowhere it follows from nothing.
    """
    match = _NUMBER.search(task.gold or "")
    gold = quantity(match[0]) if match else None
    if gold is None or len(values_of(task.gold or "")) > 1 or lacks_a_name(texts, task):
        return False
    asked, found = content(tokens(task.prompt or "")), dict[Decimal, None]()
    for text in texts:
        about = len(content(tokens(text[:_LONG])) & asked) >= _SUBJECT
        for line in text.splitlines():
            if (about and line.count("|") > 1) or content(tokens(line[:_LONG])) & asked:
                read = [one for each in islice(_NUMBER.finditer(line), _TERMS) if (one := quantity(each[0]))]
                found |= dict.fromkeys(value for one in read for value in (one.value, one.other) if value is not None)
        if len(found) > _TERMS:
            return True
    wanted = {value for value in (gold.value, gold.other) if value is not None}
    unit = _BEHIND.match(task.gold or "", match.end()) if match else None
    if _rounded(found, wanted) or _between_dates(texts, wanted) or (unit and _added_up(texts, unit[1], wanted)):
        return True
    if any(wanted.intersection((one + two, abs(one - two), one * two)) for one, two in combinations(found, 2)):
        return True
    return len(found) <= _FEW and any(sum(three) in wanted for three in combinations(found, 3))


def _added_up(texts: Iterable[str], unit: str, wanted: Collection[Decimal]) -> bool:
    """Whether numbers with a unit that follow one another, from text to text, add up to one that is wanted."""
    numbers = ((text, match) for text in texts for match in _NUMBER.finditer(text))
    meant = (match[0] for text, match in numbers if (behind := _BEHIND.match(text, match.end())) and behind[1] == unit)
    values = [one.value for each in islice(meant, _TERMS) if (one := quantity(each)) and one.value is not None]
    return any(total in wanted for start in range(len(values)) for total in accumulate(values[start:]))


def _rounded(found: Iterable[Decimal], wanted: Iterable[Decimal]) -> bool:
    """Whether a number is nearly one of those that are wanted, at whatever scale, or one is the quotient of two."""
    numbers = [one for one in found if one > 0]
    near = [one for one in wanted if one > 0]
    ratios = (one / two for one in numbers[:_FEW] for two in numbers[:_FEW] if one > two > 1)
    scaled = (one * 10**power for one in numbers for power in (0, 3, 6, 9))
    near_it = any(abs(one - other) <= other * _NEARLY for one in scaled for other in near)
    return near_it or any(abs(one - other) <= _half_a_place(other) for one in ratios for other in near)


def _half_a_place(number: Decimal) -> Decimal:
    """Half of the last decimal place with which a number is written."""
    exponent = number.as_tuple().exponent
    return Decimal(5).scaleb(min(0, exponent) - 1) if isinstance(exponent, int) else Decimal(0)


def _between_dates(texts: Iterable[str], wanted: Collection[Decimal]) -> bool:
    """Whether as many days lie between two dates that stand there, in figures or with the months' English names."""
    found = {date.toordinal() for text in texts for date in _dates(text)}
    days = {int(one) for one in wanted if one == one.to_integral_value()}
    return any(date + day in found or date + day - 1 in found for date in found for day in days)


def _dates(text: str) -> Iterator[dt.date]:
    """Each as its year comes first, or else its day or its month."""
    for match in _DATE.finditer(normalise(text)):
        one, two, three = (int(part) for part in match.groups() if part)
        for year, month, day in [(one, two, three)] if match["iso"] else [(three, two, one), (three, one, two)]:
            with suppress(ValueError):
                yield dt.date(year, month, day)


def _roman(number: int) -> str:
    """A number below 4000 in Roman figures."""
    places = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
    told = ""
    for value, letters in (*places, (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        told += letters * (number // value)
        number %= value
    return told


def tells_by_absence(gold: str) -> bool:
    """Whether an expected answer is one number that no page shows by other words, so that its absence says something.

    Such a number has its currency or unit, or is whole, of four digits, and neither round nor a year.
    """
    number = _NUMBER.search(gold)
    rest = gold.replace(number[0], "", 1).strip() if number else ""
    if number and not rest:
        digits = re.sub(r"\D", "", number[0])
        plain = not number["decimals"] and not _ROUND.search(digits) and not _YEAR.fullmatch(digits)
        return plain and len(digits) >= _RARE
    return bool(rest) and "%" not in rest and not any(char.isdigit() for char in rest) and len(rest) <= _UNIT


def is_year(gold: str) -> bool:
    """Whether an expected answer is nothing but a year."""
    return _YEAR.fullmatch(gold.strip()) is not None


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
    return len(content((*place.before, *place.after)) & content(tokens(prompt))) >= _SUBJECT
