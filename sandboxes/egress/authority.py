"""Certificates of a proxy's own, for clients that are told to trust them: its TLS ends with us, and names are compared.

The names are read by OpenSSL, which calls back with the server name before it answers; nothing here parses TLS.
"""

import asyncio
import ipaddress
import ssl
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cases.sentences import Sentences
from sandboxes.egress.addresses import is_address, normalise_host

say = Sentences(__name__)

NAME = "Impassable, for this audit only"
DAYS = 30
ALPN = ["http/1.1"]


class Authority:
    """Made anew for each audit; its keys never leave this process but for the moment in which OpenSSL loads one."""

    def __init__(self, bundle: Path | None = None) -> None:
        """`bundle` holds the authorities by which servers are judged, where the system's are not meant."""
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._leaf_key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
        self._certificate = (
            _begun(name, name, self._key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self._leaves: dict[str, bytes] = {}
        self.outwards = ssl.create_default_context(cafile=str(bundle) if bundle else None)
        """How servers are spoken to, and judged."""
        self.outwards.set_alpn_protocols(ALPN)

    @property
    def pem(self) -> bytes:
        """The certificate that clients are told to trust."""
        return self._certificate.public_bytes(Encoding.PEM)

    def inwards(self, host: str, refuse: Callable[[str], None]) -> ssl.SSLContext:
        """How one client that asked for `host` is spoken to; another server name ends it, and `refuse` is told."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(ALPN)
        with tempfile.NamedTemporaryFile(prefix="impassable-", suffix=".pem") as file:
            file.write(self._leaf(host))
            file.flush()
            context.load_cert_chain(file.name)

        def named(_: object, name: str | None, __: object) -> int | None:
            if (name is None and is_address(host)) or (name is not None and _normal(name) == host):
                return None
            refuse(say("egress.authority.tls_inside_connection_another", name=name or "no name"))
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME

        context.sni_callback = named
        return context

    def _leaf(self, host: str) -> bytes:
        if host not in self._leaves:
            public = self._leaf_key.public_key()
            name = x509.IPAddress(ipaddress.ip_address(host)) if is_address(host) else x509.DNSName(host)
            issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
            made = (
                _begun(x509.Name([]), self._certificate.subject, public)
                .add_extension(x509.SubjectAlternativeName([name]), critical=True)
                .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
                .add_extension(_usage(signs=False), critical=True)
                .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
                .add_extension(issuer, critical=False)
                .sign(self._key, hashes.SHA256())
            )
            key = self._leaf_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            self._leaves[host] = key + made.public_bytes(Encoding.PEM)
        return self._leaves[host]


async def end_tls(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], context: ssl.SSLContext, seconds: float
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client's streams without the TLS that it begins on them.

    Raises:
        OSError: it did not come about.
    """
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    before = streams[1].transport.get_protocol()
    protocol = _Within(reader, before)
    try:
        transport = await loop.start_tls(
            streams[1].transport, protocol, context, server_side=True, ssl_handshake_timeout=seconds
        )
    except BaseException:
        before.connection_lost(None)
        raise
    assert transport
    protocol.connection_made(transport)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


class _Within(asyncio.StreamReaderProtocol):
    """Passes the end of the connection on to whoever had it before TLS began, and may wait for it."""

    def __init__(self, reader: asyncio.StreamReader, before: asyncio.BaseProtocol) -> None:
        super().__init__(reader)
        self._before = before

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._before.connection_lost(exc)


def _begun(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=now - timedelta(days=1),
        not_valid_after=now + timedelta(days=DAYS),
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _normal(name: str) -> str:
    try:
        return normalise_host(name)
    except ValueError:
        return ""
