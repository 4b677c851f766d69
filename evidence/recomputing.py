"""The verdict once more, from the records of a pack alone: no network, no model, no engine, no browser."""

import json
from importlib.metadata import version

from cases import PackError
from evidence.bag import INFO
from evidence.checking import Checked
from evidence.text import dumps
from graph.decide import decide
from graph.verdict import Verdict

VERDICT = "verdict.json"


def recompute(pack: Checked) -> Verdict:
    """The verdict that case, hypotheses, findings and basis of a pack give; it is byte for byte the pack's own.

    Raises:
        PackError: it is another one; the message names the first field that differs.
    """
    audit = pack.audit
    verdict = decide(audit.case, audit.hypotheses, audit.findings, audit.basis)
    again = dumps(verdict).encode()
    if again != pack.content[VERDICT]:
        raise PackError(f"{pack.path}: {VERDICT} {_difference(again, pack.content[VERDICT])}; {_versions(pack)}")
    return verdict


def _difference(again: bytes, stored: bytes) -> str:
    mine, theirs = (json.loads(data) for data in (again, stored))
    for field in mine:
        if mine[field] != theirs.get(field):
            return f"says {field} {_short(theirs.get(field))}, and its evidence gives {_short(mine[field])}"
    return "holds the verdict of its evidence, written in another form"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _versions(pack: Checked) -> str:
    own = f"impassable {version('impassable')}"
    lines = pack.content[INFO].decode("utf-8", "replace").splitlines()
    made = next((line.partition(": ")[2] for line in lines if line.startswith("Bag-Software-Agent: ")), "nobody knows")
    if made == own:
        return f"it was altered before it was packed, or written by a changed {own}"
    return f"it was made by {made}, and this is {own}: recompute it with that version"
