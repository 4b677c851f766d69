"""Answers that were right and marked wrong, and answers that were simply wrong, through the real program."""

import json
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, upload

GYMS = "Harbour Yoga Loft\nStone Climbing"
TASKS = [
    {"id": "gyms", "task": "Which gyms near the park have classes before 7 am?", "answer": GYMS},
    {"id": "people", "task": "How many people live in the county?", "answer": "1010000"},
]
ANSWERS = {"gyms": '["Stone Climbing", "Harbour Yoga Loft"]', "people": "950,000"}


@pytest.fixture
def inputs(tmp_path: Path) -> list[object]:
    """A run of each task, its answers and the tasks with what was expected, as a harness leaves them."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    for task in TASKS:
        name, answer = task["id"], ANSWERS[task["id"]]
        messages = [
            {"role": "user", "content": task["task"]},
            {"role": "assistant", "content": f"The final answer is: {answer}"},
        ]
        file = folder / f"assistantbench_{name}_UPLOAD.json"
        written = upload(name, messages, "assistantbench") | {"task_prompts": {name: task["task"]}}
        file.write_text(json.dumps(written))
        (folder / f"assistantbench_{name}_RAW_SUBMISSIONS.jsonl").write_text(
            json.dumps({name: {"answer": answer}}) + "\n"
        )
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text("".join(json.dumps(task) + "\n" for task in TASKS))
    return ["--run", folder, "--tasks", tasks]


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
def test_a_right_answer_that_the_harness_marked_wrong_is_supported(verify: Verify, inputs: list[object], work: Path):
    done = verify("gyms", *inputs, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    verdict = document["verdict"]
    assert (verdict["status"], verdict["score"], verdict["locus"]) == ("supported", 1, "grader")
    assert verdict["deficiency_type"] == "Evaluation Metric Defects"
    findings = {finding["question"]: finding for finding in document["findings"] if finding["probe"] == "scorer"}
    assert {name: finding["answer"] for name, finding in findings.items()} == {
        "PRESENT": "yes",
        "PASSABLE": "no",
        "CAUSED": "yes",
    }
    assert "exact match 0, official 1, inspect_evals 1" in findings["CAUSED"]["summary"]
    assert {item["name"] for item in findings["CAUSED"]["observations"]} == {
        "grader exact match",
        "grader official",
        "grader inspect_evals",
    }
    assert findings["CAUSED"]["artifacts"]
    assert all(control["passed"] for finding in findings.values() for control in finding["controls"])
    assert ANSWERS["gyms"] in verdict["evidence"]
    (marks,) = (work / document["pack"]).rglob("*marks.json")
    assert verdict["barrier_then"] is None
    offline = json.loads(verify("gyms", *inputs, "--json", "--offline").stdout)
    assert offline["verdict"]["status"] == "supported"
    assert [row["official"] for row in json.loads(marks.read_text())["marks"] if "answer of" in row["answer"]] == ["1"]
    issue = (work / document["pack"] / "issue.md").read_text("utf-8")
    assert "a run passes where answer == gold; it decided this run | no package | 0 | 1 |" in issue
    assert "| browsergym-assistantbench==0.14.3, numpy==2.2.6, scipy==1.15.3 | 1 |" in issue


def test_a_wrong_answer_is_the_agents_own_failure_without_any_container(verify: Verify, inputs: list[object]):
    done = verify("people", *inputs, "--json", env={"DOCKER_HOST": "unix:///nonexistent/docker.sock"})
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"]["status"] == "not_supported"
    assert not document["verdict"]["deficiency_caused_failure"]
    (caused,) = [finding for finding in document["findings"] if finding["probe"] == "scorer"]
    assert (caused["question"], caused["answer"]) == ("CAUSED", "no")
    assert "another number" in caused["summary"]


def test_a_failed_run_whose_answer_nobody_gave_is_inconclusive_and_says_what_to_give(
    verify: Verify, inputs: list[object], tmp_path: Path
):
    (tmp_path / "inputs" / "assistantbench_people_RAW_SUBMISSIONS.jsonl").unlink()
    record = tmp_path / "inputs" / "assistantbench_people_UPLOAD.json"
    record.write_text(record.read_text().replace("The final answer is: 950,000", "The final answer is saved."))
    done = verify("people", *inputs, "--json", "--offline")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)["verdict"]
    assert (verdict["status"], verdict["score"]) == ("inconclusive", 0)
    assert "give its RAW_SUBMISSIONS file" in " ".join(verdict["limits"])


def test_what_nobody_recorded_as_failed_is_never_marked_wrong(verify: Verify, inputs: list[object], tmp_path: Path):
    (tmp_path / "inputs" / "assistantbench_people_RAW_SUBMISSIONS.jsonl").unlink()
    (tmp_path / "inputs" / "assistantbench_people_UPLOAD.json").unlink()
    (tmp_path / "inputs" / "predictions.jsonl").write_text(json.dumps({"id": "people", "answer": "1010000.0"}) + "\n")
    done = verify("people", *inputs, "--json", "--benchmark", "assistantbench")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"]["status"] == "inconclusive"
    assert "No file says whether predictions passed" in " ".join(document["verdict"]["limits"])
    assert all(finding["answer"] == "unknown" for finding in document["findings"] if finding["probe"] == "scorer")


def test_without_an_engine_an_answer_that_may_be_right_is_inconclusive(verify: Verify, inputs: list[object]):
    done = verify("gyms", *inputs, "--json", env={"DOCKER_HOST": "unix:///nonexistent/docker.sock"})
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)["verdict"]
    assert (verdict["status"], verdict["score"]) == ("inconclusive", 0)
    assert "Docker" in " ".join(verdict["limits"])
