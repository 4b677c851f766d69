"""Secrets in a text: found as it reads once decoded, and masked where they stand.

A mask is as long as what it hides, so that every citation still counts its characters right.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import islice
from operator import itemgetter
from typing import Any
from urllib.parse import quote, quote_plus

from cases import patterns as re
from cases.secrets.data import ordinary_variables, shown_headers, words
from cases.secrets.finding import found
from cases.secrets.forms import bones, forms, skeleton
from cases.secrets.known import Known
from cases.secrets.values import counts, placeholder, random, telling
from cases.secrets.views import views

MASK = "●"
FREE_KEYS = frozenset({"arguments", "environment"})
"""Parts of a record whose own keys may say that a value is secret."""
_TELLING = re.compile(r"^(?=.*\d)(?=.*[A-Za-z]).{8,}$", re.DOTALL)
"""A value that is no ordinary word, so that it may be masked wherever it stands."""
_SHORTEST = 8
_RANDOM_FROM = 12
_FEWEST_LETTERS = 10
"""Letters and digits of a secret from which on it is known however it is cut apart."""
_MOST = 100
"""Secrets that are looked for in the less usual forms: those of the machine come first."""
_PARTS = re.compile(r"[^\s,;:=&@/?#|\"']+")
_DRAWN = re.compile(r"[^\r\n]*(?:\r[^\r\n]+)+")
"""Lines that a terminal wrote over and over: each says the beginning of the next, and so what is secret in that."""
_SEGMENT = re.compile(r"[^\r]+")


class Masker:
    """Two passes: what patterns find, then every other place where the same value stands."""

    def __init__(self, *, lines: bool = True) -> None:
        """Nothing is known yet; without `lines` columns, rows and broken lines of a text say nothing."""
        self.kinds: dict[str, str] = {}
        """What every secret that was found is."""
        self.certain: dict[str, str] = {}
        """What was learnt from elsewhere: a secret wherever it stands, whatever it looks like."""
        self.whole: frozenset[str] = frozenset()
        """What no mask has hidden: each text that still says it is masked from end to end."""
        self._lines = lines

    def learn(self, environment: Mapping[str, str]) -> None:
        """Have `known` mask the values of variables whose names or values say that they are secret."""
        for name, value in environment.items():
            if words().names.search(name):
                self.know(value, "environment variable")
            one = Masker()
            one.text(f"{name}={value}")
            told = list(one.kinds)
            if not ordinary_variables().search(name):
                told += [part for part in _PARTS.findall(value) if len(part) >= _RANDOM_FROM and random(part)]
            for secret in told:
                self.know(secret, "environment variable")

    def know(self, value: str, kind: str) -> None:
        """Have `known` mask `value`, also as URLs, JSON and HTML write it; under eight characters it is too common."""
        plain = value.strip()
        if len(plain) >= _SHORTEST and not placeholder(plain):
            address = plain.encode("utf-8", "surrogatepass")
            forms = (plain, quote(address, safe=""), quote_plus(address), json.dumps(plain)[1:-1], escape(plain))
            self.certain |= dict.fromkeys(forms, kind)

    def record(self, value: object, *, free: bool = False) -> Any:  # noqa: ANN401 - any JSON value
        """A JSON value with secrets masked; in `free` parts the keys speak too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return self._words(value) if _is_command(value) else [self.record(item, free=free) for item in value]
        if not isinstance(value, dict):
            return value
        return distinct((self.text(key), self._field(key, item, free=free)) for key, item in value.items())

    def _words(self, words: list[str]) -> list[str]:
        """Words of a command line, each as it is masked beside the others."""
        line, at, masked = self.text(" ".join(words)), 0, list[str]()
        for word in words:
            masked.append(self.text(line[at : at + len(word)]))
            at += len(word) + 1
        return masked

    def _field(self, key: str, item: object, *, free: bool) -> Any:  # noqa: ANN401 - any JSON value
        if free and isinstance(item, str):
            return self._named(key, item)
        if free and key.lower() in _LISTINGS and isinstance(item, dict):
            return self._listed(key.lower(), item)
        return self.record(item, free=free or key in FREE_KEYS)

    def _named(self, key: str, value: str) -> str:
        if words().names.search(key):
            return self._hidden("secret field", value)
        head = f"{self.text(key)}="
        return self.text(head + value)[len(head) :]

    def _listed(self, listing: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Headers, cookies and variables of a call: what nobody has allowed is masked where it is no ordinary word."""
        return distinct((self.text(name), self._shown(listing, name, value)) for name, value in fields.items())

    def _shown(self, listing: str, name: str, value: object) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(value, str):
            return self.record(value, free=True)
        allowed = _shown(listing, name) or not counts(value, "", "telling")
        return self._named(name, value) if allowed else self._hidden(listing, value)

    def text(self, text: str) -> str:
        """A text with what patterns find in it, as it stands or decoded, masked."""
        secrets = found(text, lines=self._lines)
        if not secrets:
            return text
        covered, surely = _Covered(text), _Covered(text)
        for one in secrets:
            if one.unsure and surely.at(one.start):
                continue
            if not one.unsure and not one.guessed:
                surely.cover(one.start, one.end)
            if not covered.cover(one.start, one.end) and MASK not in one.value and one.value.strip():
                self.kinds.setdefault(one.value, one.kind)
        return covered.masked

    def known(self, value: object) -> Any:  # noqa: ANN401 - any JSON value
        """The same value with what the first pass learnt masked wherever else it stands."""
        told = [secret for secret in self.kinds if _TELLING.search(secret)]
        certain = tuple(self.certain)
        written = frozenset((*certain[:_MOST], *islice(told, _MOST)))
        known, boned = _known(frozenset((*told, *certain)), written, frozenset(certain))
        return self._replaced(value, known, boned) if known or self.whole else value

    def _replaced(self, value: object, *known: Known) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, str):
            return self._without(value, *known)
        if isinstance(value, list):
            return [self._replaced(item, *known) for item in value]
        if isinstance(value, dict):
            told = [(self._replaced(key, *known), self._replaced(item, *known)) for key, item in value.items()]
            return distinct(told)
        return value

    def _without(self, text: str, known: Known, boned: Known) -> str:
        covered = _Covered(text)
        for view in views(text):
            for offset, part in view.parts:
                for secret, at in known.within(part):
                    new = not covered.cover(*view.where(offset + at, offset + at + len(secret)))
                    if new and secret in self.certain:
                        self.kinds.setdefault(secret, self.certain[secret])
                for start, end in _cut(part, boned) if boned else ():
                    covered.cover(*view.where(offset + start, offset + end))
        return _mask(text) if any(one in covered.masked for one in self.whole) else covered.masked

    def _hidden(self, kind: str, secret: str) -> str:
        if placeholder(secret):
            return secret
        if secret.strip(MASK + " \t\r\n"):
            self.kinds.setdefault(secret, kind)
        return _mask(secret)


def _is_command(value: list[Any]) -> bool:
    """Whether a list holds the words of a command line: nothing but words, and an option among them."""
    return all(isinstance(one, str) for one in value) and any(one.startswith("-") for one in value)


_LISTINGS = frozenset({"headers", "cookies", "env", "environ", "environment"})
"""Parts of a call's arguments whose fields are shown by allow-list."""


def _shown(listing: str, name: str) -> bool:
    """Whether a field of such a listing may show its value."""
    if listing == "headers":
        return name.lower() in shown_headers()
    return listing != "cookies" and ordinary_variables().search(name)


def distinct(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Fields by their names; of several whose names are masked alike, each further one has a number."""
    told: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for name, value in fields:
        key = name
        while key in told:
            numbers[name] = numbers.get(name, 1) + 1
            key = f"{name} ({numbers[name]})"
        told[key] = value
    return told


class _Covered:
    """A text, and what of it is masked."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] = []

    def at(self, place: int) -> bool:
        """Whether the sign at a place is masked."""
        before = bisect_right(self._spans, (place, len(self._text) + 1))
        return any(start <= place < end for start, end in self._spans[max(0, before - 1) : before])

    def cover(self, start: int, end: int) -> bool:
        """Mask a part; whether all of it was masked already."""
        first = bisect_right(self._spans, (start, -1))
        if first and self._spans[first - 1][1] >= start:
            first -= 1
        last = first
        while last < len(self._spans) and self._spans[last][0] <= end:
            last += 1
        old = self._spans[first:last]
        if old and old[0][0] <= start and old[0][1] >= end:
            return True
        merged = (min(start, old[0][0]), max(end, *(stop for _, stop in old))) if old else (start, end)
        self._spans[first:last] = [merged]
        return False

    @property
    def masked(self) -> str:
        """The text without those parts."""
        if not self._spans:
            return self._text
        for start, end in _beginnings(self._text, tuple(self._spans)):
            self.cover(start, end)
        parts, done = [], 0
        for start, end in self._spans:
            parts += [self._text[done:start], _mask(self._text[start:end])]
            done = end
        return "".join([*parts, self._text[done:]])


def _beginnings(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where a line begins as the masked one does that was written over it; `spans` are masked, in their order."""
    masked = sorted(spans)
    for line in _DRAWN.finditer(text) if "\r" in text else ():
        below = set[tuple[int, int]]()
        after: tuple[int, int] | None = None
        for segment in reversed([one.span() for one in _SEGMENT.finditer(text, *line.span())]):
            told = _begins(text, segment, after) and {one for one in below if one[0] < segment[1] - segment[0]}
            own = _within(masked, segment)
            below = {(start, min(end, segment[1] - segment[0])) for start, end in told or ()}
            yield from ((segment[0] + start, segment[0] + end) for start, end in sorted(below - own))
            below |= own
            after = segment


def _begins(text: str, one: tuple[int, int], other: tuple[int, int] | None) -> bool:
    """Whether the second line begins with all of the first."""
    return other is not None and text.startswith(text[slice(*one)], *other)


def _within(spans: Sequence[tuple[int, int]], segment: tuple[int, int]) -> set[tuple[int, int]]:
    """Those that lie in a line, from where that begins."""
    start, end = segment
    found = set[tuple[int, int]]()
    for first, last in spans[bisect_left(spans, start, key=itemgetter(1)) :]:
        if first >= end:
            break
        if last > start:
            found.add((max(first, start) - start, min(last, end) - start))
    return found


@lru_cache(maxsize=8)
def _known(secrets: frozenset[str], written: frozenset[str], cut: frozenset[str]) -> tuple[Known, Known]:
    """Secrets, some in the less usual forms too; and what is left of those that may be cut apart."""
    skeletons = map(skeleton, filter(telling, cut))
    left = (one for one in skeletons if len(one) >= _FEWEST_LETTERS)
    return Known({*secrets, *(form for one in written for form in forms(one))}), Known(left)


def _cut(text: str, boned: Known) -> Iterator[tuple[int, int]]:
    """Where known secrets stand that are cut apart, or written large or in letters that look like theirs."""
    if found := list(boned.within(skeleton(text))):
        places = bones(text)
        yield from ((places[at], places[at + len(secret) - 1] + 1) for secret, at in found)


def _mask(secret: str) -> str:
    return re.sub(r"\S", MASK, secret)
