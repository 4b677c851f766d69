"""The visits that decided, as curl can repeat them."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from cases import patterns as re
from evidence.text import clip
from graph.verdict import Audit
from probes import Finding, Ground

_HTTP = re.compile(r"(?:status (?P<status>\d{3})|[^;]{1,500}); at (?P<url>https?://\S+?)(?:; |$)")
_SILENT = "000"
"""What curl says for no answer."""
_MAPPED = re.compile(r"(?P<host>\S+): mapped \(lab\) to (?P<address>\S+)")
_MOST = 6


class Visit(NamedTuple):
    """One page as plain HTTP saw it."""

    url: str
    status: str
    mapped: str
    """`HOST:PORT:ADDR:PORT` as `curl --connect-to` takes it; empty on the real network."""
    reading: str
    """What the browser made of it; empty where it was not told."""
    control: bool = False
    """Whether nothing follows from the others unless it answers."""


def visits(audit: Audit) -> tuple[Visit, ...]:
    """Of the browser's findings about the leading hypothesis, or those that decided; each address once."""
    decisive, leading = audit.verdict.decisive, audit.verdict.leading
    findings = [one for one in audit.findings if one.ground is Ground.WEB]
    told = [one for one in findings if one.id in decisive or one.hypothesis == leading]
    found = {visit.url: visit for finding in told for visit in _of(finding)}
    return tuple(found.values())[:_MOST]


def _of(finding: Finding) -> Iterator[Visit]:
    mapped: dict[str, str] = {}
    readings = [one.value for one in finding.observations if one.name == "reading"]
    opened = {one.observed for one in finding.controls if one.passed}
    for seen in finding.observations:
        if seen.name == "dns" and (match := _MAPPED.match(seen.value)):
            mapped[match["host"]] = match["address"]
        if seen.name == "http" and (match := _HTTP.match(seen.value)):
            url = match["url"]
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            address = mapped.get(parts.hostname or "")
            reading = next((clip(text, 300) for text in readings if text.startswith(url)), "")
            mapping = f"{parts.hostname}:{port}:{address}" if address else ""
            yield Visit(url, match["status"] or _SILENT, mapping, reading, f"{url} opens" in opened)
