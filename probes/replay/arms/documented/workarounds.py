"""The ways walked: what they mean is found out in one container, each then has one of its own."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from cases.sentences import Sentences
from probes.barriers import signatures
from probes.model import Route
from probes.replay.arms.documented.build_options import build_option
from probes.replay.arms.documented.choices import another_choice
from probes.replay.arms.documented.commands import as_documented
from probes.replay.arms.documented.compilers import compiler_option
from probes.replay.arms.documented.dialects import another_dialect
from probes.replay.arms.documented.document_calls import as_a_document_calls_it
from probes.replay.arms.documented.made_already import made_already
from probes.replay.arms.documented.make_variables import makefile_variable
from probes.replay.arms.documented.one_job import one_job
from probes.replay.arms.documented.options import documented_option
from probes.replay.arms.documented.order import another_order
from probes.replay.arms.documented.own_copies import own_copies
from probes.replay.arms.documented.own_names import as_the_data_spell_it
from probes.replay.arms.documented.own_settings import another_settings_file
from probes.replay.arms.documented.packed_otherwise import packed_otherwise
from probes.replay.arms.documented.processors import on_the_processor
from probes.replay.arms.documented.programs import equivalent_program
from probes.replay.arms.documented.recoding import recoded
from probes.replay.arms.documented.remedies import known_remedy
from probes.replay.arms.documented.renames import names_as_before
from probes.replay.arms.documented.runners import without_the_runner
from probes.replay.arms.documented.settings import documented_setting
from probes.replay.arms.documented.shadowing import own_module_renamed
from probes.replay.arms.documented.shown_code import documented_code
from probes.replay.arms.documented.spelling import as_spelled
from probes.replay.arms.documented.step_by_step import step_by_step
from probes.replay.arms.documented.subcommands import own_subcommand
from probes.replay.arms.documented.survey import Survey, survey
from probes.replay.arms.documented.switches import switched_off
from probes.replay.arms.documented.tools import another_tool
from probes.replay.arms.documented.unpacking import unpacked_beside
from probes.replay.arms.documented.version_checks import past_its_version_check
from probes.replay.arms.documented.versions import another_version
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.going_on import reached
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from probes.replay.routes.judging import Result, judge, short, tests_begin, untried
from probes.replay.routes.ladder import ReadyRoute
from sandboxes import Executed, Session

say = Sentences(__name__)

WAYS: tuple[Callable[[Survey], Way], ...] = (
    equivalent_program,
    another_tool,
    without_the_runner,
    compiler_option,
    build_option,
    makefile_variable,
    another_version,
    another_dialect,
    known_remedy,
    names_as_before,
    on_the_processor,
    documented_option,
    documented_setting,
    switched_off,
    past_its_version_check,
    another_settings_file,
    own_copies,
    recoded,
    packed_otherwise,
    made_already,
    one_job,
    as_spelled,
    as_the_data_spell_it,
    own_module_renamed,
    another_order,
    own_subcommand,
    another_choice,
    unpacked_beside,
    documented_code,
    step_by_step,
    as_documented,
    as_a_document_calls_it,
)
"""In the order in which the first that passes is taken."""
RESERVE_SECONDS = 45
SECONDS = 120
"""For the tries of one way together."""
AT_ONCE = 2
NOT_STARTED = (126, 127)
"""How a shell ends for a program that is missing or cannot be executed."""
NO_TIME = say("workarounds.could_not_tried")


def other_ways(work: ReplayRun, command: str) -> None:
    """Try them where none of the barrier's own passed; `command` is the failing one."""
    if not work.context.envelope.shell.value or (work.outcome.passed and not work.context.settings.thorough):
        return
    if work.left() < RESERVE_SECONDS:
        return
    with work.containers.start(work.spec) as session:
        trial = work.trial(session)
        known = survey(work, trial, command)
        ways = [way(known) for way in WAYS]
    for way in ways:
        if not way.tries:
            result: Result = "not_tried" if way.open else "not_applicable"
            route = Route(id=way.plan.id, tier=way.plan.tier, result=result, note=way.open or way.lacking)
            work.outcome.tried.append(Tried(way.plan, route, general=True))
    worth = [way for way in ways if way.tries]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for tried in pool.map(lambda way: _walked(work, way), worth):
            work.settle(tried)


