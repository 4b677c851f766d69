"""Which fact ended a command: the one without which it gets past its failure, tried, not read."""

from collections.abc import Sequence
from dataclasses import replace

from cases.sentences import Sentences
from probes.barriers import Lift
from probes.barriers.measured import DEVICES
from probes.replay.arms.going_on import works_later
from probes.replay.arms.measuring import ends_otherwise, gone, past, speaks_otherwise, traced_in
from probes.replay.resources.log import Log
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import short
from probes.replay.target.contradictions import CONTRADICT, left_out
from probes.replay.target.data_state import stand_in
from sandboxes import Limits, SandboxError, Session, Spec
from sandboxes.tracing import Fact, Traced
from sandboxes.tracing.listening import listener
from sandboxes.tracing.minimal import MinimalLift, minimal_lifts

say = Sentences(__name__)

MOST = 3
"""Facts that are tried, each in a container of its own."""
SECONDS = 60
ROOMY_MB = 4096
"""Of shared memory, where its want is taken away."""
_GRANTED = frozenset({"denied", "read-only", "no space", "service missing", "service denied", "not permitted"})
"""Kinds whose lift puts nothing in the way of what worked before; an empty stand-in may."""


def settle(work: ReplayRun, command: str, telling: Sequence[Fact], unnamed: Sequence[Fact]) -> Fact | None:
    """The first fact that makes the difference; one that nothing empty can stand in for counts where it tells itself.

    Of one that nobody printed more is asked: a stand-in is no real thing and may bring new failures of its own, so the
    command must then work; where only rights were given, a device, or a whole series of files, it must end otherwise
    and say otherwise.
    """
    tried = 0
    for fact in (*telling, *unnamed):
        forms = least_for(fact)
        if not forms and fact in telling:
            return fact
        if not forms or tried == MOST:
            continue
        tried += 1
        if any(_makes_the_difference(work, least, command, strict=fact not in telling) for least in forms):
            return fact
    return None


def least_for(fact: Fact) -> tuple[MinimalLift, ...]:
    """What takes this one fact away, and nothing else, in each form that it may have."""
    if fact.kind in {"data damaged", "data sealed"}:
        least = stand_in(fact)
        return (least,) if least else ()
    return left_out(fact) or minimal_lifts(fact)


def _makes_the_difference(work: ReplayRun, least: MinimalLift, command: str, *, strict: bool) -> bool:
    log, decisive = Log("replay-settling"), work.outcome.decisive
    try:
        with work.containers.start(spared(work.spec, least, work)) as session:
            traced = without(work, session, log, least, command, SECONDS)
            passes = traced is not None and passes_without(work, session, log, least, traced, command)
    except SandboxError as error:
        work.observe(f"without it: {least.fact}", say("settling.could_not_tried", error=error), None, work.keep(log))
        return False
    if traced is None or decisive is None:
        told, made = say("settling.nothing_could_stand"), False
    else:
        made = passes or (gone(least.fact, traced.facts) and _past(work, least.fact, traced, strict=strict))
        work.outcome.behind = traced.facts if made else ()
        told = say(
            "settling.same_command_ended",
            how=traced.done.how,
            further=say("settling.past") if made else say("settling.no_further"),
        )
    work.context.say(f"without {least.fact}: {told}")
    work.observe(f"without it: {least.fact}", told, None, work.keep(log))
    return made


def passes_without(
    work: ReplayRun, session: Session, log: Log, least: MinimalLift, traced: Traced, command: str
) -> bool:
    """Whether checks of which a case is left out pass, if need be after what the run did later to pass them."""
    return least.fact.kind == CONTRADICT and (traced.done.ok or works_later(work, session, log, command))


def _past(work: ReplayRun, fact: Fact, traced: Traced, *, strict: bool) -> bool:
    decisive = work.outcome.decisive
    if fact.kind == CONTRADICT:
        return False
    if decisive is None or not strict:
        return past(work.outcome, traced)
    if traced.done.ok and not decisive.done.ok:
        return True
    otherwise = ends_otherwise(decisive.done, traced) and speaks_otherwise(work.outcome, traced)
    granted = fact.kind in _GRANTED or bool(fact.kin) or fact.subject.startswith(DEVICES)
    return granted and otherwise


def without(
    work: ReplayRun, session: Session, log: Log, least: MinimalLift, command: str, seconds: float
) -> Traced | None:
    """The command traced where nothing but one fact was taken away; None where it could not be, as the log says.

    Raises:
        SandboxError: the container is gone.
    """
    failed = work.steps(session, log, least.commands, "", COMMAND_SECONDS, user="root")
    if failed:
        log.note(say("settling.no_stand_in", command=short(failed.command), how=failed.how))
        return None
    traced = traced_in(work, session, command, seconds, granted=least.granted)
    for place in _unanswered(work, least.fact, traced):
        work.steps(session, log, listener(place), "", COMMAND_SECONDS, user="root")
        traced = traced_in(work, session, command, seconds)
    log.note(say("like_named.traced", how=traced.done.how, output=traced.done.output[-2000:]))
    return traced


def _unanswered(work: ReplayRun, fact: Fact, traced: Traced) -> list[str]:
    """Where the command then calls a host whose name leads to this machine now, and nobody answers."""
    known = {one.key for one in work.outcome.facts}
    return [
        one.subject
        for one in traced.facts
        if fact.kind == "host unresolved" and one.kind == "service missing" and one.key not in known
    ]


def spared(spec: Spec, way: MinimalLift | Lift, work: ReplayRun) -> Spec:
    """The container without the limits or mounts that the barrier comes from."""
    if way.plain_mounts:
        roomy = replace(spec.limits, disk_mb=Limits().disk_mb, shared_mb=ROOMY_MB)
        spec = replace(spec, tmpfs=(), read_only=(), limits=roomy)
    if way.memory > 1:
        more = min(round(spec.limits.memory_mb * way.memory), work.shop.memory_room())
        spec = replace(spec, limits=replace(spec.limits, memory_mb=max(more, spec.limits.memory_mb)))
    return spec
