"""Who may be dialled: the open web for the browser, named hosts for containers."""

import asyncio
import ipaddress
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from cases.sentences import Sentences
from sandboxes.egress.addresses import hard_refusal, is_address, normalise_host, refusal
from sandboxes.egress.resolver import DnsResolver, LocalResolver, Resolver

say = Sentences(__name__)

PORTS = frozenset({80, 443})


@dataclass(frozen=True)
class Allowed:
    """Where to dial: a checked address, never a name."""

    address: str
    port: int
    others: tuple[str, ...] = ()
    """Further checked addresses of the same host, tried in order when the first does not answer."""
    mapped: bool = False
    """True when the user's own mapping gave the address."""


@dataclass(frozen=True)
class Denied:
    """Why not."""

    reason: str


class Policy(Protocol):
    """Decides for each connection."""

    async def dial(self, host: str, port: int) -> Allowed | Denied:
        """Where a connection to `host` and `port` may go."""
        ...


class Mappings:
    """The user's `HOST=ADDR:PORT`; an exact name wins over `*.DOMAIN`, a longer domain over a shorter."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        """Check all entries.

        Raises:
            ValueError: an entry that is not `HOST` or `*.DOMAIN` to `ADDR:PORT`.
        """
        self._targets = parse_mappings(entries)

    def find(self, host: str) -> Allowed | None:
        """Where a normalised host is mapped to."""
        labels = host.split(".")
        names = [host, *(f"*.{'.'.join(labels[start:])}" for start in range(1, len(labels)))]
        for name in names:
            if name in self._targets:
                address, port = self._targets[name]
                return Allowed(address, port, mapped=True)
        return None


def parse_mappings(entries: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """HOST or `*.DOMAIN` (normalised) to address and port.

    Raises:
        ValueError: names the entry and what it should look like.
    """
    parsed: dict[str, tuple[str, int]] = {}
    for name, target in entries.items():
        wild, plain = name.startswith("*."), name.removeprefix("*.")
        address, _, port = target.rpartition(":")
        try:
            key = normalise_host(plain)
            checked = str(ipaddress.ip_address(address.removeprefix("[").removesuffix("]")))
            number = int(port)
        except ValueError as error:
            raise ValueError(say("egress.policy.mapping_not_host_addr", name=name, target=target)) from error
        if not 0 < number < 65536:
            raise ValueError(say("egress.policy.mapping_not_port", name=name, target=target, number=number))
        parsed[f"*.{key}" if wild else key] = (checked, number)
    return parsed


class WebPolicy:
    """The open web: ports 80 and 443 at global addresses, each host resolved once; mapped hosts go as mapped."""

    def __init__(self, resolve: Mapping[str, str] | None = None, resolver: Resolver | None = None) -> None:
        """Take mappings (HOST or `*.DOMAIN` to `ADDR:PORT`) and the source of names.

        Raises:
            ValueError: a malformed mapping.
        """
        self._mappings = Mappings(resolve or {})
        self._resolver = resolver or DnsResolver()
        self._pins: dict[str, tuple[str, ...] | Denied] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def mapped(self, host: str) -> Allowed | None:
        """Where a host (in any spelling) is mapped to, or None."""
        try:
            return self._mappings.find(normalise_host(host))
        except ValueError:
            return None

    async def dial(self, host: str, port: int) -> Allowed | Denied:
        """The pinned, checked address; the mapped one for mapped hosts, whatever the port."""
        try:
            name = normalise_host(host)
        except ValueError as error:
            return Denied(str(error))
        if mapped := self._mappings.find(name):
            return mapped
        if port not in PORTS:
            return Denied(f"port {port} is neither 80 nor 443")
        async with self._locks[name]:
            pinned = await self._pin(name)
        if isinstance(pinned, Denied):
            return pinned
        return Allowed(pinned[0], port, pinned[1:])

    async def _pin(self, name: str) -> tuple[str, ...] | Denied:
        if name in self._pins:
            return self._pins[name]
        if is_address(name):
            addresses: tuple[str, ...] = (name,)
        else:
            answer = await self._resolver.resolve(name)
            if answer.status != "ok":
                # Not pinned: a resolver that failed once may answer later.
                return Denied(f"name not resolved ({answer.status})")
            addresses = answer.addresses
        self._pins[name] = _checked(addresses)
        return self._pins[name]


def _checked(addresses: tuple[str, ...]) -> tuple[str, ...] | Denied:
    for address in addresses:
        if reason := refusal(address):
            return Denied(f"{address}: {reason}")
    return addresses


class WiderPolicy:
    """The open web, or the hosts of it that a task names, beside the package indexes."""

    def __init__(self, indexes: "HostsPolicy", web: WebPolicy, named: Iterable[str] | None = None) -> None:
        """`named` are normalised; None stands for all."""
        self._indexes = indexes
        self._web = web
        self._named = None if named is None else frozenset(named)

    async def dial(self, host: str, port: int) -> Allowed | Denied:
        """By the indexes' rules for one of theirs and for what is not named, else by the open web's."""
        try:
            name = normalise_host(host)
        except ValueError as error:
            return Denied(str(error))
        wider = name not in self._indexes.allowed and (self._named is None or name in self._named)
        return await (self._web if wider else self._indexes).dial(name, port)


class HostsPolicy:
    """Named hosts, and no others of their domains, on ports 80 and 443, for containers that may reach those only.

    A named host may lie at a private address (a mirror of one's own), but never at loopback, link-local or metadata
    addresses unless it is mapped there, nor behind any form that carries a private address inside another.
    """

    def __init__(
        self, allowed: Iterable[str], *, resolver: Resolver | None = None, resolve: Mapping[str, str] | None = None
    ) -> None:
        """Take host names.

        Raises:
            ValueError: a name that is none, or a malformed mapping.
        """
        self.allowed = frozenset(normalise_host(name) for name in allowed)
        self._mappings = Mappings(resolve or {})
        self._resolver = resolver or LocalResolver()
        self._pins: dict[str, tuple[str, ...]] = {}

    async def dial(self, host: str, port: int) -> Allowed | Denied:
        """The host's address when its name is on the list."""
        try:
            name = normalise_host(host)
        except ValueError as error:
            return Denied(str(error))
        named = name in self.allowed
        mapped = self._mappings.find(name)
        if named and mapped:
            return mapped
        if not named or port not in PORTS:
            return Denied(f"port {port} is neither 80 nor 443" if named else "host is not on the list of allowed hosts")
        if name not in self._pins:
            answer = (name,) if is_address(name) else (await self._resolver.resolve(name)).addresses
            refused = [f"{address}: {reason}" for address in answer if (reason := hard_refusal(address))]
            if refused or not answer:
                return Denied(refused[0] if refused else "name not resolved")
            self._pins[name] = answer
        first, *others = self._pins[name]
        return Allowed(first, port, tuple(others))