@dataclass(frozen=True)
class Missed:
    """A try that did not do the work."""

    one: Try
    done: Executed
    why: str = ""
    """What speaks against it though it ended with 0, or leaves it open; ends a sentence."""


def _walked(work: ReplayRun, way: Way) -> Tried:
    plan, shown = way.plan, tuple(dict.fromkeys(text for one in way.tries for text in one.shown))
    if work.left() < RESERVE_SECONDS:
        return replace(untried(ReadyRoute(plan, shown, (), ()), NO_TIME), general=True)
    log, started = Log(f"replay-route-{plan.id}"), time.monotonic()
    log.note(f"route {plan.id} ({plan.tier.value}): {plan.source}")
    missed, passed = list[Missed](), None
    with work.containers.start(work.spec) as session:
        for one in way.tries:
            left = SECONDS - (time.monotonic() - started)
            if left < 1:
                break
            found = _proved(work, session, log, one, min(left, work.seconds(plan.seconds)))
            if found is None:
                passed = one
                break
            missed.append(found)
        arm = arm_of(plan.id, "route", session, session.journal, work.sign)
        goals = reached(work, session, log) if passed else ()
    if passed and missed:
        log.note("the same alone, in a fresh container: what earlier tries left proves nothing")
        with work.containers.start(work.spec) as session:
            found = _proved(work, session, log, passed, work.seconds(plan.seconds))
            arm = arm_of(plan.id, "route", session, session.journal, work.sign)
            goals = () if found else reached(work, session, log)
        if found:
            missed, passed = [found] * len(way.tries), None
    result, note = ("passed", "") if passed else _told(work, way, missed)
    route = Route(
        id=plan.id,
        tier=plan.tier,
        commands=passed.shown if passed else shown,
        result=result,
        note=note,
        artifact=work.keep(log),
    )
    command = work.outcome.decisive.command if work.outcome.decisive else ""
    again = [one.done for one in missed if one.done.command.endswith(command)]
    past = not passed and any(not work.subject.handler.met(work.subject, done) for done in again)
    return Tried(plan, route, round(time.monotonic() - started, 3), arm=arm, reached=goals, general=True, past=past)


def _proved(work: ReplayRun, session: Session, log: Log, one: Try, seconds: float) -> Missed | None:
    """The same, where a try that stays open proves it all the same by what else the task asks for."""
    found = _tried(work, session, log, one, seconds)
    by_goals = found is not None and one.by_goals and found.why == one.open
    return None if by_goals and reached(work, session, log) else found


def _tried(work: ReplayRun, session: Session, log: Log, one: Try, seconds: float) -> Missed | None:
    """Why the try proves nothing; None where it did the work."""
    shell, subject = "bash" if one.in_bash else work.subject.shell, work.subject
    done = run(session, log, one.script, seconds, shell=shell)
    if one.told:
        run(session, log, one.told, 15, looks=True)
    if tests_begin(work, done):
        return Missed(one, done, one.open) if one.open else None
    if not done.ok or subject.handler.met(subject, done):
        return Missed(one, done)
    shown = next((match for _, known in signatures("replay") if (match := known.pattern.search(done.output))), None)
    if shown:
        return Missed(one, done, say("workarounds.ended_still_shows", shown=shown[0].strip()[:80]))
    if one.refuted_by:
        log.note("a control: the same where it cannot do the work")
        if run(session, log, one.refuted_by, seconds, shell=shell, looks=True).ok:
            return Missed(one, done, say("workarounds.ends_where_cannot"))
    return Missed(one, done, one.open) if one.open else None


def _told(work: ReplayRun, way: Way, missed: list[Missed]) -> tuple[Result, str]:
    """Failed where every try was walked to its end."""
    worked = next((one for one in missed if one.why and one.why == one.one.open), None)
    if worked:
        return "not_tried", f"`{short(worked.one.shown[0])}` {worked.why}"
    if len(missed) < len(way.tries):
        return "not_tried", NO_TIME
    if way.own_end and any(one.done.exit_code not in NOT_STARTED for one in missed):
        return "not_tried", way.own_end
    for one in missed:
        result, note = judge(work.subject, way.plan, one.done, "") if not one.why else ("failed", "")
        if result == "not_tried":
            return result, note
    last = missed[-1]
    return "failed", f"`{short(last.one.shown[-1])}` {last.why or f'ended with {last.done.how}'}"
