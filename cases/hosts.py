"""Which hosts a piece of a transcript speaks of."""

import ipaddress
from urllib.parse import urlsplit

from pydantic import Field

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load

_ALONE = re.compile(r"(?!localhost$)[a-z][a-z0-9_-]*[a-z0-9]")
"""A host's name without a domain, as services beside a container have it."""
_URL = re.compile(r"""https?://[^\s"'`<>\\\])}{|]+""")


class Service(Model):
    """A library whose traceback or code names a service without its URL."""

    pattern: str
    host: str
    source: str


class Named(Model):
    """A form in which an error names a host without a URL; its group is the host."""

    pattern: Expression
    catches: tuple[str, ...] = Field(min_length=1)
    """Errors, with « and » around the host."""
    misses: tuple[str, ...] = Field(min_length=1)
    source: str = Field(min_length=1)


class Neutral(Model):
    """Hosts that only lead to others."""

    hosts: tuple[str, ...]
    source: str
    archives: tuple[str, ...]
    """Those of them that keep what stood elsewhere."""


class Services(Model):
    """The content of `services.toml`."""

    service: tuple[Service, ...]
    named: tuple[Named, ...]
    neutral: Neutral


def services() -> Services:
    """The shipped table."""
    return load(Services, __package__, "services.toml")


def urls_of(text: str) -> tuple[str, ...]:
    """The http(s) URLs in `text`, in order, each once, without trailing punctuation."""
    found = (match.rstrip(".,;:!?*") for match in _URL.findall(text))
    return tuple(dict.fromkeys(url for url in found if host_of(url)))


def host_of(url: str) -> str:
    """The lower-case host of a URL, or an empty string."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def page_key(url: str) -> str:
    """What tells one page from another: host in lower case, path and query; no `www.`, port 80 or 443, or fragment."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url
    place = host.removeprefix("www.") + (f":{port}" if port not in (None, 80, 443) else "")
    query = f"?{parts.query}" if parts.query else ""
    return f"{place.lower()}{parts.path.rstrip('/')}{query}"


def hosts_of(text: str) -> tuple[str, ...]:
    """Hosts named in `text` by a URL or by a known service's traces, each once."""
    named = [host_of(url) for url in urls_of(text)]
    known = [service.host for service in services().service if re.search(service.pattern, text)]
    return tuple(dict.fromkeys(named + known))


def named_by(error: str) -> tuple[str, ...]:
    """Hosts that the words of an error name, by a URL or in a form of their tool's; each once."""
    hosts = (*failed_in(error), *(host_of(url).rstrip(".") for url in urls_of(error)))
    return tuple(dict.fromkeys(host for host in hosts if _is_one(host)))


def failed_in(error: str) -> tuple[str, ...]:
    """Hosts that an error names in a form of its tool's; each once."""
    found = (match for form in services().named for match in re.findall(form.pattern, error))
    return tuple(dict.fromkeys(host for one in found if _is_one(host := one.lower().rstrip("."))))


def _is_one(name: str) -> bool:
    return "." in name or _ALONE.fullmatch(name) is not None


def is_neutral(host: str) -> bool:
    """Whether the host is an archive, a search engine or a proxy."""
    return any(host == neutral or host.endswith("." + neutral) for neutral in services().neutral.hosts)


def is_archive(host: str) -> bool:
    """Whether the host keeps what stood elsewhere."""
    return host in services().neutral.archives


def own_machine(host: str) -> bool:
    """Whether it is the run's own machine, or one beside it: no site that anybody else could visit."""
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost") or "." not in host
