"""Tasks about the pages of the archive lab."""

import datetime as dt

from cases import Case, Outcome, Run, Task
from graph.rubric import place
from probes import Barrier, Hypothesis, Targets
from tests.lab.web.archive import Archived, archived

TASKS = {page.id: page for page in archived().values() if page.truth}


def case_of(page: Archived, **other: object) -> Case:
    """A failed run without a transcript."""
    run = {"run_id": "run-1", "outcome": Outcome.FAILED, "answer": page.answer, "date": dt.date(2024, 6, 1)}
    task = Task(prompt=page.prompt, gold=page.gold, gold_urls=(page.url,))
    runs = (Run.model_validate(run | {"source": "synthetic"} | other),)
    return Case(benchmark="assistantbench", task_id=page.id, task=task, runs=runs)


def hypothesis_of(page: Archived) -> Hypothesis:
    """What a claim about the page would say."""
    barrier = Barrier(page.barrier)
    rubric, category = place(barrier, "auto", "assistantbench") or ("", "")
    return Hypothesis(
        id=f"h-{page.id}",
        rubric=rubric,
        category=category,
        barrier=barrier,
        statement="synthetic claim",
        targets=Targets(),
        citations=(),
        proposer="claim",
        run_id="run-1",
    )
