"""Other ways to write the expected answer, and answers that are wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from cases.answers.equivalence import compare, items
from cases.answers.values import NUMBER_WORDS, Quantity, dates, listed, quantity
from cases.answers.words import goes_without_saying, words

AS_IT_STANDS = frozenset({"space around", "quotes around", "full stop", "decimal point", "lower case", "upper case"})
"""Forms that are the expected answer letter by letter: that they are marked right shows no other way."""
NONSENSE = 2
"""How many of the wrong answers, from the first, share nothing with the expected one."""
WRONG_TEXT = "zqx vwk jjf"
"""Words of no language, so that no grader may find the expected answer in them."""


@dataclass(frozen=True)
class Form:
    """One way to write an answer."""

    name: str
    text: str
    equivalent: bool
    """Nobody would call it another answer; where it is false, it says the same with more words around it."""


def equivalents(gold: str, task: str = "") -> tuple[Form, ...]:
    """Other forms of the expected answer, each once, none of them the expected answer itself."""
    found: dict[str, Form] = {}
    for name, text in _forms(gold, task):
        if text != gold and text not in found:
            found[text] = Form(name, text, compare(text, gold, task).likeness == "same")
    return tuple(found.values())


def list_form(gold: str) -> str:
    """The expected answer as JSON where it is a list of lines, which is how graders that parse JSON take it."""
    lines = items(gold)
    return json.dumps(list(lines), ensure_ascii=False) if len(lines) > 1 and listed(gold) is None else gold


def wrongs(gold: str) -> tuple[Form, ...]:
    """Answers that nobody would call right."""
    number = quantity(gold)
    found = [("other words", WRONG_TEXT), ("nothing", "")]
    if number:
        found.append(("another number", _digits(abs(number.value) * 3 + 7)))
    day = next(iter(dates(gold)), None)
    if day:
        found.append(("another day", day.replace(year=day.year - 1, day=min(day.day, 28)).isoformat()))
    if len(items(gold)) > 1:
        found.append(("a list of other words", json.dumps([WRONG_TEXT, WRONG_TEXT[::-1]])))
    return tuple(Form(name, text, equivalent=False) for name, text in found)


def _forms(gold: str, task: str) -> Iterator[tuple[str, str]]:
    parts, number = items(gold), quantity(gold)
    if len(parts) > 1:
        yield from _lists(parts)
    elif number:
        yield from _numbers(number, task)
    elif days := dates(gold):
        for day in days if len(days) == 1 else ():
            yield "ISO date", day.isoformat()
            yield "month, day, year", f"{day:%B} {day.day}, {day.year}"
            yield "day month year", f"{day.day} {day:%B} {day.year}"
    else:
        yield "lower case", gold.lower()
        yield "upper case", gold.upper()
        yield "full stop", f"{gold.rstrip('.')}."
    yield "space around", f" {gold}\n"
    if len(parts) == 1:
        yield "quotes around", f'"{gold}"'
        yield "JSON list of one", json.dumps([_bare(gold, number)], ensure_ascii=False)
        yield "sentence around", f"The answer is {gold}."


def _bare(gold: str, number: Quantity | None) -> object:
    return int(gold) if number and gold.isascii() and gold.isdigit() and len(gold) < 16 else gold


def _lists(parts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name, order in (("", parts), (", other order", tuple(reversed(parts)))):
        yield f"JSON list{name}", json.dumps(list(order), ensure_ascii=False)
        yield f"lines{name}", "\n".join(order)
        yield f"commas{name}", ", ".join(order)
        yield f"bullets{name}", "\n".join(f"- {part}" for part in order)
    yield "lower case", "\n".join(parts).lower()


def _numbers(number: Quantity, task: str) -> Iterator[tuple[str, str]]:
    value = number.value
    yield "digits alone", _digits(value)
    yield "thousands separators", f"{value.normalize():,f}"
    if value == value.to_integral_value():
        yield "decimal point", f"{_digits(value)}.0"
    spelt = _spelt(int(value)) if value == value.to_integral_value() and 0 <= value < 100 else None
    if spelt:
        yield "number word", spelt
    for unit in words().unit:
        if unit.name == number.unit or (not number.unit and task and goes_without_saying(unit.name, task)):
            sign = unit.written[0]
            before = not sign[0].isalnum() and sign != "%"
            yield f"with {unit.name}", f"{sign}{_digits(value)}" if before else f"{_digits(value)} {sign}"
            yield f"with {unit.name} in words", f"{_digits(value)} {unit.written[-1]}"


def _digits(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _spelt(value: int) -> str | None:
    by_value: dict[int, str] = {number: word for word, number in NUMBER_WORDS.items()}
    if value in by_value:
        return by_value[value]
    tens = by_value.get(value - value % 10)
    return f"{tens}-{by_value[value % 10]}" if tens else None
