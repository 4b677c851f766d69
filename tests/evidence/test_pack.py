"""A pack holds what a verdict rests on, is the same for the same evidence, and is there whole or not at all."""

import hashlib
import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import bagit
import pytest

from cases import EnvironmentNotReady, Outcome, PackError, Run
from cases.model import Block, Transcript
from evidence import SCHEMA, archive_of, document, masked, read_pack, write_pack
from graph.verdict import Audit, Status
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL, bare, case, not_supported, supported


def files_of(pack: Path) -> dict[str, bytes]:
    return {str(path.relative_to(pack)): path.read_bytes() for path in sorted(pack.rglob("*")) if path.is_file()}


def checked(pack: Path) -> subprocess.CompletedProcess[str]:
    command = ["sha256sum", "--strict", "-c", "manifest-sha256.txt", "tagmanifest-sha256.txt"]
    return subprocess.run(command, cwd=pack, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ALL)
def test_everything_a_verdict_is_computed_from_can_be_read_back(
    name: str, store: ArtifactStore, tmp_path: Path
) -> None:
    audit = ALL[name](store)
    assert read_pack(write_pack(audit, store, tmp_path / "packs").path) == audit


@pytest.mark.parametrize("name", ALL)
def test_the_name_says_task_status_and_the_tag_manifests_own_digest(
    name: str, store: ArtifactStore, tmp_path: Path
) -> None:
    audit = ALL[name](store)
    pack = write_pack(audit, store, tmp_path).path
    digest = hashlib.sha256((pack / "tagmanifest-sha256.txt").read_bytes()).hexdigest()
    assert pack == tmp_path / f"{audit.case.task_id}-{audit.verdict.status}-{digest[:12]}"


def test_the_same_evidence_gives_the_same_bytes(store: ArtifactStore, tmp_path: Path) -> None:
    first = write_pack(supported(store), store, tmp_path / "a").path
    second = write_pack(
        supported(ArtifactStore(tmp_path / "elsewhere")), ArtifactStore(tmp_path / "elsewhere"), tmp_path / "b"
    ).path
    assert first.name == second.name
    assert files_of(first) == files_of(second)


