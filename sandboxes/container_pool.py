"""A workbench: every container and snapshot of one piece of work, gone when it is done."""

import contextlib
import threading
import uuid
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from cases.sentences import Sentences
from sandboxes.engine import Engine
from sandboxes.errors import SandboxCancelled, SandboxError, translated
from sandboxes.mounts import mounts, tmpfs, volumes
from sandboxes.owner import LABEL
from sandboxes.sdk import sdk
from sandboxes.session import Session
from sandboxes.spec import Network, Spec
from sandboxes.tunnel import HOSTNAME, Line, make_relay, start_relay

say = Sentences(__name__)

REPOSITORY = "impassable/snapshot"
NO_NAME_SERVER = "127.0.0.1"
"""Asked for names where there is no network: nobody answers, and the question tells the name."""


@dataclass(frozen=True)
class _Relay:
    """A container that lends its network to one other at a time."""

    container: str
    line: Line
    rules: tuple[str, tuple[str, ...]]
    """The network that it was made for, and the hosts."""


class ContainerPool:
    """Starts sessions and removes them, also when it is closed from another thread in the middle of the work."""

    def __init__(self, engine: Engine, runtime: str = "") -> None:
        """Work on `engine`, in containers of its `runtime` of that name, or of its default one."""
        self.engine = engine
        self.runtime = runtime
        self.whole: set[tuple[str, str, str]] = set()
        """Image, user and directory that lack nothing before the first command."""
        self.without_bash: set[str] = set()
        """Images whose only shell is `sh`."""
        self._id = uuid.uuid4().hex[:12]
        self._lock = threading.Lock()
        self._containers: dict[str, _Relay | None] = {}
        self._sessions: dict[str, Session] = {}
        self._free: list[_Relay] = []
        self._lines: list[Line] = []
        self._images: list[str] = []
        self._kept: list[str] = []
        self._origins: dict[str, str] = {}
        self._ready: dict[tuple[str, str, str, bool, str], str] = {}
        self._preparing = threading.Lock()
        self._closed = False

    def __enter__(self) -> "ContainerPool":
        """Nothing to do yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything; an engine that is gone by then does not hide what went wrong before."""
        if error is None:
            self.close()
            return
        with contextlib.suppress(SandboxError):
            self.close()

    def start(self, spec: Spec) -> Session:
        """A fresh container, ready for commands.

        Raises:
            SandboxError: it could not be made.
        """
        self._check()
        prepared = bool(spec.read_only)
        if prepared:
            spec = replace(spec, image=self._prepared(spec))
        mode, proxies, effective = self.engine.way_out(spec)
        relay = self._relay(spec) if mode == "relay" else None
        if relay:
            mode = f"container:{relay.container}"
        made = self._create(spec, mode, hostname=None if relay else HOSTNAME)  # with a relay's network comes its name
        container = str(made["Id"])
        with self._lock:
            self._containers[container] = relay
        self._check()
        with translated("start a container"):
            self.engine.api.start(container)
        session = Session(self, container, spec, {**proxies, **spec.env}, effective, relay.line if relay else None)
        with self._lock:
            self._sessions[container] = session
        session.prepare(files=not prepared)
        if self._closed:
            session.unwatch(wait=True)
        self._check()
        return session

    def _create(self, spec: Spec, mode: str, hostname: str | None) -> Any:  # noqa: ANN401 - the SDK has no types
        """A container, with a disk of its own size where the engine has such."""
        with translated("make a container"):
            while True:
                sized = self.engine.sized and spec.limits.disk_mb is not None
                try:
                    return self.engine.api.create_container(
                        spec.image,
                        command=["infinity"],
                        entrypoint=["sleep"],
                        user="root",
                        working_dir="/",
                        hostname=hostname,
                        labels={LABEL: self.engine.owner.label()},
                        host_config=self._host_config(spec, mode, sized=sized),
                    )
                except sdk().errors.APIError:
                    if not sized:
                        raise
                    self.engine.sized = False

    def lend(self, network: Network) -> tuple[str, dict[str, str]]:
        """A network mode and the proxy settings that go with it, for what is no session, such as a build."""
        spec = Spec(image="", network=network)
        mode, proxies, _ = self.engine.way_out(spec)
        return f"container:{self._relay(spec).container}" if mode == "relay" else mode, proxies

    def _relay(self, spec: Spec) -> _Relay:
        """A relay that no other container uses: one of the same rules that is free, or a new one."""
        rules = (spec.network, spec.hosts)
        with self._lock:
            free = next((relay for relay in self._free if relay.rules == rules), None)
            if free:
                self._free.remove(free)
        route, api = self.engine.index_route, self.engine.api
        if free and free.line.alive:
            free.line.renew()
            return free
        assert route
        with translated("make a relay"):
            container = make_relay(api, route.image, {LABEL: self.engine.owner.label()})
        with self._lock:
            self._containers[container] = None
        self._check()
        with translated("start a relay"):
            connection = start_relay(api, container)
        line = route.exchange.open(connection, route.reach.proxies(spec.network, spec.hosts))
        with self._lock:
            self._lines.append(line)
        return _Relay(container, line, rules)

    def _prepared(self, spec: Spec) -> str:
        """The image with everything that `Session.prepare` writes, for containers that cannot be written later."""
        if spec.image in self._origins:
            return spec.image
        key = (spec.image, spec.user, spec.workdir, spec.sudo, spec.network)
        with self._preparing:
            if key not in self._ready:
                with self.start(replace(spec, read_only=(), tmpfs=())) as session:
                    self._ready[key] = session.snapshot()
                self._origins[self._ready[key]] = self._ready[key]
                self._volumes(spec, self._ready[key])
            return self._ready[key]

    def _volumes(self, spec: Spec, origin: str) -> None:
        for name in volumes(spec, f"{self._id} {origin}"):
            with translated("make a volume"):
                self.engine.api.create_volume(name, labels={LABEL: self.engine.owner.label()})
            with self._lock:
                self._kept.append(name)

    def _host_config(self, spec: Spec, mode: str, *, sized: bool) -> Any:  # noqa: ANN401
        limits = spec.limits
        size = limits.file_mb * 1024 * 1024
        return self.engine.api.create_host_config(
            init=True,
            runtime=self.runtime or None,
            network_mode=mode,
            dns=[NO_NAME_SERVER] if mode == "none" else None,
            mem_limit=f"{limits.memory_mb}m",
            memswap_limit=f"{limits.memory_mb}m",
            shm_size=f"{limits.shared_mb}m",
            nano_cpus=int(min(limits.cpus, self._cpus()) * 1_000_000_000),
            pids_limit=limits.pids,
            security_opt=[] if spec.sudo else ["no-new-privileges"],
            read_only="/" in spec.read_only,
            tmpfs=tmpfs(spec),
            storage_opt={"size": f"{limits.disk_mb}m"} if sized else None,
            mounts=mounts(spec, f"{self._id} {self._origins.get(spec.image, spec.image)}"),
            ulimits=[
                sdk().types.Ulimit(name="fsize", soft=size, hard=size),
                sdk().types.Ulimit(name="core", soft=0, hard=0),
            ],
            log_config=sdk().types.LogConfig(type="none"),
        )

    def _cpus(self) -> float:
        if not hasattr(self, "_cpu_count"):
            with translated("tell how many processors it has"):
                self._cpu_count = float(self.engine.api.info().get("NCPU") or 1)
        return self._cpu_count

    def commit(self, container: str, image: str = "") -> str:
        """Keep a container's file system as an image that lives as long as this pool; returns its id.

        `image` is the one that it began from.
        """
        self._check()
        with translated("keep a snapshot"):
            tag = f"{self._id}-{len(self._images)}"
            made = self.engine.api.commit(container, repository=REPOSITORY, tag=tag)
        kept = str(made["Id"])
        with self._lock:
            self._images.append(f"{REPOSITORY}:{tag}")
            if image in self._origins:
                self._origins[kept] = self._origins[image]
            if image in self.without_bash:
                self.without_bash.add(kept)
        self._check()
        return kept

    def drop(self, container: str) -> None:
        """Remove one container now."""
        with self._lock:
            known = container in self._containers
            relay = self._containers.pop(container, None)
            session = self._sessions.pop(container, None)
        if session:
            session.unwatch(wait=True)
        if known and self.engine.remove_container(container) and relay:
            with self._lock:
                self._free.append(relay)

    def denials(self) -> tuple[str, ...]:
        """`host:port` of what was refused to its containers so far, each once."""
        with self._lock:
            lines = list(self._lines)
        return tuple(dict.fromkeys(denial for line in lines for denial in line.all_denials()))

    def admissions(self) -> tuple[str, ...]:
        """`host:port` of what was let through to its containers so far, each once."""
        with self._lock:
            lines = list(self._lines)
        return tuple(dict.fromkeys(admission for line in lines for admission in line.all_admissions()))

    def close(self) -> None:
        """Remove all containers and snapshots, and let nothing new begin; may be called from any thread."""
        with self._lock:
            self._closed = True
            containers, images = list(self._containers), list(reversed(self._images))
            kept, lines = list(self._kept), list(self._lines)
            sessions = list(self._sessions.values())
            self._sessions.clear()
            self._free.clear()
            self._lines.clear()
            self._containers.clear()
            self._images.clear()
            self._kept.clear()
        for session in sessions:
            session.unwatch(wait=False)
        for line in lines:
            line.close()
        for container in containers:
            self.engine.remove_container(container)
        for image in images:
            self.engine.remove_image(image)
        for volume in kept:
            self.engine.remove_volume(volume)
        for session in sessions:  # whoever still looked would ask an engine that nobody closes any more
            session.unwatch(wait=True)

    def _check(self) -> None:
        if self._closed:
            self.close()
            raise SandboxCancelled(say("container_pool.work_cancelled"))
