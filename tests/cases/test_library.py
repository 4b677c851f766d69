"""The library: which tasks there are, which are disputed, and how a task is named."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cases import InputError, Outcome
from cases.library import Inputs, Library
from tests.cases.case_files import JUDGE, OUTCOMES, RUBRIC, hal, hal_v2, said, table, whowhen

HEX = "ab" * 32


def rubric(path: Path, *grades: tuple[str, str], benchmark: str = "gaia") -> Path:
    return table(
        path, RUBRIC, [(task, benchmark, grade, "0", "why", f"run{n}") for n, (task, grade) in enumerate(grades)]
    )


def outcomes(path: Path, *rows: tuple[str, str, str, str]) -> Path:
    """Rows of benchmark, task, correct and run."""
    return table(path, OUTCOMES, [(b, task, "s", "m", "2025-01-01", correct, run) for b, task, correct, run in rows])


def judge(path: Path, *rows: tuple[str, str]) -> Path:
    return table(path, JUDGE, [(task, grade, grade, "1", "r", "why") for task, grade in rows])


def disputed(*paths: Path) -> dict[str, bool]:
    return {task.task_id: task.disputed for task in Library.open(Inputs(claims=paths)).tasks()}


class TestDisputed:
    """A claim says impassable, and another claim or a passing run says otherwise."""

    def test_claims_against_claims(self, tmp_path: Path) -> None:
        grades = [
            ("both", "1"),
            ("both", "0"),
            ("ones", "1"),
            ("ones", "1"),
            ("zeros", "0"),
            ("open", "1"),
            ("open", ""),
        ]
        assert disputed(rubric(tmp_path / "c.csv", *grades)) == {
            "both": True,
            "ones": False,
            "open": False,
            "zeros": False,
        }

    def test_a_claim_against_a_run_that_passed(self, tmp_path: Path) -> None:
        claimed = rubric(tmp_path / "c.csv", ("a", "1"), ("b", "1"), ("c", "0"))
        ran = outcomes(tmp_path / "o.csv", ("gaia", "a", "1", "r"), ("gaia", "b", "0", "r"), ("gaia", "c", "1", "r"))
        assert disputed(claimed, ran) == {"a": True, "b": False, "c": False}


class TestBenchmarkOfATask:
    """One task under several names of its benchmark is one task."""

    def test_aliases_are_one_benchmark(self, tmp_path: Path) -> None:
        task = "capsule-0000001"
        library = Library.open(
            Inputs(
                claims=(rubric(tmp_path / "c.csv", (task, "1"), benchmark="corebench"),),
                outcomes=(outcomes(tmp_path / "o.csv", ("corebench_hard", task, "1", "r")),),
                runs=(hal(tmp_path / "h.json", [], benchmark="codeocean_hard", failed=[task]),),
            )
        )
        assert [(t.benchmark, t.runs, t.claims) for t in library.tasks()] == [("corebench_hard", 2, 1)]

    def test_what_others_say_of_a_task_counts_for_more_than_its_id(self, tmp_path: Path) -> None:
        task = "capsule-0000001"
        known = outcomes(tmp_path / "o.csv", ("mybench", task, "0", task))
        run = tmp_path / f"{task}.traj.json"
        said = {"role": "assistant", "content": "I look.\n\n```bash\nls\n```"}
        told = {"info": {"exit_status": "Submitted"}, "messages": [said], "trajectory_format": "mini-swe-agent-1"}
        run.write_text(json.dumps(told | {"instance_id": task}), "utf-8")
        alone, with_others = (Library.open(Inputs(runs=(run,), outcomes=of)) for of in ((), (known,)))
        assert [one.benchmark for one in alone.tasks()] == ["corebench_hard"]
        assert [(one.benchmark, one.transcripts) for one in with_others.tasks()] == [("mybench", 1)]

    def test_a_judges_tasks_are_found_by_id_by_others_by_file_name_or_not_at_all(self, tmp_path: Path) -> None:
        known = outcomes(tmp_path / "o.csv", ("mybench", "known", "0", "r"))
        rows = [(HEX, "0"), ("known", "0"), ("nobody", "0")]
        named = judge(tmp_path / "scicode_verdict.csv", ("nobody-else", "0"))
        library = Library.open(Inputs(claims=(judge(tmp_path / "j.csv", *rows), named), outcomes=(known,)))
        assert {t.task_id: t.benchmark for t in library.tasks()} == {
            HEX: "assistantbench",
            "known": "mybench",
            "nobody": "unknown",
            "nobody-else": "scicode",
        }

    def test_a_file_name_decides_between_two_benchmarks_with_the_same_id(self, tmp_path: Path) -> None:
        known = outcomes(tmp_path / "o.csv", ("scicode", "12", "1", "r"), ("scienceagentbench", "12", "0", "r2"))
        library = Library.open(
            Inputs(claims=(judge(tmp_path / "scienceagentbench_x.csv", ("12", "1")),), outcomes=(known,))
        )
        assert {t.benchmark: t.claims for t in library.tasks()} == {"scicode": 0, "scienceagentbench": 1}

    def test_the_option_filters_and_names_what_is_unknown(self, tmp_path: Path) -> None:
        known = outcomes(tmp_path / "o.csv", ("gaia", "a", "0", "r"), ("scicode", "b", "0", "r"))
        inputs = Inputs(claims=(judge(tmp_path / "j.csv", ("c", "1")),), outcomes=(known,))
        tasks = Library.open(inputs, benchmark="SciCode").tasks()
        assert [(task.benchmark, task.task_id) for task in tasks] == [("scicode", "b"), ("scicode", "c")]


class TestResolve:
    """A task is named by its id or an unambiguous beginning of it."""

    @pytest.fixture
    def library(self, tmp_path: Path) -> Library:
        tasks = [("gaia", name, "0", "r") for name in ("alpha-1", "alpha-12", "beta", "12")]
        return Library.open(Inputs(outcomes=(outcomes(tmp_path / "o.csv", *tasks, ("scicode", "12", "0", "r")),)))

    @pytest.mark.parametrize(("text", "task"), [("alpha-12", "alpha-12"), ("alpha-1", "alpha-1"), (" BE ", "beta")])
    def test_found(self, library: Library, text: str, task: str) -> None:
        assert library.resolve(text).task_id == task

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("alpha", "ambiguous: alpha-1, alpha-12"),
            ("alpah-12", "did you mean alpha-12"),
            ("qqqqqq", "see `verify cases`"),
            ("", "empty"),
            ("12", "exists in 2 benchmarks; use gaia/12 or scicode/12"),
        ],
    )
    def test_not_found(self, library: Library, text: str, message: str) -> None:
        with pytest.raises(InputError, match=message):
            library.resolve(text)

    def test_nothing_given(self) -> None:
        with pytest.raises(InputError, match="give files with --run"):
            Library.open(Inputs()).resolve("x")


class TestRuns:
    """What several files say of one run comes together."""

    def test_the_transcript_and_the_outcome_of_one_run(self, tmp_path: Path) -> None:
        log = hal_v2(tmp_path / "r.json", [said("user", "x")], benchmark="gaia", failed=[])
        rows = outcomes(
            tmp_path / "o.csv", ("gaia", "task-1", "0", "synthetic_run_1"), ("gaia", "task-1", "1", "other")
        )
        library = Library.open(Inputs(runs=(log,), outcomes=(rows,)))
        task = library.resolve("task-1")
        assert (task.runs, task.failed, task.passed, task.transcripts) == (2, 1, 1, 1)
        run = library.case(task).runs[0]
        assert (run.outcome, run.agent, len(run.transcript.blocks)) == (Outcome.FAILED, "Synthetic Agent", 1)

    def test_a_contradiction_is_told(self, tmp_path: Path) -> None:
        log = hal_v2(tmp_path / "r.json", [said("user", "x")], benchmark="gaia")
        rows = outcomes(tmp_path / "o.csv", ("gaia", "task-1", "1", "synthetic_run_1"))
        library = Library.open(Inputs(runs=(log,), outcomes=(rows,)))
        assert library.tasks()[0].failed == 1
        assert "passed here but failed according to" in str(library.problems[-1])

    def test_both_generations_of_one_run_are_one_run_with_the_longer_transcript(self, tmp_path: Path) -> None:
        short = hal_v2(tmp_path / "a.json", [said("user", "x")])
        long = hal_v2(tmp_path / "b.json", [said("user", "x"), said("assistant", "y")])
        library = Library.open(Inputs(runs=(short, long)))
        runs = library.case(library.tasks()[0]).runs
        assert [len(run.transcript.blocks) for run in runs] == [2]
        assert runs[0].source == str(long)

    def test_two_conversations_under_one_file_name_stay_two_runs(self, tmp_path: Path) -> None:
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir()
            whowhen(tmp_path / folder / "talk.json", [said("human", folder)])
        library = Library.open(Inputs(runs=(tmp_path,)))
        assert [run.run_id for run in library.case(library.tasks()[0]).runs] == ["talk", "talk~2"]
        ids = [claim.claim_id for claim in library.case(library.tasks()[0]).claims]
        assert len(set(ids)) == 2

    def test_a_file_named_twice_is_read_once(self, tmp_path: Path) -> None:
        path = rubric(tmp_path / "c.csv", ("a", "1"))
        library = Library.open(Inputs(claims=(path, tmp_path, tmp_path / "*.csv")))
        assert library.tasks()[0].claims == 1


def test_every_citation_of_a_claim_can_be_checked(tmp_path: Path) -> None:
    library = Library.open(Inputs(claims=(rubric(tmp_path / "c.csv", ("a", "1")),)))
    case = library.case(library.tasks()[0])
    assert case.text_of(case.claims[0].claim_id, 0) == "why"


def test_importing_the_vocabulary_loads_no_reader() -> None:
    code = "import cases, sys; print({'ijson', 'rapidfuzz', 'cases.readers'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
