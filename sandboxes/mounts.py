"""What lies over a container's file system: its tmpfs, and read-only directories that keep what the image has."""

import hashlib
import shlex
from typing import Any

from cases import patterns as re
from sandboxes.sdk import sdk
from sandboxes.spec import HELD, Spec

SCRATCH = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - paths in containers
"""Stay writable where everything else is read-only."""


def tmpfs(spec: Spec) -> dict[str, str]:
    """Mount points with their options."""
    mounts = dict(_parted(text) for text in spec.tmpfs)
    if "/" in spec.read_only:
        for path in SCRATCH:
            if path not in spec.read_only:
                mounts.setdefault(path, "exec,mode=1777")
    return mounts


def with_mode(text: str, mode: str | None) -> str:
    """A mount as `docker run --tmpfs` takes it, with the mode where there is one to tell."""
    path, options = _parted(text)
    return f"{path}:{','.join(filter(None, (options, f'mode={mode}')))}" if mode else text


def modes(spec: Spec) -> str:
    """Commands that give every tmpfs the mode that was asked for.

    The runtime gives it that of the directory below instead, where there is one: in a fork, or after a restart.
    """
    found = ((path, re.search(r"(?:^|,)mode=([0-7]+)", options)) for path, options in tmpfs(spec).items())
    return "\n".join(f"chmod {mode[1]} {shlex.quote(path)}" for path, mode in found if mode)


def volumes(spec: Spec, origin: str) -> list[str]:
    """Names of the volumes that `mounts` needs; those of one `origin` (an image) hold the same."""
    return [volume_name(origin, path) for path in _frozen(spec)]


def volume_name(origin: str, path: str) -> str:
    """Two benches never share one: `origin` differs between them."""
    return f"impassable-{hashlib.sha256(f'{origin} {path}'.encode()).hexdigest()[:24]}"


def mounts(spec: Spec, origin: str) -> list[Any]:
    """Volumes that the engine fills from the image when they are empty, and mounts read-only.

    A bind mount of a container's own directory needs privileges; this needs none.
    """
    mount = sdk().types.Mount
    made = [
        mount(target=path, source=volume_name(origin, path), type="volume", read_only=True) for path in _frozen(spec)
    ]
    return made + [mount(target=path, source=None, type="volume") for path in kept_open(spec)]


def kept_open(spec: Spec) -> list[str]:
    """Directories that need a volume of their own to stay writable."""
    opened = [HELD] if any(_below(HELD, path) for path in spec.read_only) else []
    frozen = any(_below(spec.workdir, path) for path in _frozen(spec))
    if "/" in spec.read_only and not frozen and not any(_below(spec.workdir, path) for path in tmpfs(spec)):
        opened.append(spec.workdir)
    return opened


def beyond_copy(spec: Spec, path: str) -> bool:
    """Whether the engine's own copying does not reach a path: on a tmpfs, or on a read-only file system."""
    return "/" in spec.read_only or any(_below(path, mounted) for mounted in tmpfs(spec))


def _frozen(spec: Spec) -> list[str]:
    return [path for path in spec.read_only if path != "/"]


def _below(path: str, top: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{top.rstrip('/')}/")


def _parted(text: str) -> tuple[str, str]:
    path, _, options = text.partition(":")
    return path, options
