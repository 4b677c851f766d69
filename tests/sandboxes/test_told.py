"""What an image tells of itself is asked once, and again where what was kept is no answer."""

from pathlib import Path

import pytest

from sandboxes import ContainerPool, Spec
from sandboxes.told import told

pytestmark = [pytest.mark.docker, pytest.mark.network]
NOW = "date +%s%N"


def test_an_image_is_asked_once_and_again_where_what_was_kept_is_damaged(
    containers: ContainerPool, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = told(containers, spec, (NOW, "exit 3"))
    assert [one.code for one in first] == [0, 3]
    assert told(containers, spec, (NOW, "exit 3")) == first
    assert told(containers, spec, (NOW,)) != first[:1]
    for kept in tmp_path.rglob("*.json"):
        kept.write_bytes(b"[{}")
    assert told(containers, spec, (NOW, "exit 3")) != first


def test_what_ran_into_a_limit_is_not_kept(
    containers: ContainerPool, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sandboxes.told.SECONDS", 1)
    told(containers, spec, ("sleep 30",))
    assert not list(tmp_path.rglob("*.json"))
