"""Looking at one address through all layers, politely and guarded."""

import asyncio
import ssl
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from probes.browser.chromium import BrowserPool
from probes.browser.conditions import Conditions
from probes.browser.judge import Look, read
from probes.browser.layers import Handshake, Names, connect, look_up, trust
from probes.browser.oracle import visible
from probes.browser.plain import USER_AGENT, Plain, fetch
from probes.browser.record import Record
from probes.browser.rules import Match, classify, visible_text
from probes.browser.urls import action_like, home_of, host_of, port_of, sibling_of
from probes.browser.visit import PATIENT, CrashError, Manner, View, visit
from probes.contract import ProbeUnavailableError, WebSettings
from probes.model import Control, Observation
from sandboxes.egress import Allowed, Denied, EgressProxy, Limits, Resolver, WebPolicy

VISITS_PER_AUDIT = 80
LIMITS = Limits(connections=48, connection_bytes=15_000_000, total_bytes=50_000_000, idle_seconds=75.0)
"""For one visit; nobody needs more than 50 MB to see whether a page opens."""
_SIBLING = "impassable-no-such-page-7f3a"


@dataclass
class Shelf:
    """Controls that the audits of a batch share, for a while, and never between vantages."""

    controls: dict[str, tuple[float, Control, tuple[Observation, ...]]] = field(default_factory=dict)
    """By vantage: when (monotonic), the control, and what was seen."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class Web:
    """What all visits of one audit share."""

    policy: WebPolicy
    resolvers: tuple[Resolver, ...]
    pool: BrowserPool
    mappings: Mapping[str, str]
    """The user's, HOST or `*.DOMAIN` to `ADDR:PORT`."""
    lab_ca: Path | None = None
    limit: int = VISITS_PER_AUDIT
    limits: Limits = LIMITS
    shelf: Shelf = field(default_factory=Shelf)

    def __post_init__(self) -> None:
        """Start counting."""
        self.visits = 0
        self.names: dict[str, Names] = {}
        """Hosts that were resolved; a name that was not found is asked for again at the next visit."""
        self.locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.robots: dict[str, Plain] = {}
        """`robots.txt` by scheme, host and port."""
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
                found = await asyncio.gather(
                    *(self._lab_key(host) for host in self.mappings if self.lab_ca and not host.startswith("*."))
                )
                self._keys = frozenset(filter(None, found))
        return self._keys

    async def _lab_key(self, host: str) -> str:
        where = self.policy.mapped(host)
        return (await connect(where, host, tls=True, context=trust(self.lab_ca))).key if where else ""


