"""A test that fails among the others and passes alone is named as a flake; three of them fail the run."""

from pathlib import Path

import pytest

from tests import again

FLAKY = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("name", [f"a@{{number}}" for number in range({flakes})])
@pytest.mark.xdist_group("/some/file.py")
def test_flaky(name):
    seen = Path(__file__).with_name(f"seen-{{name}}")
    assert seen.exists() or seen.touch()

def test_sound():
    pass

@pytest.mark.skip
def test_elsewhere():
    pass

{more}
"""
BROKEN = "def test_broken():\n    assert 0"


@pytest.mark.parametrize(
    ("flakes", "more", "code", "last"),
    [
        pytest.param(0, "", 0, "tests: 1 passed, 0 failed, 0 flaky", marks=pytest.mark.exhaustive),
        (2, "", 0, "tests: 3 passed, 0 failed, 2 flaky"),
        (3, "", 1, "tests: 4 passed, 1 failed, 3 flaky"),
        pytest.param(1, BROKEN, 1, "tests: 2 passed, 1 failed, 1 flaky", marks=pytest.mark.exhaustive),
        (8, "", 1, "tests: 1 passed, 8 failed, 0 flaky"),
        pytest.param(0, "import nowhere", 1, "tests: 0 passed, 1 failed, 0 flaky", marks=pytest.mark.exhaustive),
    ],
)
def test_the_count_says_what_passed_what_failed_and_what_did_both(
    tmp_path: Path, capfd, monkeypatch, flakes, more, code, last
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", f"-p xdist.plugin -c /dev/null --rootdir={tmp_path}")
    (tmp_path / "test_it.py").write_text(FLAKY.format(flakes=flakes, more=more), encoding="utf-8")
    assert again.main(["-n", "1"], tmp_path / "cache") == code
    said = capfd.readouterr().out.splitlines()
    assert said[-1] == last
    named = [line for line in said if line.startswith("FLAKE: ")]
    assert named == [f"FLAKE: test_it.py::test_flaky[a@{number}]" for number in range(flakes) if 0 < flakes < 8]


GROUPED = """
import os
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(9))
@pytest.mark.xdist_group("together")
def test_one(number):
    Path(__file__).with_name("worker-" + os.environ["PYTEST_XDIST_WORKER"]).touch()
"""


def test_what_belongs_together_stays_with_one_worker(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", f"-p xdist.plugin -c /dev/null --rootdir={tmp_path}")
    (tmp_path / "test_it.py").write_text(GROUPED, encoding="utf-8")
    assert again.main([], tmp_path / "cache") == 0
    assert len(list(tmp_path.glob("worker-*"))) == 1
