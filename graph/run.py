"""One audit from a case to a verdict, resumable after a crash."""

import hashlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Durability, StateSnapshot, StreamMode

from cases import Case, Model, Outcome
from cases.sentences import Sentences
from cases.task_words import given
from graph.checkpoints import End, Shared, reading, saver_of
from graph.classifier import classify
from graph.context import AuditContext, AuditOptions, Progress, note, open_context
from graph.planner import Planner, Step, key
from graph.registry import PROBES
from graph.rerun import Rerun
from graph.retracer import untold
from graph.review import ReviewNeeded, decisions
from graph.state import State, require_whole
from graph.verdict import Audit, JudgeInputs, Review, Verdict
from graph.workflow import GRAPH_VERSION, REVIEW, compiled
from probes import ArtifactStore, Envelope, Hypothesis, Probe, Resources

say = Sentences(__name__)

T = TypeVar("T")

RECURSION_LIMIT = 70
"""Steps of the graph: twelve hypotheses, two probes each, and a judge after every round, stay below it."""
_END = "end.json"


class PlannedStep(Model):
    """A probe that would question a hypothesis, and what it would touch."""

    hypothesis: str
    probe: str
    targets: tuple[str, ...]


class Plan(Model):
    """What an audit would do, without doing it."""

    envelope: Envelope
    retraced: tuple[str, ...]
    """Runs that would be gone through again first; what that tells may change the rest."""
    hypotheses: tuple[Hypothesis, ...]
    steps: tuple[PlannedStep, ...]


async def audit(
    case: Case,
    options: AuditOptions,
    store: ArtifactStore,
    *,
    checkpoints: Path | Shared | None = None,
    progress: Callable[[Progress], None] | None = None,
    probes: Sequence[Probe] = PROBES,
    batch: Resources | None = None,
    answer: Review | None = None,
    repeat: Rerun | None = None,
) -> Audit:
    """Audit one case, with what the other audits of its `batch` have opened already.

    With `checkpoints`, in an SQLite file or a PostgreSQL, an audit of the same case and options that was killed goes on
    where it stopped; of one that was finished it gives the same again, until these go.

    With `repeat` the hypotheses and the envelope are those of an earlier audit; `case` is then its case.
    Where `options.review` is set and there is no `answer` yet it stops before its end, and needs `checkpoints`.

    Raises:
        InputError: the profile cannot be used.
        StateDamaged: the checkpoints of an earlier call cannot be read; without them it begins anew.
        ReviewNeeded: a person is to look at it; the same call with an `answer` goes on from there. An answer that is
            given before anybody was asked, or that is none to what was asked, is not taken.
    """
    async with open_context(case, options, store, batch, repeat.audit.envelope if repeat else None) as context:
        end = _only_end(checkpoints, context)
        if end and (earlier := end.read()):
            return earlier
        async with saver_of(None if end else checkpoints) as saver:
            work = _Work(_kept_by(saver, probes), saver, context, progress or _silent)
            _claim(checkpoints, work.thread)
            state, waits = await work.done(_beginning(repeat), answer)
        settled = _settled(case, context.probe.envelope, state)
        if waits:
            raise ReviewNeeded(settled)
        if end:
            end.keep(settled)
        return settled


def _claim(checkpoints: Path | Shared | None, thread: str) -> None:
    if isinstance(checkpoints, Shared):
        checkpoints.threads.add(thread)


def _only_end(checkpoints: Path | Shared | None, context: AuditContext) -> End | None:
    """Where the end alone is kept; None where each step is, or nothing."""
    if isinstance(checkpoints, Path) and _quick(context):
        return End(checkpoints.with_name(_END), _thread(context))
    return None


def _kept_by(
    saver: BaseCheckpointSaver[Any] | None, probes: Sequence[Probe]
) -> CompiledStateGraph[State, AuditContext, State, State]:
    graph = copy(compiled(tuple(probes)))
    graph.checkpointer = saver
    return graph


def _settled(case: Case, envelope: Envelope, state: State) -> Audit:
    verdict: Verdict | None = state.get("verdict")
    if verdict is None:
        raise RuntimeError(say("run.workflow_ended_without_verdict"))
    return Audit(
        case=case,
        envelope=envelope,
        hypotheses=tuple(state.get("hypotheses", [])),
        findings=tuple(sorted(state["findings"], key=lambda finding: finding.id)),
        basis=state.get("basis", JudgeInputs()),
        verdict=verdict,
    )


def _beginning(repeat: Rerun | None) -> State:
    state: State = {"findings": [], "asked": []}
    return {**state, "hypotheses": list(repeat.audit.hypotheses), "basis": repeat.basis} if repeat else state


def _silent(_: Progress) -> None:
    """No progress."""


