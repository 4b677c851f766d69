"""Foreign text in a shell script: it is data, and what cannot be seen is spelt out."""

import shlex

from evidence.text import INVISIBLE, visible


class Ready(str):
    """Shell of our own making, printed as it is."""

    __slots__ = ()


def quoted(value: object) -> Ready:
    """Anything printed that is not ready: one word of the shell."""
    if isinstance(value, Ready):
        return value
    text = str(value).replace("\0", "")
    hidden = INVISIBLE.search(text) or any("\ud800" <= char <= "\udfff" for char in text)
    return Ready(_spelt(text) if hidden else shlex.quote(text))


def note(value: object) -> Ready:
    """Text on one line of a comment."""
    return Ready(" ".join(visible(str(value)).encode("utf-8", "replace").decode().split()))


def words(values: object) -> Ready:
    """Several words."""
    assert isinstance(values, tuple | list)
    return Ready(" ".join(quoted(value) for value in values))


def _spelt(text: str) -> str:
    return "$'" + "".join(_letter(char) for char in text) + "'"


def _letter(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if INVISIBLE.match(char) or "\ud800" <= char <= "\udfff":
        return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
    return char
