"""Images made here: from a Dockerfile, or from another image by running commands in it; both kept by their digest."""

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from cases import patterns as re
from cases.sentences import Sentences
from sandboxes.capture import LIMITED
from sandboxes.container_pool import ContainerPool
from sandboxes.deadlines import each_within
from sandboxes.engine import Engine
from sandboxes.errors import ImageUnavailable, translated
from sandboxes.images.base import REPOSITORY, Tell, ensure_base, one_at_a_time, pulled, there
from sandboxes.images.watched import BUILD, watched
from sandboxes.indexes import index_access
from sandboxes.owner import LABEL
from sandboxes.packing import TooLarge, pack_tree
from sandboxes.session import Session
from sandboxes.spec import Limits, Spec

say = Sentences(__name__)

BUILT = "impassable/built"
EXTENDED = "impassable/extended"
FROM_FILE = "dockerfile:"
"""Before a path, where a name of an image may be given."""
CONTEXT_BYTES = 500_000_000
BUILD_SECONDS = 1800
NAME = "impassable.dockerfile"
"""Of the Dockerfile in its context, whatever it was called."""


def silent(_: str) -> None:
    """Say nothing."""


def ensure_image(engine: Engine, name: str, tell: Tell = silent, *, offline: bool = False) -> str:
    """The image that a profile names: the base image, `dockerfile:PATH`, one of the engine's, or one to be pulled.

    `offline` nothing is pulled, and what is built has no network meanwhile.

    Raises:
        ImageUnavailable: it cannot be had.
        EngineUnavailable: the engine went away.
    """
    if name == REPOSITORY:
        return ensure_base(engine, tell)
    if name.startswith(FROM_FILE):
        return ensure_built(engine, Path(name.removeprefix(FROM_FILE)), tell, offline=offline)
    if not there(engine, name) and (offline or not pulled(engine, name, tell)):
        raise ImageUnavailable(say("images.derived.image_not_docker_engine", name=name, repository=REPOSITORY))
    return name


REMOVED = "unable to find image"
"""What the engine says of a cached step that somebody else removed while it built on it: the next build begins anew."""


def ensure_built(
    engine: Engine, dockerfile: Path | str, tell: Tell = silent, *, offline: bool = False, limits: Limits = BUILD
) -> str:
    """The image of a Dockerfile, given as a path (its directory is the context) or as text (there is none).

    `FROM impassable/base` means the base image of this version. Returns the name, which changes with the Dockerfile
    and everything beside it.

    Raises:
        ImageUnavailable: it cannot be read or built; says at which step and why.
        EngineUnavailable: the engine went away.
    """
    what = str(dockerfile) if isinstance(dockerfile, Path) else "the Dockerfile"
    with tempfile.TemporaryFile() as context:
        try:
            text = dockerfile.read_text(encoding="utf-8") if isinstance(dockerfile, Path) else dockerfile
            if isinstance(dockerfile, Path):
                pack_tree(dockerfile.parent, "", (0, 0), CONTEXT_BYTES, context)
        except (OSError, UnicodeDecodeError, TooLarge) as error:
            raise ImageUnavailable(say("images.derived.cannot_built", what=what, error=error)) from error
        text = re.sub(rf"(?im)^(FROM\s+){REPOSITORY}(?=\s|$)", lambda found: found[1] + ensure_base(engine, tell), text)
        tag = f"{BUILT}:{_digest(text.encode(), context)}"
        with one_at_a_time(tag):
            if not there(engine, tag):
                tell(say("images.derived.building", tag=tag, what=what))
                with _network(engine, tell, offline=offline) as way:
                    try:
                        _build(engine, tag, text, context, what, way, limits)
                    except ImageUnavailable as error:
                        if REMOVED not in str(error):
                            raise
                        _build(engine, tag, text, context, what, way, limits)
    return tag


