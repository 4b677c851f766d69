"""Addresses from strangers' transcripts: brought into one form, or refused with the reason. Nothing is sent."""

from urllib.parse import quote, urlsplit, urlunsplit

from cases import patterns as re
from cases.sentences import Sentences
from cases.sites import suffixes
from sandboxes.egress import is_address, normalise_host

say = Sentences(__name__)

URL_LIMIT = 8_192

# Paths that do something when they are fetched, and one visitor's errand is no reason to do it.
_ACTION = re.compile(
    r"(?i)(^|[/=_-])(log-?out|sign-?out|logoff|unsubscribe|opt-?out|delete|remove|deactivate|cancel|purchase|"
    r"checkout|place-?order|add-?to-?cart|vote|confirm|approve|reset-?password)([/?&=._-]|$)"
)
# A first page, also in its language.
_FIRST = re.compile(r"(?i)/?|/([a-z]{2}([_-][a-z]{2})?/?)?((index|default|home)(\.\w{2,5})?/?)?")
_SAFE_PATH = "/%:@!$&'()*+,;=~-._"
_SAFE_QUERY = _SAFE_PATH + "?[]|"


class UrlRefusedError(ValueError):
    """An address that is not visited; the message says why."""


def normalise_url(text: str, *, from_prose: bool = True) -> str:
    """`http(s)://host[:port]/path[?query]` without credentials and fragment.

    `from_prose` drops quotes and the punctuation of the sentence it stood in.

    Raises:
        UrlRefusedError: it is no web address.
    """
    trimmed = _trim(text) if from_prose else text.strip()
    if len(trimmed) > URL_LIMIT:
        raise UrlRefusedError(say("urls.address_longer_than_characters", url_limit=URL_LIMIT))
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d)", trimmed)
    if not scheme:
        trimmed = f"https://{trimmed.lstrip('/')}"
    elif scheme[1].lower() not in {"http", "https"}:
        raise UrlRefusedError(say("urls.scheme_neither_http_nor", scheme=scheme[1][:20].lower()))
    try:
        parts = urlsplit(trimmed)
        host, port = normalise_host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise UrlRefusedError(say("urls.malformed_address", error=str(error)[:120])) from error
    if "." not in host and not is_address(host):
        raise UrlRefusedError(say("urls.no_public_host", host=host[:60]))
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != {"http": 80, "https": 443}[parts.scheme]:
        netloc += f":{port}"
    path = quote(parts.path or "/", safe=_SAFE_PATH)
    return urlunsplit((parts.scheme, netloc, path, quote(parts.query, safe=_SAFE_QUERY), ""))


def _trim(text: str) -> str:
    trimmed = "".join(char for char in text.strip() if char.isprintable())
    trimmed = re.sub(r"(?i)^(view-source:)+", "", trimmed).strip("<>\"'`“”‘’«»")
    trimmed = trimmed.rstrip(".,;!<>\"'`“”‘’«»")
    for opening, closing in ("()", "[]", "{}"):
        if trimmed.endswith(closing) and trimmed.count(closing) > trimmed.count(opening):
            trimmed = trimmed[:-1].rstrip(".,;!")
    return trimmed


def host_of(url: str) -> str:
    """The host of a normalised address."""
    return urlsplit(url).hostname or ""


def port_of(url: str) -> int:
    """The port that a normalised address means."""
    parts = urlsplit(url)
    return parts.port or {"http": 80, "https": 443}[parts.scheme]


def reserved(host: str) -> bool:
    """Whether a name is kept from everybody (RFC 2606 and 6761), so that no public site can have it."""
    return f".{host.rstrip('.')}".endswith((".test", ".example", ".invalid", ".localhost", ".example.com"))


def home_of(url: str) -> str:
    """The same site's first page."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, "/", "", ""))


def led_home(asked: str, url: str) -> bool:
    """Whether an address that is not a site's first page ended at the first page of the same site."""
    there, here = urlsplit(url), urlsplit(asked)
    deep = bool(here.query) or not _FIRST.fullmatch(here.path)
    plain = not there.query and not there.fragment and bool(_FIRST.fullmatch(there.path))
    return deep and plain and _site(here.hostname or "") == _site(there.hostname or "")


def _site(host: str) -> str:
    return str(suffixes()(host).top_domain_under_public_suffix or host)


def sibling_of(url: str, word: str) -> str:
    """An address beside `url` that no site has on purpose."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rsplit("/", 1)[0] + "/" + word, "", ""))


def action_like(url: str) -> bool:
    """Whether fetching the address could do something instead of showing something."""
    parts = urlsplit(url)
    return bool(_ACTION.search(parts.path) or _ACTION.search(parts.query))


def variants(url: str) -> tuple[str, ...]:
    """The same page under the other spellings that users try: with or without www, mobile, https or http."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_address(host) or parts.port:
        return ()
    bare = re.sub(r"^(www|m|mobile)\.", "", host)
    if bare == host and suffixes()(host).top_domain_under_public_suffix != host:
        others = []  # a host of its own, which has no such siblings
    else:
        others = [name for name in (bare, f"www.{bare}", f"m.{bare}") if name != host]
    scheme = "http" if parts.scheme == "https" else "https"
    pairs = [*((parts.scheme, name) for name in others), (scheme, host)]
    return tuple(urlunsplit((kind, name, parts.path, parts.query, "")) for kind, name in pairs)
