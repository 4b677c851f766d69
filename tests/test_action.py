"""The GitHub Action: what its read-only job does runs here, with no secret in its environment."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.probes.oracle.conftest import image
from tests.probes.oracle.made import harbor

__all__ = ["image"]
ROOT = Path(__file__).parents[1]
REFUSES = "#!/bin/bash\necho 0 >/logs/verifier/reward.txt\n"


def git(folder: Path, *arguments: str) -> str:
    named = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *named, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def example(name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((ROOT / "docs" / "examples" / f"impassable-{name}.yml").read_text("utf-8"))
    return found


def action(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The step's script, as a runner without secrets runs it."""
    env = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8"}
    env |= {name: os.environ[name] for name in ("DOCKER_HOST", "PLAYWRIGHT_BROWSERS_PATH") if name in os.environ}
    command = [sys.executable, str(ROOT / "scripts" / "action.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.exhaustive  # CI has it go through all of this in the program's image
def test_a_pull_request_is_told_the_state_of_what_it_changes_and_issues_whether_it_still_holds(
    tmp_path: Path, image: str
):
    tasks = tmp_path / "tasks"
    harbor(tasks / "kept", image, internet=False)
    harbor(tasks / "gone", image, internet=False)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "tasks")
    git(tmp_path, "commit", "-qm", "tasks")
    base = git(tmp_path, "rev-parse", "HEAD").strip()
    harbor(tasks / "sound", image, internet=False)
    harbor(tasks / "broken", image, internet=False, test=REFUSES)
    shutil.rmtree(tasks / "gone")
    git(tmp_path, "add", "-A", "tasks")
    git(tmp_path, "commit", "-qm", "a pull request")

    done = action(tmp_path, "changed", "--base", base, "--tasks", "tasks", "--", "--offline")
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "impassable" / "comment.md").read_text()
    assert re.findall(r"^### `(.*)`$", told, re.MULTILINE) == ["broken", "sound"]
    broken, sound = told.split("### `sound`")
    assert "reject what the benchmark's own solution leaves behind" in broken
    assert "own solution passes its own checks" in sound

    packs = tmp_path / "impassable" / "packs"
    [pack] = (path.name for path in packs.glob("broken-*") if path.is_dir())
    issues = [{"number": 7, "body": f"See {pack}."}, {"number": 8, "body": "Something else."}]
    (tmp_path / "issues.json").write_text(json.dumps(issues))
    again = (
        "again",
        "--issues",
        "issues.json",
        "--packs",
        packs,
        "--tasks",
        "tasks",
        "--out",
        "night",
        "--",
        "--offline",
    )
    comment = tmp_path / "night" / "comments" / "7.md"
    assert action(tmp_path, *again).returncode == 0
    assert f"`{pack}` **still reproduces**." in comment.read_text()
    assert [path.name for path in comment.parent.iterdir()] == ["7.md"]
    history = (tmp_path / "night" / "watched" / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["root"] for line in history] == [pack]
    assert not (packs / "history.jsonl").exists()

    said = {"viewerDidAuthor": True, "body": comment.read_text()}
    issues[0]["comments"] = [said, {"viewerDidAuthor": False, "body": "Thanks."}]
    (tmp_path / "issues.json").write_text(json.dumps(issues))
    shutil.rmtree(tmp_path / "night")
    assert action(tmp_path, *again).returncode == 0
    assert not comment.parent.exists()

    harbor(tmp_path / "mended", image, internet=False)
    shutil.copy(tmp_path / "mended" / "tests" / "test.sh", tasks / "broken" / "tests" / "test.sh")
    assert action(tmp_path, *again).returncode == 0
    assert f"`{pack}` **no longer reproduces**." in comment.read_text()


def test_where_no_task_changed_nothing_is_audited_and_a_wrong_base_is_said(tmp_path: Path):
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "README.md").write_text("Tasks.\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "tasks")
    git(tmp_path, "commit", "-qm", "tasks")
    assert action(tmp_path, "changed", "--base", "HEAD", "--tasks", "tasks").returncode == 0
    assert "No task was added or changed." in (tmp_path / "impassable" / "comment.md").read_text()
    done = action(tmp_path, "changed", "--base", "nowhere", "--tasks", "tasks")
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_audits_may_write_nothing_and_what_writes_runs_nothing_of_a_pull_request():
    audit, comment = (
        yaml.safe_load((ROOT / "docs" / "examples" / f"impassable-{name}.yml").read_text())
        for name in ("audit", "comment")
    )
    assert set(audit["permissions"].values()) == {"read"}
    assert "secrets." not in (ROOT / "docs" / "examples" / "impassable-audit.yml").read_text()
    assert "pull_request_target" not in audit[True]
    assert list(comment[True]) == ["workflow_run"]
    used = [step.get("uses", "") for job in comment["jobs"].values() for step in job["steps"]]
    assert not any(one.startswith(("actions/checkout", "OWNER/")) for one in used)


def test_every_step_is_bash_and_foreign_text_reaches_it_as_a_variable_only():
    whole = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    for name in ("audit", "comment"):
        jobs = example(name)["jobs"]
        whole += [step for job in jobs.values() for step in job["steps"]]
    lines = [step["run"] for step in whole if "run" in step]
    assert len(lines) >= 5
    for text in lines:
        assert "${{" not in text
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)
