"""The verdict once more, from the records of a pack alone: no network, no model, no engine, no browser."""

import json
from importlib.metadata import version

from cases import PackError
from cases.sentences import Sentences
from evidence.bag import INFO, TAG_MANIFEST, payload, told_in
from evidence.checking import Checked, evidence_in
from evidence.contents import contents
from evidence.signing import ATTESTATION, attestation_again
from evidence.text import dumps
from graph.decide import decide
from graph.verdict import Verdict

say = Sentences(__name__)

VERDICT = "verdict.json"


def recompute(pack: Checked) -> Verdict:
    """The verdict that case, hypotheses, findings and basis of a pack give; it is byte for byte the pack's own.

    So is every text that is written of them: report, issue text, script and descriptions.

    Raises:
        PackError: one of them is another; the message names the file, and the first field of a verdict that differs.
    """
    verdict = decided(pack)
    _require_rest(pack)
    return verdict


def decided(pack: Checked) -> Verdict:
    """The verdict alone, without the texts that are written of it, whose templates change from version to version.

    Raises:
        PackError: the pack holds another.
    """
    audit = pack.audit
    verdict = decide(audit.case, audit.hypotheses, audit.findings, audit.basis)
    again = dumps(verdict).encode()
    if again != pack.content[VERDICT]:
        raise PackError(f"{pack.path}: {VERDICT} {_difference(again, pack.content[VERDICT])}; {_versions(pack)}")
    return verdict


def _require_rest(pack: Checked) -> None:
    """Write a pack's texts again and compare; its artifacts, manifests and signature were checked."""
    told, evidence = told_in(pack.content), evidence_in(pack.audit, pack.content)
    again = payload(contents(pack.audit, evidence, told.masked), pack.audit, told)
    held = {path: data for path, data in pack.content.items() if path != TAG_MANIFEST}
    if pack.signer:
        again[ATTESTATION] = attestation_again(pack.content, pack.audit, pack.signer)
    for path in sorted({*again, *held}):
        if again.get(path) != held.get(path):
            raise PackError(
                say("recomputing.not_program_writes_pack", pack=pack.path, path=path, versions=_versions(pack))
            )


def _difference(again: bytes, stored: bytes) -> str:
    mine, theirs = (json.loads(data) for data in (again, stored))
    for field in mine:
        if mine[field] != theirs.get(field):
            return say("recomputed.differs", field=field, theirs=_short(theirs.get(field)), mine=_short(mine[field]))
    return say("recomputed.form")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _versions(pack: Checked) -> str:
    own = f"impassable {version('impassable')}"
    lines = pack.content[INFO].decode("utf-8", "replace").splitlines()
    made = next((line.partition(": ")[2] for line in lines if line.startswith("Bag-Software-Agent: ")), "")
    if made == own:
        return say("recomputed.altered", own=own)
    return say("recomputed.other", made=made or say("recomputed.nobody"), own=own)
