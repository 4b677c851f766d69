"""What a script sets itself is no setting that somebody else may use; what may be a switch is."""

import pytest

from cases import patterns as re
from probes.replay.arms.documented.settings import CONFIGURED
from probes.replay.handlers.alternatives import other_arguments, other_calls, other_schemes, other_variables
from probes.replay.handlers.settings import SETTINGS, own_settings, set_by_itself


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ('BASE="${MODEL_MIRROR:-https://models.example/v2.0}"', True),
        ("SHA256=6d0c2f7a96a1f5cf0a8b94b5b7f0d1a7", True),
        ("CACHE=/var/cache/models   # ours", True),
        ("MODE=remote", False),
        ("OFFLINE=0", False),
        ('CACHE="$CACHE_HOME/models"', False),
        ("MODE=/a/b\nMODE=remote", False),
        ("MODE=on/off", False),
        ('if [ -z "$HOST" ]; then\n  HOST=https://data.example\nfi', False),
        ('[ "$HOST" = x ] || HOST=https://data.example', False),
        ("HOST=https://data.example\nread HOST", False),
    ],
)
def test_addresses_paths_and_checksums_are_set_for_good(line: str, *, fixed: bool) -> None:
    assert bool(set_by_itself(f"#!/bin/sh\n{line}\nfetch\n")) is fixed


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("    GEOBOX_PURE = 1", [("GEOBOX_PURE", "1")]),
        ("      GEOBOX_PURE: '1'", [("GEOBOX_PURE", "1")]),
        ("ENV GEOBOX_PURE=1", [("GEOBOX_PURE", "1")]),
        ('export GEOBOX_PURE="1"', [("GEOBOX_PURE", "1")]),
        ("- GEOBOX_PURE=1", [("GEOBOX_PURE", "1")]),
        ("Environment=GEOBOX_PURE=/srv/pure", [("GEOBOX_PURE", "/srv/pure")]),
        ("GEOBOX_PURE=/srv/pure   # the nightly copy", [("GEOBOX_PURE", "/srv/pure")]),
        ("report: GEOBOX_PURE=1 python3 report.py", [("GEOBOX_PURE", "1")]),
        ("    run: GEOBOX_PURE is read by tests", []),
        ("GEOBOX_PURE = $(shell cat x)", []),
    ],
)
def test_files_of_settings_give_variables_in_their_own_ways(line: str, told: list[tuple[str, str]]) -> None:
    assert [(one["name"], one["value"]) for one in CONFIGURED.finditer(f"[env]\n{line}\n")] == told


def test_a_service_s_address_may_be_of_another_kind_that_the_sources_know() -> None:
    source = "URL = os.environ.get('QUEUE_URL', 'redis://localhost:6379/0')\n"
    known = "if u.scheme in ('redis', 'rediss'): pass\nelif u.scheme == 'file': pass\nelif u.scheme == 'https': pass\n"
    assert list(other_schemes(source + known)) == ["QUEUE_URL=file://"]
    assert not list(other_schemes(source))
    assert not list(other_schemes(known))


def test_a_word_of_the_command_line_with_a_value_of_its_own_is_no_setting() -> None:
    fetch = 'url=http://registry:8081\ncurl "$url/subjects/$1/versions/{}"\n'
    told = [
        any(re.search(one, fetch.format(word)) for one in SETTINGS) for word in ("${2:-latest}", "${version:-latest}")
    ]
    assert told == [False, True]


def test_a_variable_that_says_nothing_of_a_connection_may_lead_to_something_else() -> None:
    source = "URL = os.environ.get('QUEUE_URL')\nos.environ['PGHOST']\nD = os.getenv('LEDGER_DUMP')\n"
    assert list(other_variables(source)) == ["LEDGER_DUMP"]
    assert not list(other_variables("connect(os.environ['DB_HOST'], os.environ.get('DB_PORT', '5432'))"))


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("DB_PATH = os.environ.get('DB_PATH')", ["DB_PATH"]),
        ("env = os.environ\nif env.get('ORDERS_FILE'): pass", ["ORDERS_FILE"]),
        ("ca = os.environ['PGSSL_CA_FILE']; s = os.getenv('DB_SOCKET_PATH')", []),
        ("os.environ['PATH']", []),
    ],
)
def test_a_variable_that_speaks_of_a_place_of_data_may_lead_there(source: str, names: list[str]) -> None:
    assert list(other_variables(source)) == names


def test_an_address_may_stand_behind_the_variable_that_is_not_set() -> None:
    source = (
        "URL = os.environ.get('DATABASE_URL') or 'postgresql://127.0.0.1/shop'\nif '://' in URL and 'sqlite://': pass\n"
    )
    assert list(other_schemes(source)) == ["DATABASE_URL=sqlite://"]


@pytest.mark.parametrize(
    ("source", "command", "told"),
    [
        ("if len(sys.argv) > 1: open(sys.argv[1])", "python3 report.py", 1),
        ("if len(sys.argv) > 1: open(sys.argv[1])", "cd /w && python3 report.py may", 0),
        ("p.add_argument('--from-file')", "python3 report.py", 1),
        ("p.add_argument('--from-file')", "python3 report.py --from-file x", 0),
        ("p.add_argument('--host'); p.add_argument('--ca-file')", "python3 report.py", 0),
    ],
)
def test_a_command_line_may_lead_to_other_data(source: str, command: str, told: int) -> None:
    assert len(list(other_arguments(source, command))) == told


COPY = """
def lines():
    if BACKEND == "copy":
        return open(COPY).readlines()
    return ask("127.0.0.1", 5500)
"""
LABEL = """
def label(text):
    if not text:
        return "neutral"
    return ask("127.0.0.1", 8081)
"""


@pytest.mark.parametrize(("source", "call"), [(COPY, ["open(COPY).readlines()"]), (LABEL, []), ("def x(:", [])])
def test_what_a_function_gives_in_another_case_may_be_other_data(source: str, call: list[str]) -> None:
    assert list(other_calls(source, "")) == call


def test_what_goes_to_another_program_is_no_setting_of_one_s_own() -> None:
    passed_on = "subprocess.run(['openssl', 'enc', '-d', '-pbkdf2', '-in', path], env=dict(os.environ, KEY=key))"
    assert own_settings(passed_on, "python3 energy.py") == ()
    assert own_settings("parser.add_argument('--offline')\n" + passed_on, "python3 energy.py") == ("--offline",)
    assert own_settings("os.environ.get('CACHE')\n", "python3 energy.py") == ("os.environ",)
    assert own_settings("json_name = digest + '.json'\n", "python3 energy.py") == ()
