"""What a task's own text takes for right beside the expected answer: within a tolerance, rounded, or some of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Literal

from cases import patterns as re
from cases.answers.equivalence import LONGEST, items, likened, paired
from cases.answers.families import WRONG_TEXT, Form
from cases.answers.values import NUMBER_WORDS, Quantity, quantity
from cases.answers.words import goes_without_saying, words
from cases.sentences import Sentences

say = Sentences(__name__)

Kind = Literal["tolerance", "part", "promise"]
_STEPS = {"tenth": "0.1", "hundredth": "0.01", "thousandth": "0.001", "ten": "10", "hundred": "100"}
_STEPS |= {"thousand": "1000", "million": "1000000"}
_DENIED = re.compile(r"\b(?:not|no|never|without|unless|except|cannot|neither)\b|n['’]t\b", re.IGNORECASE)
"""Words with which a sentence may say the opposite."""
_SAMPLES = (Decimal("0.1"), Decimal("0.5"), Decimal("0.9"))
"""Shares of a tolerance at which answers are tried, on both sides."""
_BEYOND = Decimal(4)
"""How many tolerances away an answer is tried that must not be right."""


@dataclass(frozen=True)
class Allowance:
    """Why an answer is right by the task's own words though it is not the expected one."""

    kind: Kind
    words: str
    """The task's own."""
    reason: str
    """Part of a sentence; holds neither answer."""
    samples: tuple[Form, ...]
    """Other answers that the same words take for right, or promise a part of the marks."""
    beyond: tuple[Form, ...]
    """Answers that they do not."""


@dataclass(frozen=True)
class _Said:
    what: str
    number: str
    words: str


def allowance(answer: str, gold: str, task: str) -> Allowance | None:
    """What makes the answer right by the task's own text; None where nothing does, or the text says more than one."""
    said = list(dict.fromkeys(_said(task))) if len(task) <= LONGEST else []
    mine, theirs = quantity(answer), quantity(gold)
    if mine and theirs:
        stated = [one for one in said if one.what in {"percent", "absolute", "decimals", "nearest"}]
        return _number(stated[0], mine, theirs, task) if len(stated) == 1 else None
    parts = [one for one in said if one.what in {"part", "promise"}]
    return _part(parts[0], answer, items(gold), task) if len(parts) == 1 and len(items(gold)) > 1 else None


def _said(task: str) -> Iterator[_Said]:
    for entry in words().allows:
        for match in re.finditer(entry.pattern, task, re.IGNORECASE):
            groups = match.groupdict()
            number = groups.get("n") or groups.get("n2") or ""
            if not _DENIED.search(_sentence(task, *match.span())):
                yield _Said(entry.what, number.lower(), " ".join(match[0].split()).strip(".?!:;, "))


def _sentence(text: str, start: int, end: int) -> str:
    ends = [found.start() for found in re.finditer(r"[.?!](?=\s|$)|\n", text)]
    return text[
        max((at for at in ends if at < start), default=0) : min((at for at in ends if at >= end), default=len(text))
    ]


def _number(said: _Said, mine: Quantity, theirs: Quantity, task: str) -> Allowance | None:
    units = {mine.unit, theirs.unit} - {""}
    if mine.spelt or len(units) > 1 or (mine.unit != theirs.unit and not goes_without_saying(units.pop(), task)):
        return None
    if said.what in {"percent", "absolute"}:
        return _tolerance(said, mine, theirs)
    return _rounding(said, mine, theirs)


def _tolerance(said: _Said, mine: Quantity, theirs: Quantity) -> Allowance | None:
    gold, given = theirs.value, Decimal(said.number)
    margin = abs(gold) * given / 100 if said.what == "percent" else given
    least = min(margin, abs(mine.value) * given / 100) if said.what == "percent" else margin
    off = abs(mine.value - gold)
    if not margin or off > least or not off or (said.what == "percent" and given >= 100 / _BEYOND):
        return None
    sides = [
        (say("allowed.tolerance", share=share, name=name), gold + sign * share * margin)
        for share in _SAMPLES
        for name, sign in (("above", 1), ("below", -1))
    ]
    samples = tuple(Form(name, _written(value), equivalent=True) for name, value in sides)
    far = Form("four tolerances above", _written(gold + _BEYOND * margin), equivalent=False)
    return Allowance("tolerance", said.words, say("allowed.lies_within_tolerance"), samples, (far,))


def _rounding(said: _Said, mine: Quantity, theirs: Quantity) -> Allowance | None:
    places = _count(said.number) if said.what == "decimals" else None
    step = Decimal(1).scaleb(-places) if places is not None else Decimal(_STEPS.get(said.number, "1"))
    gold = theirs.value
    rounded = {(gold / step).quantize(Decimal(1), mode) * step for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    if mine.value not in rounded or (gold in rounded and not _padded(mine, theirs, places)):
        return None
    text = f"{mine.value.quantize(step) if step < 1 else mine.value.to_integral_value():f}"
    further = mine.value + 3 * step
    samples = (
        Form("rounded as asked", text, equivalent=True),
        Form("with a decimal point", _pointed(text), equivalent=True),
    )
    beyond = Form("another rounding", _written(further), equivalent=False)
    return Allowance("tolerance", said.words, say("allowed.expected_number_rounded"), samples, (beyond,))


def _padded(mine: Quantity, theirs: Quantity, places: int | None) -> bool:
    """Whether only the answer has as many decimals as are asked for."""
    mine_has, theirs_has = (len(one.written.partition(".")[2]) for one in (mine, theirs))
    return places is not None and mine_has == places != theirs_has


def _part(said: _Said, answer: str, wanted: Sequence[str], task: str) -> Allowance | None:
    asked = _count(said.number) if said.what == "part" else None
    given = likened(answer, items(answer), asked or len(wanted) - 1)
    right = paired(given, wanted, task)
    if len(right) != len(given) or not 0 < len(given) < len(wanted) or (asked is not None and asked != len(given)):
        return None
    count = len(given)
    chosen = {tuple(wanted[:count]), tuple(wanted[-count:]), tuple(wanted[other] for _, other in right)}
    samples = tuple(form for number, some in enumerate(sorted(chosen), 1) for form in _forms(some, f"part {number}"))
    beyond = _forms((WRONG_TEXT, *wanted[: count - 1]), "a part with other words in it")
    if asked is None:
        return Allowance("promise", said.words, say("allowed.part_expected_answer"), samples, beyond)
    reason = say("allowed.many_expected_items")
    return Allowance("part", said.words, reason, samples, beyond)


def _forms(some: Sequence[str], name: str) -> tuple[Form, ...]:
    written = {
        "as lines": "\n".join(some),
        "with commas": ", ".join(some),
        "as a JSON list": json.dumps(some, ensure_ascii=False),
    }
    texts = {text: how for how, text in reversed(written.items())}
    return tuple(Form(f"{name} {how}", text, equivalent=True) for text, how in texts.items())


def _count(number: str) -> int:
    return int(number) if number.isdigit() else NUMBER_WORDS[number]


def _written(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _pointed(text: str) -> str:
    return text if "." in text else f"{text}.0"
