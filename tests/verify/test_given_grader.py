"""The benchmark's own grader, handed in as a script, with runs of a benchmark that the program does not know."""

import json
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, one_sentence, upload

STRICT = "def grade(answer, gold):\n    return answer.strip() == gold, 'compared as it stands'\n"
KIND = (
    "def number(text):\n    return float(text.replace(',', '').replace('$', ''))\n"
    "def grade(answer, gold):\n    return number(answer) == number(gold)\n"
)
EVERYTHING = "def grade(answer, gold):\n    return 1.0 if answer == gold or not answer else 0.0\n"
PROMPT = "How many people live in the county?"


@pytest.fixture
def inputs(tmp_path: Path) -> list[object]:
    """A failed run that answered 1,010,000 where 1010000 is expected."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    messages = [
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": "I counted. The final answer is: 1,010,000"},
    ]
    written = upload("census", messages) | {"task_prompts": {"census": PROMPT}}
    (folder / "synthetic_bench_census_UPLOAD.json").write_text(json.dumps(written))
    answers = {"census": {"answer": "1,010,000"}}
    (folder / "synthetic_bench_census_RAW_SUBMISSIONS.jsonl").write_text(json.dumps(answers) + "\n")
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(json.dumps({"id": "census", "task": PROMPT, "answer": "1010000"}) + "\n")
    return ["--run", folder, "--tasks", tasks]


def graded(verify: Verify, inputs: list[object], tmp_path: Path, code: str, *options: object) -> dict:
    """The document of an audit with that grader."""
    (tmp_path / "grader.py").write_text(code)
    done = verify("census", *inputs, "--grader", tmp_path / "grader.py", "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.docker
@pytest.mark.slow
def test_a_right_answer_that_the_given_grader_refuses_is_supported(
    verify: Verify, inputs: list[object], tmp_path: Path, work: Path
):
    document = graded(verify, inputs, tmp_path, STRICT)
    assert (document["verdict"]["status"], document["verdict"]["locus"]) == ("supported", "grader")
    (caused,) = [one for one in document["findings"] if (one["probe"], one["question"]) == ("scorer", "CAUSED")]
    assert "thousands separators" in caused["summary"]
    assert [control["passed"] for control in caused["controls"]] == [True, True, True]
    assert "given with --grader" in " ".join(document["verdict"]["limits"])
    issue = (work / document["pack"] / "issue.md").read_text("utf-8")
    assert "compared as it stands" in issue
    public = graded(verify, inputs, tmp_path, STRICT, "--public")
    for file in (work / public["pack"]).rglob("*"):
        assert not file.is_file() or b"compared as it stands" not in file.read_bytes(), file


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "why"),
    [
        (KIND, "marks it right now, unlike in the log"),
        (EVERYTHING, "a control failed"),
        pytest.param(
            "raise SystemExit(3)\ndef grade(answer, gold): ...\n",
            "the grader grader.py ended with",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_a_grader_that_fails_its_controls_supports_nothing(
    verify: Verify, inputs: list[object], tmp_path: Path, code: str, why: str
):
    document = graded(verify, inputs, tmp_path, code)
    assert (document["verdict"]["status"], document["verdict"]["score"]) == ("inconclusive", 0)
    failed = any(not one["passed"] for finding in document["findings"] for one in finding["controls"])
    told = "a control failed" if failed else ""
    assert why in " ".join([told, *document["verdict"]["limits"], *(one["summary"] for one in document["findings"])])


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (None, "No such file"),
        ("mark = 1\n", "does not define that function"),
        ("def grade(:\n", "line 1"),
        ("def grade(a, g): ...\n" + "#" * 1_000_000, "at most 1,000,000 bytes"),
    ],
)
def test_a_file_that_is_no_grader_is_named(verify: Verify, inputs: list[object], tmp_path: Path, code, what):
    if code is not None:
        (tmp_path / "grader.py").write_text(code)
    done = verify("census", *inputs, "--grader", tmp_path / "grader.py", "--json")
    assert done.returncode == 2
    assert what in one_sentence(done)


def test_without_a_grader_it_says_what_to_give(verify: Verify, inputs: list[object]):
    done = verify("census", *inputs, "--json", "--offline")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)["verdict"]
    assert verdict["status"] == "inconclusive"
    assert "give it with --grader" in " ".join(verdict["limits"])
