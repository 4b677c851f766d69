"""Settings come from the flag, then the environment, then the project's file, then the user's."""

from pathlib import Path

import pytest

from cases import InputError
from probes import WebCaps
from verify.config import Configuration, load, parse_resolve


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Where the project's file and the user's file are."""
    project, user = tmp_path / "project", tmp_path / "config" / "impassable"
    project.mkdir()
    user.mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in Configuration.model_fields:
        monkeypatch.delenv(f"VERIFY_{name.upper()}", raising=False)
    return project / "verify.toml", user / "verify.toml"


def test_each_source_gives_way_to_the_one_nearer_to_the_command(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    project, user = places
    assert load({}).benchmark is None
    user.write_text('benchmark = "user"\n')
    assert load({}).benchmark == "user"
    project.write_text('benchmark = "project"\n')
    assert load({}).benchmark == "project"
    monkeypatch.setenv("VERIFY_BENCHMARK", "environment")
    assert load({}).benchmark == "environment"
    assert load({"benchmark": "flag"}).benchmark == "flag"


def test_a_flag_turns_off_what_a_file_turned_on(places: tuple[Path, Path]):
    places[0].write_text("offline = true\n")
    assert load({"offline": None}).offline is True
    assert load({"offline": False}).offline is False


def test_paths_in_a_file_are_beside_that_file(places: tuple[Path, Path]):
    places[1].write_text('run = ["runs"]\nprofile = "mine.toml"\n')
    assert load({}).run == (places[1].parent / "runs",)
    assert load({}).profile == str(places[1].parent / "mine.toml")


def test_several_paths_in_the_environment(places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VERIFY_CLAIMS", "a.csv:b.csv")
    assert load({}).claims == (Path("a.csv"), Path("b.csv"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('runs = ["x"]\n', "unknown key 'runs'; did you mean run?"),
        ('rubric = "mine"\n', "verify.toml: rubric: "),
        ("offline = maybe\n", "cannot be read as TOML"),
        ('resolve = ["www.example.com=localhost:80"]\n', "not HOST=ADDR:PORT"),
        ("[web]\nvisit = 3\n", "unknown key 'web.visit'; did you mean web.visits?"),
        ("[web]\nvisits = 0\n", "verify.toml: web.visits: must be greater than 0; got '0'"),
        ('[web]\npage_seconds = "long"\n', "verify.toml: web.page_seconds: must be a valid number"),
        ("[web]\npage_bytes = 1.5\n", "verify.toml: web.page_bytes: "),
        ("[web]\naudit_seconds = 10000\n", "verify.toml: web.audit_seconds: must be less than or equal to 540"),
        ("web = 3\n", "verify.toml: web: "),
    ],
)
def test_a_file_that_cannot_be_used_says_where(places: tuple[Path, Path], text: str, said: str):
    places[0].write_text(text)
    with pytest.raises(InputError, match=r"verify\.toml|--resolve") as caught:
        load({})
    assert said in str(caught.value)


def test_what_web_visits_may_cost_is_a_table_of_the_file_or_pairs_of_the_environment(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    places[0].write_text("[web]\nvisits = 7\nplain_seconds = 2.5\n")
    assert load({}).web == WebCaps(visits=7, plain_seconds=2.5)
    monkeypatch.setenv("VERIFY_WEB", "visits=9 plain_bytes=5000")
    assert load({}).web == WebCaps(visits=9, plain_bytes=5000)
    monkeypatch.setenv("VERIFY_WEB", "visits=-1")
    with pytest.raises(InputError, match=r"the environment: VERIFY_WEB\.VISITS: .* greater than 0"):
        load({})
    monkeypatch.setenv("VERIFY_WEB", "fast")
    with pytest.raises(InputError, match=r"unknown key 'web\.fast'"):
        load({})


def test_resolve_takes_wildcards_and_both_families():
    entries = ("www.Example.com=127.0.0.1:8443", "*.example.org=[::1]:80")
    assert parse_resolve(entries) == {"www.example.com": "127.0.0.1:8443", "*.example.org": "[::1]:80"}


@pytest.mark.parametrize(
    "entry", ["", "host", "host=", "host=127.0.0.1", "host=127.0.0.1:0", "host=name:80", "=1.2.3.4:5"]
)
def test_resolve_refuses_other_shapes(entry: str):
    with pytest.raises(InputError, match="not HOST=ADDR:PORT"):
        parse_resolve((entry,))
