"""A workbench: every container and snapshot of one piece of work, gone when it is done."""

import contextlib
import threading
import uuid
from types import TracebackType
from typing import Any

from sandboxes.engine import Engine
from sandboxes.errors import SandboxCancelled, SandboxError, translated
from sandboxes.owner import LABEL
from sandboxes.sdk import sdk
from sandboxes.session import Session
from sandboxes.spec import Spec

REPOSITORY = "impassable/snapshot"


class Bench:
    """Starts sessions and removes them, also when it is closed from another thread in the middle of the work."""

    def __init__(self, engine: Engine) -> None:
        """Work on `engine`."""
        self.engine = engine
        self._id = uuid.uuid4().hex[:12]
        self._lock = threading.Lock()
        self._containers: dict[str, None] = {}
        self._images: list[str] = []
        self._closed = False

    def __enter__(self) -> "Bench":
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
        mode, proxies, effective = self.engine.way_out(spec)
        with translated("make a container"):
            made = self.engine.api.create_container(
                spec.image,
                command=["infinity"],
                entrypoint=["sleep"],
                user="root",
                working_dir="/",
                hostname="sandbox",
                labels={LABEL: self.engine.owner.label()},
                network_disabled=mode == "none",
                host_config=self._host_config(spec, mode),
            )
        container = str(made["Id"])
        with self._lock:
            self._containers[container] = None
        self._check()
        with translated("start a container"):
            self.engine.api.start(container)
        session = Session(self, container, spec, {**proxies, **spec.env}, effective)
        session.prepare()
        return session

    def _host_config(self, spec: Spec, mode: str) -> Any:  # noqa: ANN401 - the SDK has no types
        limits = spec.limits
        size = limits.file_mb * 1024 * 1024
        return self.engine.api.create_host_config(
            init=True,
            network_mode=mode,
            mem_limit=f"{limits.memory_mb}m",
            memswap_limit=f"{limits.memory_mb}m",
            nano_cpus=int(min(limits.cpus, self._cpus()) * 1_000_000_000),
            pids_limit=limits.pids,
            security_opt=[] if spec.sudo else ["no-new-privileges"],
            tmpfs=dict(_mount(text) for text in spec.tmpfs),
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

    def commit(self, container: str) -> str:
        """Keep a container's file system as an image that lives as long as this bench; returns its id."""
        self._check()
        with translated("keep a snapshot"):
            tag = f"{self._id}-{len(self._images)}"
            made = self.engine.api.commit(container, repository=REPOSITORY, tag=tag)
        image = str(made["Id"])
        with self._lock:
            self._images.append(f"{REPOSITORY}:{tag}")
        self._check()
        return image

    def drop(self, container: str) -> None:
        """Remove one container now."""
        with self._lock:
            known = container in self._containers
            self._containers.pop(container, None)
        if known:
            self.engine.remove_container(container)

    def close(self) -> None:
        """Remove all containers and snapshots, and let nothing new begin; may be called from any thread."""
        with self._lock:
            self._closed = True
            containers, images = list(self._containers), list(reversed(self._images))
            self._containers.clear()
            self._images.clear()
        for container in containers:
            self.engine.remove_container(container)
        for image in images:
            self.engine.remove_image(image)

    def _check(self) -> None:
        if self._closed:
            self.close()
            raise SandboxCancelled("the work was cancelled")


def _mount(text: str) -> tuple[str, str]:
    path, _, options = text.partition(":")
    return path, options
