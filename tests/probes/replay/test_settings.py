"""What a script sets itself is no setting that somebody else may use; what may be a switch is."""

import pytest

from probes.replay.handlers.settings import set_by_itself


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
