"""Containers with the network policy `indexes` reach the package indexes and nothing else."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from sandboxes import Bench, Engine, Executed, Spec
from sandboxes.indexes import index_hosts, index_route

pytestmark = [pytest.mark.docker, pytest.mark.network]


@pytest.fixture
async def routed(image: str) -> AsyncIterator[Engine]:
    engine = await asyncio.to_thread(Engine.connect)
    async with index_route(engine, image):
        assert engine.index_route, engine.index_note
        yield engine
    assert engine.api.networks(filters={"label": f"impassable.owner={engine.owner.label()}"}) == []
    engine.close()


async def run(engine: Engine, image: str, command: str) -> Executed:
    def work() -> Executed:
        with Bench(engine) as bench, bench.start(Spec(image=image, network="indexes")) as session:
            return session.run(command, seconds=60)

    return await asyncio.to_thread(work)


async def test_pip_and_apt_work_through_the_proxy(routed: Engine, image: str) -> None:
    pip = await run(routed, image, "pip install --no-deps six && python3 -c 'import six'")
    assert pip.ok, pip.output
    apt = await run(
        routed, image, "mkdir -p l/partial && apt-get -o Dir::State::lists=$PWD/l -o Debug::NoLocking=1 update"
    )
    assert apt.ok, apt.output


async def test_other_hosts_are_refused_and_recorded(routed: Engine, image: str) -> None:
    done = await run(routed, image, "curl -sS http://elsewhere.example/ ; curl -sS https://elsewhere.example/")
    assert done.exit_code != 0
    assert routed.index_route
    assert set(routed.index_route.denials()) == {"elsewhere.example:80", "elsewhere.example:443"}


async def test_there_is_no_way_around_the_proxy(routed: Engine, image: str) -> None:
    assert routed.index_route
    unset = "unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY"
    address = await run(routed, image, f"{unset}; curl -sS -m 5 http://192.0.2.1/")
    assert address.exit_code != 0
    index = await run(routed, image, f"{unset}; pip download --timeout 3 --retries 0 --no-deps six")
    assert index.exit_code != 0


async def test_the_network_and_its_policy_stand_in_the_profile(routed: Engine, image: str) -> None:
    def work() -> dict[str, object]:
        with Bench(routed) as bench, bench.start(Spec(image=image, network="indexes")) as session:
            return session.profile()

    profile = await asyncio.to_thread(work)
    assert profile["network"] == {
        "asked": "indexes",
        "in effect": "internal network, allow-listing proxy for 3 package index hosts",
    }


def test_without_a_route_the_profile_says_that_nothing_was_filtered(engine: Engine, bench: Bench, image: str) -> None:
    assert engine.index_route is None
    with bench.start(Spec(image=image, network="indexes")) as session:
        assert "bridge (not filtered)" in str(session.profile()["network"])


def test_the_hosts_come_from_the_image_s_own_tools(engine: Engine, image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = index_hosts(engine, image)
    assert len(found) >= 3
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://mirror.example/simple file:///srv/simple")
    assert index_hosts(engine, image) - found == {"mirror.example"}
