"""Checkpoints in a real PostgreSQL: an audit goes on from there, and nothing of it stays once it is finished."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.verify.synthetic import QUIET_RUN, Verify, one_sentence, upload

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="needs the system's PostgreSQL server")
OWNER = "nobody"
"""PostgreSQL refuses to be root's."""


def run(*command: object) -> None:
    """One of its programs, as somebody without rights where we have all."""
    before = ("setpriv", f"--reuid={OWNER}", "--clear-groups") if os.geteuid() == 0 else ()
    done = subprocess.run([*before, *map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def database() -> Iterator[str]:
    """A server of our own that listens on a socket only."""
    with TemporaryDirectory(prefix="impassable-pg-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, OWNER)
        data, programs = folder / "data", PROGRAMS[-1]
        run(programs / "initdb", "-D", data, "-U", "verify", "--auth=trust", "--no-sync")
        run(programs / "pg_ctl", "-D", data, "-o", f"-k {folder} -h ''", "-l", folder / "log", "-w", "start")
        try:
            yield f"postgresql://verify@/postgres?host={folder}"
        finally:
            run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def failed_run(folder: Path) -> Path:
    """A log."""
    path = folder / "sum_UPLOAD.json"
    path.write_text(json.dumps(upload("sum", QUIET_RUN)), encoding="utf-8")
    return path


def kept(database: str) -> int:
    """Rows of checkpoints."""
    with psycopg.connect(database) as connection:
        found = connection.execute("select count(*) from checkpoints").fetchone()
    assert found
    return int(found[0])


def test_an_audit_goes_on_from_the_database_and_leaves_nothing_there(
    verify: Verify, database: str, work: Path, tmp_path: Path
) -> None:
    asked, env = (
        ("sum", "--run", failed_run(tmp_path), "--offline", "--review", "--reviewer", "Ada"),
        {"VERIFY_CHECKPOINTS": database},
    )
    assert "waits for a review" in verify(*asked, env=env).stderr
    assert kept(database) > 0
    assert not list(work.glob(".verify/**/*.sqlite"))
    answered = verify(*asked, "--answer", "accept", env=env)
    assert answered.returncode == 0, answered.stderr
    assert "review    Ada" in answered.stdout
    assert kept(database) == 0


def test_a_database_that_is_not_there_is_one_sentence_without_its_password(verify: Verify, tmp_path: Path) -> None:
    env = {"VERIFY_CHECKPOINTS": "postgresql://verify:hunter2-hunter2@127.0.0.1:9/postgres"}
    done = verify("sum", "--run", failed_run(tmp_path), "--offline", "-q", env=env)
    assert done.returncode == 3
    assert "the PostgreSQL server with the checkpoints cannot be reached" in one_sentence(done)
    assert "hunter2" not in done.stderr
