"""Connections through a proxy of the user's own: real CONNECT and SOCKS5 servers on loopback."""

import asyncio

import pytest

from sandboxes.egress import EgressProxy, Via, WebPolicy
from tests.lab.web.vantage import PASSWORD, USER, Vantage
from tests.sandboxes.egress.upstream import BODY, Upstream, talk


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_what_the_guard_lets_through_goes_by_way_of_the_proxy_with_its_password(kind):
    async with Upstream() as upstream, Vantage(kind) as there:
        via = Via.parse(there.url)
        async with EgressProxy(WebPolicy({"a.example": upstream.at}), via=via) as proxy:
            assert BODY in await talk(proxy.address, b"GET http://a.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n")
        assert there.asked == [upstream.at]
        assert there.strangers == 0
        assert all(PASSWORD.encode() not in head and USER.encode() not in head for head in upstream.heads)


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_the_guard_s_rules_hold_all_the_same(kind):
    async with Upstream() as canary, Vantage(kind) as there:
        async with EgressProxy(WebPolicy(), via=Via.parse(there.url)) as proxy:
            answer = await talk(proxy.address, f"CONNECT {canary.at} HTTP/1.1\r\nHost: {canary.at}\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 403")
        assert (there.asked, canary.connections) == ([], 0)


@pytest.mark.parametrize("kind", ["http", "socks5"])
@pytest.mark.parametrize("trouble", ["gone", "refuses", "another password"])
async def test_a_proxy_that_does_not_serve_is_a_failure_in_which_no_secret_stands(kind, trouble, caplog):
    async with Upstream() as upstream, Vantage(kind, refuses=trouble == "refuses") as there:
        url = there.url.replace("Long-One", "wrong") if trouble == "another password" else there.url
        if trouble == "gone":
            there._server.close()
            await there._server.wait_closed()
        async with EgressProxy(WebPolicy({"a.example": upstream.at}), via=Via.parse(url)) as proxy:
            request = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n"
            answer = await asyncio.wait_for(talk(proxy.address, request), 20)
        assert answer.startswith(b"HTTP/1.1 502")
        told = f"{answer!r} {proxy.failures} {caplog.text}"
        assert "the proxy" in told
        assert "s3cret" not in told
        assert upstream.connections == 0


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://user:s3cret@host:1",
        "https://user:s3cret@host:1",
        "user:s3cret@host:1",
        "http://user:s3cret@host",
        "http://user:s3cret@host:99999",
        "http://user:s3cret@:80",
        "socks5://user:s3cret@host:1/path",
        "http://[user:s3cret@host:1",
    ],
)
def test_what_is_no_proxy_s_address_is_refused_without_being_repeated(url):
    with pytest.raises(ValueError, match="not a proxy") as refused:
        Via.parse(url)
    assert "s3cret" not in str(refused.value)


def test_what_is_shown_of_a_proxy_has_no_user_in_it():
    via = Via.parse("socks5h://me:s3cret@proxy.example:1080/")
    assert via.shown == "SOCKS5 proxy at proxy.example:1080"
    assert "s3cret" not in f"{via} {via!r}"
