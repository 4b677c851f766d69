"""Is the needed text on the page? Compared as people read, spelling of numbers and quotes aside."""

import re
import unicodedata
from urllib.parse import unquote_plus, urlsplit

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_QUOTES = dict.fromkeys(map(ord, "‘’‚‛′`"), "'") | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[,  ]\d{3})+(?!\d|,\d)")
_DECIMAL = re.compile(r"(?<![\d.])(\d+)\.(\d*?)0+(?!\d|\.\d)")
SHORTEST = 3
"""Letters and digits that a text needs before its presence means anything."""


def normalise(text: str) -> str:
    """One spelling: `$1,250.00` and `$1 250` become `$1250`, any run of whitespace one space."""
    folded = unicodedata.normalize("NFKC", text).translate(_DASHES | _QUOTES).casefold()
    joined = _GROUPED.sub(lambda number: re.sub(r"[,\s]", "", number[0]), " ".join(folded.split()))
    return _DECIMAL.sub(lambda number: number[1] + (f".{number[2]}" if number[2] else ""), joined)


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
    before = r"(?<!\w)" if text[0].isalnum() else ""
    after = r"(?![\w]|[.,]\d)" if text[-1].isalnum() else ""
    return re.search(before + re.escape(text) + after, page) is not None
