"""From a hypothesis and the run's record to what is to be replayed."""

from dataclasses import replace

from cases import CommandRun, Events
from cases.hosts import host_of
from cases.sentences import Sentences
from cases.task_words import prompt_of
from cases.touches import Thing, found_at_first, freedom, origin_of, programs_missed
from cases.touches.installing import bare
from probes.contract import ProbeContext
from probes.model import Hypothesis
from probes.replay.following import with_what_followed
from probes.replay.handlers import BarrierHandler, handler_of
from probes.replay.target.model import ReplayTarget, home_of
from probes.replay.target.symptom import Symptom, last_line, symptoms

say = Sentences(__name__)


def subject_of(hypothesis: Hypothesis, context: ProbeContext) -> ReplayTarget | str:
    """What to replay, or one sentence why that cannot be told."""
    handler = handler_of(hypothesis.barrier)
    if handler is None:
        return say("deriving.probe_not_replay", value=hypothesis.barrier.value)
    recorded, prior = _event(hypothesis, context)
    event = recorded or handler.event_of(_cited(hypothesis, context))
    output = (event.output or "") if event else ""
    about = _about(handler, hypothesis, event)
    if about is None:
        return say("deriving.hypothesis_names_no", noun=handler.noun)
    told = recorded is not None and _is_told(about, hypothesis, context)
    refusal = handler.refuses(about, event.command if event else "", output, told=told)
    if refusal:
        return refusal
    expected = _expected(handler, hypothesis, event, about)
    attempts = handler.attempts(hypothesis, event, about, context.envelope)
    if not attempts or expected is None:
        return say("deriving.no_command_known", about=about)
    subject = ReplayTarget(
        handler=handler,
        barrier=hypothesis.barrier,
        attempts=attempts,
        expected=expected,
        about=about,
        targets=hypothesis.targets,
        prior=prior,
        output=output,
        cwd=event.cwd if event else None,
        events=context.events.get(hypothesis.run_id or "", Events()),
        event=hypothesis.event if event else None,
        shell="sh" if "/bin/sh: " in output else "bash",
        home=home_of(context.envelope),
        freedom=freedom(prompt_of(context.case)),
    )
    if recorded is not None:
        subject = handler.plainly(
            _looked(with_what_followed(subject, hypothesis, recorded, context), hypothesis, context)
        )
    return replace(subject, details=handler.known(subject))


def _expected(handler: BarrierHandler, hypothesis: Hypothesis, event: CommandRun | None, about: str) -> Symptom | None:
    """What shows the failure: what is said of this very thing, or else of another, or what the command ended with."""
    output = (event.output or "") if event else ""
    found = symptoms(hypothesis.barrier, output)
    said = next((one for one in found if handler.same(one.subject, about)), found[0] if found else None)
    return said or handler.expected_of(event) or handler.expected(hypothesis.barrier, about) or last_line(output)


def _event(hypothesis: Hypothesis, context: ProbeContext) -> tuple[CommandRun | None, tuple[CommandRun, ...]]:
    events = context.events.get(hypothesis.run_id or "")
    if events is None or hypothesis.event is None or hypothesis.event >= len(events.commands):
        return None, ()
    return events.commands[hypothesis.event], events.commands[: hypothesis.event]


def _is_told(about: str, hypothesis: Hypothesis, context: ProbeContext) -> bool:
    """Whether the task names it, taken as a host."""
    run = next((run for run in context.case.runs if run.run_id == hypothesis.run_id), None)
    thing = Thing("host", host_of(about) or about)
    origin = origin_of(thing, context.case, run, context.events[run.run_id]) if run else "agent"
    return origin == "task"


def _looked(subject: ReplayTarget, hypothesis: Hypothesis, context: ProbeContext) -> ReplayTarget:
    """The subject with what the run's record shows to be on its machine and not to be there."""
    case, run = context.case, next((run for run in context.case.runs if run.run_id == hypothesis.run_id), None)
    if run is None:
        return subject
    events = context.events[run.run_id]
    return replace(subject, seen=found_at_first(case, run, events), missed=programs_missed(case, run, events))


def _cited(hypothesis: Hypothesis, context: ProbeContext) -> str:
    """The blocks of records that the hypothesis quotes, one below the other; empty when it quotes none."""
    transcripts = {run.run_id: run.transcript for run in context.case.runs}
    texts: dict[str, None] = {}
    for citation in hypothesis.citations:
        transcript = transcripts.get(citation.run_id)
        if transcript and context.case.cites(citation):
            texts[transcript.blocks[citation.block].text] = None
    return "\n".join(texts)


def _about(handler: BarrierHandler, hypothesis: Hypothesis, event: CommandRun | None) -> str | None:
    output = (event.output or "") if event else ""
    shown = tuple(one.subject for one in symptoms(hypothesis.barrier, output))
    asked = handler.asked(event.command) if event else ()
    further = handler.candidates(hypothesis, event)
    names = [name.strip() for name in (*handler.named(hypothesis.targets), *asked, *shown, *further) if name.strip()]
    chosen = next((name for name in names if handler.valid is None or handler.valid.fullmatch(name)), None)
    return next((name for name in asked if chosen and handler.same(bare(name), chosen)), chosen)
