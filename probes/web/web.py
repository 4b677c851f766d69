"""What all visits of an audit share: policy, names, browser, counts, and the shelf of a batch."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from cases.sentences import Sentences
from probes.contract import ProbeUnavailableError, WebSettings
from probes.web.conditions import Conditions
from probes.web.plain import Plain
from probes.web.shelf import Shelf
from probes.web.snapshot import PATIENT
from sandboxes.browser.caps import WebCaps
from sandboxes.browser.chromium import BrowserPool
from sandboxes.browser.layers import Handshake, Names, connect, trust
from sandboxes.browser.urls import host_of, variants
from sandboxes.egress import EgressProxy, Limits, Resolver, Via, WebPolicy

say = Sentences(__name__)


@dataclass
class Web:
    """What all visits of one audit share."""

    policy: WebPolicy
    resolvers: tuple[Resolver, ...]
    pool: BrowserPool
    mappings: Mapping[str, str]
    """The user's, HOST or `*.DOMAIN` to `ADDR:PORT`."""
    lab_ca: Path | None = None
    caps: WebCaps = field(default_factory=WebCaps)
    shelf: Shelf = field(default_factory=Shelf)
    via: Via | None = None
    """The user's own proxy that everything goes through, where this is a second vantage."""

    def __post_init__(self) -> None:
        """Start counting."""
        self.visits = 0
        self.names: dict[str, Names] = {}
        """Hosts that were resolved; a name that was not found is asked for again at the next visit."""
        self.locks = self.shelf.hosts
        self.linked: dict[str, str] = {}
        """The page of its site that links to an address; empty for one that none was found to link to."""
        self.robots: dict[str, Plain] = {}
        """`robots.txt` by scheme, host and port."""
        self._keys: frozenset[str] | None = None
        self._keys_lock = asyncio.Lock()

    @property
    def limits(self) -> Limits:
        """For the proxy of one visit."""
        caps = self.caps
        return Limits(
            connections=caps.connections,
            connection_bytes=caps.connection_bytes,
            total_bytes=caps.page_bytes,
            idle_seconds=3 * caps.page_seconds,
        )

    def proxy(self) -> EgressProxy:
        """The guard of one visit."""
        return EgressProxy(self.policy, limits=self.limits, via=self.via)

    def elsewhere(self, via: Via) -> "Web":
        """The same from another place, as polite to the hosts as both together have to be."""
        there = replace(self, via=via)
        there.names = self.names
        return there

    @property
    def patient(self) -> Conditions:
        """How a page is looked at unless the run's own conditions are asked for."""
        return PATIENT.model_copy(update={"timeout": self.caps.page_seconds})

    def vantage(self, *, lab: bool) -> str:
        """From where something was seen: what one vantage is told says nothing about another."""
        return repr((lab, sorted(self.mappings.items()), self.lab_ca, self.via))

    def is_mapped(self, url: str) -> bool:
        """Whether the address belongs to the laboratory."""
        return self.policy.mapped(host_of(url)) is not None

    def spellings(self, url: str) -> tuple[str, ...]:
        """Other spellings of an address; a laboratory is a world of its own, and what it does not map it lacks."""
        mapped = self.is_mapped(url)
        return tuple(other for other in variants(url) if self.is_mapped(other) or not mapped)

    def spelled(self, url: str) -> str:
        """The address as a laboratory knows it that maps another spelling of its host alone, as with `www.`."""
        here = url.partition("://")[0]
        others = (other for other in variants(url) if self.is_mapped(other) and other.partition("://")[0] == here)
        return url if self.is_mapped(url) else next(others, url)

    def trust_for(self, host: str) -> ssl.SSLContext:
        """The laboratory's authority counts for mapped hosts only.

        Raises:
            OSError: the laboratory's authority cannot be read.
        """
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

    async def keys_for(self, url: str, shake: Handshake) -> frozenset[str]:
        """The keys that a browser may trust on a visit."""
        own = {shake.key} if self.lab_ca and self.is_mapped(url) and shake.key else set()
        return await self.lab_keys() | own

    async def _lab_key(self, host: str) -> str:
        where = self.policy.mapped(host)
        return (await connect(where, host, tls=True, context=trust(self.lab_ca), via=self.via)).key if where else ""


@asynccontextmanager
async def open_web(
    settings: WebSettings,
    resolvers: tuple[Resolver, ...],
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
        place = (
            say("web.laboratory_authority", lab_ca=settings.lab_ca)
            if isinstance(error, OSError)
            else say("web.mapped_host")
        )
        raise ProbeUnavailableError(say("web.cannot_used", place=place, error=error)) from error
    async with AsyncExitStack() as stack:
        browsers = pool if pool is not None else await stack.enter_async_context(BrowserPool(settings.caps))
        yield Web(policy, resolvers, browsers, settings.resolve, settings.lab_ca, settings.caps, shelf or Shelf())
