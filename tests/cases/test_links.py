"""Links in folders that strangers have made: nothing outside is read through one, neither named nor beside what is."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import InputError
from cases.files import sources
from cases.folders import read_folder, tasks_below
from cases.library import Inputs, Library
from cases.task_words import given
from tests.cases import agent_logs, terminals
from tests.cases.case_files import hal_v2, said
from tests.cases.samples import agentlab, atif, harbor_result
from tests.probes.oracle.made import harbor, terminal_bench

MARK = "canary-of-another-folder"
TALK = [said("user", "Do it."), said("assistant", "Doing.")]


def moved(path: Path, outside: Path) -> None:
    """Put a file or folder elsewhere, marked, and a link in its place."""
    outside.mkdir(exist_ok=True)
    away = outside / path.name
    shutil.move(path, away)
    for file in (away, *away.rglob("*")):
        if file.suffix in {".json", ".txt", ".md"}:
            file.write_text(file.read_text().replace("Fix it.", MARK).replace("Mend it.", MARK))
    path.symlink_to(away)


def episode(folder: Path) -> tuple[Path, Path]:
    trial = terminals.episodes(folder)
    return trial / "agent-logs" / "episode-1" / "debug.json", trial / "agent-logs" / "episode-0"


def prompt_of_episode(folder: Path) -> tuple[Path, Path]:
    last, first = episode(folder)
    return last, first / "prompt.txt"


def event(folder: Path) -> tuple[Path, Path]:
    events = folder / "talk-1" / "events"
    events.mkdir(parents=True)
    told = agent_logs.openhands_sdk(folder / "whole").read_text().replace(agent_logs.ASKED, "Fix it.").splitlines()
    for number, line in enumerate(told):
        (events / f"event-{number:05}-{number}a.json").write_text(line)
    return events / "event-00001-1a.json", events / "event-00000-0a.json"


def trial_step(folder: Path) -> tuple[Path, Path]:
    trial = folder / "fix-git__abc"
    for name in ("one", "two"):
        (trial / "steps" / name / "agent").mkdir(parents=True)
        atif(trial / "steps" / name / "agent" / "trajectory.json")
    return harbor_result(trial / "result.json"), trial / "steps" / "one"


def trial_exception(folder: Path) -> tuple[Path, Path]:
    trial = folder / "fix-git__abc"
    trial.mkdir(parents=True)
    (trial / "exception.txt").write_text("Fix it.")
    return harbor_result(trial / "result.json"), trial / "exception.txt"


@pytest.mark.parametrize("made", [episode, prompt_of_episode, event, trial_step, trial_exception])
def test_nothing_beside_a_run_is_read_through_a_link(made: Callable[[Path], tuple[Path, Path]], tmp_path: Path) -> None:
    def told() -> str:
        library = Library.open(Inputs(runs=(run.parent if run.parent.name == "events" else run,)))
        return "".join(library.case(task).model_dump_json() for task in library.tasks())

    run, part = made(tmp_path / "runs")
    moved(part, tmp_path / "outside")
    assert MARK not in told()
    target = part.readlink()
    part.unlink()
    shutil.move(target, part)
    assert MARK in told(), "what is linked is read where it is no link"


def test_a_step_of_a_browser_is_not_read_through_a_link(tmp_path: Path) -> None:
    summary = agentlab(tmp_path / "run_on_webarena.12_3")
    moved(summary.parent / "step_0.pkl", tmp_path / "outside")
    library = Library.open(Inputs(runs=(summary,), trust_pickle=True))
    [run] = library.case(library.tasks()[0]).runs
    assert run.transcript
    assert run.transcript.notes == ("1 of the run's steps are missing from its directory.",)


def test_a_folder_is_not_followed_out_of(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    (root / "deep").mkdir(parents=True)
    hal_v2(tmp_path / "mine.json", TALK)
    hal_v2(root / "deep" / "theirs.json", TALK)
    (root / "inside.json").symlink_to(root / "deep" / "theirs.json")
    (root / "out.json").symlink_to(tmp_path / "mine.json")
    (root / "deep" / "up.json").symlink_to("../../mine.json")
    refused: dict[Path, InputError] = {}
    assert {source.path.name for source in sources([root], refused)} == {"inside.json"}  # which is the other
    assert {path.name for path in refused} == {"out.json", "up.json"}
    assert all("a link that leads out of" in str(error) for error in refused.values())
    assert len(Library.open(Inputs(runs=(root,))).problems) == 2


def test_a_folder_of_nothing_but_links_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "passwd.json").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="a link that leads out of"):
        Library.open(Inputs(runs=(tmp_path / "runs",)))


def test_a_snapshot_in_a_hubs_cache_is_read(tmp_path: Path) -> None:
    cache = tmp_path / "datasets--a--b"
    (cache / "snapshots" / "0f3c").mkdir(parents=True)
    (cache / "blobs").mkdir()
    hal_v2(cache / "blobs" / "77d2", TALK)
    (cache / "snapshots" / "0f3c" / "r.json").symlink_to("../../blobs/77d2")
    for named in (cache / "snapshots" / "0f3c", cache / "snapshots" / "0f3c" / "*.json"):
        assert [source.path.name for source in sources([named])] == ["r.json"]


@pytest.mark.parametrize("part", ["environment", "tests", "solution", "instruction.md"])
def test_a_task_with_a_part_elsewhere_is_refused(part: str, tmp_path: Path) -> None:
    task = harbor(tmp_path / "tasks" / "sum", "debian")
    moved(task / part, tmp_path / "outside")
    with pytest.raises(InputError, match="a link that leads out of the task's folder"):
        read_folder(task)


def test_a_task_that_lies_elsewhere_is_none_of_the_folders(tmp_path: Path) -> None:
    terminal_bench(tmp_path / "tasks" / "one", "debian")
    terminal_bench(tmp_path / "outside", "debian")
    (tmp_path / "tasks" / "two").symlink_to(tmp_path / "outside")
    assert list(tasks_below(tmp_path / "tasks")) == ["one"]


def test_a_workspaces_readme_is_not_read_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "secret").write_text(MARK)
    (tmp_path / "work" / "README.md").symlink_to(tmp_path / "secret")
    assert given(tmp_path / "work") == {"README.md": ""}
