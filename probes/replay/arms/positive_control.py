"""The barrier removed, as nobody on the benchmark could; the command must then succeed."""

import posixpath
import shlex
from dataclasses import replace

from cases import patterns as re
from cases.failing import exception_in
from cases.sentences import Sentences
from probes.barriers import Lift
from probes.model import Barrier
from probes.replay.arms.difference import makes_none
from probes.replay.arms.feeding import feeds
from probes.replay.arms.going_on import go_on
from probes.replay.arms.hollow import try_empty
from probes.replay.arms.measuring import gone, past
from probes.replay.arms.settling import least_for, passes_without, spared, without
from probes.replay.handlers.network import AWAY
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Lifted
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import short
from probes.replay.routes.ladder import goal_of, lifts_for
from probes.replay.target.symptom import refused_by_us
from sandboxes import Executed, Network, Session, Spec
from sandboxes.tracing import Traced
from sandboxes.tracing.minimal import MinimalLift

say = Sentences(__name__)

_OWNERS = {"uid": "-o", "gid": "-g"}
"""Options of a tmpfs that say whose it is, and those of install(1)."""
_OF_DATA = frozenset({Barrier.MISSING_DATA, Barrier.DAMAGED_DATA, Barrier.SEALED_DATA, Barrier.INCOMPLETE_DATA})
"""Barriers whose stand-in is empty, and tells nothing of what reads it."""
_STUBS = frozenset({"program missing", "program unfit", "module missing"})
MINIMAL = 2
"""Facts that are taken away, the likeliest first, each in a container of its own."""


def lift(work: ReplayRun, command: str) -> None:
    """Try the ways to remove it until one does; with the barrier back in place, the command must fail again."""
    _lift(work, command)
    lifted = work.outcome.lifted
    if lifted and (lifted.worked or lifted.gone) and _comes_and_goes(work, command):
        told = say("positive_control.comes_and_goes")
        work.outcome.lifted = replace(lifted, worked=False, gone=False, observed=told)
        work.observe(say("positive_control.removed", way=lifted.way), told, None, None)


def _comes_and_goes(work: ReplayRun, command: str) -> bool:
    """Whether the command now works without anything removed: what removed it may have been the time."""
    log = Log("replay-again")
    with work.containers.start(work.spec) as session:
        done = run(session, log, command, work.seconds(), shell=work.subject.shell)
    works = done.ok and not work.subject.handler.met(work.subject, done)
    work.observe("the same again with the barrier in place", done.how, done.seconds, work.keep(log))
    return works


def _lift(work: ReplayRun, command: str) -> None:
    outcome = work.outcome
    ways = [(way, commands) for way, commands in lifts_for(work.subject) if _may_help(work, way, command)]
    if work.context.settings.offline:
        ways = [(way, commands) for way, commands in ways if not way.network]
        outcome.lifted = Lifted("none", worked=False, gone=False, observed=say("positive_control.not_tried_offline"))
    elif not ways:
        outcome.lifted = Lifted("none", worked=False, gone=False, observed=say("positive_control.no_way_known"))
    for way, commands in ways:
        outcome.lifted = _by(work, way, commands, command)
        if outcome.lifted.worked or outcome.lifted.gone:
            return
    told = [fact for fact in outcome.facts if fact.named or fact.kind == "out of memory"]
    settled = [outcome.settled] if outcome.settled else []
    network = work.subject.barrier is Barrier.NETWORK  # to whom it only fails to bring a package, its name may be wrong
    facts = [fact for fact in dict.fromkeys((*settled, *told)) if network or fact.kind not in AWAY]
    lifts = [forms for forms in (least_for(fact) for fact in facts) if forms]
    for least in (least for forms in lifts[:MINIMAL] for least in forms):
        outcome.lifted = _least(work, least, command)
        if outcome.lifted.gone:
            return


def _may_help(work: ReplayRun, way: Lift, command: str) -> bool:
    """Whether what it needs to be of any use shows, or nothing was traced that could show it."""
    outcome = work.outcome
    if way.signs is None or outcome.loaded is None:
        return True
    said = outcome.decisive.done.output if outcome.decisive else ""
    return any(re.search(way.signs, text) for text in (*outcome.loaded, command, said, work.subject.output))


def _least(work: ReplayRun, way: MinimalLift, command: str) -> Lifted:
    """One fact taken away, and nothing else: is it gone, and what the command said of it, when that is traced again?"""
    name, log = f"minimal: {way.fact}", Log("replay-lifted-minimal")
    with work.containers.start(spared(work.spec, way, work)) as session:
        if way.plain_mounts:
            work.steps(session, log, _places(work.spec), "", COMMAND_SECONDS, user="root")
        traced = without(work, session, log, way, command, COMMAND_SECONDS)
        if traced is None:
            lifted = Lifted(
                name, worked=False, gone=False, observed=say("positive_control.nothing_could_stand"), minimal=True
            )
        else:
            passes = passes_without(work, session, log, way, traced, command)
            lifted = _judged(work, way, name, traced, passes=passes)
            if lifted.gone and not way.granted:
                stub = posixpath.basename(way.fact.subject) if way.fact.kind in _STUBS else ""
                go_on(work, session, name, worked=lifted.worked, stub=stub, hollow=work.subject.barrier in _OF_DATA)
    if lifted.gone and work.subject.barrier in _OF_DATA:
        feeds(work, command)
    work.context.say(say("positive_control.removed", way=f"{name}; {lifted.observed}"))
    work.observe(say("positive_control.removed", way=name), lifted.observed, None, work.keep(log))
    return lifted