def test_other_evidence_gives_another_pack(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    later = audit.findings[0].model_copy(update={"seconds": 9.0})
    other = audit.model_copy(update={"findings": (later, *audit.findings[1:])})
    assert write_pack(audit, store, tmp_path).path != write_pack(other, store, tmp_path).path


def test_writing_again_returns_the_pack_that_is_there(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    pack = write_pack(audit, store, tmp_path / "packs").path
    before = (pack / "report.html").stat().st_mtime_ns
    assert write_pack(audit, store, tmp_path / "packs").path == pack
    assert (pack / "report.html").stat().st_mtime_ns == before
    assert {path.name for path in (tmp_path / "packs").iterdir()} == {pack.name, f"{pack.name}.zip"}


def test_a_pack_that_was_altered_is_neither_returned_nor_overwritten(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    pack = write_pack(audit, store, tmp_path).path
    (pack / "verdict.json").write_text("{}")
    with pytest.raises(PackError, match=r"verdict\.json is not what was written"):
        write_pack(audit, store, tmp_path)
    assert (pack / "verdict.json").read_text() == "{}"


def test_the_two_manifests_list_every_file_and_hold(store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(supported(store), store, tmp_path).path
    carried, tags = (
        {line.split("  ", 1)[1] for line in (pack / name).read_text().splitlines()}
        for name in ("manifest-sha256.txt", "tagmanifest-sha256.txt")
    )
    assert carried | tags == files_of(pack).keys() - {"tagmanifest-sha256.txt"}
    assert all(path.startswith("data/") for path in carried)
    assert {"report.html", "verdict.json", "case.json", "findings.json", "hypotheses.json", "envelope.json"} <= tags
    assert checked(pack).returncode == 0


@pytest.mark.parametrize("name", ALL)
def test_a_bagit_program_of_others_accepts_the_folder(name: str, store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(ALL[name](store), store, tmp_path).path
    bag = bagit.Bag(str(pack))
    bag.validate()
    assert set(bag.payload_files()) == {path for path in files_of(pack) if path.startswith("data/")}


@pytest.mark.parametrize("name", ALL)
def test_the_zip_holds_the_folder_dated_by_its_last_finding(name: str, store: ArtifactStore, tmp_path: Path) -> None:
    audit = ALL[name](store)
    pack = write_pack(audit, store, tmp_path).path
    with zipfile.ZipFile(archive_of(pack)) as archive:
        entries = archive.infolist()
        held = {entry.filename: archive.read(entry) for entry in entries}
    assert held == {f"{pack.name}/{path}": data for path, data in files_of(pack).items()}
    assert list(held) == sorted(held)
    dated = {entry.date_time for entry in entries}
    assert dated == ({(2031, 5, 6, 7, 8, 8)} if audit.findings else {(1980, 1, 1, 0, 0, 0)})
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
    assert archive_of(pack).stat().st_size < 300_000


def test_the_same_evidence_gives_the_same_zip_whenever_it_is_written(store: ArtifactStore, tmp_path: Path) -> None:
    first = archive_of(write_pack(supported(store), store, tmp_path / "a").path)
    second = archive_of(write_pack(supported(store), store, tmp_path / "b").path)
    assert first.read_bytes() == second.read_bytes()


def test_a_zip_that_was_altered_is_neither_kept_for_good_nor_overwritten(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    archive = archive_of(write_pack(audit, store, tmp_path).path)
    archive.write_bytes(b"other")
    with pytest.raises(PackError, match=r"\.zip is not a whole zip"):
        write_pack(audit, store, tmp_path)
    assert archive.read_bytes() == b"other"


def test_the_crate_describes_every_file_that_it_lists(store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(supported(store), store, tmp_path).path
    crate = json.loads((pack / "ro-crate-metadata.json").read_text())
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    root = entities["./"]
    assert entities["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert entities["ro-crate-metadata.json"]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert {"name", "description", "datePublished", "license"} <= root.keys()
    for part in root["hasPart"]:
        assert entities[part["@id"]]["contentSize"] == str((pack / part["@id"]).stat().st_size)
    assert {"report.html", "verdict.json"} <= {part["@id"] for part in root["hasPart"]}


def test_a_verdict_that_does_not_follow_from_the_evidence_is_not_written(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    turned = audit.verdict.model_copy(update={"score": 0, "status": Status.NOT_SUPPORTED})
    with pytest.raises(PackError, match=r"evidence gives score 1 instead of 0, so no pack was written"):
        write_pack(audit.model_copy(update={"verdict": turned}), store, tmp_path / "packs")
    assert not (tmp_path / "packs").exists()


def test_one_flipped_byte_in_any_file_is_found(store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(supported(store), store, tmp_path).path
    for name, data in files_of(pack).items():
        if name == "tagmanifest-sha256.txt":
            continue
        middle = len(data) // 2
        (pack / name).write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        told = checked(pack)
        assert told.returncode != 0, name
        assert f"{name}: FAILED" in told.stdout
        (pack / name).write_bytes(data)
    assert checked(pack).returncode == 0


def test_artifacts_stand_under_their_digest_and_as_nothing_a_browser_would_run(
    store: ArtifactStore, tmp_path: Path
) -> None:
    audit = supported(store)
    hostile = [
        store.put("<script>1</script>", "../../etc/page.html", "text/html"),
        store.put("<svg onload='x()'/>", "picture.svg", "image/svg+xml"),
        store.put(b"\x00\x01", "dump", "application/octet-stream"),
    ]
    finding = audit.findings[0]
    finding = finding.model_copy(update={"artifacts": (*finding.artifacts, *hostile)})
    pack = write_pack(audit.model_copy(update={"findings": (finding, *audit.findings[1:])}), store, tmp_path).path
    for path in (pack / "data" / "evidence").iterdir():
        assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(path.name[:12])
        assert path.suffix in {".txt", ".png", ".bin"}
    assert {path.name[13:] for path in (pack / "data" / "evidence").iterdir()} >= {
        "etc-page.html.txt",
        "picture.svg.txt",
        "dump.bin",
    }


def test_an_odd_task_id_becomes_a_plain_short_name(store: ArtifactStore, tmp_path: Path) -> None:
    odd = "../sneaky/\n" + "a b" * 40
    audit = supported(store)
    audit = audit.model_copy(update={"case": audit.case.model_copy(update={"task_id": odd})})
    pack = write_pack(audit, store, tmp_path / "packs").path
    assert pack.parent == tmp_path / "packs"
    assert re.fullmatch(r"sneaky-a-ba[A-Za-z0-9-]{,29}-supported-[0-9a-f]{12}", pack.name)
    assert checked(pack).returncode == 0
    assert read_pack(pack).case.task_id == odd


def test_transcripts_of_runs_that_passed_stay_out_unless_cited(store: ArtifactStore, tmp_path: Path) -> None:
    audit = not_supported(store)
    talk = Transcript(blocks=(Block(index=0, role="user", kind="message", text="long"),))
    passed = [
        Run(run_id=name, outcome=Outcome.PASSED, score=1.0, transcript=talk, source="s") for name in ("cited", "other")
    ]
    citation = audit.verdict.citations[0].model_copy(
        update={"run_id": "cited", "block": 0, "start": 0, "end": 4, "quote": "long"}
    )
    audit = audit.model_copy(
        update={
            "case": audit.case.model_copy(update={"runs": (*audit.case.runs, *passed)}),
            "verdict": audit.verdict.model_copy(update={"citations": (citation,)}),
        }
    )
    runs = {run.run_id: run for run in read_pack(write_pack(audit, store, tmp_path).path).case.runs}
    assert runs["cited"].transcript == talk
    assert runs["other"].transcript is None
    assert runs["run-a"].transcript == audit.case.runs[0].transcript


def test_a_missing_or_altered_artifact_is_named(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    log = audit.findings[0].artifacts[0]
    store.path(log.sha256).write_bytes(b"forged")
    with pytest.raises(PackError, match=r"replay-arm\.log .* was altered"):
        write_pack(audit, store, tmp_path / "packs")
    store.path(log.sha256).unlink()
    with pytest.raises(PackError, match=r"replay-arm\.log .* is missing"):
        write_pack(audit, store, tmp_path / "packs")
    assert not (tmp_path / "packs").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
@pytest.mark.parametrize("size", ["16k", "48k"])
def test_a_full_disk_leaves_nothing_half_written(size: str, store: ArtifactStore, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("this machine does not let root mount")
    try:
        with pytest.raises(EnvironmentNotReady, match="no space left on device"):
            write_pack(supported(store), store, disk / "packs")
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_folder_that_cannot_be_written_is_one_sentence(store: ArtifactStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(EnvironmentNotReady, match=r"could not be written to .*: not a directory; .* --out"):
        write_pack(bare(store), store, tmp_path / "file" / "packs")


@pytest.mark.parametrize("name", ["case.json", "findings.json"])
def test_a_pack_with_a_broken_record_is_refused_with_its_place(name: str, store: ArtifactStore, tmp_path: Path) -> None:
    pack = write_pack(supported(store), store, tmp_path).path
    path = pack / name
    whole = json.loads(path.read_text())
    (whole if isinstance(whole, dict) else whole[0])["extra"] = 1
    path.write_text(json.dumps(whole))
    with pytest.raises(PackError, match=rf"{name} is not valid at .*extra"):
        read_pack(pack)
    path.write_text("{")
    with pytest.raises(PackError, match=rf"{name} is not JSON"):
        read_pack(pack)
    path.unlink()
    with pytest.raises(PackError, match=rf"{name} is missing"):
        read_pack(pack)


@pytest.mark.parametrize("name", ALL)
def test_the_document_says_what_the_pack_says(name: str, store: ArtifactStore, tmp_path: Path) -> None:
    audit: Audit = ALL[name](store)
    packed = write_pack(audit, store, tmp_path)
    pack = packed.path
    told = json.loads(json.dumps(document(packed), allow_nan=False))
    assert list(told) == ["schema", "case", "verdict", "hypotheses", "findings", "pack", "archive"]
    assert told["schema"] == SCHEMA == "impassable/1"
    assert told["pack"] == str(pack)
    assert told["archive"] == f"{pack}.zip"
    for part in ("verdict", "hypotheses", "findings"):
        assert told[part] == json.loads((pack / f"{part}.json").read_text())
    assert len(told["case"]["runs"]) == len(audit.case.runs)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_what_is_returned_to_be_shown_is_what_the_pack_holds(
    name: str, public: bool, store: ArtifactStore, tmp_path: Path
) -> None:
    audit: Audit = ALL[name](store)
    packed = write_pack(audit, store, tmp_path, public=public)
    assert packed.audit == read_pack(packed.path) == masked(audit, store, public=public)


def test_the_document_counts_blocks_and_keeps_every_run(store: ArtifactStore, tmp_path: Path) -> None:
    told = document(write_pack(supported(store), store, tmp_path))["case"]
    assert list(told) == ["benchmark", "task_id", "prompt", "runs", "claims"]
    assert len(told["runs"]) == len(case().runs) == 66
    assert told["runs"][0] == {
        "run_id": "run-a",
        "agent": "core agent",
        "model": "model-1",
        "date": "2030-02-03",
        "outcome": "failed",
        "score": 0.0,
        "source": "synthetic_UPLOAD.json",
        "blocks": 5,
    }
    assert {run["blocks"] for run in told["runs"][1:]} == {0}


def test_numbers_that_json_lacks_become_null(store: ArtifactStore, tmp_path: Path) -> None:
    audit = supported(store)
    run = audit.case.runs[0].model_copy(update={"score": float("nan")})
    audit = audit.model_copy(update={"case": audit.case.model_copy(update={"runs": (run, *audit.case.runs[1:])})})
    packed = write_pack(audit, store, tmp_path)
    assert document(packed)["case"]["runs"][0]["score"] is None
    assert read_pack(packed.path).case.runs[0].score is None
