"""Whose the task's files were comes back from what the run's own listings show."""

import subprocess
from pathlib import Path

import pytest

from cases import CommandRun
from probes import Answer, Barrier, Question, Settings
from probes.replay.restore.rights import entries, given_back, shows
from tests.probes.replay.made import Replay, hypothesis, shell

LISTING = """total 12
drwxr-xr-x 3 root  root  4096 Nov  3 10:00 .
drwxr-xr-x 9 root  root  4096 Nov  3 10:00 ..
drwx------ 2 agent agent 4096 2026-11-03 10:00 own
-rw-r----- 1 root  staff   12 Nov  3  2025 data.csv
lrwxrwxrwx 1 root  root     4 Nov  3  2025 link -> data.csv
"""


def listed(command: str, output: str) -> CommandRun:
    return shell(command, output)


def test_each_entry_of_a_listing_is_told_with_its_owner_and_its_mode() -> None:
    found = {one.path: one for one in entries([listed("cd sub && ls -la", LISTING)], "/work")}
    assert set(found) == {"/work/sub", "/work/sub/own", "/work/sub/data.csv"}
    assert found["/work/sub/data.csv"][1:4] == ("root", "staff", "u=rw,g=r,o=")
    assert found["/work/sub"].folder


def test_headings_and_directories_themselves_are_told_apart_from_what_is_in_them() -> None:
    several = (
        "a:\ntotal 4\n-rw-r--r-- 1 root root 1 Nov  3 10:00 x\n\nb:\ntotal 4\n-rw-r--r-- 1 root root 1 Nov  3 10:00 y\n"
    )
    assert [one.path for one in entries([listed("ls -l a b", several)], "/w")] == ["/w/a/x", "/w/b/y"]
    itself = "drwxr-xr-x 2 root root 4096 Nov  3 10:00 /w/a"
    assert [one.path for one in entries([listed("ls -ld /w/a", itself)], "/w")] == ["/w/a"]
    human = "-rw-r--r-- 1 root root 1.2K Nov  3 10:00 data/x.csv"
    assert [one.path for one in entries([listed("ls -lh data/x.csv", human)], "/w")] == ["/w/data/x.csv"]
    assert entries([listed("ls a b", "x y"), listed("cat notes", LISTING)], "/w") == ()


def test_a_real_ls_is_read(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("x")
    (tmp_path / "note").chmod(0o640)
    output = subprocess.run(["ls", "-la", "."], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert {one.path: one.mode for one in entries([listed("ls -la .", output)], "/w")}["/w/note"] == "u=rw,g=r,o="


def test_only_what_was_another_s_is_given_back_and_only_where_the_run_names_its_user() -> None:
    shown = entries([listed("ls -la", LISTING)], "/work")
    back = given_back(shown, "/work", "agent")
    assert back.index("root:root /work ") < back.index("agent:agent /work/own ")
    assert "root:staff /work/data.csv" in back
    assert given_back([one for one in shown if one.owner == "agent"], "/work", "agent") == ""
    assert given_back(shown, "/elsewhere", "agent") == ""
    assert shows("agent", [listed("id", "uid=1000(agent) gid=1000(agent)")])
    assert shows("agent", [listed("ls -la", LISTING)])
    assert not shows("agent", [listed("cat README", "The agent is to write answer.txt.")])


@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("shown", [pytest.param(True, marks=pytest.mark.exhaustive), False])
async def test_a_file_that_the_run_may_not_write_is_not_the_user_s_in_the_copy(
    replay: Replay, tmp_path: Path, shown: bool
) -> None:
    (tmp_path / "table.csv").write_text("a\n")
    line = "-rw-r--r-- 1 root root 2 Nov  3 10:00 table.csv"
    look = shell("id; ls -l" if not shown else "ls -l; id", f"uid=1000(agent)\n{line}" if shown else "uid=1000(agent)")
    denied = shell("echo b >> table.csv", "bash: line 1: table.csv: Permission denied", 1)
    asked = hypothesis(Barrier.PERMISSION, event=1, paths=("table.csv",))
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(asked, look, denied, profile="offline", settings=settings, prompt="Add b to table.csv.")
    assert found[Question.PRESENT].valid_answer is (Answer.YES if shown else Answer.NO), found[Question.PRESENT]
