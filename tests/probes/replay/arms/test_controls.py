"""A failure means something only where a trivial command works and there is a place to write and run in."""

import hashlib
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probes.replay.arms.controls import base_controls
from probes.replay.resources.log import Log
from sandboxes import Executed, Session


class Here:
    """A shell of this machine in a container's place, whose beginning a file may spoil."""

    def __init__(self, folder: Path, begins: str) -> None:
        (folder / "begins").write_text(begins, "utf-8")
        self.spec = SimpleNamespace(user="agent", workdir=str(folder))
        self._env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "BASH_ENV": str(folder / "begins")}

    def run(self, command: str, *, looks: bool, **_: Any) -> Executed:
        assert looks, "what only looks is no step of a reproduction"
        said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.spec.workdir, env=self._env, check=False, **cast("Any", said)
        )
        digest = hashlib.sha256(done.stdout.encode()).hexdigest()
        return Executed(command, done.returncode, done.stdout, False, False, 0.1, False, digest)


def controls(folder: Path, begins: str = "") -> tuple[dict[str, bool], list[Log]]:
    logs: list[Log] = []
    found = base_controls(cast("Session", Here(folder, begins)), lambda log: logs.append(log) or "kept")
    assert [one.name for one in found] == ["a trivial command", "a directory to write and execute in"]
    return dict(zip(("trivial", "writable"), (one.passed for one in found), strict=True)), logs


def test_an_ordinary_shell_passes_both_and_what_it_said_is_kept(tmp_path: Path) -> None:
    passed, [log] = controls(tmp_path)
    assert passed == {"trivial": True, "writable": True}
    assert sum("$ " in line for line in log.lines) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["begins"], "it leaves nothing behind"


def test_a_warning_before_it_is_not_what_the_command_printed(tmp_path: Path) -> None:
    assert controls(tmp_path, "printf 'warning: no locale\\n\\n'")[0] == {"trivial": True, "writable": True}


@pytest.mark.parametrize(
    ("begins", "trivial", "writable"),
    [
        ("exit 3", False, False),
        ("exit 0", False, False),
        ("trap 'printf broken' EXIT", False, False),
        ("trap 'exit 1' EXIT", False, False),
        ("mktemp() { return 1; }", True, False),
        ("chmod() { return 1; }", True, False),
        ("chmod() { :; }", True, False),
        ("printf() { :; }", True, False),
    ],
)
def test_a_control_that_did_not_work_did_not_pass(tmp_path: Path, begins: str, trivial: bool, writable: bool) -> None:
    assert controls(tmp_path, begins)[0] == {"trivial": trivial, "writable": writable}


def test_what_was_seen_is_told_shortly(tmp_path: Path) -> None:
    found = base_controls(cast("Session", Here(tmp_path, "trap 'printf %0200d 0' EXIT")), lambda _: "kept")
    said = [one.observed.partition(",")[0] for one in found]
    assert said == [f"printed 'works\\n{'0' * 34}'", f"printed 'ran\\n{'0' * 76}'"]
