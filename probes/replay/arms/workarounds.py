"""The ladder's arm: every route in a container of its own, a wave of them at a time."""

import shlex
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

from cases import patterns as re
from cases.failing import step_failures
from cases.sentences import Sentences
from cases.task_words import prompt_of, spelled_around
from cases.touches.names import stands_in
from probes.barriers import RoutePlan
from probes.model import Route
from probes.replay.arms.difference import MARK
from probes.replay.arms.going_on import failing_behind, reached
from probes.replay.handlers.disk_full import NAMED, DiskDetails
from probes.replay.handlers.file_details import FileDetails
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import NOT_FOUND, NOT_NEEDED, judge, unfounded, untried, without_ground
from probes.replay.routes.ladder import ReadyRoute, ladder_for
from sandboxes import Executed, SandboxError, Session

say = Sentences(__name__)


_LOOK = 20
"""Seconds."""
_PATH = re.compile(r"(?<![\w.-])/?(?:[\w.+-]+/)+[\w.+-]+")


class Walk:
    """One route; called in a thread of its own, and may be called off from another."""

    def __init__(self, work: ReplayRun, ready: ReadyRoute, command: str) -> None:
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
        with work.containers.start(work.spec) as session:
            self._session = session
            if self._off.is_set():
                return None
            session.run(f"touch {MARK}", seconds=_LOOK, looks=True)
            failed, later = self._steps(session, log)
            arm = arm_of(ready.plan.id, "route", session, session.journal, work.sign)
            goals = () if failed or later or self._off.is_set() else reached(work, session, log)
            stopped = failed is not None or self._off.is_set()
            doubt = "" if stopped else self._double(session, log) or self._small(session, log)
            told_by_goals = bool(goals) and self._only_with_goals
            untouched = "" if stopped or doubt or told_by_goals else self._untouched(session, log)
            unmoved = failing_behind(work, session, log) if untouched and not goals else ()
        if self._off.is_set():
            return None
        result, note = judge(work.subject, ready.plan, failed, later)
        if result == "passed" and (doubt or untouched):
            result, note = "not_tried", doubt or untouched
        unmet, same = self._unmet and result == "failed", failed and work.subject.handler.met(work.subject, failed)
        own = failed is not None and failed.command.endswith(self._command)
        if result == "passed" and not goals and self._only_with_goals:
            result, note = "failed", say("workarounds.what_else_task")
        took = round(time.monotonic() - started, 3)
        route = Route(
            id=ready.plan.id,
            tier=ready.plan.tier,
            commands=ready.shown,
            result=result,
            note=note,
            behind=later if result == "passed" else "",
            artifact=work.keep(log),
        )
        past = unmet and own and not same
        return Tried(ready.plan, route, took, later, arm, goals, unmet=unmet, unmoved=unmoved, past=past)

    def _untouched(self, session: Session, log: Log) -> str:
        """That the prompt names the place that may not be written, or a folder around it, and nothing came there."""
        facts = self._work.outcome.facts
        writes = any(fact.access == "write" or fact.kind in {"read-only", "no space"} for fact in facts)
        if not ({"demanded"} if writes else {"demanded", "uses"}).issubset(self._ready.plan.unless):
            return ""
        subject, prompt = self._work.subject, prompt_of(self._work.context.case)
        moved = subject.details.movable if isinstance(subject.details, DiskDetails) else ()
        small = [mount for path, mount in moved if NAMED.within(path, prompt)]
        for place in (*spelled_around(prompt, subject.about, self._work.spec.workdir), *small):
            ask = f"find {shlex.quote(place)} -newer {MARK} -print -quit 2>/dev/null | grep -q ."
            if not run(session, log, ask, _LOOK, looks=True).ok:
                return say("workarounds.untouched", place=place)
        return ""

    def _double(self, session: Session, log: Log) -> str:
        """That what the route puts in stands in for the real thing by the name of its place; empty where none does."""
        ready, spec = self._ready, self._work.spec
        told = " ".join(line.partition("=")[2] for line in ready.exports)
        shown = run(session, log, f"printf '%s\\n' {told}", _LOOK, looks=True).output if told else ""
        places = _PATH.findall("\n".join((*ready.commands, *ready.goal, *shown.splitlines())))
        beside = f"{spec.workdir}/{self._command.replace(' ', '/')}"
        return next((say("workarounds.double", place=place) for place in places if stands_in(place, beside)), "")

    def _small(self, session: Session, log: Log) -> str:
        """That what now lies in the file's place is too small for what is counted in it; empty where it is not."""
        details = self._work.subject.details
        if not isinstance(details, FileDetails) or not details.least:
            return ""
        asked = f"test -f {shlex.quote(details.place)} && stat -Lc %s {shlex.quote(details.place)}"
        size = run(session, log, asked, _LOOK, looks=True).output.strip()
        small = size.isdigit() and int(size) < details.least
        return say("workarounds.small", size=size, least=details.least) if small else ""

    @property
    def _only_with_goals(self) -> bool:
        """Whether it goes to another place, of which the task's words do not tell whether it will do."""
        elsewhere, subject = "demanded" in self._ready.plan.unless, self._work.subject
        return elsewhere and subject.handler.judged_by_goals(subject)

    def _steps(self, session: Session, log: Log) -> tuple[Executed | None, str]:
        """The route's commands, its goal check, the failing command once more; the step that failed, and a note."""
        work, ready = self._work, self._ready
        whole = (text for plan, text in zip(ready.plan.commands, ready.commands, strict=False) if "{command" in plan)
        failed = work.steps(session, log, ready.commands, "", ready.plan.seconds, failing=next(whole, None))
        done, absent = failed is None, failed if failed and failed.exit_code == NOT_FOUND else None
        if ready.plan.lenient and failed and not failed.timed_out:
            failed = None
        exports = "".join(f"{line}\n" for line in ready.exports)
        if failed is None:
            log.note("goal check")
            failed = work.steps(session, log, ready.goal, exports, COMMAND_SECONDS, failing=self._command)
            self._unmet = done and failed is not None
            failed = failed and (absent or failed)
        needed = ready.plan.again or work.subject.handler.must_work(work.subject, self._command, ready.commands)
        if failed is not None or not needed or self._command in ready.goal:
            return failed, ""
        log.note("the failing command once more")
        again = run(session, log, exports + (ready.retry or self._command), work.seconds(), shell=work.subject.shell)
        if work.subject.handler.met(work.subject, again) or (again.ok and self._fails_within(again)):
            return again, ""
        return None, "" if again.ok else say("workarounds.command_itself_ended", how=again.how)

    def _fails_within(self, again: Executed) -> bool:
        """Whether each step of the line that failed before fails still, though the line ends well."""
        decisive = self._work.outcome.decisive
        before = step_failures(self._command, decisive.done.output, decisive.done.exit_code) if decisive else ()
        after = step_failures(self._command, again.output, again.exit_code)
        failed = [place for place, how in enumerate(before) if how == "yes"]
        return bool(failed) and all(after[place] == "yes" for place in failed)


