"""What the workflow asks of a model: causes that rules have missed, and words."""

import os
from collections.abc import Sequence

from cases.sentences import Sentences
from graph.context import AuditContext, note, tell
from graph.llm.cache import conversation_of
from graph.llm.client import Client
from graph.llm.narrator import dissent, sources_of, word
from graph.llm.proposer import propose
from graph.llm.readings import read_task
from graph.llm.suggester import suggest
from graph.llm.transport import Wire, key_from, open_wire
from graph.proposal import rank_more
from graph.verdict import JudgeInputs, Verdict, Wording
from graph.words import counted
from probes import Finding, Hypothesis

say = Sentences(__name__)


async def propose_more(
    context: AuditContext, ranked: Sequence[Hypothesis], findings: Sequence[Finding], basis: JudgeInputs
) -> tuple[list[Hypothesis], JudgeInputs]:
    """The hypotheses with what a model adds to them, and the basis with what that took."""
    client = _client(context, basis)
    _progress(say("model.asking_causes"))
    case = context.probe.case
    context.mask.learn(*ranked, *findings)
    proposed = await propose(case, context.probe.events, client, ranked, findings)
    more, _ = rank_more(proposed.proposals, ranked, case, context.options.rubric)
    _progress(say("model.proposes", more=len(more), dropped=proposed.rejected))
    assistance = client.assistance.model_copy(update={"proposed": len(more)})
    return [*ranked, *more], basis.model_copy(update={"assistance": assistance})


async def suggest_more(
    context: AuditContext, hypothesis: Hypothesis, findings: Sequence[Finding], basis: JudgeInputs
) -> tuple[list[list[str]], JudgeInputs]:
    """The routes that a model suggests around a barrier, by their commands, and the basis with what that took."""
    client = _client(context, basis)
    if client.calls_left <= 0:
        return [], basis
    context.mask.learn(*findings)
    _progress(say("model.asking_routes"))
    routes = await suggest(hypothesis, findings, context.probe.envelope, client)
    _progress(say("model.suggests", routes=counted(len(routes), "way")))
    return routes, basis.model_copy(update={"assistance": client.assistance})


async def read_more(context: AuditContext, basis: JudgeInputs) -> JudgeInputs:
    """The basis with a model's readings of the task, as far as the calls of this audit allow."""
    client = _client(context, basis)
    _progress(say("model.asking_readings"))
    read = await read_task(context.probe.case.task.prompt or "", client)
    spent = client.assistance
    failures = tuple(dict.fromkeys((*spent.failures, *((read.failure,) if read.failure else ()))))
    _progress(say("model.readings", readings=len(read.readings), dropped=read.dropped))
    assistance = spent.model_copy(update={"misread": read.dropped, "failures": failures})
    return basis.model_copy(update={"assistance": assistance, "readings": read.readings})


async def narrate(
    context: AuditContext,
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    verdict: Verdict,
    basis: JudgeInputs,
) -> JudgeInputs:
    """The basis with a model's reasoning, as far as the calls of this audit allow."""
    client = _client(context, basis)
    context.mask.learn(*hypotheses, *findings)
    sources = sources_of(verdict, hypotheses, findings, client)
    if not (sources.texts and verdict.decisive and client.calls_left > 0):
        return basis.model_copy(update={"assistance": client.assistance})
    _progress(say("model.asking_words"))
    wording = await word(verdict, sources, client)
    return basis.model_copy(update={"assistance": client.assistance, "wording": wording})


async def doubt(
    context: AuditContext,
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    verdict: Verdict,
    basis: JudgeInputs,
) -> JudgeInputs:
    """The basis with what a second reader says against the verdict; where no call is left for that, it says so."""
    client = _client(context, basis)
    context.mask.learn(*hypotheses, *findings)
    sources = sources_of(verdict, hypotheses, findings, client)
    if not sources.texts:
        return basis
    _progress(say("model.asking_against"))
    against = await dissent(verdict, sources, client)
    wording = (basis.wording or Wording()).model_copy(update={"dissent": against})
    return basis.model_copy(update={"assistance": client.assistance, "wording": wording})


def _client(context: AuditContext, basis: JudgeInputs) -> Client:
    options = context.options.model
    assert options is not None

    async def opened() -> Wire:
        wire = await context.probe.batched("model", lambda: open_wire(options, key_from(os.environ)))
        assert isinstance(wire, Wire)
        return wire

    return Client(options, opened, context.mask, conversation_of(context.probe.case), basis.assistance)


def _progress(text: str) -> None:
    tell(note(text, "model"))
