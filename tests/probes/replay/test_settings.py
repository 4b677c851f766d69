"""What a script sets itself is no setting that somebody else may use; what may be a switch is."""

import pytest

from probes.replay.arms.documented.settings import CONFIGURED
from probes.replay.handlers.settings import other_schemes, other_variables, set_by_itself


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


def test_a_variable_that_says_nothing_of_a_connection_may_lead_to_something_else() -> None:
    source = "URL = os.environ.get('QUEUE_URL')\nos.environ['PGHOST']\nD = os.getenv('LEDGER_DUMP')\n"
    assert list(other_variables(source)) == ["LEDGER_DUMP"]
    assert not list(other_variables("connect(os.environ['DB_HOST'], os.environ.get('DB_PORT', '5432'))"))
