"""The benchmark's own data set, success rules, and what is said of a file."""

import datetime as dt
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from cases import InputError, Outcome, benchmarks
from cases.errors import EnvironmentNotReady
from cases.explaining import explained
from cases.library import Inputs, Library
from cases.tasks import load_tasks
from tests.cases import samples
from tests.cases.case_files import hal, whowhen
from tests.cases.samples import HEX, SAMPLES, TALK

ROW: dict[str, Any] = {
    "id": HEX,
    "task": "Which synthetic  shop is nearest?",
    "answer": "1010000",
    "gold_url": "https://shop.test/a, https://shop.test/b.\nhttps://shop.test/a",
    "explanation": "x",
    "difficulty": "Hard",
    "metadata": {"created": "2024-05-06T00:00:00"},
}


def tasks(folder: Path, *rows: Any) -> str:
    return str(samples.lines(folder / "tasks.jsonl", rows or [ROW]))


class TestTaskFile:
    """A jsonl file of tasks adds to what the runs say."""

    def test_prompt_gold_addresses_and_date(self, tmp_path: Path) -> None:
        run = samples.lines(tmp_path / "p.jsonl", [{"id": HEX, "answer": "x"}])
        library = Library.open(Inputs(runs=(run,), tasks=tasks(tmp_path)))
        task = library.case(library.tasks()[0]).task
        assert (task.prompt, task.gold, task.created) == (ROW["task"], "1010000", dt.date(2024, 5, 6))
        assert task.gold_urls == ("https://shop.test/a", "https://shop.test/b")
        assert not library.problems

    @pytest.mark.parametrize("task_id", ["another", HEX[:50]])
    def test_a_task_is_found_by_its_prompt_or_by_a_cut_id(self, tmp_path: Path, task_id: str) -> None:
        question = "which synthetic shop\nis nearest?" if task_id == "another" else "Something else"
        run = whowhen(tmp_path / "w.json", TALK, question_ID=task_id, question=question, ground_truth=None)
        library = Library.open(Inputs(runs=(run,), tasks=tasks(tmp_path)))
        task = library.case(library.tasks()[0]).task
        assert (task.prompt, task.gold) == (question, "1010000")

    def test_a_prompt_that_two_tasks_share_names_neither(self, tmp_path: Path) -> None:
        given = tasks(tmp_path, ROW, ROW | {"id": "cd" * 32, "answer": "other"})
        assert load_tasks(given).find("another", ROW["task"]) is None

    def test_another_gold_answer_is_told_and_the_data_sets_is_used(self, tmp_path: Path) -> None:
        run = whowhen(tmp_path / "w.json", TALK, question_ID=HEX)
        library = Library.open(Inputs(runs=(run,), tasks=tasks(tmp_path)))
        assert library.case(library.tasks()[0]).task.gold == "1010000"
        assert "differs from the data set's" in str(library.problems[0])

    def test_tasks_of_another_benchmark_are_told(self, tmp_path: Path) -> None:
        run = samples.lines(tmp_path / "p.jsonl", [{"id": "ef" * 32, "answer": "x"}])
        library = Library.open(Inputs(runs=(run,), tasks=tasks(tmp_path)))
        assert "none of its tasks is among those in the inputs" in str(library.problems[0])

    @pytest.mark.parametrize(
        ("rows", "message"),
        [(["no object"], "is not a JSON object"), ([{"id": "x"}], "no tasks in it"), ([], "no tasks in it")],
    )
    def test_a_file_without_tasks(self, tmp_path: Path, rows: list[Any], message: str) -> None:
        path = samples.lines(tmp_path / "t.jsonl", rows)
        with pytest.raises(InputError, match=message):
            load_tasks(str(path))

    def test_a_name_that_is_neither_a_file_nor_a_data_set(self) -> None:
        with pytest.raises(InputError, match="or one of: assistantbench"):
            load_tasks("missing.jsonl")


