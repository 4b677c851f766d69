"""Manual pages as a reader sees them, and the amounts that they say can be given."""

from cases import patterns as re

_MANUAL = re.compile(r"\.(?:[1-9]|man|mdoc)$")
_ESCAPES = re.compile(r"\\f(?:\([A-Z]{2}|[A-Z]|\[\w*\])|\\[&|^]")
_MACROS = re.compile(r"(?m)^\.(?:\\\".*|[A-Z][A-Za-z]{0,2}\b ?)")
"""Of groff_man(7): changes of font, and macros at the beginning of a line."""
_AMOUNT = re.compile(r"(?m)^[ \t]*(?P<flag>--?[A-Za-z][\w-]*)[ =]+[<\[]?(?:[A-Z]{1,12}\b|\d)")
"""An option with a value, at the beginning of a line."""


def readable(path: str, text: str) -> str:
    """A document's text; of a manual page without what sets it."""
    return _unset(text) if _MANUAL.search(path) else text


def amounts(manual: str) -> list[str]:
    """The options to which a manual page says that a value can be given."""
    return list(dict.fromkeys(match["flag"] for match in _AMOUNT.finditer(_unset(manual))))


def _unset(manual: str) -> str:
    return _MACROS.sub("", _ESCAPES.sub("", manual).replace(r"\-", "-").replace('" "', "  "))
