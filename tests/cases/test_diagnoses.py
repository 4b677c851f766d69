"""What others say of failed runs, each a claim that can be disputed."""

import json
from pathlib import Path

import pytest

from cases import Claim
from cases.library import Inputs, Library
from tests.cases.samples import AGENTDEBUG, AGENTRX, SAMPLES, whole


def claims(path: Path, task: str = "a") -> tuple[Claim, ...]:
    library = Library.open(Inputs(claims=(path,)))
    return library.case(library.resolve(task)).claims


@pytest.mark.parametrize(
    ("kind", "score", "whose", "text"),
    [
        ("agentrx", 1.0, "judge", "step 3\na wall"),
        ("agentdebug", 1.0, "judge", "The site refused.\nHTTP 403"),
        ("feedback", 0.0, "person", "Ann: it works here"),
        ("scout", 1.0, "judge", "yes\nwhy"),
        ("issues", 1.0, "person", "https://forge.test/i/1"),
    ],
)
def test_a_verdict_of_others_is_a_claim(tmp_path: Path, kind: str, score: float, whose: str, text: str):
    found = claims(SAMPLES[kind](tmp_path))[0]
    assert (found.score, found.kind, found.text) == (score, whose, text)


@pytest.mark.parametrize(("case", "score"), [(1, 0.0), (5, 0.0), (6, 1.0), ("8", 1.0), (10, None), ("odd", None)])
def test_agentrx_categories_are_claims_or_undecided(tmp_path: Path, case: object, score: float | None):
    [failure] = AGENTRX["failures"]  # type: ignore[misc]
    entry = AGENTRX | {"failures": [dict(failure) | {"failure_case": case}]}
    path = whole(tmp_path / "run1", {"detailed_results": [entry]})
    assert [one.score for one in claims(path)] == [score]


def test_agentdebug_speaks_by_its_root_cause_and_is_undecided_without_one(tmp_path: Path):
    first = AGENTDEBUG | {"root_cause_event_id": "e1"}
    assert [one.category for one in claims(whole(tmp_path / "first", first))] == ["Wrong tool selection"]
    assert [one.score for one in claims(whole(tmp_path / "none", AGENTDEBUG | {"findings": []}))] == [None]


def test_a_claim_without_a_task_and_an_issue_without_a_link_are_told_and_cost_only_themselves(tmp_path: Path):
    path = tmp_path / "run1.json"
    path.write_text(json.dumps({"detailed_results": [AGENTRX | {"task_id": ""}, AGENTRX]}))
    issues = tmp_path / "issues.csv"
    issues.write_text("task_id,issue\na,#12\nb,https://forge.test/i/2\n")
    library = Library.open(Inputs(claims=(path, issues)))
    assert {task.task_id for task in library.tasks()} == {"a", "b"}
    told = "\n".join(map(str, library.problems))
    assert "detailed_results[0].failures[0]: the task_id is missing" in told
    assert "line 2: the issue '#12' is not a link" in told