@dataclass(frozen=True)
class _Work:
    """One run of the workflow, or what is left of it."""

    graph: CompiledStateGraph[State, AuditContext, State, State]
    saver: BaseCheckpointSaver[Any] | None
    context: AuditContext
    progress: Callable[[Progress], None]

    async def done(self, beginning: State, answer: Review | None) -> tuple[State, bool]:
        """The state in which it ends, and whether it waits for a person."""
        if self.saver is None:
            return await self._streamed(beginning)
        kept = await self._kept()
        stopped_at = tuple(task.name for task in kept.tasks)  # `next` leaves out what was cancelled
        if kept.values and not stopped_at:
            return cast("State", kept.values), False
        if stopped_at:
            self.progress(note(say("run.resuming_interrupted_audit")))
        state, waits = await self._streamed(None if stopped_at else beginning)
        if waits:
            if answer is None or stopped_at != (REVIEW,) or answer.decision not in decisions(state["verdict"]):
                return state, waits
            state, _ = await self._streamed(Command(resume=answer.model_dump(mode="json")))
        return state, False

    async def _kept(self) -> StateSnapshot:
        """What is kept of an earlier call, and the nodes that are next in it: none where it is new, or was finished.

        Raises:
            StateDamaged: it cannot be read.
        """
        with reading():
            kept = await self.graph.aget_state(self._config)
            for value in kept.values.values():
                for one in value if isinstance(value, list) else [value]:
                    require_whole(one)
        return kept

    @property
    def thread(self) -> str:
        """What its steps are kept as."""
        return _thread(self.context)

    @property
    def _config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread}, "recursion_limit": RECURSION_LIMIT}

    async def _streamed(self, given: State | Command[str] | None) -> tuple[State, bool]:
        durability: Durability | None = ("exit" if _quick(self.context) else "sync") if self.saver else None
        return await streamed(self.graph, given, self._config, self.context, self.progress, durability)


def _quick(context: AuditContext) -> bool:
    """Whether only records can be asked, so that to begin again costs less than to keep each step: its end is kept."""
    case, settings = context.probe.case, context.options.settings
    if settings.thorough or context.options.review or context.options.model or case.task.reference:
        return False
    known = settings.offline or any(run.outcome is Outcome.PASSED for run in case.runs)
    return known and not any(run.transcript for run in case.runs)


async def streamed(
    graph: CompiledStateGraph[State, AuditContext, State, State],
    given: State | Command[str] | None,
    config: RunnableConfig,
    context: AuditContext,
    progress: Callable[[Progress], None],
    durability: Durability | None = None,
) -> tuple[State, bool]:
    """The state in which the workflow ends, and whether it waits for a person.

    `progress` is told of each step, without secrets.
    """
    state, waits = State(findings=[], asked=[]), False
    modes: list[StreamMode] = ["custom", "values"]
    stream = graph.astream(given, config, context=context, stream_mode=modes, durability=durability, version="v2")
    async for part in stream:
        if part["type"] == "custom" and progress is not _silent:
            told: Progress = part["data"]
            progress(told.model_copy(update={"text": context.mask.text(told.text)}))
        elif part["type"] == "values":
            state, waits = part["data"], bool(part["interrupts"])
    return state, waits


def _thread(context: AuditContext) -> str:
    parts = (context.probe.case, context.options, context.probe.envelope)
    digest = hashlib.sha256("\n".join(part.model_dump_json() for part in parts).encode()).hexdigest()[:16]
    return f"{GRAPH_VERSION}:{context.probe.case.task_id}:{digest}"


async def plan(case: Case, options: AuditOptions, store: ArtifactStore) -> Plan:
    """What `audit` would do first and at most, without secrets; sends and starts nothing.

    Raises:
        InputError: the profile cannot be used.
    """
    async with open_context(case, options, store) as context:
        files = given(context.probe.settings.workspace)
        hypotheses, _ = classify(case, context.probe.events, options.rubric, files)
        probes = {probe.name: probe for probe in PROBES}
        planner = Planner(probes, thorough=True, offline=options.settings.offline, reference=bool(case.task.reference))
        asked: list[str] = []
        steps: list[Step] = []
        while fresh := planner.next_steps(hypotheses, [], asked):
            steps += fresh
            asked += [key(step) for step in fresh]
        by_id = {hypothesis.id: hypothesis for hypothesis in hypotheses}
        planned = Plan(
            envelope=context.probe.envelope,
            retraced=tuple(run.run_id for run in untold(case, context.probe.events)),
            hypotheses=hypotheses,
            steps=tuple(
                PlannedStep(
                    hypothesis=step.hypothesis,
                    probe=step.probe,
                    targets=probes[step.probe].targets(by_id[step.hypothesis], case),
                )
                for step in steps
            ),
        )
        return context.mask.model(planned)
