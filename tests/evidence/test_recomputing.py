"""The verdict of a pack is what its records give, byte for byte, with nothing but Python."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cases import PackError
from evidence import archive_of, write_pack
from evidence.checking import Checked, check
from evidence.recomputing import recompute
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL, supported

ALONE = """
import socket, sys
socket.socket.connect = None
from evidence.checking import check
from evidence.recomputing import recompute
from pathlib import Path
for path in sys.argv[1:]:
    print(recompute(check(Path(path))).status)
heavy = {"docker", "playwright", "langgraph", "langchain_core", "langchain_openai", "httpx", "requests", "dns"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


def test_the_verdict_is_computed_again_without_engine_browser_model_or_network(
    store: ArtifactStore, tmp_path: Path
) -> None:
    packs = [write_pack(build(store), store, tmp_path / "packs") for build in ALL.values()]
    command = [sys.executable, "-c", ALONE, *map(str, packs), *(str(archive_of(pack)) for pack in packs)]
    environment = {"PATH": "/nowhere", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == ""
    statuses = [build(store).verdict.status.value for build in ALL.values()]
    assert done.stdout.split() == statuses * 2


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
