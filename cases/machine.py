"""What only this machine's user may know: the values of its environment and its .netrc."""

import os
from functools import lru_cache
from pathlib import Path

from cases import patterns as re
from cases.secrets import Masker, words

_NETRC = re.compile(r"\b(?:password|account)\s+(\S+)")
_OWN = "VERIFY_"
"""Settings of this program, which stand in what it writes; they are secret only where their names say so."""


def machine_secrets() -> dict[str, str]:
    """Kinds of secrets by their value, as text, URLs, JSON and HTML write it."""
    return dict(_learnt(frozenset(os.environ.items()), tuple(_netrc())))


@lru_cache(maxsize=1)
def _learnt(environment: frozenset[tuple[str, str]], passwords: tuple[str, ...]) -> dict[str, str]:
    masker = Masker()
    named = words().names
    masker.learn({name: v for name, v in environment if not name.startswith(_OWN) or named.search(name)})
    for password in passwords:
        masker.know(password, ".netrc password")
    return masker.certain


def _netrc() -> list[str]:
    paths = [Path(os.environ.get("NETRC") or Path.home() / ".netrc"), Path.home() / "_netrc"]
    found: list[str] = []
    for path in paths:
        try:
            found += _NETRC.findall(path.read_text("utf-8", "replace"))
        except OSError:
            continue
    return found
