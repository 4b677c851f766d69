"""Secrets in a text: which patterns show them, and how they are masked.

A mask is as long as what it hides, so that every citation still counts its characters right.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

from pydantic import Field, field_validator

from cases.model import Model

MASK = "●"
FREE_KEYS = frozenset({"arguments", "environment"})
"""Parts of a record whose own keys may say that a value is secret."""
_TELLING = re.compile(r"^(?=.*\d)(?=.*[A-Za-z]).{8,}$", re.DOTALL)
"""A value that is no ordinary word, so that it may be masked wherever it stands."""
_LEAST_CERTAIN = 6
"""Characters of a value that is known to be secret, below which masking it would blacken ordinary words."""
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
    return Secrets.model_validate(tomllib.loads(files("cases").joinpath("secrets.toml").read_text("utf-8")))


class Masker:
    """Two passes: what patterns find, then every other place where the same value stands."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.kinds: dict[str, str] = {}
        """What every secret that was found is."""
        self._certain: set[str] = set()

    def learn(self, environment: Mapping[str, str]) -> None:
        """Have `known` mask the values of variables whose names say that they are secret."""
        for name, value in environment.items():
            secret = value.strip()
            if len(secret) >= _LEAST_CERTAIN and secrets().names.pattern.search(name):
                self.kinds.setdefault(secret, "environment variable")
                self._certain.add(secret)

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
            else self.record(item, free=free or key in FREE_KEYS)
            for key, item in value.items()
        }

    def text(self, text: str) -> str:
        """A text with what patterns find in it masked."""
        lowered = text.lower()
        for entry in secrets().secret:
            if any(hint in lowered for hint in entry.hints):
                text = entry.pattern.sub(partial(self._cover, entry.id), text)
        return text

    def known(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """The same value with what the first pass learnt masked wherever else it stands."""
        telling = [secret for secret in self.kinds if secret in self._certain or _TELLING.search(secret)]
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
