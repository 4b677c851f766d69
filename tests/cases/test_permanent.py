"""A link to a task's own lines is given only where everybody finds just those lines there, for good."""

import json
import subprocess
from pathlib import Path

import pytest

from cases.permanent import of_folder
from cases.tasks import load_tasks

PROMPT = "Build the package.\nThen print its version."
TASK = "parser_name: pytest\ninstruction: |-\n  Build the package.\n  Then print its version.\nauthor: x\n"


def git(folder: Path, *words: str) -> str:
    named = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *named, "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def cloned(folder: Path, remote: str = "https://token:x@github.com/makers/tasks.git") -> tuple[Path, str]:
    """A clone of a benchmark's tasks whose commit its remote has."""
    task = folder / "clone" / "tasks" / "build it"
    task.mkdir(parents=True)
    (task / "task.yaml").write_text(TASK)
    (task / "solution.sh").write_text("true\n")
    (task / "run-tests.sh").write_text("true\n")
    (task / "Dockerfile").write_text("FROM debian:12\n")
    git(folder, "init", "-q", "clone")
    git(folder / "clone", "add", "-A")
    git(folder / "clone", "commit", "-qm", "Tasks")
    git(folder / "clone", "remote", "add", "origin", remote)
    commit = git(folder / "clone", "rev-parse", "HEAD")
    git(folder / "clone", "update-ref", "refs/remotes/origin/main", commit)
    return task, commit


def test_the_lines_of_a_clone_s_task_are_linked_at_its_commit(tmp_path: Path) -> None:
    task, commit = cloned(tmp_path)
    at = f"https://github.com/makers/tasks/blob/{commit}/tasks/build%20it"
    assert [one.url for one in of_folder(task, PROMPT)] == [f"{at}/task.yaml#L3-L4", f"{at}/Dockerfile"]
    found = load_tasks(str(task.parent)).tasks["build it"]
    assert [one.path for one in found.links] == ["tasks/build it/task.yaml", "tasks/build it/Dockerfile"]


def test_a_line_of_a_file_of_tasks_is_linked(tmp_path: Path) -> None:
    task, _ = cloned(tmp_path)
    rows = task.parent / "tasks.jsonl"
    rows.write_text("".join(json.dumps({"id": name, "task": f"Do {name}."}) + "\n" for name in ("one", "two")))
    git(task, "add", "-A", str(task.parent))
    git(task, "commit", "-qm", "Rows")
    commit = git(task, "rev-parse", "HEAD")
    git(task, "update-ref", "refs/remotes/origin/main", commit)
    (link,) = load_tasks(str(rows)).tasks["two"].links
    assert link.url == f"https://github.com/makers/tasks/blob/{commit}/tasks/tasks.jsonl#L2-L2"


@pytest.mark.parametrize("why", ["changed", "unpublished", "nowhere public", "no repository", "a path"])
def test_what_nobody_else_can_read_is_not_linked(tmp_path: Path, why: str) -> None:
    remotes = {
        "nowhere public": "https://git.intern.example/makers/tasks.git",
        "a path": "/srv/github.com/makers/tasks",
    }
    task, _ = cloned(tmp_path, *([remotes[why]] if why in remotes else []))
    if why == "changed":
        for name in ("task.yaml", "Dockerfile"):
            (task / name).write_text("FROM another:1\n")
    if why == "unpublished":
        git(task, "update-ref", "-d", "refs/remotes/origin/main")
    if why == "no repository":
        (tmp_path / "clone" / ".git").rename(tmp_path / "elsewhere")
    assert of_folder(task, PROMPT) == ()


def test_a_clone_that_asks_for_programs_gets_none_run(tmp_path: Path) -> None:
    task, _ = cloned(tmp_path)
    (tmp_path / "ran.sh").write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    (tmp_path / "ran.sh").chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "credential.helper"):
        git(task, "config", key, str(tmp_path / "ran.sh"))
    assert len(of_folder(task, PROMPT)) == 2
    assert not (tmp_path / "ran").exists()
