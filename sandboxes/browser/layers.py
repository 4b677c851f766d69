"""DNS, TCP and TLS as steps of their own: behind a proxy a browser no longer tells them apart."""

import asyncio
import base64
import contextlib
import hashlib
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import certifi
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cases.sentences import Sentences
from sandboxes.egress import Allowed, Resolution, Resolver, Via

say = Sentences(__name__)

CONNECT_SECONDS = 10.0

State = Literal["ok", "refused", "timeout", "unreachable", "tls_failed"]


_Opening = Callable[..., Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


@dataclass(frozen=True)
class Names:
    """What the resolvers said about a host."""

    mapped: str | None
    """ADDR:PORT when the user mapped the host; nobody was asked then."""
    answers: tuple[Resolution, ...] = ()

    @property
    def gone(self) -> bool:
        """At least two resolvers answered and all that answered say that the name does not exist or has no address."""
        spoke = [answer for answer in self.answers if answer.status != "failed"]
        return len(spoke) >= 2 and all(answer.status in {"nxdomain", "nodata"} for answer in spoke)

    @property
    def found(self) -> bool:
        """Whether there is an address to go to."""
        return self.mapped is not None or any(answer.status == "ok" for answer in self.answers)

    def __str__(self) -> str:
        """For an observation."""
        if self.mapped:
            return f"mapped (lab) to {self.mapped}"
        return "; ".join(
            f"{answer.server}: {', '.join(answer.addresses) or answer.status}"
            + (f" ({answer.detail})" if answer.detail else "")
            for answer in self.answers
        )


async def look_up(host: str, mapped: Allowed | None, resolvers: tuple[Resolver, ...]) -> Names:
    """Ask every resolver at once."""
    if mapped:
        return Names(f"{mapped.address}:{mapped.port}")
    return Names(None, tuple(await asyncio.gather(*(resolver.resolve(host) for resolver in resolvers))))


@dataclass(frozen=True)
class Handshake:
    """What came of connecting, and of TLS where the address asks for it."""

    state: State
    detail: str = ""
    certificate: str = ""
    """Subject, issuer and dates."""
    key: str = ""
    """Base64 SHA-256 of the server's public key, given only when its certificate was verified."""


async def connect(
    allowed: Allowed, host: str, *, tls: bool, context: ssl.SSLContext, via: Via | None = None
) -> Handshake:
    """Open a connection to the host's checked addresses until one answers, and close it again."""
    opening = via.open if via else asyncio.open_connection
    shake = Handshake("unreachable", "no address")
    for address in (allowed.address, *allowed.others[:3]):
        shake = await _connect(Allowed(address, allowed.port), host, opening, tls=tls, context=context)
        if shake.state in {"ok", "tls_failed"}:
            break
    return shake


async def _connect(allowed: Allowed, host: str, opening: _Opening, *, tls: bool, context: ssl.SSLContext) -> Handshake:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await opening(
                allowed.address,
                allowed.port,
                ssl=context if tls else None,
                server_hostname=host if tls else None,
            )
    except (OSError, TimeoutError) as error:
        presented = await _presented(allowed, host, opening) if isinstance(error, ssl.SSLCertVerificationError) else ""
        return Handshake(*_failure(error, tls=tls), presented)
    tunnel = writer.get_extra_info("ssl_object")
    der = tunnel.getpeercert(binary_form=True) if tunnel else None
    await _hang_up(writer)
    if not der:
        return Handshake("ok")
    return Handshake("ok", tunnel.version() or "", _facts(der), _key(der))


def _failure(error: OSError | TimeoutError, *, tls: bool) -> tuple[State, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "tls_failed", str(error.verify_message)
    if isinstance(error, ssl.SSLError):
        return "tls_failed", error.reason or "handshake failed"
    kinds: tuple[tuple[type[BaseException], State, str], ...] = (
        (TimeoutError, "timeout", say("layers.no_answer_within", connect_seconds=CONNECT_SECONDS)),
        (ConnectionRefusedError, "refused", "connection refused"),
        (ConnectionResetError, "tls_failed" if tls else "refused", "connection reset"),
    )
    for kind, state, detail in kinds:
        if isinstance(error, kind):
            return state, detail
    return "unreachable", error.strerror or type(error).__name__


async def _presented(allowed: Allowed, host: str, opening: _Opening) -> str:
    """Facts of a certificate that was not accepted; nothing is sent over the connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await opening(allowed.address, allowed.port, ssl=context, server_hostname=host)
    except (OSError, TimeoutError):
        return ""
    der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    await _hang_up(writer)
    return _facts(der) if der else ""


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(2):
            await writer.wait_closed()


def _facts(der: bytes) -> str:
    try:
        certificate = x509.load_der_x509_certificate(der)
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        hosts = names.get_values_for_type(x509.DNSName)
    except x509.ExtensionNotFound:
        hosts = []
    except ValueError as error:
        return say("layers.unreadable_certificate", error=error)
    shown = ", ".join(hosts[:5]) + (say("layers.more", number=len(hosts) - 5) if len(hosts) > 5 else "")
    valid = f"{certificate.not_valid_before_utc:%Y-%m-%d} to {certificate.not_valid_after_utc:%Y-%m-%d}"
    return f"for {shown or certificate.subject.rfc4514_string()}; by {certificate.issuer.rfc4514_string()}; {valid}"


def _key(der: bytes) -> str:
    public = x509.load_der_x509_certificate(der).public_key()
    raw = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(raw).digest()).decode()


@cache
def trust(lab_ca: Path | None = None) -> ssl.SSLContext:
    """The public authorities, and the laboratory's for mapped hosts.

    Raises:
        OSError: the file cannot be read (ssl.SSLError: it holds no certificate).
    """
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    if lab_ca:
        context.load_verify_locations(lab_ca)
    return context
