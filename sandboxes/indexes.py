"""The way to the package indexes: containers without a network, and a proxy behind their relays that lets them read."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

from cases.sentences import Sentences
from sandboxes.container_pool import ContainerPool
from sandboxes.engine import Engine, IndexRoute
from sandboxes.errors import SandboxError
from sandboxes.reach import Reach
from sandboxes.spec import INDEX_VARIABLES, PROXY_VARIABLES, Spec, host_ca, host_settings
from sandboxes.told import told
from sandboxes.tunnel import PORT, Exchange

say = Sentences(__name__)

DISCOVER = r"""
python3 -c 'from pip._internal.models.index import PyPI
print(PyPI.netloc)
print(PyPI.file_storage_domain)'
sed -n 's/^deb\(-src\)\? *\(\[[^]]*\] *\)\?\([^ ]*\).*/\3/p; s/^URIs: *//p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null
if command -v npm >/dev/null; then npm config get registry; fi
"""


@contextmanager
def index_access(engine: Engine, image: str, resolve: Mapping[str, str] | None = None) -> Iterator[None]:
    """Give the engine its `index_route` while open; where that cannot be, the engine's `index_note` says why.

    Then nothing is reached at all, unless this machine itself has only another proxy to the network.

    `image` has Python, and tools whose indexes are meant; `resolve` maps hosts of a laboratory, for `task` and `open`.
    """
    exchange = None
    try:
        exchange = _open(engine, image, resolve)
    except SandboxError as error:
        engine.index_note = str(error).partition("\n")[0]
        engine.shut = not host_settings(PROXY_VARIABLES)
    try:
        yield
    finally:
        engine.index_route, engine.shut = None, False
        if exchange:
            exchange.close()


@asynccontextmanager
async def index_route(engine: Engine, image: str, resolve: Mapping[str, str] | None = None) -> AsyncIterator[None]:
    """The same for a caller with an event loop."""
    access = index_access(engine, image, resolve)
    await asyncio.to_thread(access.__enter__)
    try:
        yield
    finally:
        await asyncio.to_thread(access.__exit__, None, None, None)


def _open(engine: Engine, image: str, resolve: Mapping[str, str] | None) -> Exchange:
    """Set up the route and see that a container has it."""
    if host_settings(PROXY_VARIABLES):
        raise SandboxError(say("indexes.machine_itself_reaches_network"))
    hosts = index_hosts(engine, image)
    if not hosts:
        raise SandboxError(say("indexes.image_names_no_package"))
    exchange = Exchange()
    engine.index_route = IndexRoute(image=image, reach=Reach(hosts, host_ca(), resolve), exchange=exchange)
    try:
        _try(engine, image)
    except SandboxError:
        engine.index_route = None
        exchange.close()
        raise
    return exchange


def _try(engine: Engine, image: str) -> None:
    with ContainerPool(engine) as containers, containers.start(Spec(image=image, network="indexes")) as session:
        done = session.run(f"timeout 30 bash -c 'exec 3<>/dev/tcp/127.0.0.1/{PORT}'", seconds=40)
    if not done.ok:
        raise SandboxError(say("indexes.containers_cannot_reach_relay"))


def index_hosts(engine: Engine, image: str) -> set[str]:
    """Hosts of the package indexes that the image's own tools and this machine's settings name."""
    with ContainerPool(engine) as containers:
        lines = told(containers, Spec(image=image), (DISCOVER,))[0].output.split()
    lines += [word for name in INDEX_VARIABLES for word in os.environ.get(name, "").split()]
    found = (urlsplit(line if "://" in line else f"//{line}").hostname for line in lines)
    return {host for host in found if host and "." in host and not host.endswith(".")}
