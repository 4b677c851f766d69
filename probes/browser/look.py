"""Looking at one address through all layers, politely and guarded."""

import asyncio
import ssl
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

from probes.browser.chromium import BrowserPool
from probes.browser.judge import Look, read
from probes.browser.layers import Handshake, Names, connect, look_up, trust
from probes.browser.oracle import visible
from probes.browser.plain import Plain, fetch
from probes.browser.record import Record
from probes.browser.rules import Match, classify, visible_text
from probes.browser.urls import action_like, home_of, host_of, port_of, sibling_of
from probes.browser.visit import CrashError, View, visit
from probes.contract import ProbeUnavailableError, WebSettings
from probes.model import Control, Observation
from sandboxes.egress import Allowed, Denied, EgressProxy, Limits, Resolver, WebPolicy

VISITS_PER_AUDIT = 80
LIMITS = Limits(connections=48, connection_bytes=15_000_000, total_bytes=50_000_000, idle_seconds=30.0)
"""For one visit; nobody needs more than 50 MB to see whether a page opens."""
_SIBLING = "impassable-no-such-page-7f3a"


@dataclass
class Web:
    """What all visits of one audit share."""

    policy: WebPolicy
    resolvers: tuple[Resolver, ...]
    pool: BrowserPool
    hosts: tuple[str, ...]
    """Mapped hosts, without wildcards."""
    lab_ca: Path | None = None
    limit: int = VISITS_PER_AUDIT
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        """Start counting."""
        self.visits = 0
        self.names: dict[str, Names] = {}
        """Hosts that were resolved; a name that was not found is asked for again at the next visit."""
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.controls: dict[bool, tuple[Control, tuple[Observation, ...]]] = {}
        """Positive controls of the laboratory (True) and of the open web (False)."""
        self.controls_lock = asyncio.Lock()
        self._keys: frozenset[str] | None = None
        self._keys_lock = asyncio.Lock()

    def is_mapped(self, url: str) -> bool:
        """Whether the address belongs to the laboratory."""
        return self.policy.mapped(host_of(url)) is not None

    def trust_for(self, host: str) -> ssl.SSLContext:
        """The laboratory's authority counts for mapped hosts only."""
        return trust(self.lab_ca if self.policy.mapped(host) else None)

    async def lab_keys(self) -> frozenset[str]:
        """Public keys of mapped hosts whose certificates the laboratory's authority vouches for."""
        async with self._keys_lock:
            if self._keys is None:
                found = await asyncio.gather(*(self._lab_key(host) for host in self.hosts if self.lab_ca))
                self._keys = frozenset(filter(None, found))
        return self._keys

    async def _lab_key(self, host: str) -> str:
        where = self.policy.mapped(host)
        return (await connect(where, host, tls=True, context=trust(self.lab_ca))).key if where else ""


@asynccontextmanager
async def open_web(
    settings: WebSettings, resolvers: tuple[Resolver, ...], limit: int = VISITS_PER_AUDIT, limits: Limits = LIMITS
) -> AsyncIterator[Web]:
    """What all visits of an audit share; the first resolver is the one whose answers are dialled.

    Raises:
        ProbeUnavailableError: a mapping or the laboratory's authority cannot be used.
    """
    try:
        policy = WebPolicy(settings.resolve, resolvers[0])
        if settings.lab_ca:
            trust(settings.lab_ca)
    except (ValueError, OSError) as error:
        place = f"the laboratory's authority {settings.lab_ca}" if isinstance(error, OSError) else "a mapped host"
        raise ProbeUnavailableError(f"{place} cannot be used: {error}") from error
    hosts = tuple(host for host in settings.resolve if not host.startswith("*."))
    async with BrowserPool() as pool:
        yield Web(policy, resolvers, pool, hosts, settings.lab_ca, limit, limits)


async def look(
    web: Web,
    url: str,
    needed: tuple[str, ...],
    record: Record,
    *,
    number: int = 1,
    patience: float = 8.0,
    with_sibling: bool = False,
) -> Look:
    """One visit; whatever happens on the way is in the result and in `record`."""
    host = host_of(url)
    async with web.locks[host]:
        if action_like(url):
            refused = "not visited: fetching it could do something instead of showing something"
        elif web.visits >= web.limit:
            refused = f"not visited: the audit's limit of {web.limit} visits was reached"
        else:
            web.visits += 1
            return await _layers(web, url, needed, record, number, patience, with_sibling=with_sibling)
    record.note("guard", f"{url}: {refused}")
    return Look(url, Names(None), refused=refused)


