"""What all replays of one audit share: the engine, the way to the package indexes, and what is known of images."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from probes.replay.resources.contents import Contents, release_contents
from sandboxes import ContainerPool, Engine, Spec
from sandboxes.errors import translated
from sandboxes.images import ensure_extended, ensure_image
from sandboxes.indexes import index_route
from sandboxes.told import told
from sandboxes.tracing import Tracer, ensure_tracer

MEMORY_SHARE = 0.6
Tell = Callable[[str], None]
FACTS = {
    "debian": "cat /etc/debian_version",
    "python": "python3 -V",
    "pip": "python3 -m pip --version",
    "gcc": "gcc --version | head -1",
    "packages": "dpkg-query -W -f '${Package}=${Version}\\n'",
    "python packages": "python3 -m pip list --format=freeze",
}


@dataclass
class ReplayResources:
    """One engine, thread-safe."""

    engine: Engine
    offline: bool = False
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: Tracer | None = None
    lists: dict[str, Contents | None] = field(default_factory=dict)

    def image(self, name: str, tell: Tell) -> str:
        """The image under this name, made or pulled when it is not there.

        Raises:
            ImageUnavailable: it cannot be had.
        """
        with self.lock:
            return ensure_image(self.engine, name, tell, offline=self.offline)

    def extended(self, image: str, commands: tuple[str, ...], tell: Tell) -> str:
        """The image with what these commands, run as root, put into it; made once.

        Raises:
            ImageUnavailable: a command failed.
        """
        with self.lock:
            return ensure_extended(self.engine, image, commands, tell)

    def tracer(self, tell: Tell, *, offline: bool) -> Tracer:
        """The tracer, made once a machine; where the audit stays offline it must be there already.

        Raises:
            ImageUnavailable: it is not there and cannot be made.
        """
        with self.lock:
            self.held = self.held or ensure_tracer(self.engine, tell, offline=offline)
            return self.held

    def contents(self, image: str, containers: ContainerPool, tell: Tell, *, offline: bool) -> Contents | None:
        """What the packages of the image's release hold, looked up once; None where that cannot be had."""
        with self.lock:
            if image not in self.lists:
                self.lists[image] = release_contents(containers, image, tell, offline=offline)
            return self.lists[image]

    def memory_room(self) -> int:
        """Megabytes that one container may be given on the engine's machine."""
        with translated("tell how much memory it has"):
            total = int(self.engine.api.info().get("MemTotal") or 0)
        return round(total * MEMORY_SHARE / 1024**2)

    def facts_of(self, image: str, containers: ContainerPool) -> dict[str, Any]:
        """An image's identity, versions and package list, looked up once."""
        with self.lock:
            if image not in self.facts:
                found = told(containers, Spec(image=image, user="root", workdir="/"), tuple(FACTS.values()))
                said = {name: one.output.strip() for name, one in zip(FACTS, found, strict=True)}
                self.facts[image] = {"identity": self.engine.identity(image), **said}
            return self.facts[image]


@asynccontextmanager
async def replay_resources(
    *, offline: bool, tell: Tell, resolve: Mapping[str, str] | None = None
) -> AsyncIterator[ReplayResources]:
    """Connect, clear up after dead sessions, open the ways out; all of it is undone at the end.

    `resolve` maps hosts of a laboratory.

    Raises:
        EngineUnavailable: no engine answers.
    """
    engine = await asyncio.to_thread(Engine.connect)
    try:
        shared = ReplayResources(engine, offline)
        if offline:
            yield shared
        else:
            base = await asyncio.to_thread(shared.image, "impassable/base", tell)
            async with index_route(engine, base, resolve):
                yield shared
    finally:
        await asyncio.to_thread(engine.close)