Missing = tuple[tuple[RoutePlan, str], ...]
RESERVE_SECONDS = 45
"""Not begun when less is left: a half-tried route proves nothing."""
GIVEN_SECONDS = 60
WAVE = 2
"""Routes side by side; a fixed number, so that the same audit tries the same ones on every machine."""


def escape(work: ReplayRun, command: str) -> None:
    """Try the routes in their order until a wave brings one that works, or all of them when thoroughness is asked."""
    settings, outcome = work.context.settings, work.outcome
    ladder = ladder_for(work.subject, work.context.envelope, command, offline=settings.offline)
    for plan, reason in ladder.meaningless:
        work.observe(f"route: {plan.id}", reason, None, None)
    _climb(work, ladder.ready, command)
    _with_more(work, ladder.stronger, command)
    for plan, reason in _not_groundless(work, ladder.missing):
        outcome.tried.append(Tried(plan, Route(id=plan.id, tier=plan.tier, result="not_tried", note=reason)))
    for plan, reason in ladder.not_permitted:
        outcome.tried.append(_not_permitted(plan, reason))


def _climb(work: ReplayRun, routes: tuple[ReadyRoute, ...], command: str) -> None:
    outcome = work.outcome
    founded = _founded(work, routes)
    with ThreadPoolExecutor(WAVE) as pool:
        for wave in _waves(founded):
            if outcome.passed and not work.context.settings.thorough:
                outcome.tried += [untried(ready, NOT_NEEDED) for ready in wave]
            elif work.left() < RESERVE_SECONDS:
                outcome.tried += [untried(ready, say("workarounds.could_not_tried")) for ready in wave]
            else:
                _side_by_side(work, pool, [Walk(work, ready, command) for ready in wave])


