"""Is the needed text on the page? Compared as people read, spelling of numbers and quotes aside."""

import unicodedata
from urllib.parse import unquote_plus, urlsplit

from cases import Task
from cases import patterns as re
from cases.text import whole

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Where a word may be parted, and what else stands between letters unseen."""
_QUOTES = dict.fromkeys(map(ord, "‘’‚‛′`"), "'") | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[,  ]\d{3})+(?!\d|,\d)")
_DECIMAL = re.compile(r"(?<![\d.])(\d+)\.(\d*?)0+(?!\d|\.\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<year>[12]\d{3})"
_DATES = (
    re.compile(rf"\b{_MONTH}\.? {_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b"),
    re.compile(rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?,? {_YEAR}\b"),
)
_UNITS = {
    name: unit
    for unit, names in {
        "km": "km kms kilometer kilometers kilometre kilometres",
        "m": "m meter meters metre metres",
        "cm": "cm centimeter centimeters centimetre centimetres",
        "mi": "mi mile miles",
        "ft": "ft foot feet",
        "kg": "kg kgs kilogram kilograms",
        "g": "g gram grams",
        "lb": "lb lbs pound pounds",
        "h": "h hr hrs hour hours",
        "min": "min mins minute minutes",
        "%": "% percent",
        "usd": "usd dollar dollars",
    }.items()
    for name in names.split()
}
_UNIT = re.compile(
    rf"(?<![\w.])(\d+(?:\.\d+)?)[ -]?({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})(?!\w)"
)
SHORTEST = 3
"""Letters and digits that a text needs before its presence means anything."""


def normalise(text: str) -> str:
    """One spelling: `$1,250.00` and `$1 250` become `$1250`, any run of whitespace one space."""
    folded = unicodedata.normalize("NFKC", text).translate(_DASHES | _QUOTES | _UNSEEN).casefold()
    joined = _GROUPED.sub(lambda number: re.sub(r"[,\s]", "", number[0]), " ".join(folded.split()))
    shortened = _DECIMAL.sub(lambda number: number[1] + (f".{number[2]}" if number[2] else ""), joined)
    return _UNIT.sub(lambda hit: f"{hit[1]} {_UNITS[hit[2]]}", _dated(shortened))


def _dated(text: str) -> str:
    """Dates in words as `2024-03-05`."""
    for pattern in _DATES:
        text = pattern.sub(
            lambda hit: f"{hit['year']}-{_MONTHS.index(hit['month'][:3]) + 1:02}-{int(hit['day']):02}", text
        )
    return text


def needed_texts(named: tuple[str, ...], task: Task) -> tuple[str, ...]:
    """What a page must show: the hypothesis's own texts, or the expected answer where it is telling enough.

    Short numbers stand on any page, an answer in several lines stands on none, and what the task's own text says
    already proves nothing.
    """
    gold = (task.gold or "").strip()
    short = sum(map(str.isalnum, gold)) < 4 or (gold.isdigit() and len(gold) < 5)
    if named or short or "\n" in gold or len(gold) > 200 or normalise(gold) in normalise(task.prompt or ""):
        return named
    return (gold,)


def telling(needed: tuple[str, ...], url: str) -> tuple[str, ...]:
    """The texts whose presence on `url` would show something: long enough, and not an echo of the address."""
    parts = urlsplit(url)
    echo = normalise(unquote_plus(f"{parts.path} {parts.query}"))
    spaced = re.sub(r"[^\w]+", " ", echo)
    kept = []
    for text in needed:
        plain = normalise(text)
        if sum(map(str.isalnum, plain)) < SHORTEST:
            continue
        if plain in echo or re.sub(r"[^\w]+", " ", plain).strip() in spaced:
            continue
        kept.append(text)
    return tuple(kept)


def visible(needed: tuple[str, ...], page_text: str, url: str) -> tuple[str, ...]:
    """Those of the needed texts that stand on the page as whole words, echoes of the address left out."""
    page = normalise(page_text)
    return tuple(text for text in telling(needed, url) if _stands(normalise(text), page))


def _stands(text: str, page: str) -> bool:
    after = r"(?![.,]\d)" if text[-1].isalnum() else ""
    return re.search(whole(re.escape(text), text) + after, page) is not None
