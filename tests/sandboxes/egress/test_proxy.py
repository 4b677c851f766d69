"""The proxy against real sockets on loopback."""

import asyncio
import contextlib

import httpx
import pytest

from sandboxes.egress import Denial, EgressProxy, Limits, WebPolicy
from tests.sandboxes.egress.upstream import BODY, Upstream, talk


async def test_plain_http_goes_through_in_origin_form_with_its_own_connection():
    async with Upstream() as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        async with httpx.AsyncClient(proxy=f"http://{proxy.address}", trust_env=False) as client:
            first = await client.get("http://u:p@a.example:8123/x?q=1", headers={"Proxy-Authorization": "secret"})
            second = await client.get("http://a.example/y")
        assert (first.content, second.content) == (BODY, BODY)
        assert upstream.connections == 2
        assert upstream.heads[0].startswith(b"GET /x?q=1 HTTP/1.1\r\n")
        assert b"Host: a.example:8123\r\n" in upstream.heads[0]
        assert b"secret" not in upstream.heads[0]
        assert b"Connection: close" in upstream.heads[0]
        assert [(entry.host, entry.address) for entry in proxy.allowed] == [("a.example", "127.0.0.1")] * 2
        assert proxy.denials == []


async def test_a_second_request_on_one_connection_never_reaches_the_first_ones_server():
    async with Upstream(keep_open=True) as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        request = b"GET http://%s.example/ HTTP/1.1\r\nHost: %s.example\r\n\r\n"
        smuggled = request % (b"a", b"a") + request % (b"b", b"b")
        answer = await talk(proxy.address, smuggled)
        assert answer.count(b"HTTP/1.1 200") == 1
        assert b"connection: close" in answer.lower()
        assert b"keep-alive" not in answer
        assert b"b.example" not in b"".join(upstream.heads)


async def test_a_tunnel_carries_bytes_both_ways():
    async with Upstream(echo=True) as upstream, EgressProxy(WebPolicy({"*.example": upstream.at})) as proxy:
        host, port = proxy.address.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        for word in (b"one", b"two" * 5000):
            writer.write(word)
            assert await reader.readexactly(len(word)) == word
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()
        assert proxy.bytes == 2 * 15_003


@pytest.mark.parametrize("target", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
async def test_loopback_is_out_of_reach_in_every_spelling(target):
    async with Upstream() as canary, EgressProxy(WebPolicy()) as proxy:
        port = canary.at.rsplit(":", 1)[1]
        tunnel = await talk(proxy.address, f"CONNECT {target}:{port} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        plain = await talk(proxy.address, f"GET http://{target}:{port}/ HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
        assert tunnel.startswith(b"HTTP/1.1 403")
        assert plain.startswith(b"HTTP/1.1 403")
        assert canary.connections == 0
        assert len(proxy.denials) >= 1
        assert all(isinstance(denial, Denial) and denial.reason for denial in proxy.denials)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"GET file:///etc/passwd HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"GET ftp://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"CONNECT a.example HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"CONNECT a.example:99999 HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"\x16\x03\x01 no http at all\r\n\r\n",
    ],
)
async def test_what_is_no_proxy_request_is_refused_and_goes_nowhere(head):
    async with Upstream() as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        assert (await talk(proxy.address, head)).startswith(b"HTTP/1.1 400")
        assert upstream.connections == 0


async def test_endless_headers_go_nowhere():
    head = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nX: " + b"x" * 200_000 + b"\r\n\r\n"
    async with Upstream() as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        with contextlib.suppress(ConnectionResetError):
            await talk(proxy.address, head)
        assert upstream.connections == 0


async def test_the_proxys_own_refusal_cannot_be_mistaken_for_the_sites():
    async with Upstream() as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        refused = await talk(proxy.address, b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: b\r\n\r\n")
        passed = await talk(proxy.address, b"GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n")
        mark = f"{proxy.mark_header}: {proxy.mark}".encode()
        assert mark in refused
        assert mark not in passed


async def test_a_redirect_is_handed_back_and_not_followed():
    reply = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    async with Upstream(reply) as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
        answer = await talk(proxy.address, b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n")
        assert b"302 Found" in answer
        assert upstream.connections == 1


async def test_chunked_uploads_and_unmeasured_answers_pass():
    reply = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\n" + BODY
    async with Upstream(reply) as upstream, EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:

        async def pieces():
            yield b"part one "
            yield b"part two"

        async with httpx.AsyncClient(proxy=f"http://{proxy.address}", trust_env=False) as client:
            answer = await client.post("http://a.example/", content=pieces())
        assert answer.content == BODY


async def test_a_body_without_end_is_cut_at_the_byte_limit():
    reply = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3_000_000
    limits = Limits(connection_bytes=1_000_000)
    async with Upstream(reply) as upstream, EgressProxy(WebPolicy({"a.example": upstream.at}), limits=limits) as proxy:
        answer = await talk(proxy.address, b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n")
        assert len(answer) <= 1_000_100
        assert "byte limit" in proxy.failures[0].reason


async def test_a_silent_server_and_a_silent_client_are_given_up():
    limits = Limits(idle_seconds=0.3, head_seconds=0.3)
    silent = Upstream(b"H", keep_open=True)
    async with silent as upstream, EgressProxy(WebPolicy({"a.example": upstream.at}), limits=limits) as proxy:
        assert await talk(proxy.address, b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n") == b""
        assert proxy.failures
        assert await talk(proxy.address, b"GET http://a.exa") == b""


async def test_connections_beyond_the_limit_wait_for_their_turn():
    async with Upstream() as upstream:
        limits = Limits(connections=1)
        async with EgressProxy(WebPolicy({"a.example": upstream.at}), limits=limits) as proxy:
            request = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n"
            answers = await asyncio.gather(*(talk(proxy.address, request) for _ in range(8)))
    assert all(BODY in answer for answer in answers)


async def test_a_dead_upstream_is_a_bad_gateway_and_recorded():
    async with Upstream() as gone:
        at = gone.at
    async with EgressProxy(WebPolicy({"a.example": at})) as proxy:
        answer = await talk(proxy.address, b"CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 502")
        assert proxy.failures[0].host == "a.example"


async def test_closing_ends_open_tunnels():
    async with Upstream(echo=True) as upstream:
        async with EgressProxy(WebPolicy({"a.example": upstream.at})) as proxy:
            host, port = proxy.address.rsplit(":", 1)
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()
