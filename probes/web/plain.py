"""One page by plain HTTP, with a user agent that says who asks; redirects are followed here, each hop checked."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

import httpx

from cases.sentences import Sentences
from probes.web.rules import Page
from sandboxes.browser.caps import WebCaps
from sandboxes.browser.urls import UrlRefusedError, action_like, host_of, normalise_url
from sandboxes.egress import EgressProxy

say = Sentences(__name__)

PDF = b"%PDF-"
USER_AGENT = "Impassable/0.1 (benchmark audit; plain HTTP check; GET only)"


@dataclass(frozen=True)
class Plain:
    """What plain HTTP gave."""

    url: str
    """Where it ended."""
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    body: str = ""
    data: bytes = field(default=b"", repr=False)
    """The body of a PDF file instead, as bytes."""
    cut: bool = False
    """Whether the body is longer than what was read of it."""
    chain: tuple[str, ...] = ()
    """`status address` of every hop before the last."""
    error: str = ""
    """What stood in the way instead of an answer."""
    denied: bool = False
    """Our own guard refused a hop."""

    @property
    def is_html(self) -> bool:
        """Whether the body is a page; unlabelled bodies are taken for one."""
        kind = self.headers.get("content-type", "text/html")
        return "html" in kind or "text/plain" in kind

    def page(self, asked: str) -> Page:
        """For the rules."""
        return Page(self.url, asked, self.status, self.headers, self.cookies, self.body if self.is_html else "")


async def fetch(url: str, proxy: EgressProxy, trust_for: Callable[[str], ssl.SSLContext], caps: WebCaps) -> Plain:
    """GET `url` through the proxy; whatever happens is told in the record."""
    try:
        async with asyncio.timeout(caps.plain_seconds):
            return await _follow(url, proxy, trust_for, caps)
    except TimeoutError:
        return Plain(url, error="timed out")


async def _follow(url: str, proxy: EgressProxy, trust_for: Callable[[str], ssl.SSLContext], caps: WebCaps) -> Plain:
    chain: list[str] = []
    current, cookies = url, httpx.Cookies()
    for _ in range(caps.redirects + 1):
        answer, location = await _hop(current, proxy, trust_for(host_of(current)), cookies, caps)
        if not location or answer.error:
            return _with_chain(answer, chain)
        chain.append(f"{answer.status} {current}")
        try:
            current = normalise_url(urljoin(current, location), from_prose=False)
        except UrlRefusedError as error:
            return _with_chain(
                Plain(current, answer.status, error=say("plain.redirect_refused", error=error), denied=True), chain
            )
        if action_like(current):
            return _with_chain(Plain(current, answer.status, error=say("plain.redirect_action_not")), chain)
    return _with_chain(Plain(current, error=say("plain.more_redirects", redirects=caps.redirects)), chain)


async def _hop(
    url: str, proxy: EgressProxy, trusted: ssl.SSLContext, cookies: httpx.Cookies, caps: WebCaps
) -> tuple[Plain, str | None]:
    client = httpx.AsyncClient(
        proxy=f"http://{proxy.address}",
        verify=trusted,
        cookies=cookies,
        trust_env=False,
        timeout=caps.plain_seconds * 2 / 3,  # so that a stuck hop is told from a slow chain
        headers={"User-Agent": USER_AGENT, "Accept": "text/html,*/*;q=0.5", "Accept-Language": "en"},
    )
    try:
        async with client, client.stream("GET", url) as response:
            if response.headers.get(proxy.mark_header) == proxy.mark:
                return _refused(url, proxy), None
            body = await _body(response, caps.plain_bytes)
            is_file = body.startswith(PDF)
            cookies.update(client.cookies)
            plain = Plain(
                url,
                response.status_code,
                {name.lower(): value for name, value in response.headers.items()},
                tuple(dict.fromkeys(cookie.name for cookie in client.cookies.jar)),
                "" if is_file else _decoded(body, response.encoding),
                body if is_file else b"",
                cut=len(body) >= caps.plain_bytes,
            )
            return plain, response.headers.get("location") if response.is_redirect else None
    except httpx.ProxyError:
        return _refused(url, proxy), None
    except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, UnicodeError) as error:
        return Plain(url, error=_named(error)), None


def _refused(url: str, proxy: EgressProxy) -> Plain:
    host = host_of(url)
    denials = [denial.reason for denial in proxy.denials if denial.host == host]
    if denials:
        return Plain(url, error=say("plain.denied_our_guard", denials=denials[-1]), denied=True)
    failures = [failure.reason for failure in proxy.failures if failure.host == host]
    return Plain(url, error=failures[-1] if failures else "no connection")


async def _body(response: httpx.Response, limit: int) -> bytes:
    kept = bytearray()
    try:
        async for piece in response.aiter_bytes():
            kept += piece
            if len(kept) >= limit:
                break
    except httpx.DecodingError:
        return b""
    return bytes(kept[:limit])


def _decoded(body: bytes, encoding: str | None) -> str:
    try:
        return body.decode(encoding or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _named(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "timed out"
    first = str(error).splitlines()[:1]
    return f"{type(error).__name__}: {''.join(first)[:160]}"


def _with_chain(plain: Plain, chain: list[str]) -> Plain:
    return replace(plain, chain=tuple(chain))
