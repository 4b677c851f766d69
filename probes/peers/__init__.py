"""The peers probe: has anybody passed this very task?"""

from collections import Counter

from cases import Outcome, Run
from cases import patterns as re
from cases.sentences import Sentences
from probes.contract import FindingMaker, ProbeContext, ReadingProbe
from probes.model import Answer, Finding, Ground, Hypothesis, Observation, Question, Route, Tier

say = Sentences(__name__)

_APART = re.compile(r"[\s_-]+")
"""What spellings of one agent's name differ in, besides their case."""


class PeersProbe(ReadingProbe):
    """Counts the other runs of the task; one that passed shows that the task can be passed."""

    name = "peers"
    ground = Ground.RUNS
    reads_records = True

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """PASSABLE=yes when another run passed; failures of others are no evidence, so nothing otherwise."""
        peers = [run for run in context.case.runs if run.run_id != hypothesis.run_id]
        known = [run for run in peers if run.outcome is not Outcome.UNKNOWN]
        passed = [run for run in known if run.outcome is Outcome.PASSED]
        if not passed:
            return []
        make = FindingMaker(self, hypothesis)
        failed = next((run for run in context.case.runs if run.run_id == hypothesis.run_id), None)
        finding = make(
            Question.PASSABLE,
            Answer.YES,
            say(
                "peers.peers.runs_task_passed",
                passed=len(passed),
                known=len(known),
                other="other " if failed else "",
                kinds=_kinds(passed),
            ),
            tier=Tier.T2,
            observations=tuple(
                Observation(name=f"run {run.run_id}", value="; ".join(filter(None, ("passed", _described(run)))))
                for run in passed[:50]
            ),
            routes=(
                Route(
                    id="another-agent-passed",
                    tier=Tier.T2,
                    result="passed",
                    note=_told(passed[0], failed),
                ),
            ),
            limits=(say("peers.peers.outcome_files_not"),),
        )
        return [finding]


def _kinds(runs: list[Run]) -> str:
    """How many runs each agent has, by its commonest spelling."""
    spellings: dict[str, Counter[str]] = {}
    for run in runs:
        name = run.environment.get("scaffold") or run.agent or say("peers.peers.unknown_agent")
        spellings.setdefault(_APART.sub("", name.casefold()) or name, Counter())[name] += 1
    counts = {min(names, key=lambda name: (-names[name], name)): names.total() for names in spellings.values()}
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _told(passed: Run, failed: Run | None) -> str:
    theirs, ours = _described(passed), _described(failed) if failed else ""
    beside = say("peers.peers.failed_run", ours=ours) if ours else ""
    return say(
        "peers.peers.run_passed_very", run_id=passed.run_id, kind=f" ({theirs})" if theirs else "", beside=beside
    )


def _described(run: Run) -> str:
    parts = (run.environment.get("scaffold") or run.agent, run.model, run.date.isoformat() if run.date else None)
    return ", ".join(part for part in parts if part)


__all__ = ["PeersProbe"]
