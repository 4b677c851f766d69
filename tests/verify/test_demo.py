"""The demo: one of each outcome, with real containers, a real browser and a local site."""

import json
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.browser, pytest.mark.network, pytest.mark.timeout(600)]


def test_one_of_each_outcome_with_a_pack_each(verify: Verify, work: Path):
    done = verify("demo", "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    statuses = {document["case"]["task_id"]: document["verdict"]["status"] for document in documents}
    assert statuses == {
        "demo-missing-module": "not_supported",
        "demo-missing-header": "supported",
        "demo-bot-wall": "inconclusive",
    }
    for document in documents:
        pack = work / document["pack"]
        assert json.loads((pack / "verdict.json").read_text())["status"] == document["verdict"]["status"]
        assert document["verdict"]["score"] == int(document["verdict"]["status"] == "supported")
        recomputed = verify("recompute", pack, document["archive"])
        assert recomputed.returncode == 0, recomputed.stderr
        limit = 2_000_000 if document["case"]["task_id"] == "demo-bot-wall" else 300_000
        assert (work / document["archive"]).stat().st_size <= limit
    [header] = [one for one in documents if one["case"]["task_id"] == "demo-missing-header"]
    settling = [finding for finding in header["findings"] if finding["id"] in header["verdict"]["decisive"]]
    answers = {(finding["question"], finding["answer"]) for finding in settling}
    assert answers == {("PRESENT", "yes"), ("PASSABLE", "no"), ("CAUSED", "yes")}
    assert all(control["passed"] for finding in settling for control in finding["controls"])
    [wall] = [one for one in documents if one["case"]["task_id"] == "demo-bot-wall"]
    assert (wall["verdict"]["barrier_then"], wall["verdict"]["barrier_now"]) == (True, False)
    assert wall["verdict"]["lab"] is True
