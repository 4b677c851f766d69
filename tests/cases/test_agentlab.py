"""A directory of BrowserGym: its summary always, its pickles only when trusted, their code never."""

import pickle
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cases import samples
from tests.cases.reading import kinds, only, opened


class TestAgentLab:
    """A run's directory of pickles."""

    def test_pickles_are_refused_unless_trusted(self, tmp_path: Path) -> None:
        library = opened(samples.agentlab(tmp_path / "2025_agent_on_webarena.12_3"))
        (task,) = library.tasks()
        assert (task.benchmark, task.task_id, task.failed, task.transcripts) == ("webarena", "webarena.12", 1, 0)
        assert "--trust-pickle" in str(library.problems[0])

    def test_trusted_pickles_are_read_without_running_their_code(self, tmp_path: Path) -> None:
        summary = samples.agentlab(tmp_path / "2025_agent_on_webarena.12_3")
        case, found = only(summary, trust_pickle=True)
        assert kinds(case) == "mmmmcr"
        assert case.task.prompt == "Buy it."
        assert [visit.url for visit in found.visits if visit.blocks[0] == 4] == ["https://shop.test/a"]

    def test_a_pickle_that_runs_a_program_runs_nothing(self, tmp_path: Path) -> None:
        class Evil:
            def __reduce__(self) -> Any:
                return subprocess.check_call, (["touch", str(tmp_path / "ran")],)

        summary = samples.agentlab(tmp_path / "run_on_webarena.12_3")
        (summary.parent / "step_0.pkl").write_bytes(pickle.dumps(Evil()))
        only(summary, trust_pickle=True)
        assert not (tmp_path / "ran").exists()

    def test_many_pickles_in_a_directory_are_one_problem(self, tmp_path: Path) -> None:
        folder = samples.agentlab(tmp_path / "run_on_webarena.12_3").parent
        for number in range(2, 30):
            shutil.copy(folder / "step_0.pkl", folder / f"step_{number}.pkl")
        (only_one,) = opened(tmp_path).problems
        assert "30 steps are Python pickles" in str(only_one)
        (tmp_path / "other").mkdir()
        for step in folder.glob("step_*"):
            shutil.copy(step, tmp_path / "other")
        said_of = [str(problem) for problem in opened(tmp_path).problems]
        assert len(said_of) == 2
        assert any("30 files" in text and "a Python pickle" in text for text in said_of)

    @pytest.mark.parametrize(("gone", "told", "note"), [("step_0.pkl", 2, "1"), ("step_9.pkl", 9, "7")])
    def test_steps_that_are_not_there_make_the_record_incomplete(
        self, gone: str, told: int, note: str, tmp_path: Path
    ) -> None:
        summary = samples.agentlab(tmp_path / "run_on_webarena.12_3")
        (summary.parent / gone).unlink(missing_ok=True)
        summary.write_text(summary.read_text("utf-8").replace('"n_steps": 2', f'"n_steps": {told}'), "utf-8")
        transcript = only(summary, trust_pickle=True)[0].runs[0].transcript
        assert transcript
        assert (transcript.complete, transcript.notes) == (
            False,
            (f"{note} of the run's steps are missing from its directory.",),
        )