def _with_more(work: ReplayRun, stronger: tuple[tuple[ReadyRoute, str], ...], command: str) -> None:
    """Try the routes for which the agent lacked something; one of them that works is none that it had."""
    reasons, outcome = {ready.plan.id: reason for ready, reason in stronger}, work.outcome
    if outcome.passed:
        outcome.tried += [_not_permitted(ready.plan, reasons[ready.plan.id], ready.shown) for ready, _ in stronger]
        return
    before, outcome.tried = outcome.tried, []
    _climb(work, tuple(ready for ready, _ in stronger), command)
    outcome.tried = [*before, *(no_way_of_its(tried, reasons[tried.plan.id]) for tried in outcome.tried)]


def no_way_of_its(tried: Tried, reason: str) -> Tried:
    """What of it counts where the agent lacked something for it; `reason` says what."""
    if tried.route.result == "passed":
        told = {"result": "not_permitted", "note": say("workarounds.works_with_more", reason=reason)}
        return replace(tried, route=tried.route.model_copy(update=told), stronger=True)
    return _not_permitted(tried.plan, reason, tried.route.commands) if tried.route.note == NOT_NEEDED else tried


def _not_permitted(plan: RoutePlan, reason: str, shown: tuple[str, ...] = ()) -> Tried:
    return Tried(plan, Route(id=plan.id, tier=plan.tier, commands=shown, result="not_permitted", note=reason))


def _founded(work: ReplayRun, routes: tuple[ReadyRoute, ...]) -> tuple[ReadyRoute, ...]:
    """The routes that have what they start from; of the others it is told that it is not there."""
    ends, digest = _starts(work, "begin", {ready.plan.id: ready.given for ready in routes if ready.given})
    for ready in routes:
        if ready.plan.id in ends and not ends[ready.plan.id].ok:
            work.settle(unfounded(ready, ends[ready.plan.id], digest))
    return tuple(ready for ready in routes if ready.plan.id not in ends or ends[ready.plan.id].ok)


def _not_groundless(work: ReplayRun, missing: Missing) -> Missing:
    """Those of the routes that could not be tried for which the machine has what they start from, or does not tell."""
    asked = {plan.id: plan.given for plan, _ in missing if plan.given}
    ends, digest = _starts(work, "missing", {} if work.outcome.passed else asked)
    lost = {id_ for id_, done in ends.items() if not done.ok and not done.timed_out and done.limit is None}
    for plan, _ in missing:
        if plan.id in lost:
            work.settle(without_ground(plan, ends[plan.id], digest))
    return tuple((plan, reason) for plan, reason in missing if plan.id not in lost)


def _starts(work: ReplayRun, name: str, asked: dict[str, str]) -> tuple[dict[str, Executed], str | None]:
    """How the questions ended by which it is known whether routes have what they start from."""
    if not asked or work.left() < RESERVE_SECONDS:
        return {}, None
    log = Log(f"replay-routes-{name}")
    with work.containers.start(work.spec) as session:
        ends = {id_: run(session, log, given, GIVEN_SECONDS, looks=True) for id_, given in asked.items()}
    return ends, work.keep(log)


def _waves(routes: tuple[ReadyRoute, ...]) -> Iterator[list[ReadyRoute]]:
    left = iter(routes)
    while wave := list(islice(left, WAVE)):
        yield wave


def _side_by_side(work: ReplayRun, pool: ThreadPoolExecutor, walks: list[Walk]) -> None:
    """Take the results in the ladder's order, whichever came first; the first that works calls the later ones off.

    What a later one had found by then is dropped, so that an audit says the same on a quick machine and a slow one.
    """
    results = [(walk, pool.submit(walk)) for walk in walks]
    for walk, result in results:
        if work.outcome.passed and not work.context.settings.thorough:
            walk.call_off()
            result.result()
            work.settle(walk.not_needed)
        else:
            work.settle(result.result())
