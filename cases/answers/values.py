"""What a short text says: a number with its unit, a date, or words."""

import datetime as dt
import json
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from cases import patterns as re
from cases.answers.words import unit_names
from cases.text import SPACED, UNSPACED

_SMALL = re.findall(
    r"\w+",
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen""",
)
_TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")
NUMBER_WORDS: dict[str, int] = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}
_PLAIN = r"\d{1,3}(?:[,.'’]\d{3}){1,8}(?:[.,]\d+)?(?![.,]?\d)|\d+(?:[.,]\d+)?|\.\d+"
_SPACED = r"\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,8}(?:[.,]\d+)?(?![.,]?\d)"
NUMBER = rf"{_SPACED}|{_PLAIN}"
"""A pattern for the digits of one number."""
_DIGITS = NUMBER.replace(r"(?![.,]?\d)", "")
"""The same where what stands behind it is known to be no more of it."""
_SCIENTIFIC = re.compile(r"[-+]?\d+(?:\.\d+)?e[-+]?\d{1,2}")
_QUANTITY = re.compile(rf"([^\d\s.+-][^\d]*?)?\s*([-+−]?)\s*({_DIGITS})\s*([^\d\s.,].*)?", re.DOTALL)
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y", "%d.%m.%Y")
_DATES_EITHER_WAY = ("%m/%d/%Y", "%d/%m/%Y")
_APOSTROPHE = re.compile(r"(?<=[^\W\d])['’‘`](?=[^\W\d])")
_POWER = re.compile(r"[⁰¹²³⁴-⁹]+")
_STROKED = str.maketrans(
    {"ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "\u00ad": None}
)
"""Letters that Unicode does not take apart."""
_THOUSANDS = re.compile(r"\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+(?:\.\d+)?")
_MOST_DIGITS = 25
"""Of a number; beyond that, decimal arithmetic rounds."""
_ARTICLES = frozenset({"a", "an", "the"})
_LONGEST = 60
"""Characters of a text that may be one number or one date."""
DROPPED = frozenset("_.,;:!?'\"`’‘“”()[]")
"""What may be left out of words without another meaning."""


@dataclass(frozen=True)
class Quantity:
    """One number with the unit that is written beside it."""

    value: Decimal
    other: Decimal | None
    """What it is where comma and point are read the other way round."""
    unit: str
    """Empty where none is written."""
    plain: bool
    """Written with digits alone, as most people and programs would."""
    spelt: bool = False
    """Written in words."""
    written: str = ""
    """Its digits as they stand, without what separates thousands; empty where it is written in words."""
    grouped: bool = False
    """Whether something separates its thousands."""


def folded(text: str) -> str:
    """One form of the same characters, without accents and surrounding space, in lower case; ten² is 10^2."""
    return unaccented(_POWER.sub(r"^\g<0>", text)).casefold().strip()


def unaccented(text: str) -> str:
    """Compatibility characters as the ordinary ones, letters without accents and strokes."""
    plain = unicodedata.normalize("NFKD", text).translate(_STROKED)
    return "".join(char for char in plain if not unicodedata.combining(char))


def quantity(text: str) -> Quantity | None:
    """The number that the whole text is; None where it is anything else."""
    short = folded(text).strip("\"'` ").removesuffix(".")
    if not short or len(short) > _LONGEST or sum(map(str.isdigit, short)) > _MOST_DIGITS:
        return None
    if _SCIENTIFIC.fullmatch(short):
        return Quantity(Decimal(short), None, "", plain=False, written=short)
    match = _QUANTITY.fullmatch(short)
    if not match:
        return _spelt(short)
    before, sign, digits, after = (part or "" for part in match.groups())
    units = _units(before), _units(after)
    if units[0] is None or units[1] is None or (units[0][1] and units[1][1]):
        return None
    scale = units[0][0] * units[1][0]
    values = [reading * scale * (-1 if sign in {"-", "−"} else 1) for reading in _readings(digits)]
    plain = digits.isdigit() and scale == 1
    other = values[1] if len(values) > 1 else None
    written, grouped = sign + _ungrouped(digits), bool(_THOUSANDS.fullmatch(digits))
    return Quantity(values[0], other, units[0][1] or units[1][1], plain, written=written, grouped=grouped)


def _units(text: str) -> tuple[int, str] | None:
    """Scale and unit of the words beside a number; None where they are neither."""
    rest = text.strip().rstrip(".")
    if rest in unit_names():
        return 1, unit_names()[rest]
    first, _, last = rest.partition(" ")
    scale = SCALES.get(first)
    if scale:
        last = last.strip()
        return (scale, unit_names()[last]) if last in unit_names() else (None if last else (scale, ""))
    return (1, "") if not rest else None


def _readings(digits: str) -> list[Decimal]:
    """The number as English writes it, then as it would be with comma and point exchanged, where that differs."""
    bare = re.sub(r"[ '\u00a0\u202f’]", "", digits)
    found: list[Decimal] = []
    for group, point in ((",", "."), (".", ",")):
        if re.fullmatch(rf"\d{{1,3}}(?:\{group}\d{{3}})+(?:\{point}\d+)?|\d*(?:\{point}\d+)?", bare):
            with suppress(InvalidOperation):
                value = Decimal(bare.replace(group, "").replace(point, "."))
                found += [value] if value not in found else []
    return found or [Decimal(re.sub(r"\D", "", bare))]


def _spelt(short: str) -> Quantity | None:
    """A number in English words, such as `twenty-five km` or `one hundred and two`."""
    parts = [part for part in re.split(r"[\s-]+", short) if part != "and"]
    total, current, used = 0, 0, 0
    for part in parts:
        scale = SCALES.get(part, 0)
        if part in NUMBER_WORDS and (not used or _continues(total, current, NUMBER_WORDS[part])):
            current += NUMBER_WORDS[part]
        elif part == "hundred" and 0 < current < scale:
            current *= scale
        elif part != "hundred" and scale and current and (not total or scale < total):
            total, current = total + current * scale, 0
        else:
            break
        used += 1
    unit = " ".join(parts[used:])
    if not used or (unit and unit not in unit_names()):
        return None
    return Quantity(Decimal(total + current), None, unit_names().get(unit, ""), plain=False, spelt=True)


def _continues(total: int, current: int, value: int) -> bool:
    """Whether a number word may follow what was said: `five` after `twenty`, after `hundred` or after `million`."""
    if current % 100:
        return current % 100 >= 20 and not current % 10 and 0 < value < 10
    return value > 0 and bool(total or current)


def dates(text: str) -> frozenset[dt.date]:
    """The days that the whole text may mean; several where day and month can be taken for each other."""
    short = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", folded(text)).replace(",", " ").removesuffix(".")
    if len(short) > _LONGEST or not re.search(r"\d{4}", short):
        return frozenset()
    short = re.sub(r"^(?:the|on)\s+", "", " ".join(short.replace(" of ", " ").split()))
    found = set()
    for pattern in (*_DATES, *_DATES_EITHER_WAY):
        with suppress(ValueError):
            found.add(dt.datetime.strptime(short, pattern).date())  # noqa: DTZ007 - a day has no zone
    return frozenset(found)


def tokens(text: str) -> list[str]:
    """Words and numbers in their order, without the article before them; numbers without what separates thousands.

    Beside words, a number may be a label: version 3.10 is not version 3.1.
    """
    found = bare_words(text)
    return found[1:] if len(found) > 1 and found[0] in _ARTICLES and found[1] not in _ARTICLES else found


def bare_words(text: str) -> list[str]:
    """The same with the article."""
    found = re.findall(rf"(?:{_PLAIN})(?!{SPACED})|{SPACED}+|[{UNSPACED}]+", _APOSTROPHE.sub("", folded(text)))
    return [_ungrouped(token) for token in found]


def _ungrouped(digits: str) -> str:
    """The digits without what separates thousands; a point stays, since it may stand in a version."""
    return re.sub(r"[^\d.]", "", digits) if _THOUSANDS.fullmatch(digits) else digits


def zeros(written: str) -> int:
    """How many zeros stand before a number's first other digit, but for the one of a number below one."""
    match = re.match(r"[-+−]?(0*)(?=\d)", written)
    return len(match[1]) if match else 0


def bare(written: str) -> str:
    """A number's digits without the zeros at the end of its decimals."""
    return written.rstrip("0").rstrip(".") if "." in written else written


def symbols(text: str) -> list[str]:
    """What in a text is neither word nor space nor mere punctuation, such as a sign, a per cent or a slash."""
    joined = re.sub(r"(?<=[^\W\d])[-‐‑–](?=[^\W\d])", " ", folded(text))
    between = re.findall(r"(?<=\d)[:.](?=\d)", joined)
    return between + [char for char in joined if not (char.isalnum() or char.isspace() or char in DROPPED)]


def listed(text: str) -> tuple[object, ...] | None:
    """The items of a JSON list; None where the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tuple(found) if isinstance(found, list) else None
