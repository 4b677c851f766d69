"""Who tried what, in one table: the agent, the benchmark's own solution, an empty run, and this audit."""

from collections.abc import Iterator, Sequence

from cases import Outcome, Run
from cases.sentences import Sentences
from evidence.proof import Proof
from graph.verdict import Audit
from probes import LIFTED, Answer, Finding, Ground, Question

say = Sentences(__name__)

_LONGEST = 160
_EMPTY_RUN = "an empty run"
"""The name of the control that does nothing in the task's machine."""


def trials(audit: Audit, decisive: Sequence[Finding], proof: Proof, run: Run | None) -> Iterator[tuple[str, str]]:
    """Names and results, one line each."""
    yield from _runs(audit, run)
    controls = [control for finding in decisive for control in finding.controls]
    reference = [one for one in decisive if one.ground is Ground.REFERENCE and one.question is Question.PRESENT]
    empty = [control.observed for control in controls if control.name == _EMPTY_RUN]
    yield say("trial.oracle"), reference[0].summary if reference else say("trial.not_run")
    yield say("trial.nop"), empty[0] if empty else say("trial.not_run")
    here = [one for one in decisive if one.question is Question.PRESENT and one.valid_answer is Answer.YES]
    if here and not reference:
        arms = [arm for arm in proof.recipe.arms if arm.kind == "replay"] if proof.recipe else []
        yield say("trial.audit"), say("trial.audit_failed", times=len(arms)) if arms else here[0].summary
    tried = [route for route in proof.routes if route.id != "another-agent-passed"]
    if tried:
        worked = sum(route.result == "passed" for route in tried)
        names = ("trial.forms", "trial.forms_told") if proof.of_forms else ("trial.ways", "trial.ways_told")
        yield say(names[0]), say(names[1], worked=worked, tried=len(tried))
    lifted = next((control for control in controls if control.name == LIFTED and control.passed), None)
    if lifted:
        thing = proof.lifted_with
        gone = "is gone" in lifted.observed
        name = say("trial.lifted_with", thing=thing) if thing else say("trial.lifted")
        yield name, say("trial.lifted_gone" if gone else "trial.lifted_told")


def _runs(audit: Audit, run: Run | None) -> Iterator[tuple[str, str]]:
    if run is not None:
        quote = next((c.quote for c in audit.verdict.citations if c.run_id == run.run_id), "")
        shown = " ".join(quote.split())[:_LONGEST]
        failed = say("trial.agent_failed", quote=shown) if shown else say("trial.agent_failed_silently")
        yield say("trial.agent", run=run.run_id), failed
    known = [one for one in audit.case.runs if one.outcome is not Outcome.UNKNOWN]
    if len(known) > 1:
        passed = sum(one.outcome is Outcome.PASSED for one in known)
        yield say("trial.runs"), say("trial.runs_told", passed=passed, known=len(known))
