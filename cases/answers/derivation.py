"""Whether an expected number may follow from others that stand on pages."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import accumulate, combinations, islice

from cases import Task
from cases import patterns as re
from cases.answers.figures import BEHIND, TERMS, WRITTEN
from cases.answers.forms import lacks_a_name
from cases.answers.places import SUBJECT, content, values_of
from cases.answers.text_match import normalise
from cases.answers.values import quantity, tokens

_FEW, _LONG = 30, 20_000
"""Numbers of which any three are taken together; and characters of a text that say what it is about."""
_NEARLY = Decimal("0.005")
"""By how much, as a share of it, a number may differ from the one that it is rounded to."""
_DATE = re.compile(r"(?P<iso>\d{4})-(\d{1,2})-(\d{1,2})|(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)")


def derivable(texts: Sequence[str], task: Task) -> bool:
    """Whether an expected number may follow from what stands there: as a sum, difference, product or quotient of two
    numbers in lines about it, as one of them rounded, or as the days between two dates.

    These are lines with words of the task, and the rows of tables on pages that speak of it. Of three numbers only the
    sum is tried, and of more numbers than a few it is always possible. Numbers with the expected one's unit are also
    added up where more of them follow one another. With a name beside it that stands nowhere it follows from nothing.
    """
    match = WRITTEN.search(task.gold or "")
    gold = quantity(match[0]) if match else None
    if gold is None or len(values_of(task.gold or "")) > 1 or lacks_a_name(texts, task):
        return False
    asked, found = content(tokens(task.prompt or "")), dict[Decimal, None]()
    for text in texts:
        about = len(content(tokens(text[:_LONG])) & asked) >= SUBJECT
        for line in text.splitlines():
            if (about and line.count("|") > 1) or content(tokens(line[:_LONG])) & asked:
                read = [one for each in islice(WRITTEN.finditer(line), TERMS) if (one := quantity(each[0]))]
                found |= dict.fromkeys(value for one in read for value in (one.value, one.other) if value is not None)
        if len(found) > TERMS:
            return True
    wanted = {value for value in (gold.value, gold.other) if value is not None}
    unit = BEHIND.match(task.gold or "", match.end()) if match else None
    if _rounded(found, wanted) or _between_dates(texts, wanted) or (unit and _added_up(texts, unit[1], wanted)):
        return True
    if any(wanted.intersection((one + two, abs(one - two), one * two)) for one, two in combinations(found, 2)):
        return True
    return len(found) <= _FEW and any(sum(three) in wanted for three in combinations(found, 3))


def _added_up(texts: Iterable[str], unit: str, wanted: Collection[Decimal]) -> bool:
    """Whether numbers with a unit that follow one another, from text to text, add up to one that is wanted."""
    numbers = ((text, match) for text in texts for match in WRITTEN.finditer(text))
    meant = (match[0] for text, match in numbers if (behind := BEHIND.match(text, match.end())) and behind[1] == unit)
    values = [one.value for each in islice(meant, TERMS) if (one := quantity(each)) and one.value is not None]
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
