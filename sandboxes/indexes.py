"""The way to the package indexes: an internal network whose one exit is an allow-listing proxy at its gateway."""

import asyncio
import contextlib
import json
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from sandboxes.bench import Bench
from sandboxes.egress import EgressProxy, HostsPolicy
from sandboxes.engine import Engine, IndexRoute
from sandboxes.errors import SandboxError, translated
from sandboxes.owner import LABEL
from sandboxes.spec import INDEX_VARIABLES, PROXY_VARIABLES, Spec, host_settings

DISCOVER = r"""
python3 -c 'from pip._internal.models.index import PyPI
print(PyPI.netloc)
print(PyPI.file_storage_domain)'
sed -n 's/^deb\(-src\)\? *\(\[[^]]*\] *\)\?\([^ ]*\).*/\3/p; s/^URIs: *//p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null
if command -v npm >/dev/null; then npm config get registry; fi
"""


@asynccontextmanager
async def index_route(engine: Engine, image: str) -> AsyncIterator[None]:
    """Give the engine its `index_route` while open; where that cannot be, the engine's `index_note` says why."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            engine.index_route = await _open(engine, image, stack)
        except (SandboxError, OSError) as error:
            engine.index_note = str(error).partition("\n")[0]
        try:
            yield
        finally:
            engine.index_route = None


async def _open(engine: Engine, image: str, stack: contextlib.AsyncExitStack) -> IndexRoute:
    if not engine.local:
        raise SandboxError("the engine is on another machine")
    if host_settings(PROXY_VARIABLES):
        raise SandboxError("this machine itself reaches the network through a proxy")
    hosts = await asyncio.to_thread(index_hosts, engine, image)
    if not hosts:
        raise SandboxError("the image names no package index")
    name, gateway = await asyncio.to_thread(_network, engine)
    stack.push_async_callback(asyncio.to_thread, engine.remove_network, name)
    proxy = await stack.enter_async_context(EgressProxy(HostsPolicy(hosts), host=gateway))
    await asyncio.to_thread(_try, engine, image, name, proxy.address)
    return IndexRoute(
        network=name,
        proxy=f"http://{proxy.address}",
        hosts=tuple(sorted(hosts)),
        denials=lambda: tuple(f"{denial.host}:{denial.port}" for denial in proxy.denials),
    )


def index_hosts(engine: Engine, image: str) -> set[str]:
    """Hosts of the package indexes that the image's own tools and this machine's settings name."""
    with Bench(engine) as bench, bench.start(Spec(image=image)) as session:
        lines = session.run(DISCOVER, seconds=60).output.split()
    lines += [word for name in INDEX_VARIABLES for word in os.environ.get(name, "").split()]
    found = (urlsplit(line if "://" in line else f"//{line}").hostname for line in lines)
    return {host for host in found if host and "." in host and not host.endswith(".")}


def _network(engine: Engine) -> tuple[str, str]:
    """A fresh internal network; its name and its gateway's address."""
    name = f"impassable-{uuid.uuid4().hex[:12]}"
    with translated("make an internal network"):
        engine.api.create_network(name, driver="bridge", internal=True, labels={LABEL: engine.owner.label()})
        config = engine.api.inspect_network(name)["IPAM"]["Config"]
    try:
        return name, str(config[0]["Gateway"])
    except (IndexError, KeyError, TypeError) as error:
        engine.remove_network(name)
        raise SandboxError(f"the internal network has no gateway ({json.dumps(config)})") from error


def _try(engine: Engine, image: str, network: str, address: str) -> None:
    """See that a container on the network reaches the proxy; a firewall on this machine may forbid it."""
    host, _, port = address.rpartition(":")
    trial = IndexRoute(network=network, proxy=f"http://{address}", hosts=(), denials=tuple)
    engine.index_route = trial
    try:
        with Bench(engine) as bench, bench.start(Spec(image=image, network="indexes")) as session:
            done = session.run(f"timeout 5 bash -c 'exec 3<>/dev/tcp/{host}/{port}'", seconds=10)
    finally:
        engine.index_route = None
    if not done.ok:
        raise SandboxError("containers cannot reach this machine at the internal network's gateway")
