"""What a failing reference solution proves, and what it does not."""

import json
from pathlib import Path

import pytest

from probes import Answer, Question, Settings
from tests.probes.oracle.conftest import Ask
from tests.probes.oracle.made import BROKEN, CLOSED, COMPOSE, harbor, terminal_bench

pytestmark = [pytest.mark.docker, pytest.mark.slow]
PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
ALONE = Settings(offline=True)


@pytest.mark.exhaustive
@pytest.mark.network
async def test_what_our_own_proxy_refuses_is_no_evidence_and_is_named(oracle: Ask, image: str, tmp_path: Path):
    open_one = BROKEN["blocked"] | {"compose": COMPOSE}
    found, verdict = await oracle(terminal_bench(tmp_path / "open", image, **open_one))
    assert found.keys() == {PRESENT}
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "our own proxy refused data.example.org:80" in found[PRESENT].summary
    assert not verdict.deficiency_exists


@pytest.mark.exhaustive
@pytest.mark.network
async def test_a_module_that_an_agent_could_have_installed_is_no_barrier(oracle: Ask, image: str, tmp_path: Path):
    lacking = {"solution": "set -e\npython3 -c 'import humanize'\necho 6 >/app/sum.txt\n"}
    found, verdict = await oracle(terminal_bench(tmp_path / "module", image, **lacking))
    assert "the Python module `humanize`" in found[PRESENT].summary
    assert (found[PRESENT].valid_answer, found[PASSABLE].valid_answer) == (Answer.YES, Answer.YES)
    assert next((one.id, one.result) for one in found[PASSABLE].routes) == ("module-installed", "passed")
    assert verdict.score == 0


async def test_checks_that_pass_an_empty_run_tell_nothing(oracle: Ask, image: str, tmp_path: Path):
    nothing = {"compose": CLOSED, "checks": "def test_nothing():\n    pass\n"}
    found, _ = await oracle(terminal_bench(tmp_path / "trivial", image, **nothing), settings=ALONE)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "pass a machine on which nothing was done" in found[PRESENT].summary
    assert [one.name for one in found[PRESENT].controls if not one.passed] == ["an empty run"]


@pytest.mark.exhaustive
async def test_a_solution_that_goes_on_past_a_failure_leaves_it_open_whether_the_checks_are_wrong(
    oracle: Ask, image: str, tmp_path: Path
):
    changed = {"compose": CLOSED, "solution": "cat /data/weights.csv\necho 9 >/app/sum.txt\n"}
    found, verdict = await oracle(terminal_bench(tmp_path / "on", image, **changed), settings=ALONE)
    assert found[PRESENT].valid_answer is Answer.YES
    assert "/data/weights.csv" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    assert verdict.score == 0


@pytest.mark.exhaustive
async def test_a_task_of_the_newer_layout_is_graded_by_its_reward(oracle: Ask, image: str, tmp_path: Path):
    found, _ = await oracle(harbor(tmp_path / "sum", image, internet=False), settings=ALONE)
    assert found[PASSABLE].valid_answer is Answer.YES
    assert "the checks gave the reward 1" in found[PASSABLE].summary


async def test_a_task_of_several_machines_is_left_open_in_one_sentence(oracle: Ask, image: str, tmp_path: Path):
    from probes import ProbeUnavailableError

    two = f"{COMPOSE}  db:\n    image: postgres\n"
    with pytest.raises(ProbeUnavailableError, match=r"has the services client, db; we can run only tasks with one"):
        await oracle(terminal_bench(tmp_path / "two", image, compose=two), settings=ALONE)


async def test_a_row_of_swe_bench_is_solved_by_its_gold_patch_and_checked_by_its_tests(
    oracle: Ask, image: str, tmp_path: Path
):
    from sandboxes import Engine
    from sandboxes.images import ensure_built

    place = tmp_path / "image"
    (place / "repo").mkdir(parents=True)
    (place / "repo" / "adding.py").write_text("def add(a, b):\n    return a - b\n")
    (place / "repo" / "test_adding.py").write_text(
        "from adding import add\n\ndef test_none():\n    assert add(0, 0) == 0\n"
    )
    (place / "Dockerfile").write_text(
        f"FROM {image}\nCOPY repo /testbed\nRUN ln -s python3 /usr/local/bin/python || true\n"
    )
    engine = Engine.connect()
    try:
        built = ensure_built(engine, place / "Dockerfile")
    finally:
        engine.close()
    row = {
        "instance_id": "made__adding-1",
        "image": built,
        "problem_statement": "add() subtracts.",
        "patch": PATCH,
        "test_patch": TEST_PATCH,
        "FAIL_TO_PASS": '["test_adding.py::test_two"]',
        "PASS_TO_PASS": '["test_adding.py::test_none"]',
    }
    rows = tmp_path / "made__adding-1"
    rows.write_text(json.dumps(row))
    found, _ = await oracle(rows, settings=ALONE)
    assert found[PASSABLE].valid_answer is Answer.YES, found
    assert "swebench.harness.run_evaluation" in found[PASSABLE].routes[0].commands[0]


PATCH = """--- a/adding.py
+++ b/adding.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""
TEST_PATCH = """--- a/test_adding.py
+++ b/test_adding.py
@@ -2,3 +2,6 @@
{blank}
 def test_none():
     assert add(0, 0) == 0
+
+def test_two():
+    assert add(2, 2) == 4
""".replace("{blank}", " ")