def _judged(work: ReplayRun, way: MinimalLift, name: str, traced: Traced, *, passes: bool) -> Lifted:
    """`passes`: whether it works, be it only after what the run did later."""
    ended = (
        say("positive_control.same_command_succeeds")
        if traced.done.ok or passes
        else say("positive_control.same_command_ended", how=traced.done.how)
    )
    if not gone(way.fact, traced.facts):
        told, away = say("positive_control.failure_same_stand"), False
    elif not passes and not past(work.outcome, traced):
        told, away = say("positive_control.stand_command_fails"), False
    else:
        told, away = say("positive_control.stand_failure_gone", ended=ended), True
    worked = (traced.done.ok or passes) and away
    printed = worked and bool(traced.done.output.strip())
    return Lifted(name, worked=worked, gone=away, observed=told, minimal=True, printed=printed)


def _by(work: ReplayRun, way: Lift, commands: tuple[str, ...], command: str) -> Lifted:
    log = Log(f"replay-lifted-{way.id}")
    with work.containers.start(_without(work, way)) as session:
        placed = _places(work.spec) if way.plain_mounts else ()
        failed = work.steps(session, log, (*placed, *commands), "", COMMAND_SECONDS, user="root")
        if failed:
            observed = say("positive_control.barrier_could_not", command=short(failed.command), how=failed.how)
            lifted = Lifted(way.id, worked=False, gone=False, observed=observed)
        else:
            lifted = _after(work, session, log, way, way.retry or command)
        denied = session.denials()
        if not lifted.worked and (denied or refused_by_us("\n".join(log.lines))):
            told = say("positive_control.our_own_proxy", denied=", ".join(denied) or "it")
            lifted = replace(lifted, worked=False, gone=False, observed=told)
        lifted = replace(lifted, arm=arm_of(way.id, "lifted", session, session.journal, work.sign))
        if lifted.gone and not way.for_one and not (lifted.worked and makes_none(work, session, way.id)):
            go_on(work, session, way.id, worked=lifted.worked)
        if lifted.worked and not way.minimal:
            try_empty(work, session, way.retry or command)
    told = say("positive_control.command_works") if lifted.worked else lifted.observed
    work.context.say(say("positive_control.removed", way=f"{way.id}; {told}"))
    work.observe(say("positive_control.removed", way=way.id), lifted.observed, None, work.keep(log))
    return lifted


def _places(spec: Spec) -> tuple[str, ...]:
    """What makes the places that only a mount had made, as open and as whose it was: they must be there without it."""
    return tuple(_made(path, options) for path, _, options in (text.partition(":") for text in spec.tmpfs))


def _made(path: str, options: str) -> str:
    told = {name: value for name, _, value in (option.partition("=") for option in options.split(","))}
    mode = told.get("mode", "1777") if re.fullmatch("[0-7]{3,4}", told.get("mode", "1777")) else "1777"
    whose = "".join(f" {flag} {told[name]}" for name, flag in _OWNERS.items() if told.get(name, "").isdecimal())
    return f"install -d -m {mode}{whose} {shlex.quote(path)}"


def _without(work: ReplayRun, way: Lift) -> Spec:
    own: Network = work.context.envelope.network.value
    network: Network = "indexes" if own == "none" else own
    spec = spared(work.spec, way, work)
    return replace(spec, network=network) if way.network else spec


def _after(work: ReplayRun, session: Session, log: Log, lift: Lift, command: str) -> Lifted:
    subject, way, user = work.subject, lift.id, "root" if lift.as_root else None
    log.note(
        say("positive_control.same_command_root") if lift.as_root else say("positive_control.same_command_ordinary")
    )
    done = run(session, log, command, work.seconds(), shell=subject.shell, user=user)
    same = subject.handler.met(subject, done)
    goal = goal_of(subject, command)
    if done.ok and not same:
        failed = work.steps(session, log, goal, "", COMMAND_SECONDS) if _refuted_by_goal(work, command, goal) else None
        if failed:
            told = say("positive_control.same_command_succeeds_but", command=short(failed.command))
            return Lifted(way, worked=False, gone=False, observed=told)
        told, printed = say("positive_control.same_command_succeeds"), bool(done.output.strip())
        return Lifted(way, worked=True, gone=True, observed=told, minimal=lift.minimal, printed=printed)
    if same or _same_exception(work, done):
        return Lifted(way, worked=False, gone=False, observed=say("positive_control.same_command_still"))
    if lift.minimal and not done.limit:
        told = say("positive_control.failure_gone_same", how=done.how)
        return Lifted(way, worked=False, gone=True, observed=told, minimal=True)
    gone = command not in goal and work.steps(session, log, goal, "", COMMAND_SECONDS) is None
    name = "positive_control.failure_gone_same" if gone else "positive_control.same_command_ended"
    return Lifted(way, worked=False, gone=gone, observed=say(name, how=done.how))


def _same_exception(work: ReplayRun, done: Executed) -> bool:
    """Whether the same exception ends it as before: what was removed had only a part in how that was told."""
    decisive = work.outcome.decisive
    before = exception_in(decisive.done.output) if decisive else None
    return before is not None and before == exception_in(done.output)


def _refuted_by_goal(work: ReplayRun, command: str, goal: tuple[str, ...]) -> bool:
    """Whether a route did all that it should and only its goal check, which is not the command itself, failed."""
    return command not in goal and any(tried.unmet for tried in work.outcome.tried)
