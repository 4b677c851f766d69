"""What audits found, in the forms that others read: advice that changes nobody's scores."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import ProvenanceData, invalidate_samples, read_eval_log
from pyarrow import parquet

from evidence import write_pack
from graph.verdict import Audit
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL, judged
from tests.verify.doors import FAILED, IMPASSABLE, inspect_log
from tests.verify.synthetic import Verify, one_sentence

STATUSES = ("supported", "not_supported", "inconclusive")


@pytest.fixture
def packs(work: Path, verify: Verify) -> dict[str, Path]:
    """A pack of each outcome; the second fixture only makes the folder."""
    assert verify
    store = ArtifactStore(work / "store")
    return {status: write_pack(ALL[status](store), store, work / status).path for status in STATUSES}


def document(verify: Verify, *arguments: object) -> dict[str, Any]:
    done = verify("export", *arguments)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("status", "tier"),
    [("supported", "infra_failure"), ("not_supported", None), ("inconclusive", "ambiguous_failure")],
)
def test_each_outcome_has_its_tier_and_stays_unresolved(
    verify: Verify, packs: dict[str, Path], status: str, tier: str | None
):
    told = document(verify, packs[status], "--format", "advisory")
    [task] = told["submitted_ids"]
    assert (told["schema_version"], told["advisory"]) == (2, True)
    assert told["unresolved_ids"] == [task]
    assert told["total_instances"] == told["unresolved_instances"] == 1
    for name in ("infra_failure", "ambiguous_failure"):
        assert told[f"{name}_ids"] == ([task] if name == tier else [])
        assert told[f"{name}_instances"] == int(name == tier)
    assert set(told["failure_reasons"]) == ({task} if tier else set())
    assert told["evidence"][task]["status"] == status
    assert Path(told["evidence"][task]["pack"]) == packs[status]


@pytest.mark.exhaustive
def test_an_advisory_of_a_ledger_names_what_could_not_be_audited_and_agrees_with_its_tables(
    verify: Verify, tmp_path: Path, work: Path
):
    outcomes = tmp_path / "outcomes.csv"
    rows = [f"bench,{task},ours,gpt,2026-01-02,0,ours_{task}" for task in ("a", "b")]
    rows += ["bench,b,theirs,o9,2026-01-02,1,theirs_b"]
    outcomes.write_text("\n".join(["benchmark,task_id,scaffold,model,date,correct,run_id", *rows]) + "\n")
    assert verify("audit", "--all-failed", "--outcomes", outcomes, "--offline", "-q").returncode == 0
    ledger = work / "packs" / "ledger.jsonl"
    error = {"line": "error", "ledger": 1, "benchmark": "bench", "task_id": "c", "key": "k", "exit_code": 2}
    error |= {"message": "its log is cut off", "version": "0.1.0", "at": "2026-01-02T00:00:00Z"}
    with ledger.open("a") as file:
        file.write(json.dumps(error) + "\n")
    told = document(verify, "packs", "--format", "advisory")
    assert told["error_ids"] == ["c"]
    assert told["failure_reasons"]["c"] == "its log is cut off"
    assert told["submitted_ids"] == ["a", "b", "c"]
    assert told["unresolved_ids"] == ["a", "b"]
    tables = {}
    for form in ("csv", "parquet"):
        assert verify("export", ledger, "--format", form, "--out", f"t.{form}").returncode == 0
    with (work / "t.csv").open(newline="") as file:
        tables["csv"] = {row["task_id"]: row["status"] for row in csv.DictReader(file)}
    tables["parquet"] = {row["task_id"]: row["status"] for row in parquet.read_table(work / "t.parquet").to_pylist()}
    tables["advisory"] = {task: entry["status"] for task, entry in told["evidence"].items()}
    assert tables["csv"] == tables["parquet"] == tables["advisory"]


def test_what_cannot_be_exported_is_said_in_one_sentence(verify: Verify, packs: dict[str, Path], work: Path):
    (work / "empty").mkdir()
    (work / "empty" / "ledger.jsonl").touch()
    pack = packs["supported"]
    for given, code, said in (
        (("empty",), 2, "hold no audit"),
        (("nowhere",), 2, "no such pack"),
        ((pack, "--format", "parquet"), 2, "name a file with --out"),
        ((pack, "--out", "no/such/folder.json"), 3, "name another file with --out"),
    ):
        done = verify("export", *given)
        assert done.returncode == code, done.stderr
        assert said in one_sentence(done)


@pytest.mark.parametrize("form", ["eval", "json"])
def test_invalidations_are_proposed_for_supported_alone_and_inspect_takes_them(
    verify: Verify, work: Path, tmp_path: Path, form: str
):
    log = inspect_log(tmp_path / f"log.{form}")
    before = log.read_bytes()
    store = ArtifactStore(work / "store")
    for task, status in ((IMPASSABLE, "supported"), (FAILED, "not_supported")):
        write_pack(_of_log(ALL[status](store), log, task), store, work / "packs")
    told = document(verify, "packs", "--format", "inspect")
    [proposed] = told["invalidations"]
    assert told["left_alone"] == [FAILED]
    assert proposed["samples"] == [{"id": IMPASSABLE, "epoch": 1, "uuid": f"uuid-of-{IMPASSABLE}"}]
    assert (work / proposed["provenance"]["metadata"]["pack"]).is_dir()
    assert log.read_bytes() == before

    changed = invalidate_samples(
        read_eval_log(proposed["log"]),
        [one["uuid"] for one in proposed["samples"]],
        ProvenanceData.model_validate(proposed["provenance"]),
    )
    assert [one.id for one in changed.samples or () if one.invalidation] == [IMPASSABLE]


def _of_log(audit: Audit, log: Path, task: str) -> Audit:
    """The audit as that of a sample of the log."""
    case = audit.case
    changed = {"run_id": "run-1:1", "source": str(log), "environment": {"scaffold": "inspect_ai"}}
    told = json.loads(audit.model_dump_json().replace('"run-a"', '"run-1:1"'))
    run = case.runs[0].model_copy(update=changed).model_dump(mode="json")
    told["case"] |= {"task_id": task, "runs": [run]}
    told = Audit.model_validate(told)
    return judged(told.case, told.hypotheses, told.findings, told.envelope, *told.basis.notes)


def test_a_run_that_is_no_inspect_sample_is_told_and_nothing_is_proposed(verify: Verify, packs: dict[str, Path]):
    done = verify("export", packs["supported"], "--format", "inspect")
    assert done.returncode == 0
    assert json.loads(done.stdout)["invalidations"] == []
    assert "none of its runs comes from an Inspect log" in done.stderr
