"""The Docker engine behind `DOCKER_HOST`: connecting, what it is, and clearing up after those who died."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cases.sentences import Sentences
from sandboxes.errors import EngineUnavailable, ImageUnavailable, SandboxError, translated
from sandboxes.owner import LABEL, Owner
from sandboxes.reach import Reach
from sandboxes.room import Room
from sandboxes.sdk import connected, sdk
from sandboxes.spec import PROXY_VARIABLES, Spec, host_settings
from sandboxes.tunnel import RELAY, Exchange

say = Sentences(__name__)

ANSWER_SECONDS = 10
"""How long the engine may take to answer that it is there."""
CALL_SECONDS = 120


@dataclass(frozen=True)
class IndexRoute:
    """The one way out of a container without a network: a relay beside it, and a proxy that lets it only read."""

    image: str
    """What relays are made of; has Python."""
    reach: Reach
    """What the proxies let through."""
    exchange: Exchange

    def denials(self) -> tuple[str, ...]:
        """`host:port` of what was refused so far, in all containers together."""
        return self.exchange.denials()

    @property
    def authority(self) -> bytes:
        """The certificate that the proxy's clients have to trust, as PEM."""
        return self.reach.authority.pem


@dataclass
class Engine:
    """A connection to one engine; thread-safe as the SDK's client is."""

    client: Any
    owner: Owner = field(default_factory=Owner.here)
    index_route: IndexRoute | None = None
    index_note: str = say("engine.no_filtering_proxy_set")
    """Why there is no `index_route`."""
    shut: bool = False
    """Whether nothing may be reached then: there was to be such a proxy, and it does not work."""
    sized: bool = True
    """Whether the engine may be able to give a container a file system of a certain size; it says so when asked to."""
    _disk: Path | None = None
    _disk_known: bool = False

    @classmethod
    def connect(cls, *, sweep: bool = True) -> "Engine":
        """Connect, see that it answers, and remove what dead sessions left.

        Raises:
            EngineUnavailable: nothing answers; the message holds the remedy.
        """
        with translated("say that it is there"):
            _knock()
            probe = connected(ANSWER_SECONDS)
            try:
                probe.ping()
            finally:
                probe.close()
            client = connected(CALL_SECONDS)
        engine = cls(client)
        try:
            if sweep:
                engine.sweep()
        except BaseException:
            engine.close()
            raise
        return engine

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()

    @property
    def api(self) -> Any:  # noqa: ANN401 - the SDK has no types
        """The SDK's low-level client."""
        return self.client.api

    @property
    def local(self) -> bool:
        """Whether the engine is reached through a socket of this machine."""
        return str(self.api.base_url).startswith(("http+docker://", "unix://", "http+unix://"))

    def sweep(self) -> list[str]:
        """Remove containers, images, volumes and networks whose owner is gone; returns what was removed."""
        with translated("list what earlier sessions left"):
            wanted = {"filters": {"label": LABEL}}
            containers = [(c["Id"], c["Labels"]) for c in self.api.containers(all=True, **wanted)]
            images = [(i["Id"], i["Labels"]) for i in self.api.images(**wanted)]
            volumes = [(v["Name"], v["Labels"]) for v in self.api.volumes(**wanted)["Volumes"] or []]
            networks = [(n["Id"], n["Labels"]) for n in self.api.networks(**wanted)]
        removed = [what for what, labels in containers if _orphan(labels) and self.remove_container(what)]
        removed += [what for what, labels in images if _orphan(labels) and self.remove_image(what)]
        removed += [what for what, labels in volumes if _orphan(labels) and self.remove_volume(what)]
        removed += [what for what, labels in networks if _orphan(labels) and self.remove_network(what)]
        return removed

    def remove_container(self, container: str) -> bool:
        """Remove it and its volumes; True when it is gone through this call."""
        return self._quietly("remove a container", self.api.remove_container, container, force=True, v=True)

    def remove_image(self, image: str) -> bool:
        """Remove it with its layers; True when it is gone through this call."""
        return self._quietly("remove an image", self.api.remove_image, image, force=True)

    def remove_volume(self, volume: str) -> bool:
        """Remove it; True when it is gone through this call."""
        return self._quietly("remove a volume", self.api.remove_volume, volume, force=True)

    def remove_network(self, network: str) -> bool:
        """Remove it; True when it is gone through this call."""
        return self._quietly("remove a network", self.api.remove_network, network)

    def _quietly(self, doing: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:  # noqa: ANN401
        try:
            with translated(doing):
                call(*args, **kwargs)
        except EngineUnavailable:
            raise
        except SandboxError:
            return False  # somebody else removed it first, or still uses it: the next sweep sees it again
        return True

    def identity(self, image: str) -> dict[str, Any]:
        """What an image is: id, layers, digests; local ones have no digest that could be pulled again.

        Raises:
            ImageUnavailable: it is not on this engine.
        """
        try:
            with translated(f"inspect the image {image}"):
                found = self.api.inspect_image(image)
        except EngineUnavailable:
            raise
        except SandboxError as error:
            raise ImageUnavailable(say("engine.image_not_docker_engine", image=image)) from error
        digests = found.get("RepoDigests") or []
        return {
            "image": image,
            "id": found["Id"],
            "layers": found["RootFS"].get("Layers", []),
            "digests": digests,
            "pullable": "re-pullable" if digests else "not re-pullable",
            "made": (found["Config"].get("Labels") or {}).get("impassable.origin", "unknown"),
            "architecture": found.get("Architecture", ""),
        }

    def export(self, image: str, target: Path) -> int:
        """Write an image that this program made to a file that `docker load` takes; its size in bytes.

        Raises:
            ImageUnavailable: it is not on this engine, or somebody else made it, so that it is not ours to hand out.
            OSError: the file cannot be written.
        """
        if self.identity(image)["made"] == "unknown":
            raise ImageUnavailable(say("engine.image_not_made_program", image=image))
        part = target.with_name(f"{target.name}.part")
        try:
            with translated(f"export the image {image}"), part.open("wb") as file:
                size = sum(file.write(piece) for piece in self.api.get_image(image))
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return size

    def starts(self, image: str) -> tuple[str, ...]:
        """The words of what an image runs when nobody says otherwise.

        Raises:
            SandboxError: it cannot be inspected.
        """
        with translated(f"inspect the image {image}"):
            made = self.api.inspect_image(image)["Config"]
        return (*(made.get("Entrypoint") or ()), *(made.get("Cmd") or ()))

    def versions(self) -> dict[str, str]:
        """The engine's own versions, for the record."""
        with translated("tell its version"):
            info = self.api.info()
        names = ("ServerVersion", "Driver", "CgroupVersion", "KernelVersion", "OperatingSystem", "DefaultRuntime")
        return {name: str(info.get(name, "")) for name in names}

    def room(self, inside: Callable[[], Room | None]) -> Room | None:
        """What is left of the disk that containers share; `inside` tells what one of them sees of it.

        Where that is a disk of this machine, no container has to be asked again.
        """
        if not self._disk_known:
            with translated("tell its directory"):
                root = Path(str(self.api.info().get("DockerRootDir") or "/"))
            told = inside()
            self._disk = root if self.local and told and told.same(Room.below(root)) else None
            self._disk_known = True
        return Room.below(self._disk) if self._disk else inside()

    def glance(self) -> Room | None:
        """The same where it costs nothing: on a disk of this machine, once that is known."""
        return Room.below(self._disk) if self._disk else None

    def way_out(self, spec: Spec) -> tuple[str, dict[str, str], str]:
        """Network mode, proxy environment and description for the network that a specification asks for.

        The mode `relay` stands for a container that lends its network.
        """
        if spec.network == "none":
            return "none", {}, "none"
        if self.index_route:
            proxy = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), RELAY)
            proxy |= dict.fromkeys(("no_proxy", "NO_PROXY"), "localhost,127.0.0.1,::1")
            return "relay", proxy, self.index_route.reach.told(spec.network, spec.hosts)
        if self.shut:
            return "none", {}, f"none: {self.index_note}"
        proxy = host_settings(PROXY_VARIABLES)
        if spec.network != "open":
            return "bridge", proxy, f"bridge (not filtered): {self.index_note}"
        return "bridge", proxy, "bridge, open"


def _knock() -> None:
    """Fail on a dead Unix socket before the SDK does, which would leave its own socket open."""
    scheme, _, path = sdk().utils.parse_host(os.environ.get("DOCKER_HOST") or None).partition("://")
    if scheme.endswith("unix"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knock:
            knock.settimeout(ANSWER_SECONDS)
            knock.connect(path)


def _orphan(labels: dict[str, str] | None) -> bool:
    owner = Owner.parse((labels or {}).get(LABEL, ""))
    return owner is not None and owner.gone()
