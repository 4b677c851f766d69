"""The machine in which a task's solution is run: the task's own image, inside what the agent had."""

import asyncio
import posixpath
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cases.folders import TaskFolder
from cases.sentences import Sentences
from probes.contract import ProbeContext
from probes.envelope import startable
from probes.model import Envelope
from sandboxes import ContainerPool, Engine, Limits, Spec
from sandboxes.errors import translated
from sandboxes.images import FROM_FILE, ensure_base, ensure_image
from sandboxes.indexes import index_route
from sandboxes.tracing import Tracer, ensure_tracer

say = Sentences(__name__)

MEMORY_SHARE = 0.6
"""Of the engine's memory, what one container may have."""
_KNOWN = ("user", "network")
"""What must be known of the agent's means before a failure says anything; its image is the task's."""
_WAITING = frozenset({"sleep", "sh", "bash", "tini", "dumb-init", "env"})
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Box:
    """Everything that one run needs."""

    context: ProbeContext
    engine: Engine
    containers: ContainerPool
    task: TaskFolder
    spec: Spec
    tracer: Tracer | None
    end: float
    """On the monotonic clock."""
    closed: bool
    """Whether the task's own files forbid any network, so that what cannot be reached is the task's doing."""
    identity: dict[str, Any]
    unlike: tuple[str, ...] = ()
    """In what it is not the task's own machine with the agent's own means; clauses."""
    limits: list[str] = field(default_factory=list)


@asynccontextmanager
async def engine_for(*, offline: bool, tell: Tell) -> AsyncIterator[Engine]:
    """An engine, with the way to the package indexes unless the audit stays offline.

    Raises:
        EngineUnavailable: no engine answers.
    """
    engine = await asyncio.to_thread(Engine.connect)
    try:
        if offline:
            yield engine
        else:
            async with index_route(engine, await asyncio.to_thread(ensure_base, engine, tell)):
                yield engine
    finally:
        await asyncio.to_thread(engine.close)


def box_of(context: ProbeContext, engine: Engine, containers: ContainerPool, task: TaskFolder, end: float) -> Box:
    """The image, made or pulled where it is not there, and what a container of it may do.

    Raises:
        ImageUnavailable: it cannot be had.
    """
    envelope = context.envelope
    own = _own_image(task)
    image = ensure_image(engine, own or _image_of(envelope), context.say, offline=context.settings.offline)
    with translated("inspect the task's image"):
        config = engine.api.inspect_image(image)["Config"]
    user = str(config.get("User") or "root").partition(":")[0] if own else _stand_in(envelope)
    limits: list[str] = []
    spec = Spec(
        image=image,
        network="none" if context.settings.offline else envelope.network.value,
        user="root" if user == "0" else user,
        workdir=str(config.get("WorkingDir") or "/") if own else envelope.workdir.value,
        sudo=envelope.sudo.value,
        tmpfs=envelope.tmpfs.value,
        read_only=envelope.read_only.value,
        limits=Limits(memory_mb=_memory(engine, envelope, limits), cpus=envelope.cpus.value),
        env=dict(task.machine.env),
    )
    spec, left_out = startable(containers, spec, envelope)
    return Box(
        context=context,
        engine=engine,
        containers=containers,
        task=task,
        spec=spec,
        tracer=_tracer(context, engine, limits),
        end=end,
        closed=task.machine.network == "none" and envelope.network.value == "none",
        identity=engine.identity(image),
        unlike=(
            *_unlike(task, envelope, config, spec, own=bool(own)),
            *(say("machine.not_run", p=p) for p in left_out),
        ),
        limits=limits,
    )


def _own_image(task: TaskFolder) -> str | None:
    machine = task.machine
    return f"{FROM_FILE}{machine.dockerfile}" if machine.dockerfile else machine.image


def _image_of(envelope: Envelope) -> str:
    return f"{FROM_FILE}{envelope.dockerfile.value}" if envelope.dockerfile.value else envelope.image.value


def _stand_in(envelope: Envelope) -> str:
    return "root" if envelope.user.value == "root" else "agent"


def _memory(engine: Engine, envelope: Envelope, limits: list[str]) -> int:
    with translated("tell how much memory it has"):
        room = round(int(engine.api.info().get("MemTotal") or 0) * MEMORY_SHARE / 1024**2)
    wanted = envelope.memory_mb.value
    if wanted > room:
        limits.append(say("machine.container_here_mb", room=room, wanted=wanted))
    return min(wanted, room)


def _tracer(context: ProbeContext, engine: Engine, limits: list[str]) -> Tracer | None:
    from sandboxes import ImageUnavailable  # noqa: PLC0415 - its only use

    try:
        return ensure_tracer(engine, context.say, offline=context.settings.offline)
    except ImageUnavailable as error:
        limits.append(say("machine.facts_failure_could", error=error))
        return None


def _waits(entry: list[str]) -> bool:
    """Whether an entry point starts nothing of its own."""
    words = [posixpath.basename(word) for word in entry]
    return not words or (words[0] in _WAITING and all(word.startswith("-") for word in words[1:]))


def _unlike(task: TaskFolder, envelope: Envelope, config: dict[str, Any], spec: Spec, *, own: bool) -> list[str]:
    told = [say("machine.assumed", name=name) for name in _KNOWN if getattr(envelope, name).origin == "assumed"]
    if not own:
        told.append(say("machine.image_not_one"))
    if own and not _waits(config.get("Entrypoint") or []):
        told.append(say("machine.image_entry_point"))
    if task.machine.beside:
        told.append(say("machine.not_run_here", beside=task.machine.beside))
    if envelope.user.origin == "observed" and (envelope.user.value == "root") != (spec.user == "root"):
        told.append(say("machine.run_user_image", value=envelope.user.value, user=spec.user))
    if spec.user != "root" and not spec.sudo:
        told.append(say("machine.container_here_not"))
    memory = envelope.memory_mb
    if memory.origin != "assumed" and memory.value > spec.limits.memory_mb:
        told.append(say("machine.less_memory_here"))
    return told
