"""What the package answers, and how it fails."""

import json
import os
from pathlib import Path

import pytest

import impassable
from impassable.options import Options, arguments, variables
from tests.verify.synthetic import QUIET_RUN, environment, upload
from verify.app import app


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs, which the program starts in as it would for anybody."""
    for name in set(os.environ) - set(environment(tmp_path)):
        monkeypatch.delenv(name)
    for name, value in environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for task in ("sum-of-two", "sum-of-ten"):
        (tmp_path / f"{task}_UPLOAD.json").write_text(json.dumps(upload(task, QUIET_RUN)), encoding="utf-8")
    return tmp_path


@pytest.mark.exhaustive
def test_several_tasks_come_as_each_is_done(place: Path):
    runs = ["sum-of-two_UPLOAD.json", place / "sum-of-ten_UPLOAD.json"]
    results = list(impassable.audit_many(["sum-of-two", "sum-of-ten"], run=runs))
    assert {one.task_id for one in results} == {"sum-of-two", "sum-of-ten"}
    pandas = pytest.importorskip("pandas")
    table = impassable.to_dataframe(results)
    assert isinstance(table, pandas.DataFrame)
    rows = table.set_index("task_id")
    assert rows.loc["sum-of-two", ["status", "score"]].tolist() == ["not_supported", 0]


@pytest.mark.exhaustive
def test_whoever_wants_no_more_ends_the_program_in_order(place: Path):
    before = set(_children())
    found = impassable.audit_many(["sum-of-two", "sum-of-ten"], run=place)
    assert next(found).task_id.startswith("sum-of-")
    found.close()
    assert not set(_children()) - before


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()


@pytest.mark.parametrize(
    ("task", "options", "kind", "says"),
    [
        ("sum-of-two", {"run": "nowhere.json"}, impassable.InputError, "nowhere.json"),
        ("sum-of-two", {"run": "*.json", "network": "wide"}, impassable.InputError, "network"),
        ("sum-of-two", {"run": "*.json", "model": "some-model"}, impassable.CredentialsError, "OPENAI_API_KEY"),
    ],
)
def test_an_error_says_of_which_kind_it_is_and_what_to_do(
    task: str, options: Options, kind: type[impassable.ImpassableError], says: str
):
    with pytest.raises(kind, match=says):
        impassable.audit(task, **options)


@pytest.mark.exhaustive
def test_a_warning_is_a_warning_and_an_altered_pack_is_refused(place: Path):
    (place / "rubric.csv").write_text("task_id,criteria,grade,explanation\n,x,1,y\n", encoding="utf-8")
    with pytest.warns(impassable.ImpassableWarning, match=r"rubric\.csv"):
        result = impassable.audit("sum-of-two", run="*_UPLOAD.json", claims=place / "rubric.csv", out=place / "packs")
    verdict = result.path / "verdict.json"
    verdict.write_text(verdict.read_text("utf-8").replace('"score": 0', '"score": 1'), encoding="utf-8")
    with pytest.raises(impassable.PackError, match=r"verdict\.json"):
        impassable.load_pack(result.path)
    assert impassable.load_pack(result.archive).score == 0


def test_every_option_is_one_of_the_command_lines():
    import typer

    command = typer.main.get_command(app).commands["audit"]
    known = {name for parameter in command.params for name in [*parameter.opts, *parameter.secondary_opts]}
    options: Options = {"public": True, "offline": False, "run": ["a", Path("b")], "max_calls": 3}
    assert list(arguments(options)) == ["--public", "--no-offline", "--run=a", "--run=b", "--max-calls=3"]
    for name in Options.__annotations__:
        assert f"--{name.replace('_', '-')}" in known
    with pytest.raises(TypeError, match="profil"):
        list(arguments({"profil": "offline"}))


def test_a_proxy_with_its_password_is_in_nobodys_list_of_processes():
    options: Options = {"vantage": "http://me:secret@proxy.example:1"}
    assert list(arguments(options)) == []
    assert variables(options) == {"VERIFY_VANTAGE": options["vantage"]}