async def _names(web: Web, url: str, record: Record) -> Look:
    began = monotonic()
    host = host_of(url)
    names = web.names.get(host) or await look_up(host, web.policy.mapped(host), web.resolvers)
    if names.found:
        web.names[host] = names
    record.note("dns", f"{host}: {names}", began)
    return Look(url, names)


async def _layers(
    web: Web, url: str, needed: tuple[str, ...], record: Record, number: int, patience: float, *, with_sibling: bool
) -> Look:
    seen = await _names(web, url, record)
    if not seen.names.found:
        return seen
    host = host_of(url)
    where = await web.policy.dial(host, port_of(url))
    if isinstance(where, Denied):
        record.note("guard", f"{host}: {where.reason}")
        return replace(seen, refused=f"denied by our guard: {where.reason}")
    shake = await _handshake(web, url, where, record)
    seen = replace(seen, handshake=shake)
    if shake.state != "ok":
        return seen
    keys = await web.lab_keys() | ({shake.key} if web.lab_ca and web.is_mapped(url) and shake.key else set())
    async with EgressProxy(web.policy, limits=web.limits) as proxy:
        plain, plain_matches = await _plain(web, url, proxy, record)
        seen = replace(seen, plain=plain, seen_plain=visible(needed, visible_text(plain.body), url))
        seen = await _browse(web, seen, needed, proxy, record, (number, patience), keys)
        if with_sibling and not seen.seen and urlsplit(url).path.strip("/"):
            seen = replace(seen, sibling=await _beside(web, sibling_of(url, _SIBLING), proxy, record))
        if number == 1 and home_of(url) != url and read(seen).kind != "ok":
            await _beside(web, home_of(url), proxy, record)
        for denial in proxy.denials:
            record.note("guard", f"{denial.host}:{denial.port}: {denial.reason}")
    if seen.view is None or (not seen.view.html and seen.view.status is None):
        seen = replace(seen, matches=plain_matches)
    return seen


async def _handshake(web: Web, url: str, where: Allowed, record: Record) -> Handshake:
    began = monotonic()
    host, tls = host_of(url), url.startswith("https:")
    shake = await connect(where, host, tls=tls, context=web.trust_for(host))
    connected = shake.state in {"ok", "tls_failed"}
    record.note("tcp", f"{where.address}:{where.port}: {'connected' if connected else shake.detail}", began)
    if tls and connected:
        told = f"{shake.detail}; certificate {shake.certificate}" if shake.certificate else shake.detail
        record.note("tls", f"{'verified' if shake.state == 'ok' else 'failed'}: {told}", began)
    return shake


async def _plain(web: Web, url: str, proxy: EgressProxy, record: Record) -> tuple[Plain, tuple[Match, ...]]:
    began = monotonic()
    plain = await fetch(url, proxy, web.trust_for)
    matches = await asyncio.to_thread(classify, plain.page(url)) if plain.status else ()
    record.plain(plain, matches, began)
    return plain, matches


async def _beside(web: Web, url: str, proxy: EgressProxy, record: Record) -> Plain:
    """A same-host control: the site's first page, or an address that it cannot have."""
    began = monotonic()
    plain = await fetch(url, proxy, web.trust_for)
    rules = [match.rule for match in await asyncio.to_thread(classify, plain.page(url))] if plain.status else []
    told = plain.error or f"status {plain.status}" + (f"; rules: {', '.join(rules)}" if rules else "")
    record.note("same-host control", f"{url}: {told}", began)
    return plain


async def _browse(
    web: Web,
    seen: Look,
    needed: tuple[str, ...],
    proxy: EgressProxy,
    record: Record,
    how: tuple[int, float],
    keys: frozenset[str],
) -> Look:
    """The browser, started anew once when it crashes."""
    number, patience = how
    for attempt in (1, 2):
        began = monotonic()
        try:
            async with web.pool.browser(keys) as started:
                record.note("chromium", f"version {started.browser.version}, sandbox {started.sandbox}")
                view = await visit(started.browser, seen.url, proxy, needed, patience)
        except CrashError as crash:
            record.note("browser", f"crashed (attempt {attempt} of 2): {crash}", began)
            continue
        matches = await asyncio.to_thread(classify, view.page(seen.url)) if view.status or view.html else ()
        await asyncio.to_thread(record.view, seen.url, view, matches, began, number)
        return replace(seen, view=view, matches=matches, seen=_seen(needed, view, seen.url))
    return replace(seen, crashed="the browser crashed twice")


def _seen(needed: tuple[str, ...], view: View, url: str) -> tuple[str, ...]:
    return visible(needed, f"{view.title}\n{view.text}", url) if view.status and view.status < 500 else ()
