"""What rules and probes know already, as a model is shown it: hypotheses, what runs touched, what was measured."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from cases import Case, Events, Run
from cases.touches import Trouble, troubles_of
from graph.llm.prompt_guard import Shown, shown
from probes import Finding, Hypothesis

TROUBLES = 8
"""Of one run."""
LONGEST = 4_000
"""Characters of each text."""
_MEASURED = frozenset({"facts", "next steps"})
"""Observations that say what a failure is."""


def known(
    case: Case,
    runs: Sequence[Run],
    events: Mapping[str, Events],
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    masked: Callable[[str], str],
) -> tuple[Shown, ...]:
    """Three texts; `runs` are numbered from 1 as the model is shown them."""
    stated = [f"- {one.id}: {one.barrier.value}: {one.statement}" for one in hypotheses]
    touched = [
        f"- run {number}: {line}"
        for number, run in enumerate(runs, 1)
        for line in _troubles(troubles_of(case, run, events[run.run_id]), events[run.run_id])
    ]
    measured = [f"- {line}" for one in findings for line in _measured(one)]
    texts = (
        ("what is known already", stated),
        ("what failed in the runs, and whether it worked later", touched),
        ("what was measured", measured),
    )
    return tuple(shown(label, "\n".join(lines) or "nothing", masked, LONGEST) for label, lines in texts)


def _troubles(troubles: Sequence[Trouble], events: Events) -> Iterator[str]:
    order = events.in_order
    for one in troubles[:TROUBLES]:
        blocks = sorted({block for place in one.events for block in order[place].blocks})
        later = "worked later" if one.resolved else "never worked later"
        with_it = ", ".join(f"{touch.kind} {touch.name}" for touch in one.with_it[:3])
        beside = f", with {with_it}" if with_it else ""
        where = f"blocks {', '.join(map(str, blocks))}"
        yield f"{one.cause.kind} {one.cause.name} (named by: {one.cause.origin}){beside}: {where}; {later}"


def _measured(finding: Finding) -> Iterator[str]:
    yield f"{finding.hypothesis}: {finding.question.value}={finding.valid_answer.value}: {finding.summary}"
    yield from (f"{one.name}: {one.value}" for one in finding.observations if one.name in _MEASURED)