@asynccontextmanager
async def open_web(
    settings: WebSettings,
    resolvers: tuple[Resolver, ...],
    limit: int = VISITS_PER_AUDIT,
    limits: Limits = LIMITS,
    *,
    pool: BrowserPool | None = None,
    shelf: Shelf | None = None,
) -> AsyncIterator[Web]:
    """What all visits of an audit share; the first resolver is the one whose answers are dialled.

    Without a `pool` the audit has a browser of its own.

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
    async with AsyncExitStack() as stack:
        browsers = pool if pool is not None else await stack.enter_async_context(BrowserPool())
        yield Web(policy, resolvers, browsers, settings.resolve, settings.lab_ca, limit, limits, shelf or Shelf())


async def look(
    web: Web,
    url: str,
    needed: tuple[str, ...],
    record: Record,
    *,
    number: int = 1,
    patience: float = 8.0,
    with_sibling: bool = False,
    conditions: Conditions = PATIENT,
) -> Look:
    """One visit; whatever happens on the way is in the result and in `record`."""
    first = number == 1 and conditions.patient
    manner = Manner(needed, patience, conditions, har=first, pictures=conditions.patient)
    async with web.locks[host_of(url)]:
        if refused := _refusal(web, url):
            record.note("guard", f"{url}: {refused}")
            return Look(url, Names(None), refused=refused)
        web.visits += 1
        return await _layers(web, url, manner, record, number, with_sibling=with_sibling)


async def get(web: Web, url: str, record: Record, name: str) -> Plain:
    """One GET by plain HTTP through the guard, counted and polite like a visit."""
    async with web.locks[host_of(url)]:
        if refused := _refusal(web, url):
            return Plain(url, error=refused, denied=True)
        web.visits += 1
        async with EgressProxy(web.policy, limits=web.limits) as proxy:
            return await _beside(web, url, proxy, record, name)


def _refusal(web: Web, url: str) -> str:
    if action_like(url):
        return "not visited: fetching it could do something instead of showing something"
    if web.visits >= web.limit:
        return f"not visited: the audit's limit of {web.limit} visits was reached"
    return ""


async def _names(web: Web, url: str, record: Record) -> Look:
    began = monotonic()
    host = host_of(url)
    names = web.names.get(host) or await look_up(host, web.policy.mapped(host), web.resolvers)
    if names.found:
        web.names[host] = names
    record.note("dns", f"{host}: {names}", began)
    return Look(url, names)


async def _layers(web: Web, url: str, manner: Manner, record: Record, number: int, *, with_sibling: bool) -> Look:
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
        seen = replace(seen, plain=plain, seen_plain=visible(manner.needed, visible_text(plain.body), url))
        robots = asyncio.create_task(_robots(web, url, record)) if number == 1 else None
        seen = await _browse(web, seen, manner, proxy, record, number, keys)
        if robots:
            await robots
        controls = await _same_host(web, seen, proxy, record, number, with_sibling=with_sibling)
        seen = replace(seen, sibling=controls)
        for denial in proxy.denials:
            record.note("guard", f"{denial.host}:{denial.port}: {denial.reason}")
    if seen.view is None or (not seen.view.html and seen.view.status is None):
        seen = replace(seen, matches=plain_matches)
    return seen


async def _same_host(
    web: Web, seen: Look, proxy: EgressProxy, record: Record, number: int, *, with_sibling: bool
) -> Plain | None:
    """What the site's first page and an address that it cannot have say, where the page itself leaves a doubt."""
    url, sibling = seen.url, None
    if with_sibling and not seen.seen and urlsplit(url).path.strip("/"):
        sibling = await _beside(web, sibling_of(url, _SIBLING), proxy, record, "same-host control: sibling")
    if number == 1 and home_of(url) != url and read(seen).kind != "ok":
        await _beside(web, home_of(url), proxy, record, "same-host control: home page")
    return sibling


async def _robots(web: Web, url: str, record: Record) -> None:
    """What the site asks of robots: noted, since one polite visit is no crawl."""
    place = urljoin(home_of(url), "/robots.txt")
    if place not in web.robots:
        async with EgressProxy(web.policy, limits=web.limits) as proxy:
            web.robots[place] = await fetch(place, proxy, web.trust_for)
    answer = web.robots[place]
    if answer.status != 200 or (answer.is_html and "<html" in answer.body.lower()):
        told = f"no rules ({answer.error or f'status {answer.status}'})"
    else:
        rules = RobotFileParser()
        rules.parse(answer.body.splitlines())
        told = "allows" if rules.can_fetch(USER_AGENT, url) else "asks robots to stay away from"
        told = f"{told} this address"
    record.note("robots", f"{place}: {told}")


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


async def _beside(web: Web, url: str, proxy: EgressProxy, record: Record, name: str) -> Plain:
    """One plain answer, noted under `name`."""
    began = monotonic()
    plain = await fetch(url, proxy, web.trust_for)
    rules = [match.rule for match in await asyncio.to_thread(classify, plain.page(url))] if plain.status else []
    told = plain.error or f"status {plain.status}" + (f"; rules: {', '.join(rules)}" if rules else "")
    record.note(name, f"{url}: {told}", began)
    return plain


async def _browse(
    web: Web,
    seen: Look,
    manner: Manner,
    proxy: EgressProxy,
    record: Record,
    number: int,
    keys: frozenset[str],
) -> Look:
    """The browser, started anew once when it crashes."""
    needed = manner.needed
    for attempt in (1, 2):
        began = monotonic()
        try:
            async with web.pool.browser(keys) as started:
                record.note("chromium", f"version {started.browser.version}, sandbox {started.sandbox}")
                view = await visit(started.browser, seen.url, proxy, manner)
        except CrashError as crash:
            record.note("browser", f"crashed (attempt {attempt} of 2): {crash}", began)
            continue
        matches = await asyncio.to_thread(classify, view.page(seen.url)) if view.status or view.html else ()
        await asyncio.to_thread(record.view, seen.url, view, matches, began, number)
        return replace(seen, view=view, matches=matches, seen=_seen(needed, view, seen.url))
    return replace(seen, crashed="the browser crashed twice")


def _seen(needed: tuple[str, ...], view: View, url: str) -> tuple[str, ...]:
    return visible(needed, f"{view.title}\n{view.text}", url) if view.status and view.status < 500 else ()
