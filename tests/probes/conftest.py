"""The lab and an audit's context around it."""

from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from cases import Case, Task
from probes import (
    ArtifactStore,
    Barrier,
    Envelope,
    Hypothesis,
    ProbeContext,
    Settings,
    Targets,
    Value,
    WebSettings,
)
from sandboxes.browser.chromium import BrowserPool
from sandboxes.egress import Resolution
from tests.lab.web import Lab


class Silence:
    """A source of names that knows none, so that no test asks the world's."""

    name = "silent"

    async def resolve(self, host: str) -> Resolution:
        return Resolution(self.name, "nxdomain")


SILENT = Silence()
CONTROL = "https://article.lab.example/page"


def value(of):
    return Value(value=of, origin="assumed")


ENVELOPE = Envelope(
    profile="synthetic",
    image=value("base"),
    user=value("agent"),
    sudo=value(False),
    network=value("open"),
    tools=value(()),
    shell=value(False),
    allowed_imports=value(None),
    python=value("3.11"),
    workdir=value("/home/agent"),
    memory_mb=value(1024),
    seconds=value(60),
    solve_captcha=value(False),
)


def hypothesis(*urls: str, barrier: str = "bot_wall", hosts: tuple[str, ...] = (), needed: tuple[str, ...] = ()):
    """What a claim about these addresses would say."""
    return Hypothesis(
        id="h1",
        rubric="assistantbench",
        category="synthetic",
        barrier=Barrier(barrier),
        statement="synthetic claim",
        targets=Targets(urls=urls, hosts=hosts, needed_text=needed),
        citations=(),
        proposer="claim",
    )


@asynccontextmanager
async def audit(
    tmp_path,
    web: WebSettings | None = None,
    *,
    gold=(),
    offline=False,
    thorough=False,
    batch=None,
    fresh=False,
    runs=(),
    task=None,
):
    """The context of one audit, closed like one; its browser is the session's unless a `fresh` one is asked for."""
    async with AsyncExitStack() as stack:
        yield ProbeContext(
            case=Case(benchmark="synthetic", task_id="t1", task=task or Task(gold_urls=tuple(gold)), runs=runs),
            envelope=ENVELOPE,
            store=ArtifactStore(tmp_path / "artifacts"),
            settings=Settings(web=web or WebSettings(), offline=offline, thorough=thorough),
            events={},
            stack=stack,
            resources={} if fresh or not SHARED else {"browser.pool": SHARED[0]},
            batch=batch,
        )


def in_lab(lab: Lab, **more) -> WebSettings:
    return WebSettings(resolve={**lab.resolve, **more.pop("resolve", {})}, lab_ca=lab.ca, controls=(CONTROL,), **more)


SHARED: list[BrowserPool] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the asynchronous tests beside this file in one loop, since a browser cannot leave the loop it began in."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browsers():
    """One pool for all tests that run in the session's loop."""
    async with BrowserPool() as pool:
        SHARED.append(pool)
        yield pool
        SHARED.clear()


@pytest_asyncio.fixture(loop_scope="session")
async def lab(browsers):
    async with Lab() as running:
        yield running
