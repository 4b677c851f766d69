"""The last look before a pack is written: whether any secret stands in its bytes, zips and archives opened."""

import gzip
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape

from cases import PackError
from cases import patterns as re
from cases.remembered import remembered
from cases.secrets import FREE_KEYS, MASK, Masker, words
from cases.secrets.finding import found
from cases.sentences import Sentences
from evidence.archive import members
from evidence.artifacts import EVIDENCE
from evidence.bag import INFO
from evidence.crate import METADATA

say = Sentences(__name__)

_RECORDS = frozenset({"case.json", "envelope.json", "hypotheses.json", "findings.json", "basis.json", "verdict.json"})
_SHORTEST = 8
_SHORT, _LONGEST = 400, 20_000
"""Signs up to which what is secret in a text is remembered, for many texts and for few: packs say most things again."""
_DEEPEST = 4
_MOST = 64 * 2**20
_MANY = 2_000
"""Texts from which on they are bundled: of fewer, most are those of every report, and remembered."""
_BUNDLE, _BETWEEN = 4_000, "\n\n \n.\n \n\n"
"""Signs of short texts that are looked through at once, and what stands between them, over which nothing is joined."""
_PRINTED = re.compile(rb"[\x20-\x7e\t]{8,}")
_APART = "style", "script"
_DIGEST, _DIGITS = re.compile(r"\b[0-9a-f]{64}\b"), 64
_WIDE = re.compile(rb"(?:[\x20-\x7e]\0){8,}")


@dataclass(frozen=True)
class Leak:
    """A secret in a pack; `value` must not be printed."""

    file: str
    place: str
    kind: str
    value: str


def leaks(content: Mapping[str, bytes], certain: Mapping[str, str]) -> Iterator[Leak]:
    """Every secret in the files of a pack: what patterns and randomness show, and what is known to be one.

    Args:
        content: The pack's files by path.
        certain: Kinds of known secrets by their value.

    Raises:
        PackError: an archive inside that cannot be looked into.
    """
    seen = set[tuple[str, bool]]()
    digests = frozenset(hashlib.sha256(data).hexdigest() for data in content.values())

    def other(found: re.Match[str]) -> str:
        return "" if found[0] in digests else found[0]

    for path, data in content.items():
        lines = path in _RECORDS or path.startswith(EVIDENCE)
        told: list[tuple[str, str]] = []
        for place, text in _texts(path, data, 0):
            text = text if len(text) < _DIGITS else _DIGEST.sub(other, text)  # noqa: PLW2901
            if (text, lines) not in seen and len(text.strip()) >= _SHORTEST:
                seen.add((text, lines))
                told.append((place, text))
        for place, text in told if lines or len(told) < _MANY else _suspected(told, certain):
            for value, kind in _secrets(text, certain, lines=lines):
                yield Leak(path, _line(text, value) if place == "" else place, kind, value)


def _suspected(told: Iterable[tuple[str, str]], certain: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Those of many places and texts that may say a secret: short ones are asked about together first."""
    bundle: list[tuple[str, str]] = []
    length = 0
    for place, text in told:
        if len(text) >= _BUNDLE:
            yield place, text
            continue
        bundle.append((place, text))
        length += len(text)
        if length >= _BUNDLE:
            yield from _unless_clean(bundle, certain)
            bundle, length = [], 0
    yield from _unless_clean(bundle, certain)


def _unless_clean(bundle: list[tuple[str, str]], certain: Mapping[str, str]) -> list[tuple[str, str]]:
    together = _BETWEEN.join(text for _, text in bundle)
    return bundle if any(True for _ in _secrets(together, certain, lines=False)) else []


def _secrets(text: str, certain: Mapping[str, str], *, lines: bool) -> Iterator[tuple[str, str]]:
    """What is secret in a text; only where `lines` are somebody's own, what rows, columns and broken lines show too."""
    yield from (_kept if len(text) <= _LONGEST else _shown)(text, lines)
    if certain:
        known = Masker()
        known.certain |= certain
        known.known(text)
        yield from known.kinds.items()


def _shown(text: str, lines: bool) -> tuple[tuple[str, str], ...]:
    """What its own form shows to be secret in a text."""
    masker = Masker(lines=lines)
    if found(text, lines=lines):
        masker.text(text)
    told = [(value, kind) for value, kind in masker.kinds.items() if MASK not in value]
    from cases.detectors import detected  # noqa: PLC0415 - only writing a pack needs it, reading one must stay light

    return (*((value, kind) for value, kind in told if len(value.strip()) >= _SHORTEST), *detected(text))


_kept = remembered(64, short=_SHORT)(_shown)


def _texts(path: str, data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    """What a file says, by place; `` is the file as a whole."""
    if path in _RECORDS or path == METADATA:
        strings: list[tuple[str, str]] = []
        _add_strings(json.loads(data), "", strings, free=False)
        yield from strings
    elif path == INFO:
        yield from (("", line) for line in data.decode().splitlines())
    elif path == "report.html":
        yield from _page(data)
    elif data.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        yield from _packed(path, data, depth)
    else:
        try:
            yield "", data.decode()
        except UnicodeDecodeError:
            told = [*_PRINTED.findall(data), *(wide[::2] for wide in _WIDE.findall(data))]
            yield "its bytes", b"\n".join(told).decode("ascii")


def _add_strings(value: object, place: str, told: list[tuple[str, str]], *, free: bool) -> None:
    """Add every text of a JSON value with its place."""
    if isinstance(value, str):
        told.append((place, value))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _add_strings(item, f"{place}[{number}]", told, free=free)
    elif isinstance(value, dict):
        for key, item in value.items():
            named = free and isinstance(item, str) and words().names.search(key)
            told.append((place, key))
            inner = free or key in FREE_KEYS
            below = f"{place}.{key}" if place else key.strip(".")
            _add_strings(f"{key}={item}" if named else item, below, told, free=inner)


def _page(data: bytes) -> Iterator[tuple[str, str]]:
    """All that stands in our own page, cut where its markup begins and ends, each once: most are on every page."""
    page = data.decode()
    for name in _APART:
        page, *found = page.split(f"<{name}")
        for one in found:
            inner, _, after = one.partition(f"</{name}")
            yield f"its {name}", inner
            page += f"<{after}"
    tags, _, texts = zip(*(piece.partition(">") for piece in page.split("<")), strict=True)
    values = (value for value in dict.fromkeys('"'.join(tags).split('"')) if not value.startswith("data:"))
    yield from (("the page", unescape(text)) for text in dict.fromkeys((*texts, *values)))


def _packed(path: str, data: bytes, depth: int) -> Iterator[tuple[str, str]]:
    if depth >= _DEEPEST:
        raise PackError(say("scanning.holds_archives_archives_too", path=path))
    try:
        found = members(data, path) if data.startswith(b"PK") else {"its content": _ungzipped(data)}
    except (zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise PackError(say("scanning.cannot_searched_secrets_nothing", path=path, error=error)) from error
    for name, inner in found.items():
        yield name, name
        for place, text in _texts(name, inner, depth + 1):
            yield f"{name} {place}".strip(), text


def _ungzipped(data: bytes) -> bytes:
    with gzip.open(io.BytesIO(data)) as stream:
        read = stream.read(_MOST + 1)
    if len(read) > _MOST:
        raise EOFError(say("scanning.too_large"))
    return read


def _line(text: str, value: str) -> str:
    at = text.find(value)
    return f"line {text.count(chr(10), 0, at) + 1}" if at >= 0 else "its text"
