"""A case, hypotheses and findings as the tests of the deciding code make them up."""

from datetime import UTC, datetime

from cases import Block, Case, Citation, Outcome, Run, Task, Transcript
from probes import (
    Answer,
    Barrier,
    Control,
    Finding,
    Hypothesis,
    Question,
    Route,
    Targets,
    Tier,
)
from tests.graph.small_probes import REAL

RUN = Run(
    run_id="r1",
    outcome=Outcome.FAILED,
    transcript=Transcript(blocks=(Block(index=0, role="tool", kind="result", text="fatal error: x.h: No such file"),)),
    source="synthetic",
)

CASE = Case(benchmark="corebench_hard", task_id="t", task=Task(), runs=(RUN,))

GOOD = Control(name="trivial command", expected="0", observed="0", passed=True)

BAD = Control(name="trivial command", expected="0", observed="1", passed=False)

ANSWERS = list(Answer)


def hypothesis(number: int = 1, barrier: Barrier = Barrier.HEADER) -> Hypothesis:
    return Hypothesis(
        id=f"h{number}",
        rubric="environmental_barrier",
        category="Missing system headers",
        barrier=barrier,
        statement="x.h is missing",
        targets=Targets(headers=("x.h",)),
        citations=(Citation(run_id="r1", block=0, start=0, end=16, quote="fatal error: x.h"),),
        proposer="rules",
        run_id="r1",
    )


def finding(
    question: Question,
    answer: Answer,
    controls: tuple[Control, ...] = (GOOD,),
    probe: str = "replay",
    number: int = 1,
) -> Finding:
    return Finding(
        id=f"h{number}/{probe}/{question.value}",
        hypothesis=f"h{number}",
        probe=probe,
        ground=REAL[probe].ground,
        question=question,
        answer=answer,
        tier=Tier.T2 if question is Question.PASSABLE and answer is Answer.YES else None,
        summary=f"{question.value} is {answer.value}.",
        controls=controls,
        started=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=0.1,
    )


def three(
    present: Answer, passable: Answer, caused: Answer, controls: tuple[Control, ...] = (GOOD,), number: int = 1
) -> list[Finding]:
    return [
        finding(Question.PRESENT, present, controls, number=number),
        finding(Question.PASSABLE, passable, controls, number=number),
        finding(Question.CAUSED, caused, controls, probe="transcript", number=number),
    ]


def of(number: int, barrier: Barrier, **targets: tuple[str, ...]) -> Hypothesis:
    return hypothesis(number, barrier).model_copy(update={"targets": Targets(**targets)})


def passed_by(route: str, number: int = 2) -> list[Finding]:
    tried = Route(id=route, tier=Tier.T2, commands=("pip install --no-index tabulate",), result="passed")
    yes = finding(Question.PASSABLE, Answer.YES, number=number).model_copy(update={"routes": (tried,)})
    return [finding(Question.PRESENT, Answer.YES, number=number), yes]


def five_missing_modules(count: int = 5) -> Case:
    """A synthetic failed run that met `count` missing modules and nothing else."""
    texts = [f"Observation:\nModuleNotFoundError: No module named 'm{number}'" for number in range(count)]
    blocks = tuple(Block(index=index, role="tool", kind="result", text=text) for index, text in enumerate(texts))
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
    return Case(benchmark="corebench_hard", task_id="t", task=Task(), runs=(run,))
