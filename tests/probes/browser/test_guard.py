"""Nothing that a page does may reach an address that the guard has not let through."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from probes import ArtifactStore, WebCaps
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.web import open_web
from sandboxes.browser.chromium import check_browser
from sandboxes.browser.urls import UrlRefusedError, normalise_url
from sandboxes.egress import Denied, Resolution, WebPolicy
from tests.lab.web import Lab
from tests.lab.web.scenarios import Vector, load_vectors
from tests.probes.conftest import SILENT, in_lab

pytestmark = [pytest.mark.browser]
CAPS = WebCaps(visits=500, connection_bytes=1_000_000, page_seconds=6)
"""A page that leads to where nobody answers keeps the browser waiting to the end of its time."""
CANARY_ANSWER = b"HTTP/1.1 204 Sung\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Canary(asyncio.DatagramProtocol):
    """Counts whatever touches one loopback port, TCP and UDP."""

    def __init__(self) -> None:
        self.touched: list[bytes] = []

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        self.datagrams, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=("127.0.0.1", self.port))
        return self

    async def __aexit__(self, *_):
        self.datagrams.close()
        self.server.close()
        await self.server.wait_closed()

    def datagram_received(self, data, addr):
        self.touched.append(data)

    async def serve(self, reader, writer):
        self.touched.append(await reader.read(200))
        writer.write(CANARY_ANSWER)
        writer.close()


VECTORS = load_vectors()


def by_way(way: str, canary: str, port: int) -> list[Vector]:
    return [vector.at(canary, port) for vector in VECTORS if vector.way == way]


@asynccontextmanager
async def guarded(lab, resolver=SILENT, **more):
    """Visits to the lab through the guard."""
    settings = in_lab(lab, caps=CAPS, **more)
    async with open_web(settings, (resolver,)) as web:

        async def visit(url, tmp_path):
            record = Record(ArtifactStore(tmp_path))
            seen = await look(web, url, (), record, patience=1.5)
            return seen, " ".join(item.value for item in record.observations if item.name == "guard")

        yield visit


@asynccontextmanager
async def trapped(canary, host, **more):
    """A lab whose pages hold every vector of the ways `page` and `led`, aimed at the canary under the name `host`."""
    aim = f"http://{host}:{canary.port}" if host == "127.0.0.1" else f"http://{host}"
    led = by_way("led", aim, canary.port)
    put = {f"LED:{vector.id}.trap.test": vector.location or vector.text for vector in led}
    put |= {"VECTORS": "".join(vector.text for vector in by_way("page", aim, canary.port)), "CANARY": aim}
    hosts = {f"{one.id}.trap.test": "redirect-anywhere" if one.location else "led-anywhere" for one in led}
    hosts |= {"vectors.test": "vectors", "vectors.test/worker.js": "vectors-worker"}
    traps = [f"http://{one.id}.trap.test/page" for one in led]
    async with Lab(hosts=hosts, put=put) as lab, guarded(lab, **more) as visit:
        yield visit, ["http://vectors.test/page", "https://vectors.test/page"], traps


class Answers:
    """A source of names whose answers change from one question to the next."""

    name = "fickle"

    def __init__(self) -> None:
        self.left = {f"{one.id}.test": list(one.answers) for one in VECTORS if one.way == "name"}

    async def resolve(self, host: str) -> Resolution:
        left = self.left.get(host)
        if not left:
            return Resolution(self.name, "nxdomain")
        return Resolution(self.name, "ok", left.pop(0) if len(left) > 1 else left[0])


@pytest.mark.exhaustive
async def test_no_vector_reaches_the_canary(tmp_path, monkeypatch):
    """The port is let through, so that only the addresses stand between the vectors and the canary."""
    assert len(VECTORS) >= 30
    async with Canary() as canary:
        monkeypatch.setattr("sandboxes.egress.policy.PORTS", frozenset({80, 443, canary.port}))
        async with trapped(canary, "127.0.0.1", resolver=Answers()) as (visit, pages, led):
            for vector in by_way("address", "", canary.port):
                try:
                    url = normalise_url(vector.text)
                except UrlRefusedError:
                    continue
                seen, _ = await visit(url, tmp_path)
                assert read(seen).kind == "unknown", vector.id
                assert seen.view is None, vector.id
            for vector in by_way("name", "", canary.port):
                seen, told = await visit(f"http://{vector.id}.test:{canary.port}/", tmp_path)
                assert "denied by our guard" in seen.refused, vector.id
                assert "127.0.0.1" in told or "::1" in told, vector.id
            for url in pages:
                seen, told = await visit(url, tmp_path)
                assert read(seen).kind == "ok", read(seen).detail
                assert "loopback address" in told
            for seen, _ in await several(visit, led, tmp_path):
                assert read(seen).kind != "ok" or ".trap.test" in seen.view.url, seen.url
                assert "root:" not in seen.view.text
        await asyncio.sleep(0.3)
        assert canary.touched == []
        await asked(canary)
        assert len(canary.touched) == 1


@pytest.mark.exhaustive
async def test_the_canary_sings_where_the_user_maps_its_host(tmp_path):
    """The traps above are real ones: a mapping lets the same pages reach it."""
    async with Canary() as canary:
        mapped = {"canary.test": f"127.0.0.1:{canary.port}"}
        async with trapped(canary, "canary.test", resolve=mapped) as (visit, pages, led):
            await several(visit, [pages[0], *led], tmp_path)
        touched = b"".join(canary.touched).decode("latin-1")
    real = {vector.id for vector in VECTORS if vector.real}
    assert {name for name in real if f"/v/{name} " not in touched} == set()
    assert len(real) >= 20


@pytest.mark.parametrize("vector", [one for one in VECTORS if one.way == "policy"], ids=lambda one: one.id)
async def test_addresses_elsewhere_are_refused_by_the_policy(vector):
    assert isinstance(await WebPolicy().dial(vector.text, 80), Denied)


async def test_a_name_is_resolved_once_and_stays_where_it_was():
    fickle = Answers()
    policy = WebPolicy(resolver=fickle)
    first = await policy.dial("name-rebound.test", 443)
    assert first == await policy.dial("name-rebound.test", 443)
    assert first.address == "198.41.0.4"


async def several(visit, urls, tmp_path):
    """Visits, three at a time."""
    gate = asyncio.Semaphore(3)

    async def one(url):
        async with gate:
            return await visit(url, tmp_path)

    return await asyncio.gather(*map(one, urls))


async def asked(canary):
    """One request that goes straight to the canary."""
    reader, writer = await asyncio.open_connection("127.0.0.1", canary.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    assert await reader.read() == CANARY_ANSWER
    writer.close()


@pytest.mark.exhaustive
async def test_an_endless_body_is_cut(tmp_path):
    async with Lab(hosts={"endless.test": "endless"}) as lab, guarded(lab) as visit:
        seen, _ = await visit("https://endless.test/page", tmp_path)
    assert seen.plain.status == 200
    assert len(seen.plain.body) <= 2_000_000
    assert len(seen.view.html) < 3_000_000


async def test_the_doctors_check_starts_the_browser_and_tells_its_version():
    assert (await check_browser())[0].startswith("Chromium ")
