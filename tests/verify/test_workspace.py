"""`--workspace DIR` names the task's own files; what is no such directory is refused before anything runs."""

from pathlib import Path

import pytest

from cases import InputError
from tests.verify.synthetic import Verify, one_sentence
from verify.auditor import Auditor
from verify.config import Configuration, load


def test_a_directory_with_files_reaches_the_settings_as_an_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "capsule").mkdir()
    (tmp_path / "capsule" / "data.csv").write_text("a,b\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    auditor = Auditor(Configuration(workspace=Path("capsule")), "quiet")
    assert auditor.settings.workspace == tmp_path / "capsule"
    assert Auditor(Configuration(), "quiet").settings.workspace is None


def test_a_path_in_a_file_is_beside_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "verify.toml").write_text('workspace = "capsule"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert load({}).workspace == Path("capsule")
    monkeypatch.setenv("VERIFY_WORKSPACE", "other")
    assert load({}).workspace == Path("other")
    assert load({"workspace": Path("third")}).workspace == Path("third")


def test_what_is_no_directory_with_files_is_refused(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name, said in (("absent", "No such file"), ("file", "Not a directory"), ("empty", "this directory is empty")):
        with pytest.raises(InputError, match=said) as caught:
            Auditor(Configuration(workspace=tmp_path / name), "quiet")
        assert f"--workspace {tmp_path / name}" in str(caught.value)


def test_the_program_refuses_it_in_one_sentence(verify: Verify, two_tasks: Path, tmp_path: Path):
    done = verify("sum-of-two", "--run", two_tasks, "--workspace", tmp_path / "absent", "--dry-run")
    assert done.returncode == 2
    assert "name the directory with the task's files" in one_sentence(done)
