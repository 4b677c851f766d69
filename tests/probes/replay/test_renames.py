"""Names that libraries dropped: given back where they are, and nothing else changed."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from probes.replay.arms.documented.renames import dropped, renames, restoring

STANDARD = {"base64", "collections", "fractions", "inspect", "time"}


def ran(folder: Path, code: str) -> str:
    (folder / "sitecustomize.py").write_text(restoring())
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("module", sorted(STANDARD))
def test_what_the_table_says_a_standard_module_has_now_is_there(module: str) -> None:
    for place in renames().names[module].values():
        holder, _, name = place.rpartition(".")
        assert hasattr(import_module(holder), name), place


def test_a_library_has_its_old_names_again_and_keeps_those_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("bool = 'its own'\nnan = 3\n")
    printed = ran(tmp_path, "import numpy as np; from numpy import float; print(np.bool, np.float, np.NaN, np.int)")
    assert printed == "its own <class 'float'> 3 <class 'int'>\n"


def test_a_module_is_found_where_it_lies_now(tmp_path: Path) -> None:
    (tmp_path / "sklearn" / "externals").mkdir(parents=True)
    (tmp_path / "sklearn" / "__init__.py").touch()
    (tmp_path / "sklearn" / "externals" / "__init__.py").touch()
    (tmp_path / "joblib.py").touch()
    assert ran(tmp_path, "from sklearn.externals import joblib; print(joblib.__name__)") == "joblib\n"
    with pytest.raises(subprocess.CalledProcessError):
        ran(tmp_path, "import no_such_module_anywhere")


@pytest.mark.parametrize(
    ("output", "known"),
    [
        ("AttributeError: module 'numpy' has no attribute 'bool'.\n`np.bool` was a deprecated alias", True),
        ("ImportError: cannot import name 'Mapping' from 'collections' (/usr/lib/python3.11/x.py)", True),
        ("ModuleNotFoundError: No module named 'sklearn.externals.joblib'", True),
        ("AttributeError: module 'numpy' has no attribute 'boool'", False),
        ("ModuleNotFoundError: No module named 'numpy'", False),
    ],
)
def test_only_a_name_that_the_table_has_is_one_that_was_dropped(output: str, known: bool) -> None:
    assert any(dropped(output)) == known
