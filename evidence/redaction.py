"""Secrets are masked before anything is written.

A mask is as long as what it hides, so that every citation still counts its characters right.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

from pydantic import Field, field_validator

from cases import Case, Model
from evidence.text import plain
from graph.verdict import Audit

MASK = "●"
_CITATION = frozenset({"run_id", "block", "start", "end", "quote"})
_FREE_KEYS = frozenset({"arguments", "environment"})
_TELLING = re.compile(r"^(?=.*\d)(?=.*[A-Za-z]).{8,}$", re.DOTALL)
"""A value that is no ordinary word, so that it may be masked wherever it stands."""
_MOST_KNOWN = 500


class SecretPattern(Model):
    """One kind of secret."""

    id: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...] = Field(min_length=1)
    source: str = Field(min_length=1)


class Words(Model):
    """Names whose whole value is secret, or values that never are."""

    pattern: re.Pattern[str]
    source: str = Field(min_length=1)


class Secrets(Model):
    """The content of `secrets.toml`."""

    names: Words
    placeholders: Words
    secret: tuple[SecretPattern, ...]

    @field_validator("secret")
    @classmethod
    def _unique(cls, value: tuple[SecretPattern, ...]) -> tuple[SecretPattern, ...]:
        if len({entry.id for entry in value}) != len(value):
            raise ValueError("two secrets share an id")
        return value


@cache
def secrets() -> Secrets:
    """The bundled patterns."""
    return Secrets.model_validate(tomllib.loads(files("evidence").joinpath("secrets.toml").read_text("utf-8")))


@dataclass(frozen=True)
class Redacted:
    """An audit and its text artifacts without secrets."""

    audit: Audit
    texts: dict[str, str]
    """Text artifacts by the SHA-256 of what they were before."""
    kinds: dict[str, int]
    """How many different secrets of each kind were masked."""

    @property
    def count(self) -> int:
        """How many different secrets were masked."""
        return sum(self.kinds.values())


def redact(audit: Audit, texts: Mapping[str, str] | None = None) -> Redacted:
    """Mask every secret in an audit and in `texts` (by digest); valid citations stay valid."""
    masker = _Masker()
    record = masker.record(plain(audit))
    masked = {digest: masker.text(text) for digest, text in (texts or {}).items()}
    record, masked = masker.known(record), masker.known(masked)
    _requote(record, audit.case, Case.model_validate(record["case"]))
    return Redacted(Audit.model_validate(record), masked, dict(Counter(masker.kinds.values())))


class _Masker:
    """Two passes: what patterns find, then every other place where the same value stands."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}

    def record(self, value: Any, *, free: bool = False) -> Any:  # noqa: ANN401 - any JSON value
        """A JSON value with secrets masked; in `free` parts the keys speak too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.record(item, free=free) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            self.text(key): self._hide("secret field", item)
            if free and isinstance(item, str) and secrets().names.pattern.search(key)
            else self.record(item, free=free or key in _FREE_KEYS)
            for key, item in value.items()
        }

    def text(self, text: str) -> str:
        lowered = text.lower()
        for entry in secrets().secret:
            if any(hint in lowered for hint in entry.hints):
                text = entry.pattern.sub(partial(self._cover, entry.id), text)
        return text

    def known(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """The same value with what the first pass learnt masked wherever else it stands."""
        telling = [secret for secret in self.kinds if _TELLING.search(secret)]
        longest = sorted(telling, key=lambda secret: (-len(secret), secret))[:_MOST_KNOWN]
        return _replaced(value, [(secret, _mask(secret)) for secret in longest])

    def _cover(self, kind: str, match: re.Match[str]) -> str:
        group = "secret" if "secret" in match.re.groupindex else 0
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        whole = match.group()
        return whole[:start] + self._hide(kind, whole[start:end]) + whole[end:]

    def _hide(self, kind: str, secret: str) -> str:
        if secrets().placeholders.pattern.search(secret):
            return secret
        if secret.strip(MASK + " \t\r\n"):
            self.kinds.setdefault(secret, kind)
        return _mask(secret)


def _replaced(value: Any, masks: list[tuple[str, str]]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        for secret, mask in masks:
            value = value.replace(secret, mask)
        return value
    if isinstance(value, list):
        return [_replaced(item, masks) for item in value]
    if isinstance(value, dict):
        return {key: _replaced(item, masks) for key, item in value.items()}
    return value


def _mask(secret: str) -> str:
    return re.sub(r"\S", MASK, secret)


def _requote(value: Any, before: Case, after: Case) -> None:  # noqa: ANN401 - any JSON value
    """Give every citation that held the words that now stand in its place."""
    if isinstance(value, list):
        for item in value:
            _requote(item, before, after)
    if not isinstance(value, dict):
        return
    if value.keys() == _CITATION:
        _requote_one(value, before, after)
        return
    for key, item in value.items():
        if key not in _FREE_KEYS:
            _requote(item, before, after)


def _requote_one(citation: dict[str, Any], before: Case, after: Case) -> None:
    start, end = citation["start"], citation["end"]
    old, new = (case.text_of(citation["run_id"], citation["block"]) for case in (before, after))
    if old is not None and new is not None and len(old[start:end]) == len(citation["quote"]):
        masked = new[start:end]
        if masked != citation["quote"] and _agrees(old[start:end], citation["quote"]):
            citation["quote"] = masked


def _agrees(original: str, quote: str) -> bool:
    """Whether `quote` is `original`, apart from what was masked in it."""
    return all(theirs in (mine, MASK) for mine, theirs in zip(original, quote, strict=True))
