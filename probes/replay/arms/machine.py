"""The machine on which a run's commands are repeated, as its profile and its record tell."""

from cases.sentences import Sentences
from probes.envelope import startable
from probes.model import Envelope
from probes.replay.resources.run import ReplayRun
from probes.replay.restore.extending import extended, reduced
from probes.replay.target.model import user_of
from sandboxes import Limits, Spec
from sandboxes.images import FROM_FILE

say = Sentences(__name__)


def machine(work: ReplayRun) -> str:
    """Puts what its containers are started with into `work.spec`; the image without what was put into it for the run.

    Raises:
        ImageUnavailable: the image cannot be had.
        SandboxError: the engine failed.
    """
    envelope = work.context.envelope
    image = work.shop.image(image_name(envelope), work.context.say)
    spec = _specification(work, extended(work, image))
    spec, work.outcome.left_out = startable(work.containers, spec, envelope)
    work.spec = reduced(work, spec)
    return image


def image_name(envelope: Envelope) -> str:
    return f"{FROM_FILE}{envelope.dockerfile.value}" if envelope.dockerfile.value else envelope.image.value


def _specification(work: ReplayRun, image: str) -> Spec:
    envelope, subject = work.context.envelope, work.subject
    user = user_of(envelope)
    if envelope.user.value != user:
        work.outcome.limits.append(say("machine.run_user_replayed", value=envelope.user.value, user=user))
    return Spec(
        image=image,
        network="none" if work.context.settings.offline else envelope.network.value,
        hosts=work.context.case.task.sites if envelope.network.value == "task" else (),
        user=user,
        workdir=subject.cwd if subject.cwd and subject.cwd.startswith("/") else envelope.workdir.value,
        sudo=envelope.sudo.value,
        tmpfs=(*envelope.tmpfs.value, *unmentioned(envelope)),
        read_only=outermost(envelope.read_only.value),
        limits=subject.handler.within(Limits(memory_mb=_memory(work), cpus=envelope.cpus.value), envelope),
    )


def _memory(work: ReplayRun) -> int:
    """The run's, as far as this machine can give it."""
    wanted, room = work.context.envelope.memory_mb.value, work.shop.memory_room()
    if wanted > room:
        work.outcome.limits.append(say("machine.container_here_mb", room=room, wanted=wanted))
    return min(wanted, room)


def outermost(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Without those below another: nothing can be mounted in what is read-only already."""
    bare = {path: path.rstrip("/") for path in paths}
    return tuple(
        path for path, own in bare.items() if not any(own != of and own.startswith(f"{of}/") for of in bare.values())
    )


def unmentioned(envelope: Envelope) -> tuple[str, ...]:
    """Mounts on which nothing can be run and that the profile does not have: a tmpfs as Docker mounts it is one."""
    known = {text.partition(":")[0] for text in envelope.tmpfs.value}
    return tuple(f"{path}:mode=1777" for path in envelope.noexec if path not in known)
