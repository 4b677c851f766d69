"""The verdict of a pack is what its records give, byte for byte, with nothing but Python."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cases import PackError
from evidence import archive_of, write_pack
from evidence.bag import TAG_MANIFEST
from evidence.checking import Checked, check
from evidence.recomputing import recompute
from evidence.signing import ATTESTATION, CryptoSigner, attested
from graph.decide import decide
from graph.rerun import Rerun
from graph.verdict import Audit
from probes import ArtifactStore, Observation
from tests.evidence.alone import recompute_alone
from tests.evidence.forging import rewritten
from tests.evidence.hostile_audits import hostile
from tests.evidence.planting import planted
from tests.evidence.recipes import audit_with, recipe
from tests.evidence.synthetic_audits import ALL, inconclusive, judged, not_supported, supported


def masked(store: ArtifactStore) -> Audit:
    """An audit with secrets of several kinds, and bytes that three findings point at without describing them."""
    audit = planted(supported(store), "token is tr4nscriptB3cPQ7Tz1mX\nBearer b3arerLw2Yd6Gf0JnA9eQx\n")
    logs = (store.put(f"DB_PASSWORD=c0mm{word}JnA9eZoI5tKqW\n", "log.txt") for word in ("one7", "two8", "three9"))
    seen = tuple(Observation(name="seen", value="a log", artifact=log.sha256) for log in logs)
    first = audit.findings[0].model_copy(update={"observations": (*audit.findings[0].observations, *seen)})
    return audit.model_copy(update={"findings": (first, *audit.findings[1:])})


def repeated(store: ArtifactStore) -> Audit:
    """The same audit done again."""
    audit = not_supported(store)
    basis = Rerun(audit, "0123456789ab").basis
    verdict = decide(audit.case, audit.hypotheses, audit.findings, basis)
    return audit.model_copy(update={"basis": basis, "verdict": verdict})


def replayed(store: ArtifactStore) -> Audit:
    """An audit with a script of containers."""
    audit, _ = audit_with(recipe(), store)
    return judged(audit.case, audit.hypotheses, audit.findings, audit.envelope)


def visited(store: ArtifactStore) -> Audit:
    """An audit with a script of visits."""
    audit = inconclusive(store)
    seen = Observation(name="http", value="status 403; at https://shop.example/zithers?page=2; rule x")
    visit = audit.findings[0].model_copy(update={"observations": (*audit.findings[0].observations, seen)})
    return judged(audit.case, audit.hypotheses, (visit,), audit.envelope)


BUILDERS: dict[str, Callable[[ArtifactStore], Audit]] = {
    **ALL,
    "hostile": lambda store: hostile(store, 1_000),
    "masked": masked,
    "repeated": repeated,
    "replayed": replayed,
    "visited": visited,
}


def test_verdict_and_texts_are_written_again_without_engine_browser_model_or_network(
    store: ArtifactStore, tmp_path: Path
) -> None:
    signer = CryptoSigner.generate_ed25519()
    packs, statuses = [], []
    for build in BUILDERS.values():
        audit = build(store)
        for key, public in ((None, False), (None, True), (signer, False), (signer, True)):
            pack = write_pack(audit, store, tmp_path / "packs", key, public=public).path
            packs.append(archive_of(pack) if key else pack)
            statuses.append(audit.verdict.status.value)
    assert recompute_alone(packs, tmp_path) == statuses


@pytest.mark.parametrize("build", [masked, replayed, visited])
def test_every_text_that_is_not_what_the_records_give_is_named(
    build: Callable[[ArtifactStore], Audit], store: ArtifactStore, tmp_path: Path
) -> None:
    pack = write_pack(build(store), store, tmp_path / "packs", public=True).path
    held = check(pack).content
    written = ("report.html", "issue.md", "ro-crate-metadata.json", "reproduce.sh", "bag-info.txt", "case.json")
    for path in written:
        if path not in held:
            assert (path, build) == ("reproduce.sh", masked)
            continue
        other = held[path].replace(b"Synthetic", b"Authentic") if path == "case.json" else held[path] + b"\n"
        assert other != held[path]
        forged = check(rewritten(pack, {path: other}, tmp_path / path))
        named = "ro-crate-metadata|report|issue|case" if path == "case.json" else path.replace(".", r"\.")
        with pytest.raises(PackError, match=rf"{named} is not what this program writes .* the same verdict; it was"):
            recompute(forged)
    for path in ("report.html", "issue.md"):
        forged = check(rewritten(pack, {path: None}, tmp_path / f"without-{path}"))
        with pytest.raises(PackError, match=rf"{path} is not what this program writes"):
            recompute(forged)


def test_a_signer_cannot_sign_another_verdict_than_the_packs_own(store: ArtifactStore, tmp_path: Path) -> None:
    signer = CryptoSigner.generate_ed25519()
    pack = write_pack(supported(store), store, tmp_path / "packs", signer).path
    held = check(pack)
    other = held.audit.model_copy(update={"verdict": held.audit.verdict.model_copy(update={"score": 0})})
    told = attested({path: data for path, data in held.content.items() if path != TAG_MANIFEST}, other, signer)
    forged = check(rewritten(pack, {ATTESTATION: told[ATTESTATION]}, tmp_path / "forged"))
    with pytest.raises(PackError, match=r"attestation\.dsse\.json is not what this program writes"):
        recompute(forged)


@pytest.mark.parametrize(("field", "value"), [("status", "not_supported"), ("score", 0), ("reason", "because")])
def test_another_verdict_than_the_evidence_gives_is_named_by_its_field(
    field: str, value: object, store: ArtifactStore, tmp_path: Path
) -> None:
    held = check(write_pack(supported(store), store, tmp_path).path)
    told = json.loads(held.content["verdict.json"]) | {field: value}
    forged = Checked(
        held.path, held.digest, held.audit, {**held.content, "verdict.json": json.dumps(told).encode()}, None
    )
    with pytest.raises(PackError, match=rf"verdict\.json says {field} .*, and its evidence gives"):
        recompute(forged)


def test_the_same_verdict_in_another_form_is_another_verdict(store: ArtifactStore, tmp_path: Path) -> None:
    held = check(write_pack(supported(store), store, tmp_path).path)
    told = json.dumps(json.loads(held.content["verdict.json"])).encode()
    forged = Checked(held.path, held.digest, held.audit, {**held.content, "verdict.json": told}, None)
    with pytest.raises(PackError, match="written in another form"):
        recompute(forged)


def test_a_pack_of_another_version_is_said_to_be_one(store: ArtifactStore, tmp_path: Path) -> None:
    held = check(write_pack(supported(store), store, tmp_path).path)
    content = {**held.content, "verdict.json": b"{}", "bag-info.txt": b"Bag-Software-Agent: impassable 0.0.1\n"}
    with pytest.raises(PackError, match=r"made by impassable 0\.0\.1, and this is impassable .*: recompute it with"):
        recompute(Checked(held.path, held.digest, held.audit, content, None))
