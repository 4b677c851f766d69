"""The transcript probe: what the record itself answers, without touching the world."""

from cases import Events, Outcome, Run
from cases.sentences import Sentences
from probes.barriers import Trait, having
from probes.contract import FindingMaker, ProbeContext, ReadingProbe
from probes.model import Answer, Barrier, Control, Finding, Ground, Hypothesis, Observation, Question, Route, Tier
from probes.transcript.causation import Cause, cause
from probes.transcript.passed import Passage, passage
from probes.transcript.places import demands

say = Sentences(__name__)


class TranscriptProbe(ReadingProbe):
    """Reads the failed runs: was the barrier passed later, and did it stop the run?"""

    name = "transcript"
    ground = Ground.RECORD
    reads_records = True

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """PASSABLE when the run passed the barrier itself, and CAUSED; nothing without a transcript."""
        run = self._run(hypothesis, context)
        if run is None or run.transcript is None:
            return []
        make = FindingMaker(self, hypothesis)
        events = context.events[run.run_id]
        verbatim = _verbatim(hypothesis, context)
        passed = None
        if not (hypothesis.barrier in having(Trait.ELSEWHERE) and demands(hypothesis, context, run)):
            passed = _passed(make, run, hypothesis, events, verbatim)
        passed = passed or _other_tool(make, run, hypothesis, context, verbatim)
        own = [item for item in context.exclusions if item.run_id == run.run_id]
        reason = cause(hypothesis, context.case, run, events, own)
        caused = make(
            Question.CAUSED,
            reason.answer,
            _sentence(reason.sentence),
            observations=tuple(Observation(name=f"agent error: {item.pattern}", value=item.sentence) for item in own),
            citations=tuple(dict.fromkeys((*reason.citations, *(c for item in own for c in item.citations)))),
            controls=(verbatim, _recorded(run, events, reason)) if reason.answer is Answer.YES else (verbatim,),
        )
        return [passed, caused] if passed else [caused]

    @staticmethod
    def _run(hypothesis: Hypothesis, context: ProbeContext) -> Run | None:
        failed = [run for run in context.case.runs if run.transcript and run.outcome is not Outcome.PASSED]
        mine = [run for run in failed if run.run_id == hypothesis.run_id]
        return next(iter(mine or failed), None)


def _verbatim(hypothesis: Hypothesis, context: ProbeContext) -> Control:
    wrong = sum(not context.case.cites(citation) for citation in hypothesis.citations)
    return Control(
        name="quotes match the log",
        expected=say("transcript.all"),
        observed=f"{len(hypothesis.citations) - wrong} of {len(hypothesis.citations)}",
        passed=not wrong,
    )


def _passed(make: FindingMaker, run: Run, hypothesis: Hypothesis, events: Events, verbatim: Control) -> Finding | None:
    found = passage(hypothesis, events)
    return _passable(make, run, found, "passed-in-the-run", Tier.T2, verbatim) if found else None


def _other_tool(
    make: FindingMaker, run: Run, hypothesis: Hypothesis, context: ProbeContext, verbatim: Control
) -> Finding | None:
    """An import ban of one tool does not bind the shell tool that the run also had and that worked."""
    shell = context.envelope.shell
    if hypothesis.barrier is not Barrier.IMPORT_BAN or not shell.value or shell.origin != "observed":
        return None
    events = context.events[run.run_id].commands
    worked = next((event for event in events if event.kind == "shell" and event.failed == "no"), None)
    if worked is None or worked.tool is None:
        return None
    found = Passage(say("transcript.run_also_tool", tool=worked.tool), (), worked.blocks)
    return _passable(make, run, found, "the-shell-tool-of-the-run", Tier.T1, verbatim)


def _passable(make: FindingMaker, run: Run, found: Passage, route: str, tier: Tier, verbatim: Control) -> Finding:
    blocks = run.transcript.blocks if run.transcript else ()
    places = ", ".join(str(block) for block in found.blocks)
    cited = (run.cite(block, blocks[block].text[:200]) for block in found.blocks)
    return make(
        Question.PASSABLE,
        Answer.YES,
        _sentence(found.sentence),
        tier=tier,
        controls=(verbatim,),
        routes=(
            Route(
                id=route,
                tier=tier,
                commands=found.commands,
                result="passed",
                note=say("transcript.seen_log_block", places=places),
            ),
        ),
        citations=tuple(citation for citation in cited if citation and citation.quote.strip()),
    )


def _recorded(run: Run, events: Events, reason: Cause) -> Control:
    """Where outputs were cut, exit codes still tell how every command ended."""
    whole = _complete(run)
    if whole.passed or not reason.by_need:
        return whole
    silent = sum(event.exit_code is None for event in events.commands if event.kind == "shell")
    return Control(
        name="every command's exit is logged",
        expected=say("transcript.exit_code_each"),
        observed=say("transcript.none", silent=silent) if silent else say("transcript.exit_code_each_though"),
        passed=not silent,
    )


def _complete(run: Run) -> Control:
    complete = run.transcript is not None and run.transcript.complete
    return Control(
        name="the log is complete",
        expected="complete",
        observed="complete" if complete else say("transcript.text_missing"),
        passed=complete,
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


__all__ = ["TranscriptProbe"]
