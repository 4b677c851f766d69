"""Names to addresses, with the answer kept apart from the failure to get one."""

import asyncio
import socket
from dataclasses import dataclass
from typing import Literal, Protocol

import dns.asyncresolver
import dns.exception
import dns.resolver


@dataclass(frozen=True)
class Resolution:
    """What one resolver said about one name."""

    server: str
    """Which resolver spoke, such as `system` or an address."""
    status: Literal["ok", "nxdomain", "nodata", "failed"]
    """`failed` says that the resolver gave no usable answer; it is no evidence about the name."""
    addresses: tuple[str, ...] = ()
    detail: str = ""


class Resolver(Protocol):
    """Asks one source of names."""

    name: str

    async def resolve(self, host: str) -> Resolution:
        """All IPv4 and IPv6 addresses of `host`, IPv4 first; never raises for what the network does."""
        ...


class DnsResolver:
    """Asks name servers directly, past any hosts file."""

    def __init__(
        self, nameservers: tuple[str, ...] = (), *, name: str | None = None, port: int = 53, seconds: float = 4.0
    ) -> None:
        """Use `nameservers` (addresses), or the system's when there are none."""
        self.name = name or (", ".join(nameservers) if nameservers else "system")
        self._nameservers = nameservers
        self._port = port
        self._seconds = seconds

    async def resolve(self, host: str) -> Resolution:
        """Ask for A and AAAA at once."""
        try:
            resolver = dns.asyncresolver.Resolver(configure=not self._nameservers)
        except dns.resolver.NoResolverConfiguration:
            return Resolution(self.name, "failed", detail="no name server is configured")
        if self._nameservers:
            resolver.nameservers = list(self._nameservers)
            resolver.port = self._port
        resolver.lifetime = self._seconds
        answers = await asyncio.gather(*(self._ask(resolver, host, kind) for kind in ("A", "AAAA")))
        addresses = tuple(address for _, found in answers for address in found)
        if addresses:
            return Resolution(self.name, "ok", addresses)
        states = [state for state, _ in answers]
        if states[0] == "nxdomain":
            return Resolution(self.name, "nxdomain")
        if states[0] == states[1] == "nodata":
            return Resolution(self.name, "nodata")
        return Resolution(self.name, "failed", detail=states[0])

    @staticmethod
    async def _ask(resolver: dns.asyncresolver.Resolver, host: str, kind: str) -> tuple[str, tuple[str, ...]]:
        try:
            answer = await resolver.resolve(f"{host}.", kind, search=False)
        except dns.resolver.NXDOMAIN:
            return "nxdomain", ()
        except dns.resolver.NoAnswer:
            return "nodata", ()
        except (dns.exception.DNSException, OSError, ValueError) as error:
            return type(error).__name__, ()
        return "ok", tuple(record.to_text() for record in answer)


class LocalResolver:
    """Asks as any program on this machine does, hosts file included."""

    name = "local"

    async def resolve(self, host: str) -> Resolution:
        """Ask the C library."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except socket.gaierror as error:
            missing = error.errno in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
            return Resolution(self.name, "nxdomain" if missing else "failed", detail=error.strerror or "")
        except (OSError, UnicodeError) as error:
            return Resolution(self.name, "failed", detail=type(error).__name__)
        ordered = sorted(found, key=lambda entry: entry[0] != socket.AF_INET)
        return Resolution(self.name, "ok", tuple(dict.fromkeys(str(entry[4][0]) for entry in ordered)))
