"""The verdict of a pack is what its records give, byte for byte, with nothing but Python."""

import json
from pathlib import Path

import pytest

from cases import PackError
from evidence import archive_of, write_pack
from evidence.checking import Checked, check
from evidence.recomputing import recompute
from probes import ArtifactStore
from tests.evidence.alone import recompute_alone
from tests.evidence.synthetic_audits import ALL, supported


def test_the_verdict_is_computed_again_without_engine_browser_model_or_network(
    store: ArtifactStore, tmp_path: Path
) -> None:
    packs = [write_pack(build(store), store, tmp_path / "packs") for build in ALL.values()]
    statuses = [build(store).verdict.status.value for build in ALL.values()]
    assert recompute_alone([*packs, *map(archive_of, packs)], tmp_path) == statuses * 2


@pytest.mark.parametrize(("field", "value"), [("status", "not_supported"), ("score", 0), ("reason", "because")])
def test_another_verdict_than_the_evidence_gives_is_named_by_its_field(
    field: str, value: object, store: ArtifactStore, tmp_path: Path
) -> None:
    held = check(write_pack(supported(store), store, tmp_path))
    told = json.loads(held.content["verdict.json"]) | {field: value}
    forged = Checked(
        held.path, held.digest, held.audit, {**held.content, "verdict.json": json.dumps(told).encode()}, None
    )
    with pytest.raises(PackError, match=rf"verdict\.json says {field} .*, and its evidence gives"):
        recompute(forged)


def test_the_same_verdict_in_another_form_is_another_verdict(store: ArtifactStore, tmp_path: Path) -> None:
    held = check(write_pack(supported(store), store, tmp_path))
    told = json.dumps(json.loads(held.content["verdict.json"])).encode()
    forged = Checked(held.path, held.digest, held.audit, {**held.content, "verdict.json": told}, None)
    with pytest.raises(PackError, match="written in another form"):
        recompute(forged)


def test_a_pack_of_another_version_is_said_to_be_one(store: ArtifactStore, tmp_path: Path) -> None:
    held = check(write_pack(supported(store), store, tmp_path))
    content = {**held.content, "verdict.json": b"{}", "bag-info.txt": b"Bag-Software-Agent: impassable 0.0.1\n"}
    with pytest.raises(PackError, match=r"made by impassable 0\.0\.1, and this is impassable .*: recompute it with"):
        recompute(Checked(held.path, held.digest, held.audit, content, None))
