"""Small cases whose runs gave answers."""

from cases import Block, Case, Outcome, Run, Task, Transcript
from probes.scorer.grader import Grader, graders_of
from probes.scorer.grading import Mark, Marks

LIST = "Harbour Yoga Loft\nStone Climbing"


def answered(
    answer: str | None,
    *,
    name: str = "run",
    outcome: Outcome = Outcome.FAILED,
    told: str = "",
    score: float | None = None,
    scaffold: str = "",
    harness: str = "HAL",
    ruled: bool = False,
) -> Run:
    """A run that ended with an answer; with `told` it has a transcript that begins with those instructions."""
    blocks = (
        Block(index=0, role="system", kind="message", text=told),
        Block(index=1, role="assistant", kind="message", text=f"The final answer is {answer}"),
    )
    environment = {"scaffold": scaffold, "harness": "" if scaffold else harness, "outcome": "by rule" if ruled else ""}
    return Run(
        run_id=name,
        outcome=outcome,
        answer=answer,
        score=score,
        transcript=Transcript(blocks=blocks) if told else None,
        environment={key: value for key, value in environment.items() if value},
        source="synthetic",
    )


def case_of(*runs: Run, gold: str | None = LIST, prompt: str | None = "Which gyms?", benchmark: str = "assistantbench"):
    """A case of these runs."""
    return Case(benchmark=benchmark, task_id="t", task=Task(prompt=prompt, gold=gold), runs=runs)


def marked(pairs: tuple[tuple[str, str], ...], full: dict[str, set[str]], benchmark: str = "assistantbench") -> Marks:
    """Marks as graders would give them: 1 for the answers named, by grader, else 0."""
    names = [grader.name for grader in graders_of(benchmark)]
    by = {name: {pair: Mark(mark=1.0 if pair[0] in full.get(name, set()) else 0.0) for pair in pairs} for name in names}
    return Marks(by, {"image": "synthetic"})


def grader(name: str) -> Grader:
    """A shipped grader."""
    return next(one for one in graders_of("assistantbench") if one.name == name)
