"""The wheel, where a user has a `graph.py` and whatever else bears a room's name."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.impassable.conftest import COMMIT
from tests.verify.synthetic import QUIET_RUN, upload

USES = """
import graph, impassable, sys
assert graph.OWNER == "the user"
[result] = impassable.audit_many(["sum-of-two"], run="run.json")
assert (result.status, result.score, result.benchmark) == ("not_supported", 0, "synthetic_bench"), result
assert impassable.load_pack(result.path) == result
import probes, verify
assert (graph.OWNER, probes.OWNER, verify.OWNER) == ("the user",) * 3
assert "evidence" not in sys.modules
"""


def printed(command: list[str | Path], folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_imported_in_an_empty_folder(installed: Path, tmp_path: Path, alone: dict[str, str]):
    place = printed([installed / "python", "-c", "import impassable; print(impassable.__file__)"], tmp_path, alone)
    assert Path(place.strip()).is_relative_to(installed.parent)


@pytest.mark.exhaustive
def test_modules_of_the_users_with_the_rooms_names_stay_the_users(installed: Path, folder: Path, alone: dict[str, str]):
    (folder / "run.json").write_text(json.dumps(upload("sum-of-two", QUIET_RUN)), encoding="utf-8")
    printed([installed / "python", "-c", USES], folder, alone)


def test_the_program_finds_its_own_rooms_there_and_knows_its_commit(
    installed: Path, folder: Path, alone: dict[str, str]
):
    for program in ([installed / "verify"], [installed / "python", "-m", "impassable"]):
        told = printed([*program, "--version"], folder, alone)
        assert re.fullmatch(rf"impassable \S+ \(commit {COMMIT}\)\n", told)
    assert "hal-image" in printed([installed / "verify", "profiles"], folder, alone)
