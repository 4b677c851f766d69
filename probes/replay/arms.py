"""The arms: replay, escape and lifted, each in fresh containers; synchronous, in a thread of its own."""

import contextlib
import json
import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from probes.contract import ProbeContext
from probes.model import Barrier, Observation, Route
from probes.replay.controls import base_controls, network_control
from probes.replay.judging import judge, short, untried
from probes.replay.ladder import ReadyRoute, goal_of, ladder_for, lifts_for
from probes.replay.local_name import local_name
from probes.replay.log import Log, run
from probes.replay.outcome import Lifted, Outcome, PriorStep, Replayed, Tried
from probes.replay.script import matters, script
from probes.replay.signature import refused_by_us, shows, signatures
from probes.replay.subject import Subject, user_of
from probes.replay.workshop import Workshop
from sandboxes import Bench, Executed, Limits, Network, Session, Spec

COMMAND_SECONDS = 300
"""Longest single command."""
PRIOR_SECONDS = 240
"""For all of the run's earlier commands together."""
RESERVE_SECONDS = 45
"""Not begun when less is left: a half-tried route proves nothing."""


class Arms:
    """All arms of one hypothesis."""

    def __init__(self, context: ProbeContext, shop: Workshop, bench: Bench, subject: Subject, seconds: float) -> None:
        """Work with at most `seconds` for everything."""
        self.context = context
        self.shop = shop
        self.bench = bench
        self.subject = subject
        self.outcome = Outcome(unreplayed=subject.unreplayed)
        self._end = time.monotonic() + seconds
        self._spec = Spec(image="")
        self._refused = False
        self._say: Callable[[str], None] = context.say

    def run(self) -> Outcome:
        """Everything, in order.

        Raises:
            SandboxError: the engine failed in the middle; what was learnt is then worth nothing.
        """
        route = self.shop.engine.index_route
        before = route.denials() if route else ()
        image = self.shop.image(self.context.envelope.image.value, self._say)
        self._spec = self._specification(image)
        with self.bench.start(self._spec) as stage:
            self._facts(image, stage)
            self.outcome.controls += base_controls(stage, self._store_log)
            self._replay_prior(stage)
            fork = stage.snapshot() if self.outcome.prior else image
            self._spec = replace(self._spec, image=fork)
            self._name_distribution(stage)
            self._replay(stage)
        decisive = self.outcome.decisive
        if decisive and not decisive.worked:
            self._control_network(image)
            self._escape(decisive.command)
            if self.outcome.passed is None:
                self._lift(decisive.command)
        self.outcome.denials = self._denials(before)
        return self.outcome

    def _denials(self, before: tuple[str, ...]) -> tuple[str, ...]:
        """What our proxy refused: hosts that are new on its list, or its own words in a terminal."""
        route = self.shop.engine.index_route
        new = tuple(host for host in (route.denials() if route else ()) if host not in before)
        return new or (("a request, as a terminal shows",) if self._refused else ())

    def _specification(self, image: str) -> Spec:
        envelope, subject = self.context.envelope, self.subject
        user = user_of(envelope)
        if envelope.user.value != user:
            self.outcome.limits.append(f"the run's user {envelope.user.value} was replayed as the ordinary user {user}")
        return Spec(
            image=image,
            network="none" if self.context.settings.offline else envelope.network.value,
            user=user,
            workdir=subject.cwd if subject.cwd and subject.cwd.startswith("/") else envelope.workdir.value,
            sudo=envelope.sudo.value,
            tmpfs=envelope.tmpfs.value,
            limits=Limits(memory_mb=envelope.memory_mb.value),
        )

    def _facts(self, image: str, stage: Session) -> None:
        facts = self.shop.facts_of(image, self.bench)
        self.outcome.python = ".".join(str(facts["python"]).removeprefix("Python ").split(".")[:2])
        self.outcome.profile = {
            "profile": self.context.envelope.profile,
            "envelope": self.context.envelope.model_dump(mode="json"),
            "container": stage.profile(),
            "image": facts,
            "engine": self.shop.engine.versions(),
        }
        text = json.dumps(self.outcome.profile, indent=2, ensure_ascii=False)
        self.outcome.artifacts.append(
            self.context.store.put(text, "replay-profile.json", "application/json"),
        )

    def _left(self) -> float:
        return self._end - time.monotonic()

    def _seconds(self, most: float = COMMAND_SECONDS) -> float:
        return max(5.0, min(most, float(self.context.envelope.seconds.value), self._left()))

    def _store_log(self, log: Log) -> str:
        artifact = log.store(self.context.store)
        self._refused = self._refused or refused_by_us("\n".join(log.lines))
        self.outcome.artifacts.append(artifact)
        return artifact.sha256

    def _observe(self, name: str, value: str, seconds: float | None, artifact: str | None) -> None:
        self.outcome.observations.append(
            Observation(name=name, value=value, at=datetime.now(UTC), seconds=seconds, artifact=artifact)
        )

    def _replay_prior(self, stage: Session) -> None:
        steps, dropped = script(self.subject)
        if dropped:
            self.outcome.limits.append(f"of a long history the first {dropped} commands were not replayed")
            self.outcome.unreplayed += dropped
        if not steps:
            return
        log, end = Log("replay-earlier-commands"), time.monotonic() + PRIOR_SECONDS
        for step in steps:
            seconds = min(self._seconds(120), end - time.monotonic())
            if seconds < 1:
                self.outcome.limits.append("the earlier commands took too long to replay them all")
                self.outcome.unreplayed += 1
                break
            command = f"cd {shlex.quote(step.cwd)} || exit 1\n{step.command}" if step.cwd else step.command
            done = run(stage, log, command, seconds, shell=self.subject.shell)
            self.outcome.prior.append(
                PriorStep(step.command, step.exit_code, done, matters(step.command, self.subject))
            )
        if self._spec.tmpfs:
            self.outcome.limits.append("what earlier commands left on a tmpfs is not in the snapshot")
        rebuilt = sum(step.rebuilt for step in self.outcome.prior)
        value = f"{rebuilt} of {len(self.outcome.prior)} earlier commands went as in the run"
        self._observe("earlier commands", value, None, self._store_log(log))

    def _name_distribution(self, stage: Session) -> None:
        """Ask the sources themselves which package a local directory holds."""
        if self.subject.barrier not in {Barrier.HEADER, Barrier.PIP} or "distribution" in self.subject.parameters:
            return
        name = local_name(stage, self.subject.attempts[0].command)
        if name:
            self.subject = self.subject.with_distribution(name)

    def _replay(self, stage: Session) -> None:
        log = Log("replay-arm")
        for number, attempt in enumerate(self.subject.attempts):
            if attempt.reconstructed:
                log.note("reconstructed: not the run's own words, but the least that must fail the same way")
            with contextlib.ExitStack() as stack:
                session = stage if number == 0 else stack.enter_context(self.bench.start(self._spec))
                done = run(session, log, attempt.command, self._seconds(), shell=self.subject.shell)
            found = tuple(signatures(self.subject.barrier, done.output))
            same = shows(self.subject.barrier, self.subject.expected, done.output)
            self.outcome.replays.append(Replayed(attempt.command, attempt.reconstructed, done, same, found))
            if same or done.ok:
                break
        self._say(f"replay: {self.subject.about}: {'the same failure' if same else done.how}")
        digest = self._store_log(log)
        for replayed in self.outcome.replays:
            value = "the same failure" if replayed.same else replayed.done.how
            self._observe("replay arm", f"`{short(replayed.command)}`: {value}", replayed.done.seconds, digest)

    def _control_network(self, image: str) -> None:
        if self._spec.network != "none":
            self.outcome.network_control = network_control(
                self.bench, replace(self._spec, image=image), self._store_log
            )

    def _escape(self, command: str) -> None:
        settings = self.context.settings
        ladder = ladder_for(self.subject, self.context.envelope, command, offline=settings.offline)
        self.outcome.outside += ladder.outside
        for plan, reason in ladder.outside:
            self._observe(f"route outside the envelope: {plan.id}", reason, None, None)
        for ready in ladder.ready:
            if self.outcome.passed and not settings.thorough:
                self.outcome.tried.append(untried(ready, "not needed: an earlier route worked"))
            elif self._left() < RESERVE_SECONDS:
                self.outcome.tried.append(untried(ready, "could not be tried: no time was left"))
            else:
                self.outcome.tried.append(self._try(ready, command))
        for plan, reason in ladder.missing:
            route = Route(id=plan.id, tier=plan.tier, commands=(), result="not_tried", note=reason)
            self.outcome.tried.append(Tried(plan, route))
        for plan in ladder.not_permitted:
            note = "a policy bypass: never executed, never counted"
            route = Route(id=plan.id, tier=plan.tier, commands=(), result="not_permitted", note=note)
            self.outcome.tried.append(Tried(plan, route))

    def _try(self, ready: ReadyRoute, command: str) -> Tried:
        log, started = Log(f"replay-route-{ready.plan.id}"), time.monotonic()
        log.note(f"route {ready.plan.id} ({ready.plan.tier.value}): {ready.plan.source}")
        with self.bench.start(self._spec) as session:
            failed = self._steps(session, log, ready.commands, "", ready.plan.seconds)
            if ready.plan.lenient and failed and not failed.timed_out:
                failed = None
            exports = "".join(f"{line}\n" for line in ready.exports)
            if failed is None:
                log.note("goal check")
                failed = self._steps(session, log, ready.goal, exports, COMMAND_SECONDS)
            later = ""
            if failed is None and ready.plan.again and command not in ready.goal:
                log.note("the failing command again")
                done = run(session, log, exports + command, self._seconds(), shell=self.subject.shell)
                if shows(self.subject.barrier, self.subject.expected, done.output):
                    failed = done
                elif not done.ok:
                    later = f"the command itself then ended with {done.how}"
        result, note = judge(ready.plan, failed, later)
        took = round(time.monotonic() - started, 3)
        digest = self._store_log(log)
        route = Route(
            id=ready.plan.id, tier=ready.plan.tier, commands=ready.shown, result=result, note=note, artifact=digest
        )
        self._say(f"route {ready.plan.id}: {result}")
        self._observe(f"route: {ready.plan.id}", f"{result}{f': {note}' if note else ''}", took, digest)
        return Tried(ready.plan, route, took, later)

    def _steps(
        self,
        session: Session,
        log: Log,
        commands: tuple[str, ...],
        exports: str,
        seconds: float,
        user: str | None = None,
    ) -> Executed | None:
        """Run commands until one fails; returns that one."""
        for command in commands:
            done = run(session, log, exports + command, self._seconds(seconds), user=user)
            if not done.ok:
                return done
        return None

    def _lift(self, command: str) -> None:
        if self.context.settings.offline:
            self.outcome.lifted = Lifted("none", worked=False, gone=False, observed="not tried: offline was asked for")
            return
        ways = lifts_for(self.subject)
        if not ways:
            self.outcome.lifted = Lifted("none", worked=False, gone=False, observed="no way is known to remove it")
        for way, commands in ways:
            self.outcome.lifted = self._lift_by(way.id, commands, command)
            if self.outcome.lifted.worked or self.outcome.lifted.gone:
                break

    def _lift_by(self, way: str, commands: tuple[str, ...], command: str) -> Lifted:
        log = Log(f"replay-lifted-{way}")
        network: Network = "open" if self.context.envelope.network.value == "open" else "indexes"
        with self.bench.start(replace(self._spec, network=network)) as session:
            failed = self._steps(session, log, commands, "", COMMAND_SECONDS, user="root")
            if failed:
                observed = f"the barrier could not be removed: `{short(failed.command)}` ended with {failed.how}"
                lifted = Lifted(way, worked=False, gone=False, observed=observed)
            else:
                lifted = self._after_lift(session, log, way, command)
        self._say(f"lifted ({way}): {'the command works' if lifted.worked else lifted.observed}")
        self._observe(f"lifted arm: {way}", lifted.observed, None, self._store_log(log))
        return lifted

    def _after_lift(self, session: Session, log: Log, way: str, command: str) -> Lifted:
        log.note("the same command as the ordinary user")
        done = run(session, log, command, self._seconds(), shell=self.subject.shell)
        same = shows(self.subject.barrier, self.subject.expected, done.output)
        if done.ok and not same:
            return Lifted(way, worked=True, gone=True, observed="the same command succeeds")
        if same:
            return Lifted(way, worked=False, gone=False, observed="the same command still fails the same way")
        goal = goal_of(self.subject, command)
        gone = command not in goal and self._steps(session, log, goal, "", COMMAND_SECONDS) is None
        return Lifted(way, worked=False, gone=gone, observed=f"the same command then ended with {done.how}")
