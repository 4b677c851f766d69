"""The published schemas: they are those of this version, and what is written satisfies them."""

import json
import runpy
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import impassable
from evidence import document, write_pack
from evidence.crate import METADATA
from evidence.signing import ATTESTATION
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL
from tests.verify.synthetic import Verify
from verify.schemas import schemas

FOREIGN = {METADATA, ATTESTATION}
"""Written in forms that others have published: RO-Crate 1.1 and in-toto's attestations in DSSE envelopes."""
ROOT = Path(__file__).parents[2]


def holds(name: str, told: object) -> None:
    Draft202012Validator(impassable.schema(name)).validate(told)


def test_the_published_schemas_and_types_are_those_of_this_version():
    written = runpy.run_path(str(ROOT / "scripts" / "schemas.py"))["texts"]()
    old = [path.name for path, text in written.items() if not path.is_file() or path.read_text("utf-8") != text]
    assert not old, "run: make generate"
    assert {path.stem for path in (ROOT / "impassable" / "schemas").glob("*.json")} == set(schemas())


@pytest.mark.parametrize("name", schemas())
def test_a_schema_is_one_and_refuses_what_is_none(name: str):
    schema = impassable.schema(name)
    Draft202012Validator.check_schema(schema)
    assert not Draft202012Validator(schema).is_valid({"nobody": "wrote this"})


@pytest.mark.parametrize("status", ALL)
def test_every_record_of_a_pack_satisfies_its_schema(status: str, tmp_path: Path):
    store = ArtifactStore(tmp_path / "store")
    packed = write_pack(ALL[status](store), store, tmp_path / "packs")
    for path in packed.path.glob("*.json"):
        if path.name not in FOREIGN:
            holds(path.stem, json.loads(path.read_bytes()))
    holds("answer", json.loads(json.dumps(document(packed))))


def test_what_the_program_prints_and_its_index_satisfy_theirs(verify: Verify, two_tasks: Path, work: Path):
    holds("answer", json.loads(verify("sum-of-two", "--run", two_tasks, "--json", "--quiet").stdout))
    holds("error", json.loads(verify("sum-of-three", "--run", two_tasks, "--json", "--quiet").stdout))
    assert verify("sum-of-two", "sum-of-ten", "--run", two_tasks, "--quiet").returncode == 0
    for line in (work / "packs" / "ledger.jsonl").read_text("utf-8").splitlines():
        holds("ledger", json.loads(line))
    assert verify("view", work / "packs", "--write", "--no-open").returncode == 0
    holds("index", json.loads((work / "packs" / "index.json").read_bytes()))
