"""A machine without engine or browser: the audit runs, says so, and is inconclusive; never evidence."""

import json
from pathlib import Path

import pytest

import verify.demo.scenario as demo
from tests.verify.synthetic import Verify

pytestmark = pytest.mark.slow
NO_ENGINE = {"DOCKER_HOST": "unix:///nonexistent/docker.sock"}


def without_browser(tmp_path: Path) -> dict[str, str]:
    """Settings with which no Chromium can be found."""
    empty = tmp_path / "no-browsers"
    empty.mkdir()
    return {"PLAYWRIGHT_BROWSERS_PATH": str(empty), "PATH": str(empty)}


def bundled(name: str) -> Path:
    """One of the demo's synthetic runs."""
    return demo.HERE / f"{name}_UPLOAD.json"


def test_without_an_engine_a_sandbox_case_is_inconclusive(verify: Verify):
    done = verify(
        "demo-missing-header", "--run", bundled("missing_header"), "--profile", "offline", "--json", env=NO_ENGINE
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"]["status"] == "inconclusive"
    assert document["verdict"]["score"] == 0
    assert "Docker" in " ".join(document["verdict"]["limits"])


def test_without_a_browser_a_web_case_is_inconclusive(verify: Verify, tmp_path: Path):
    done = verify("demo-bot-wall", "--run", bundled("bot_wall"), "--json", env=without_browser(tmp_path))
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"]["status"] == "inconclusive"
    assert document["verdict"]["barrier_now"] is None


def test_the_doctor_names_what_is_lacking_and_leaves_with_3(verify: Verify, tmp_path: Path):
    done = verify("doctor", "--json", "browser", "engine", "python", env=NO_ENGINE | without_browser(tmp_path))
    assert done.returncode == 3
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["python"]["state"] == "ok"
    assert checks["engine"]["state"] == checks["browser"]["state"] == "fail"
    assert "DOCKER_HOST" in checks["engine"]["remedy"]


def test_the_doctor_knows_its_checks(verify: Verify):
    done = verify("doctor", "teeth")
    assert done.returncode == 2
    assert "browser" in done.stderr


@pytest.mark.exhaustive
@pytest.mark.browser
def test_the_demo_runs_on_without_an_engine_and_says_what_that_means(verify: Verify):
    done = verify("demo", "-q", env=NO_ENGINE)
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line.startswith("verify: warning: ")]
    assert len(warnings) == 2
    assert all("inconclusive, but not for the reason it should show" in line and "Docker" in line for line in warnings)
    assert done.stdout.count("\n  shown ") == 1


def test_the_demo_shows_nothing_where_nothing_could_be_measured(verify: Verify, tmp_path: Path):
    done = verify("demo", "--web", "-q", "--json", env=without_browser(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "inconclusive, but not for the reason it should show" in done.stderr
    [document] = map(json.loads, done.stdout.splitlines())
    assert (document["case"]["task_id"], document["verdict"]["status"]) == ("demo-bot-wall", "inconclusive")
    assert document["verdict"]["barrier_now"] is None
