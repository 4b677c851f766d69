"""Where no container here can have a place as the run had it, what else is known of the run's machine still holds."""

import posixpath
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from cases import patterns as re
from probes.model import Envelope
from sandboxes import EngineUnavailable, SandboxCancelled, SandboxError, Spec

if TYPE_CHECKING:
    from sandboxes import ContainerPool


def startable(containers: "ContainerPool", spec: Spec, envelope: Envelope) -> tuple[Spec, tuple[str, ...]]:
    """The specification without the observed places that keep a container from starting, and these places.

    Raises:
        SandboxError: it does not start without them either.
    """
    seen = _observed(spec, envelope)
    if not seen or _starts(containers, spec):
        return spec, ()
    kept = _without(spec, seen)
    containers.start(kept).close()
    left: list[str] = []
    for place in seen:
        more = _without(spec, [*left, *seen[seen.index(place) :][1:]])
        if not _starts(containers, more):
            left.append(place)
    return _without(spec, left), tuple(left)


def bears_on(place: str, texts: Iterable[str], workdir: str) -> bool:
    """Whether texts name a place, something in it, or a directory that it lies in."""
    words = (word for text in texts for word in re.findall(r"[\w./+-]+", text))
    paths = {posixpath.normpath(posixpath.join(workdir, word)) for word in words} - {"/", workdir}
    return any(_below(path, place) or _below(place, path) for path in paths)


def _observed(spec: Spec, envelope: Envelope) -> list[str]:
    """Places that the run's own records show to be read-only, or mounted otherwise than usual."""
    mounted = envelope.tmpfs.origin == "observed" or envelope.mounts.origin == "observed"
    places = [*(spec.read_only if envelope.read_only.origin == "observed" else ())]
    places += [text.partition(":")[0] for text in spec.tmpfs] if mounted else []
    return list(dict.fromkeys(places))


def _without(spec: Spec, places: Iterable[str]) -> Spec:
    left = {*places}
    return replace(
        spec,
        read_only=tuple(path for path in spec.read_only if path not in left),
        tmpfs=tuple(text for text in spec.tmpfs if text.partition(":")[0] not in left),
    )


def _starts(containers: "ContainerPool", spec: Spec) -> bool:
    try:
        containers.start(spec).close()
    except (EngineUnavailable, SandboxCancelled):
        raise
    except SandboxError:
        return False
    return True


def _below(path: str, top: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(f"{top.rstrip('/')}/")