@contextmanager
def _network(engine: Engine, tell: Tell, *, offline: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """What a build may reach: the web at public addresses, by way of our proxy; somebody else wrote its steps.

    It is the network of a container of ours, by which its steps are known.
    """
    base = ensure_base(engine, tell)
    access = nullcontext() if offline or engine.index_route else index_access(engine, base)
    with access, ContainerPool(engine) as containers, containers.start(Spec(image=base)) as alone:
        mode, proxies = ("none", dict[str, str]()) if offline else containers.lend("open")
        yield f"container:{alone.container}" if mode == "none" else mode, proxies


def ensure_extended(engine: Engine, base: str, commands: Sequence[str], tell: Tell = silent) -> str:
    """The image that `base` becomes when root runs commands in it, with access to the package indexes.

    Returns the name, which changes with the base image and the commands.

    Raises:
        ImageUnavailable: the base image is not there, or a command failed; says which, with the end of its output.
        EngineUnavailable: the engine went away.
    """
    tag = _extended(engine, base, commands)
    with one_at_a_time(tag):
        if there(engine, tag):
            return tag
        tell(say("images.derived.making", tag=tag, base=base))
        access = nullcontext() if engine.index_route else index_access(engine, ensure_base(engine, tell))
        spec = Spec(image=base, network="indexes", user="root", workdir="/root", limits=Limits(disk_mb=None))
        with access, ContainerPool(engine) as containers, containers.start(spec) as session:
            for command in commands:
                tell(command.splitlines()[0][:120])
                _run(session, command, tag)
            _commit(engine, session.container, base, tag)
    return tag


def made_extended(engine: Engine, base: str, commands: Sequence[str]) -> str:
    """The image that `ensure_extended` has made earlier, without any network.

    Raises:
        ImageUnavailable: it, or the base image, is not there.
        EngineUnavailable: the engine went away.
    """
    tag = _extended(engine, base, commands)
    engine.identity(tag)
    return tag


def _extended(engine: Engine, base: str, commands: Sequence[str]) -> str:
    origin = engine.identity(base)["id"]
    return f"{EXTENDED}:{hashlib.sha256(json.dumps([origin, *commands]).encode()).hexdigest()[:12]}"


def _digest(text: bytes, context: BinaryIO) -> str:
    digest = hashlib.sha256(text)
    context.seek(0)
    while piece := context.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()[:12]


def _build(
    engine: Engine,
    tag: str,
    text: str,
    context: BinaryIO,
    what: str,
    way: tuple[str, dict[str, str]],
    limits: Limits,
) -> None:
    network, proxies = way
    filled = context.seek(0, io.SEEK_END) > 0
    context.seek(0)
    with tarfile.open(fileobj=context, mode="a" if filled else "w") as archive:
        entry = tarfile.TarInfo(NAME)
        entry.size = len(text.encode())
        archive.addfile(entry, io.BytesIO(text.encode()))
    context.seek(0)
    with translated(f"build {tag}"), watched(engine, network, limits) as watch:
        steps = engine.api.build(
            fileobj=context,
            custom_context=True,
            dockerfile=NAME,
            tag=tag,
            buildargs=proxies,
            labels={"impassable.origin": "dockerfile"},
            network_mode=network,
            container_limits=dict.fromkeys(("memory", "memswap"), limits.memory_mb * 1024**2),
            rm=True,
            forcerm=True,
            decode=True,
            timeout=BUILD_SECONDS,
        )
        step = ""
        for told in each_within(BUILD_SECONDS, steps):
            if "error" in told:
                taken = watch.exceeded
                why = say("images.derived.step_took_more_than", limited=LIMITED[taken]) if taken else str(told["error"])
                raise ImageUnavailable(say("images.derived.could_not_built", what=what, why=why[:300], step=step[:200]))
            said = str(told.get("stream", "")).strip()
            step = said if said.startswith("Step ") else step


def _run(session: Session, command: str, tag: str) -> None:
    done = session.run(command, seconds=BUILD_SECONDS)
    if not done.ok:
        last = " ".join(done.output.strip().splitlines()[-3:])[-300:]
        raise ImageUnavailable(
            say("images.derived.could_not_made_ended", tag=tag, command=command[:120], how=done.how, last=last)
        )


def _commit(engine: Engine, container: str, base: str, tag: str) -> None:
    """Keep it with the settings of the image it came from, and as nobody's: it outlives this process."""
    repository, _, version = tag.partition(":")
    with translated("keep an image"):
        config = engine.api.inspect_image(base)["Config"]
        changes = [
            f"ENTRYPOINT {json.dumps(config.get('Entrypoint') or [])}",
            f"CMD {json.dumps(config.get('Cmd') or [])}",
            f"WORKDIR {config.get('WorkingDir') or '/'}",
            f"USER {config.get('User') or 'root'}",
            f"LABEL {LABEL}= impassable.origin=extended",
        ]
        engine.api.commit(container, repository=repository, tag=version, changes=changes)
