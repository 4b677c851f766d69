"""Positive controls: pages that must open before anybody else's silence means anything."""

from contextlib import nullcontext
from time import monotonic

from pydantic import Field

from cases import Model
from cases.loading import load
from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.contract import ProbeContext, ProbeUnavailableError
from probes.model import Control, Observation
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.shelf import TTL, open_shelf
from probes.web.web import Web, open_web
from sandboxes.browser.chromium import BrowserPool
from sandboxes.browser.urls import UrlRefusedError, normalise_url
from sandboxes.egress import DnsResolver, Resolver, Via

say = Sentences(__name__)

NAME = "positive control"
EXPECTED = say("controls.least_one_control")


class ControlPage(Model):
    """A well-known, stable page."""

    url: str
    source: str


class ResolverEntry(Model):
    """An independent source of names."""

    name: str
    addresses: tuple[str, ...]
    source: str


class Defaults(Model):
    """The data file."""

    control: tuple[ControlPage, ...] = Field(min_length=2)
    resolver: tuple[ResolverEntry, ...]


def defaults() -> Defaults:
    """Control pages and resolvers that stand beside this file."""
    return load(Defaults, __package__, "controls.toml")


async def shared_web(context: ProbeContext, resolvers: tuple[Resolver, ...] | None = None) -> Web:
    """What all web visits of this audit share; `resolvers` replace the system's and the independent ones.

    Raises:
        ProbeUnavailableError: a setting cannot be used.
    """
    settings = context.settings.web
    pool = await context.batched("browser.pool", lambda: BrowserPool(settings.caps))
    shelf = await context.batched("browser.shelf", open_shelf)
    asked = resolvers or (
        DnsResolver(),
        *(DnsResolver(entry.addresses, name=entry.name, seconds=2.5) for entry in defaults().resolver),
    )
    web: Web = await context.shared("browser.web", lambda: open_web(settings, asked, pool=pool, shelf=shelf))
    return web


async def second_web(context: ProbeContext, web: Web) -> Web | None:
    """The same from the user's second vantage, where there is one.

    Raises:
        ProbeUnavailableError: it is no proxy.
    """
    url = context.settings.web.vantage
    if url is None:
        return None
    try:
        via = Via.parse(url.get_secret_value())
    except ValueError as error:
        raise ProbeUnavailableError(say("controls.second_vantage", error=error)) from None
    made: Web = await context.shared("browser.elsewhere", lambda: nullcontext(web.elsewhere(via)))
    return made


def offline_control(reason: str) -> Control:
    """The control of an audit that may not send anything."""
    return Control(name=NAME, expected=EXPECTED, observed=reason, passed=False)


async def positive_control(
    web: Web, urls: tuple[str, ...], store: ArtifactStore, *, lab: bool
) -> tuple[Control, tuple[Observation, ...]]:
    """Whether the web is within reach, tried until one page opens; shared within a batch for `TTL` seconds.

    A mapped page says that the laboratory works and nothing about the open web, so it cannot vouch for an address
    that is not mapped.
    """
    vantage = repr((web.vantage(lab=lab), urls))
    async with web.shelf.lock:
        kept = web.shelf.controls.get(vantage)
        if kept is None or monotonic() - kept[0] > TTL:
            kept = (monotonic(), *await _positive_control(web, urls, store, lab=lab))
            web.shelf.controls[vantage] = kept
    return kept[1], kept[2]


async def _positive_control(
    web: Web, urls: tuple[str, ...], store: ArtifactStore, *, lab: bool
) -> tuple[Control, tuple[Observation, ...]]:
    wanted, problems = [], []
    for url in urls or tuple(page.url for page in defaults().control):
        try:
            wanted.append(normalise_url(url))
        except UrlRefusedError as error:
            problems.append(f"{url[:100]}: {error}")
    fitting = [url for url in wanted if lab or not web.is_mapped(url)]
    record = Record(store)
    for url in sorted(fitting, key=lambda one: not web.is_mapped(one) if lab else False):
        opens, told = await _opens(web, url, record)
        if opens:
            control = Control(name=_name(lab=lab), expected=EXPECTED, observed=f"{url} opens", passed=True)
            return control, _told(record)
        problems.append(told)
    observed = f"offline: {'; '.join(problems)}" if problems else ""
    observed = observed or say("controls.every_control_page")
    return Control(name=_name(lab=lab), expected=EXPECTED, observed=observed, passed=False), _told(record)


def _told(record: Record) -> tuple[Observation, ...]:
    """What was seen, without digests: another audit of the batch has no such artifacts."""
    return tuple(item.model_copy(update={"artifact": None}) for item in record.observations)


async def _opens(web: Web, url: str, record: Record) -> tuple[bool, str]:
    seen = await look(web, url, (), record, patience=3.0, neighbours=False)
    reading = read(seen)
    return reading.kind == "ok", f"{url}: {reading.detail}"


def _name(*, lab: bool) -> str:
    return f"{NAME} (lab)" if lab else NAME
