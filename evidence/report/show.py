"""How a value appears in the report; every expression of every template passes through `shown`."""

from urllib.parse import urlsplit

from markupsafe import Markup, escape

from cases import patterns as re
from evidence.text import INVISIBLE, clip, visible

_TICKED = re.compile(r"`([^`\n]+)`")
LONGEST = 20_000
"""Characters of one value that the report shows; the records hold the rest."""


def shown(value: object) -> object:
    """Text with nothing invisible in it and of bounded length; None as nothing."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(clip(str(value), LONGEST))
    return value


def link(text: str) -> Markup:
    """An http(s) address as a link that sends no referrer; anything else as text."""
    label = escape(shown(text))
    if INVISIBLE.search(text) or any(char.isspace() for char in text):
        return label
    try:
        parts = urlsplit(text)
    except ValueError:
        return label
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return label
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(text, label)


def breakable(text: str) -> Markup:
    """A name that may go on in the next line behind an underscore."""
    return Markup("_<wbr>").join(escape(part) for part in str(shown(text)).split("_"))


def prose(text: str) -> Markup:
    """Our own sentences: what stands between backticks is set as code."""
    pieces = _TICKED.split(str(shown(text)))
    marked = [
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    ]
    return Markup("").join(marked)
