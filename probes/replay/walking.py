"""One route, walked in a container of its own."""

import threading
import time

from probes.model import Route
from probes.replay.bookkeeping import COMMAND_SECONDS, Work
from probes.replay.going_on import reached
from probes.replay.judging import NOT_FOUND, NOT_NEEDED, judge, untried
from probes.replay.ladder import ReadyRoute
from probes.replay.log import Log, run
from probes.replay.outcome import Tried
from probes.replay.recipe import arm_of
from probes.replay.said import say
from sandboxes import Executed, SandboxError, Session


class Walk:
    """One route; called in a thread of its own, and may be called off from another."""

    def __init__(self, work: Work, ready: ReadyRoute, command: str) -> None:
        """`command` is the failing one."""
        self._work = work
        self._ready = ready
        self._command = command
        self._off = threading.Event()
        self._session: Session | None = None
        self._unmet = False

    def __call__(self) -> Tried:
        """What came of it.

        Raises:
            SandboxError: the engine failed in the middle.
        """
        try:
            tried = self._try()
        except SandboxError:
            if not self._off.is_set():
                raise
            tried = None
        return self.not_needed if tried is None or self._off.is_set() else tried

    @property
    def not_needed(self) -> Tried:
        """What stands of it in the ladder when an earlier route worked."""
        return untried(self._ready, NOT_NEEDED)

    def call_off(self) -> None:
        """It is not needed any more: end its container now, or as soon as there is one."""
        self._off.set()
        if self._session:
            self._session.close()

    def _try(self) -> Tried | None:
        work, ready, log, started = (
            self._work,
            self._ready,
            Log(f"replay-route-{self._ready.plan.id}"),
            time.monotonic(),
        )
        log.note(f"route {ready.plan.id} ({ready.plan.tier.value}): {ready.plan.source}")
        with work.bench.start(work.spec) as session:
            self._session = session
            if self._off.is_set():
                return None
            failed, later = self._steps(session, log)
            arm = arm_of(ready.plan.id, "route", session, session.journal, work.sign)
            goals = () if failed or later or self._off.is_set() else reached(work, session, log)
        if self._off.is_set():
            return None
        result, note = judge(work.subject, ready.plan, failed, later)
        if result == "passed" and not goals and self._only_with_goals:
            result, note = "failed", say("walking.what_else_task")
        took = round(time.monotonic() - started, 3)
        route = Route(
            id=ready.plan.id,
            tier=ready.plan.tier,
            commands=ready.shown,
            result=result,
            note=note,
            artifact=work.keep(log),
        )
        return Tried(ready.plan, route, took, later, arm, goals, unmet=self._unmet and result == "failed")

    @property
    def _only_with_goals(self) -> bool:
        """Whether it goes to another place, of which the task's words do not tell whether it will do."""
        elsewhere, subject = "demanded" in self._ready.plan.unless, self._work.subject
        return elsewhere and subject.kind.judged_by_goals(subject)

    def _steps(self, session: Session, log: Log) -> tuple[Executed | None, str]:
        """The route's commands, its goal check, the failing command once more; the step that failed, and a note."""
        work, ready = self._work, self._ready
        failed = work.steps(session, log, ready.commands, "", ready.plan.seconds)
        done, absent = failed is None, failed if failed and failed.exit_code == NOT_FOUND else None
        if ready.plan.lenient and failed and not failed.timed_out:
            failed = None
        exports = "".join(f"{line}\n" for line in ready.exports)
        if failed is None:
            log.note("goal check")
            failed = work.steps(session, log, ready.goal, exports, COMMAND_SECONDS, failing=self._command)
            self._unmet = done and failed is not None
            failed = failed and (absent or failed)
        needed = ready.plan.again or work.subject.kind.must_work(work.subject, self._command, ready.commands)
        if failed is not None or not needed or self._command in ready.goal:
            return failed, ""
        log.note("the failing command once more")
        again = run(session, log, exports + (ready.retry or self._command), work.seconds(), shell=work.subject.shell)
        if work.subject.kind.met(work.subject, again):
            return again, ""
        return None, "" if again.ok else say("walking.command_itself_ended", how=again.how)
