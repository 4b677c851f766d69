"""What a killed process left among temporary files goes with the next one that begins; what lives is left alone."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEGUN = """
import os, sys, tempfile
from sandboxes.temporary import own_folder
own_folder()
with open(os.path.join(tempfile.mkdtemp(), "file"), "w") as file:
    file.write("of a child's too" if os.environ["TMPDIR"] == tempfile.gettempdir() else "")
print(tempfile.gettempdir(), flush=True)
{then}
"""


def begun(folder: Path, then: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", BEGUN.format(then=then)],
        cwd=ROOT,
        env={"TMPDIR": str(folder), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def place(process: "subprocess.Popen[str]") -> Path:
    assert process.stdout
    return Path(process.stdout.readline().strip())


@pytest.mark.parametrize("then", ["os.kill(os.getpid(), 9)", "os._exit(3)"])
def test_the_next_process_removes_what_a_killed_one_left_and_nothing_else(tmp_path: Path, then: str) -> None:
    theirs = tmp_path / "impassable-other"
    theirs.mkdir()
    with begun(tmp_path, "input()") as living:
        held = place(living)  # it has swept by now, so that what the other leaves is there for the next one
        with begun(tmp_path, then) as killed:
            left = place(killed)
        assert held != left
        assert left.is_dir()
        with begun(tmp_path, "pass") as another:
            ended = place(another)
            another.wait()
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted([theirs.name, held.name])
        assert [path.read_text() for path in held.glob("*/file")] == ["of a child's too"]
        assert ended.parent == held.parent == tmp_path
        living.communicate("\n")
    assert [path.name for path in tmp_path.iterdir()] == [theirs.name]


SWEEPS = """
from pathlib import Path
from sandboxes.temporary import PREFIX, sweep
print("sweeping", flush=True)
while True:
    sweep(Path({folder!r}), f"{{PREFIX}}*")
"""


BEGINS = """
import os
from sandboxes.temporary import own_folder
children = []
for _ in range(400):
    child = os.fork()
    if child == 0:
        own_folder()
        os._exit(0)
    children.append(os.waitpid(child, 0)[1])
print(children.count(0))
"""


def test_a_process_begins_though_another_sweeps_all_the_time(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SWEEPS.format(folder=str(tmp_path))]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as sweeper:
        assert place(sweeper).name == "sweeping"
        try:
            env = {"TMPDIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
            begins = [sys.executable, "-c", BEGINS]
            done = subprocess.run(begins, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=60)
            assert done.stdout == "400\n", done.stderr
        finally:
            sweeper.kill()