class TestHub:
    """`--tasks assistantbench`, without any network."""

    @pytest.fixture
    def hub(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        constants = pytest.importorskip("huggingface_hub.constants")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        return tmp_path / "hub"

    @pytest.mark.parametrize("offline", [True, False])
    def test_neither_cached_nor_within_reach(self, hub: Path, offline: bool) -> None:
        with pytest.raises(EnvironmentNotReady, match=r"cannot be fetched .*or give a file"):
            load_tasks("assistantbench", offline=offline)

    def test_the_pinned_revision_comes_from_the_cache(self, hub: Path) -> None:
        pinned = benchmarks.datasets()["assistantbench"]
        folder = hub / "datasets--AssistantBench--AssistantBench" / "snapshots" / pinned.revision
        folder.mkdir(parents=True)
        samples.lines(folder / pinned.file, [ROW])
        assert load_tasks("AssistantBench", offline=True).tasks[HEX].gold == "1010000"

    @pytest.mark.parametrize("moving", ["main", "v1.0", "40504560e762"])
    def test_a_revision_that_may_move_is_refused(self, moving: str) -> None:
        pinned = benchmarks.datasets()["assistantbench"].model_dump()
        assert benchmarks.HubDataset.model_validate(pinned)
        with pytest.raises(ValidationError):
            benchmarks.HubDataset.model_validate(pinned | {"revision": moving})

    def test_without_the_client_the_message_says_what_to_install(self) -> None:
        code = (
            "import sys; sys.modules['huggingface_hub'] = None\n"
            "from cases.tasks import load_tasks\n"
            "try: load_tasks('assistantbench')\nexcept Exception as error: print(type(error).__name__, error)"
        )
        root = Path(__file__).parents[2]
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
        assert done.stdout.startswith("EnvironmentNotReady --tasks assistantbench: huggingface_hub is not installed")
        assert "pip install 'impassable[hub]'" in done.stdout


class TestSuccess:
    """When a benchmark's harness counts a run as passed."""

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [("1010000", Outcome.PASSED), ("1,010,000", Outcome.FAILED), ("1010000 ", Outcome.FAILED)],
    )
    def test_an_assistantbench_answer_passes_only_if_it_is_the_gold_answer(
        self, tmp_path: Path, answer: str, outcome: Outcome
    ) -> None:
        run = samples.lines(tmp_path / "synthetic_run_1_RAW_SUBMISSIONS.jsonl", [{HEX: answer}])
        library = Library.open(Inputs(runs=(run,), tasks=tasks(tmp_path)))
        found = library.case(library.tasks()[0]).runs[0]
        assert (found.outcome, found.score) == (outcome, None)
        assert "exactly" in found.environment["outcome"]
        assert found.settled_by_rule

    def test_what_no_harness_of_that_rule_ran_stays_unknown(self, tmp_path: Path) -> None:
        predicted = samples.lines(tmp_path / "p.jsonl", [{"id": HEX, "answer": "1010000.0"}])
        said = {"is_done": True, "success": True, "extracted_content": "1010000.0"}
        history = samples.whole(tmp_path / "b.json", {"task_id": HEX, "history": [{"result": [said], "state": {}}]})
        library = Library.open(Inputs(runs=(predicted, history), tasks=tasks(tmp_path)))
        for found in library.case(library.tasks()[0]).runs:
            assert (found.outcome, found.answer) == (Outcome.UNKNOWN, "1010000.0")
            assert not found.settled_by_rule

    def test_what_the_harness_says_wins_over_the_rule(self, tmp_path: Path) -> None:
        log = hal(tmp_path / "synthetic_run_1_UPLOAD.json", [], benchmark="assistantbench", failed=[HEX])
        answer = samples.lines(tmp_path / "synthetic_run_1_RAW_SUBMISSIONS.jsonl", [{HEX: "1010000"}])
        library = Library.open(Inputs(runs=(log, answer), tasks=tasks(tmp_path)))
        (run,) = library.case(library.tasks()[0]).runs
        assert (run.outcome, run.answer) == (Outcome.FAILED, "1010000")

    def test_other_benchmarks_make_no_outcome_of_an_answer(self) -> None:
        assert benchmarks.outcome("corebench_hard", "1", "1") is Outcome.UNKNOWN
        assert benchmarks.outcome("unheard_of", "1", "1") is Outcome.UNKNOWN
        assert benchmarks.outcome("assistantbench", None, "1") is Outcome.UNKNOWN
        assert {name: benchmarks.success(name).rule for name in ("scicode", "corebench_easy")} == {
            "scicode": "steps",
            "corebench_easy": "all_questions",
        }


class TestExplained:
    """What a user is told of a file."""

    @pytest.mark.parametrize("kind", SAMPLES)
    def test_every_format_loses_nothing(self, tmp_path: Path, kind: str) -> None:
        (found,) = explained([SAMPLES[kind](tmp_path)], trust_pickle=True)
        assert found.reader
        assert found.signs
        assert found.runs or found.claims or found.outcomes
        assert found.blocks == found.messages + found.calls + found.results
        assert not [text for text in found.lost if "is in screenshots" not in text]  # what the format never holds

    def test_losses_are_named(self, tmp_path: Path) -> None:
        hal(tmp_path / "a_merged.json", [], failed=["a"])
        samples.lines(
            tmp_path / "b_clipped.jsonl", [{"messages": [{"role": "tool", "content": "x <response clipped>"}]}]
        )
        (tmp_path / "c.txt").write_text("words")
        samples.agentlab(tmp_path / "d_on_webarena.1").parent.joinpath("step_0.pkl").unlink()
        (tmp_path / "d.pkl").write_bytes(pickle.dumps(1))
        merged, clipped, words, lone, summary = explained([tmp_path])
        assert "no transcripts" in merged.lost[0]
        assert "Text was cut in" in clipped.lost[0]
        assert words.lost == ("everything: this looks like plain text, which no reader handles",)
        assert "a Python pickle" in lone.lost[0]
        assert "--trust-pickle" in summary.lost[0]
