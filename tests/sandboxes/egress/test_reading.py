"""A proxy that reads along lets through only what reads from the very host that was asked for; real TLS on loopback."""

import asyncio
import contextlib
import ssl

import h11
import httpx
import pytest
import trustme

from sandboxes.egress import Authority, EgressProxy, HostsPolicy, Limits

HOSTS = ("index.example", "other.example", "10.0.0.5")
CONNECT = b"CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n"


class Index:
    """A real server with a certificate for all hosts, as a content network has, that remembers what reached it."""

    def __init__(self, ca: trustme.CA, *hosts: str) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert(*(hosts or HOSTS)).configure_cert(self.context)
        self.asked: list[tuple[str, str, str]] = []
        self.bodies: list[bytes] = []
        self.connections = 0

    async def __aenter__(self):
        self.secure = await asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.context)
        self.plain = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_):
        for server in (self.secure, self.plain):
            server.close()
            await server.wait_closed()

    @staticmethod
    def at(server: asyncio.Server) -> str:
        return f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def serve(self, reader, writer):
        self.connections += 1
        side = h11.Connection(h11.SERVER)
        with contextlib.suppress(OSError, h11.ProtocolError):
            while True:
                while (event := side.next_event()) is h11.NEED_DATA:
                    side.receive_data(await reader.read(65_536))
                if isinstance(event, h11.Request):
                    host = dict(event.headers).get(b"host", b"").decode()
                    self.asked.append((event.method.decode(), host, event.target.decode()))
                    head = event.method == b"HEAD"
                elif isinstance(event, h11.Data):
                    self.bodies.append(bytes(event.data))
                elif isinstance(event, h11.EndOfMessage):
                    writer.write(side.send(h11.Response(status_code=200, headers=[(b"Content-Length", b"5")])))
                    writer.write((b"" if head else side.send(h11.Data(data=b"wheel"))) + side.send(h11.EndOfMessage()))
                    await writer.drain()
                    side.start_next_cycle()
                else:
                    break
        writer.close()


class World:
    """The index, the proxy in front of it, and clients that trust the proxy."""

    def __init__(self, index: Index, proxy: EgressProxy, authority: Authority) -> None:
        self.index, self.proxy = index, proxy
        self.trust = ssl.create_default_context(cadata=authority.pem.decode())

    def client(self, **options) -> httpx.AsyncClient:
        return httpx.AsyncClient(proxy=f"http://{self.proxy.address}", verify=self.trust, trust_env=False, **options)

    async def tunnel(self, host: str, name: str | None, said: bytes) -> bytes:
        """What comes back when TLS for `name` is begun in a tunnel to `host` and something is said in it."""
        reader, writer = await asyncio.open_connection(*self.proxy.address.rsplit(":", 1))
        writer.write(CONNECT % (host.encode(), host.encode()))
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        context = ssl.create_default_context(cadata=self.pem) if name is None else self.trust
        if name is None:
            context.check_hostname = False
        try:
            await writer.start_tls(context, server_hostname=name)
            writer.write(said)
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()

    async def tunnel_only(self, host: str) -> bytes:
        """The same without a word in it."""
        reader, writer = await asyncio.open_connection(*self.proxy.address.rsplit(":", 1))
        writer.write(CONNECT % (host.encode() + b":443", host.encode()))
        await reader.readuntil(b"\r\n\r\n")
        await writer.start_tls(self.trust, server_hostname=host)
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.2)
        return await reader.read()

    @property
    def pem(self) -> str:
        assert self.proxy._authority
        return self.proxy._authority.pem.decode()

    def refused(self) -> str:
        return " | ".join(f"{denial.host}:{denial.port} {denial.reason}" for denial in self.proxy.denials)


@pytest.fixture
async def world(tmp_path):
    ca = trustme.CA()
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    authority = Authority(tmp_path / "ca.pem")
    async with Index(ca) as index:
        mapped = dict.fromkeys(HOSTS, Index.at(index.secure)) | {"plain.example": Index.at(index.plain)}
        policy = HostsPolicy(mapped, resolve=mapped)
        async with EgressProxy(policy, authority=authority, limits=Limits(head_seconds=5)) as proxy:
            yield World(index, proxy, authority)


async def test_an_index_is_read_over_tls_with_one_connection_for_many_requests(world):
    async with world.client() as client:
        answers = [await client.get(f"https://index.example/simple/{n}?q=1") for n in range(3)]
        assert (await client.head("https://index.example/simple/")).headers["content-length"] == "5"
    assert [answer.content for answer in answers] == [b"wheel"] * 3
    assert world.index.asked[0] == ("GET", "index.example", "/simple/0?q=1")
    assert world.index.connections == 1
    assert world.proxy.denials == []


@pytest.mark.parametrize("name", ["other.example", "index.example.evil.example", None])
async def test_tls_for_another_host_than_was_asked_for_ends_there(world, name):
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await world.tunnel("index.example:443", name, b"GET / HTTP/1.1\r\nHost: index.example\r\n\r\n")
    assert world.index.asked == []
    assert f"TLS for {name or 'no name'}" in world.refused()


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: other.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: upload.index.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: index.example:8443\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET https://other.example/ HTTP/1.1\r\nHost: index.example\r\n\r\n",
        b"CONNECT other.example:443 HTTP/1.1\r\nHost: index.example\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    ],
)
async def test_a_request_inside_tls_is_for_the_host_that_was_asked_for(world, head):
    answer = await world.tunnel("index.example:443", "index.example", head)
    assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400"))
    assert world.proxy.mark.encode() in answer
    assert world.index.asked == []
    assert world.refused()


