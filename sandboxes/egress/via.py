"""Connections by way of a proxy of the user's own, from whose network a site may look otherwise."""

import asyncio
import errno
import ssl
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from python_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError
from python_socks.async_.asyncio import Proxy

from cases.sentences import Sentences

say = Sentences(__name__)

SCHEMES = {"http": "HTTP", "socks5": "SOCKS5", "socks5h": "SOCKS5", "socks4": "SOCKS4"}
SECONDS = 15.0
SOCKS_REFUSED = 5
"""RFC 1928: the one answer that says what the site did; all others may be the proxy's own."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Via:
    """Where the proxy is; what it wants to know of its user is never shown."""

    shown: str
    """Kind, host and port."""
    url: str = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> "Via":
        """From `http://` or `socks5://`, with or without a user and a password.

        Raises:
            ValueError: no such URL; the message does not repeat it.
        """
        try:
            parts = urlsplit(text)
            scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
        except ValueError:
            scheme, host, port = "", None, None
        if scheme not in SCHEMES or not host or not port or parts.path.strip("/") or parts.query:
            raise ValueError(say("egress.via.not_proxy_http_host"))
        plain = "socks5" if scheme == "socks5h" else scheme
        return cls(f"{SCHEMES[scheme]} proxy at {host}:{port}", f"{plain}://{text.partition('://')[2].rstrip('/')}")

    async def open(
        self, host: str, port: int, *, ssl: ssl.SSLContext | None = None, server_hostname: str | None = None
    ) -> Streams:
        """As `asyncio.open_connection`; a proxy gets no word of the user's into what is raised.

        Raises:
            OSError: there is no connection.
        """
        try:
            made = await Proxy.from_url(self.url).connect(host, port, timeout=SECONDS)
        except ProxyTimeoutError as error:
            raise TimeoutError from error
        except (ProxyConnectionError, OSError):
            raise OSError(errno.EHOSTUNREACH, say("egress.via.proxy_not_answer")) from None
        except ProxyError as error:
            if self.shown.startswith("SOCKS5") and error.error_code == SOCKS_REFUSED:
                raise ConnectionRefusedError(errno.ECONNREFUSED, say("egress.via.connection_refused")) from None
            told = f" ({error.error_code})" if error.error_code else ""
            raise OSError(errno.EHOSTUNREACH, say("egress.via.proxy_makes_no_connection", told=told)) from None
        return await asyncio.open_connection(sock=made, ssl=ssl, server_hostname=server_hostname)
