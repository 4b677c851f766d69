"""Answers beside expected ones, through the real program and the benchmark's real graders."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, upload

PEOPLE = "How many people live in the county?"
GYMS = "Harbour Loft\nStone Hall\nOak Gym"
BROWSES = (
    "You are an agent that browses the web by JSON actions. Look first, then act. When you know the answer, submit it "
    "by the action `done`, and no other key."
)


@dataclass(frozen=True)
class Answered:
    """One failed run, and what an expert would say of it."""

    prompt: str
    gold: str
    answer: str
    status: str
    told: str = BROWSES
    barrier: str = "strict_match"
    passed: bool = False
    """Whether another run passed."""


RUNS = {
    "separators": Answered(PEOPLE, "1010000", "1,010,000", "supported"),
    "case": Answered("Which city has the tower?", "Paris", "PARIS.", "supported"),
    "order": Answered("Which gyms are near the park?", GYMS, '["Oak Gym", "Stone Hall", "Harbour Loft"]', "supported"),
    "tolerance": Answered(
        "How far is it? Answers within 5% of the right value are accepted.",
        "20",
        "20.3",
        "supported",
        barrier="tolerance",
    ),
    "some": Answered(
        "Name two of the gyms near the park.", GYMS, "Oak Gym, Harbour Loft", "supported", barrier="partial_credit"
    ),
    # The agent's own fault: told the form, or a better one passed.
    "told-digits": Answered(PEOPLE, "1010000", "1,010,000", "not_supported", told="Answer with digits only."),
    "peer": Answered(PEOPLE, "1010000", "1,010,000", "not_supported", passed=True),
    "not-rounded": Answered("What is the ratio, rounded to two decimal places?", "0.12", "0.1234", "not_supported"),
    "wrong": Answered(PEOPLE, "1010000", "1,010,001", "not_supported"),
    # Arguable: a person must say.
    "scale": Answered(PEOPLE, "1010000", "1.01 million", "inconclusive"),
    "day-first": Answered("On which day?", "2024-04-03", "03/04/2024", "inconclusive"),
    "promised": Answered(
        "Which gyms? Partial credit is given.", GYMS, "Oak Gym\nStone Hall", "inconclusive", barrier="partial_credit"
    ),
}


@pytest.fixture
def inputs(tmp_path: Path) -> list[object]:
    """All runs as a harness leaves them, and the tasks."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    for name, run in RUNS.items():
        _write(folder, name, run, run.answer)
    (tmp_path / "tasks.jsonl").write_text(
        "".join(json.dumps({"id": name, "task": run.prompt, "answer": run.gold}) + "\n" for name, run in RUNS.items())
    )
    outcomes = tmp_path / "outcomes.csv"
    passed = [name for name, run in RUNS.items() if run.passed]
    rows = ["benchmark,task_id,scaffold,model,date,correct,run_id"]
    rows += [f"assistantbench,{name},Another agent,synthetic,2026-01-16,1,another_{name}" for name in passed]
    outcomes.write_text("\n".join(rows) + "\n")
    return ["--run", folder, "--tasks", tmp_path / "tasks.jsonl", "--outcomes", outcomes]


def _write(folder: Path, name: str, run: Answered, answer: str) -> None:
    messages = [
        {"role": "system", "content": run.told},
        {"role": "user", "content": run.prompt},
        {"role": "assistant", "content": f"I looked it up. The final answer is: {answer}"},
    ]
    written = upload(name, messages, "assistantbench") | {"task_prompts": {name: run.prompt}}
    (folder / f"assistantbench_{name}_UPLOAD.json").write_text(json.dumps(written))
    submissions = folder / f"assistantbench_{name}_RAW_SUBMISSIONS.jsonl"
    submissions.write_text(json.dumps({name: {"answer": answer}}) + "\n")


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
def test_a_right_answer_is_told_from_a_wrong_one_by_measurement(verify: Verify, inputs: list[object]):
    done = verify(*RUNS, *inputs, "--json")
    assert done.returncode == 0, done.stderr
    documents = {one["case"]["task_id"]: one for one in map(json.loads, done.stdout.splitlines())}
    found = {name: documents[name]["verdict"]["status"] for name in RUNS}
    assert found == {name: run.status for name, run in RUNS.items()}
    for name, run in RUNS.items():
        if run.status == "supported":
            _is_proven(documents[name], run)


def _is_proven(document: dict, run: Answered) -> None:
    """All three answers come from the graders, with controls, in this audit."""
    verdict = document["verdict"]
    assert (verdict["locus"], verdict["deficiency_type"]) == ("grader", "Evaluation Metric Defects")
    leading = next(one for one in document["hypotheses"] if one["id"] == verdict["leading"])
    assert leading["barrier"] == run.barrier
    findings = [one for one in document["findings"] if one["id"] in verdict["decisive"]]
    assert {(one["probe"], one["question"], one["answer"]) for one in findings} == {
        ("scorer", "PRESENT", "yes"),
        ("scorer", "PASSABLE", "no"),
        ("scorer", "CAUSED", "yes"),
    }
    assert all(one["controls"] and all(control["passed"] for control in one["controls"]) for one in findings)
    assert run.gold not in verdict["reason"]