@pytest.mark.parametrize("url", ["https://index.example/legacy/", "http://plain.example/legacy/"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "MKCOL"])
async def test_nothing_is_uploaded(world, method, url):
    async with world.client() as client:
        answer = await client.request(method, url, content=b"a wheel of one's own")
    assert answer.status_code == 403
    assert f"{method} is not reading" in world.refused()
    assert world.index.asked == []
    assert world.index.bodies == []


@pytest.mark.parametrize("header", [{"X-HTTP-Method-Override": "PUT"}, {"Content-Length": "3"}])
async def test_what_only_looks_like_reading_is_refused(world, header):
    async with world.client() as client:
        answer = await client.request("GET", "https://index.example/x", headers=header, content=b"abc")
    assert answer.status_code == 403
    assert world.index.asked == []


@pytest.mark.parametrize("path", ["/a/b.git/git-upload-pack", "/-/npm/v1/security/advisories/bulk"])
async def test_a_question_that_is_asked_with_a_body_goes_through(world, path):
    async with world.client() as client:
        assert (await client.post(f"https://index.example{path}", content=b"0032want 0a")).content == b"wheel"
        assert (await client.post(f"https://index.example{path}/more", content=b"x")).status_code == 403
    assert world.index.bodies == [b"0032want 0a"]


async def test_what_a_server_would_leave_off_makes_no_question_of_an_upload(world):
    request = b"POST /legacy/#/git-upload-pack HTTP/1.1\r\nHost: index.example\r\nContent-Length: 1\r\n\r\nx"
    assert (await world.tunnel("index.example:443", "index.example", request))[:12] == b"HTTP/1.1 403"
    assert world.index.asked == []


SMUGGLED = b"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x"


async def test_two_lengths_of_one_body_are_refused_in_tls_and_outside(world):
    inside = await world.tunnel(
        "index.example:443", "index.example", SMUGGLED % (b"/git-upload-pack", b"index.example")
    )
    reader, writer = await asyncio.open_connection(*world.proxy.address.rsplit(":", 1))
    writer.write(SMUGGLED % (b"http://plain.example/git-upload-pack", b"plain.example"))
    outside = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    assert (inside[:12], outside[:12]) == (b"HTTP/1.1 403", b"HTTP/1.1 400")
    assert world.index.asked == []


async def test_a_plain_request_names_its_host_once_and_alike(world):
    reader, writer = await asyncio.open_connection(*world.proxy.address.rsplit(":", 1))
    writer.write(b"GET http://plain.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n")
    assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 403")
    writer.close()
    async with world.client() as client:
        assert (await client.get("http://plain.example/simple")).content == b"wheel"
    assert world.index.asked == [("GET", "plain.example", "/simple")]


async def test_an_address_needs_no_server_name(world):
    said = b"GET / HTTP/1.1\r\nHost: 10.0.0.5\r\nConnection: close\r\n\r\n"
    assert b"wheel" in await world.tunnel("10.0.0.5:443", None, said)


async def test_a_client_that_does_not_trust_us_was_refused_by_us(world):
    strict = httpx.AsyncClient(proxy=f"http://{world.proxy.address}", verify=ssl.create_default_context())
    async with strict as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("https://index.example/")
    for _ in range(50):
        if world.proxy.denials:
            break
        await asyncio.sleep(0.05)
    assert "certificate" in world.refused()


async def test_a_client_that_hangs_up_unasked_is_our_doing_unless_it_trusted_us_before(world):
    assert await world.tunnel_only("index.example") == b""
    assert "hung up after seeing our certificate" in world.refused()
    async with world.client() as client:
        await client.get("https://other.example/")
    await world.tunnel_only("other.example")
    assert "other.example" not in world.refused()


async def test_a_server_with_a_strangers_certificate_is_not_vouched_for(world):
    async with Index(trustme.CA()) as stranger:
        at = {"index.example": Index.at(stranger.secure)}
        async with EgressProxy(HostsPolicy(at, resolve=at), authority=world.proxy._authority) as proxy:
            reader, writer = await asyncio.open_connection(*proxy.address.rsplit(":", 1))
            writer.write(CONNECT % (b"index.example:443", b"index.example:443"))
            assert (await asyncio.wait_for(reader.read(), 10)).startswith(b"HTTP/1.1 403")
            writer.close()
        assert "not valid" in proxy.denials[0].reason
        assert stranger.asked == []


async def test_a_large_answer_arrives_whole(world):
    body = b"0123456789" * 2_000_000

    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=world.index.context)
    async with server:
        at = {"index.example": Index.at(server)}
        async with EgressProxy(HostsPolicy(at, resolve=at), authority=world.proxy._authority) as proxy:
            client = httpx.AsyncClient(proxy=f"http://{proxy.address}", verify=world.trust, trust_env=False)
            async with client:
                assert (await client.get("https://index.example/big")).content == body
