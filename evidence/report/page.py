"""What every page of ours has in common: templates that escape, styles and a script of our own, and the policy."""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from cases import patterns as re
from evidence.text import INVISIBLE, clip, visible

_TICKED = re.compile(r"`([^`\n]+)`")
_LONGEST = 20_000
"""Characters of one value that the report shows; the records hold the rest."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evidence", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        auto_reload=False,
    )
    environment.filters |= {"breakable": _breakable, "link": _link, "prose": _prose}
    return environment


def page(template: str, styles: tuple[str, ...], script: str, **content: object) -> str:
    """One self-contained page from a template, style sheets and a script, all named by their path in this room."""
    return _environment().get_template(template).render(**content, **_common(styles, script))


def parts_of_page(template: str, styles: tuple[str, ...], script: str, **content: object) -> Iterator[str]:
    """The same as `page`, bit by bit, so that a long one is never in memory as a whole."""
    return _environment().get_template(template).generate(**content, **_common(styles, script))


@cache
def _common(styles: tuple[str, ...], script: str) -> Mapping[str, str]:
    """What every page says of itself."""
    style, code = "\n".join(_file(path) for path in styles), _file(script)
    own = {"style": Markup(style), "script": Markup(code)}  # noqa: S704 - our own files
    return MappingProxyType({**own, "policy": _policy(style, code)})


def script_hash(script: str) -> str:
    """What a policy calls a script of ours, named by its path in this room."""
    return _hash(_file(script))


def _policy(style: str, script: str) -> str:
    sources = f"img-src data:; style-src {_hash(style)}; script-src {_hash(script)}"
    return f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _file(path: str) -> str:
    return files("evidence").joinpath(path).read_text("utf-8")


def _shown(value: object) -> object:
    """What every expression of every template passes through: nothing invisible, of bounded length; None as nothing."""
    if value is None:
        return ""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(clip(str(value), _LONGEST))
    return value


def _link(text: str) -> Markup:
    """An http(s) address as a link that sends no referrer; anything else as text."""
    label = escape(_shown(text))
    if INVISIBLE.search(text) or any(char.isspace() for char in text):
        return label
    try:
        parts = urlsplit(text)
    except ValueError:
        return label
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return label
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(text, label)


def _breakable(text: str) -> Markup:
    """A name that may go on in the next line behind an underscore."""
    return Markup("_<wbr>").join(escape(part) for part in str(_shown(text)).split("_"))


def _prose(text: str) -> Markup:
    """Our own sentences: what stands between backticks is set as code."""
    pieces = _TICKED.split(str(_shown(text)))
    marked = [
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    ]
    return Markup("").join(marked)
