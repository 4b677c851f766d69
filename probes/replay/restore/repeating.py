"""The replay arm: the run's earlier commands, then the failing one, in one container."""

import contextlib
import shlex
import time

from cases.sentences import Sentences
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import PriorStep, Replayed
from probes.replay.resources.recipe import arm_of, sign_of
from probes.replay.resources.run import ReplayRun
from probes.replay.restore.workspace_restore import Furnishing
from probes.replay.routes.judging import short
from probes.replay.target.script import in_its_place, matters, replayable, script
from probes.replay.target.symptom import symptoms
from sandboxes import Session

say = Sentences(__name__)

PRIOR_SECONDS = 240
"""For all of the run's earlier commands together."""
LOOK_SECONDS = 30


def unkept(work: ReplayRun, stage: Session) -> str:
    """Everything that now lies where no snapshot keeps it, in one word that changes when any of it does."""
    spec = work.spec
    if not spec.forgetful:
        return ""
    places = [*stage.profile()["tmpfs"], *([spec.workdir] if "/" in spec.read_only else [])]
    words = " ".join(shlex.quote(place) for place in places)
    command = f"set -o pipefail; find {words} -mindepth 1 -printf '%p %y %s %T@\\n' | sort | sha256sum"
    return run(stage, Log("unkept"), command, LOOK_SECONDS, user="root", looks=True).output


def _there(stage: Session, path: str) -> bool:
    """Whether it lies there by now: what the failing command makes itself was nothing that it lacked."""
    return run(stage, Log("made"), f"test -e {shlex.quote(path)}", LOOK_SECONDS, looks=True).ok


def repeat_prior(work: ReplayRun, stage: Session, furnishing: Furnishing) -> None:
    """The run's earlier commands, in order, as far as they can be repeated, and its files between them."""
    outcome, subject = work.outcome, work.subject
    outcome.unreplayed = sum(not replayable(step) for step in subject.prior)
    steps, dropped = script(subject)
    if dropped:
        outcome.limits.append(say("repeating.long_history_first", dropped=dropped))
        outcome.unreplayed += dropped
    if not steps:
        return
    log, end = Log("replay-earlier-commands"), time.monotonic() + PRIOR_SECONDS
    places = {id(step): place for place, step in enumerate(subject.prior)}
    for step in steps:
        furnishing.up_to(places[id(step)])
        seconds = min(work.seconds(120), end - time.monotonic())
        if seconds < 1:
            outcome.limits.append(say("repeating.earlier_commands_took"))
            outcome.unreplayed += 1
            break
        done = run(stage, log, in_its_place(step), seconds, shell=subject.shell)
        outcome.prior.append(PriorStep(step.command, step.exit_code, done, matters(step.command, subject)))
    if work.spec.forgetful:
        outcome.limits.append(say("repeating.what_earlier_commands"))
    rebuilt = sum(step.rebuilt for step in outcome.prior)
    value = say("repeating.earlier_commands_went", rebuilt=rebuilt, prior=len(outcome.prior))
    work.observe("earlier commands", value, None, work.keep(log))


def repeat(work: ReplayRun, stage: Session) -> None:
    """The failing command, or the least that must fail the same way."""
    subject, log = work.subject, Log("replay-arm")
    for number, attempt in enumerate(subject.attempts):
        if attempt.reconstructed:
            log.note("reconstructed: not the run's own words, but the least that must fail the same way")
        with contextlib.ExitStack() as stack:
            session = stage if number == 0 else stack.enter_context(work.containers.start(work.spec))
            done = run(session, log, attempt.command, work.seconds(), shell=subject.shell)
            sign = sign_of(subject.barrier, subject.expected, done.output)
            arm = arm_of("the failing command", "replay", session, session.journal[-1:], sign)
        found = tuple(symptoms(subject.barrier, done.output))
        same = subject.handler.met(subject, done)
        work.outcome.replays.append(Replayed(attempt.command, attempt.reconstructed, done, same, found, arm, sign))
        if same or done.ok:
            break
    work.outcome.absent = [path for path in work.outcome.absent if not _there(stage, path)]
    work.context.say(f"replay: {subject.about}: {'the same failure' if same else done.how}")
    digest = work.keep(log)
    for replayed in work.outcome.replays:
        value = "the same failure" if replayed.same else replayed.done.how
        work.observe("replay arm", f"`{short(replayed.command)}`: {value}", replayed.done.seconds, digest)
