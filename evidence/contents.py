"""The files of a pack as they follow from its audit: its records, what is written of them, and the bag around them."""

import hashlib
from collections.abc import Mapping

from evidence.artifacts import EvidenceFile
from evidence.bag import ATTESTATION, BAG
from evidence.crate import METADATA, described
from evidence.issue import issue_text
from evidence.report import render
from evidence.reproduce import reproduce_script, reproduce_steps
from evidence.text import dumps
from graph.verdict import Audit

PARTS = ("case", "envelope", "hypotheses", "findings", "basis", "verdict")
_SCRIPT, _ISSUE, _REPORT = "reproduce.sh", "issue.md", "report.html"
KNOWN = frozenset({*(f"{part}.json" for part in PARTS), _SCRIPT, _ISSUE, _REPORT, METADATA, ATTESTATION, *BAG})
"""Every file that may lie beside the payload."""


def contents(audit: Audit, evidence: tuple[EvidenceFile, ...], masked: Mapping[str, int]) -> dict[str, bytes]:
    """What a pack says and shows, by path: records, script, issue text, report, artifacts and their description.

    Args:
        audit: Already without secrets; artifacts named as in the pack.
        evidence: The pack's artifacts.
        masked: How many different secrets of each kind were masked.
    """
    records = {f"{part}.json": dumps(getattr(audit, part)).encode() for part in PARTS}
    script = reproduce_script(audit, evidence)
    if script:
        records[_SCRIPT] = script.encode()
    records[_ISSUE] = issue_text(audit, reproduce_steps(script), evidence).encode()
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in records.items()}
    report = render(audit, evidence, masked, digests, {_ISSUE: records[_ISSUE].decode()}).encode()
    return described(records | {_REPORT: report} | {file.path: file.data for file in evidence}, audit)
