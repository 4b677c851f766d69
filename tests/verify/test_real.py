"""Real failures with a known truth; skipped where the material does not lie beside the checkout."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cases import Outcome
from cases.library import Inputs, Library
from graph import AuditOptions, audit
from graph.verdict import Status
from probes import ArtifactStore, Barrier, Settings
from tests.lab.web.server import Lab
from tests.verify.synthetic import Verify

REAL = Path(__file__).parents[2].parent / "shared" / "real"
TRANSCRIPTS = REAL / "transcripts"
OUTCOMES = REAL / "outcomes" / "hal_cross_runs.csv"
CAPSULE = "capsule-1624349"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not REAL.is_dir(), reason="no real material beside this checkout"),
]


def audited(verify: Verify, *arguments: object) -> dict[str, Any]:
    """The document of one real audit."""
    done = verify(*arguments, "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def decisive(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings that settled it."""
    return [finding for finding in document["findings"] if finding["id"] in document["verdict"]["decisive"]]


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
def test_a_missing_module_that_pip_installs_is_not_supported(verify: Verify):
    document = audited(verify, "797f7a5b", "--run", TRANSCRIPTS / "whowhen_ag120.json")
    assert document["verdict"]["status"] == "not_supported"
    assert {finding["probe"] for finding in decisive(document)} == {"transcript", "replay"}
    assert "pip install googlemaps" in document["verdict"]["capable_agent"]


def test_a_host_that_answered_later_in_the_run_is_not_supported_without_any_network(verify: Verify):
    document = audited(verify, "4e615af6", "--run", TRANSCRIPTS / "whowhen_ag123.json", "--offline")
    assert document["verdict"]["status"] == "not_supported"
    assert {finding["probe"] for finding in decisive(document)} == {"transcript"}


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
def test_both_generations_of_a_file_give_the_same_decisive_findings(verify: Verify):
    documents = [
        audited(verify, CAPSULE, "--run", TRANSCRIPTS / f"hal_corebench_1624349_gpt41_{generation}_UPLOAD.json")
        for generation in ("v1", "v2")
    ]
    assert [document["verdict"]["status"] for document in documents] == ["not_supported"] * 2
    first, second = [
        [(finding["probe"], finding["question"], finding["answer"], finding["summary"]) for finding in decisive(one)]
        for one in documents
    ]
    assert first == second
    assert first


def test_runs_of_others_that_passed_settle_it(verify: Verify):
    run = TRANSCRIPTS / "hal_corebench_1624349_gpt41_v1_UPLOAD.json"
    document = audited(verify, CAPSULE, "--run", run, "--outcomes", OUTCOMES, "--offline")
    assert document["verdict"]["status"] == "not_supported"
    assert "16 of 66" in " ".join(finding["summary"] for finding in document["findings"])


def test_a_dead_shop_on_the_way_is_a_decoy_and_the_providers_filter_is_the_harnesses_error(verify: Verify):
    document = audited(verify, "8ad84bd6", "--run", TRANSCRIPTS / "whowhen_hc10.json", "--offline")
    assert document["verdict"]["status"] != "supported"
    assert document["verdict"]["deficiency_type"] != "Website Accessibility Issues"
    by_barrier = {one["barrier"]: one for one in document["hypotheses"]}
    assert by_barrier["site_gone"]["targets"]["hosts"] == ["www.marianos.com"]
    assert by_barrier["harness"]["category"] == "Harness errors"
    assert "ResponsibleAIPolicyViolation" in {citation["quote"] for citation in by_barrier["harness"]["citations"]}
    caused = {one["hypothesis"]: one["answer"] for one in document["findings"] if one["question"] == "CAUSED"}
    assert caused[by_barrier["site_gone"]["id"]] == caused[by_barrier["harness"]["id"]] == "unknown"


@pytest.mark.exhaustive
def test_a_missing_program_that_another_tool_stood_in_for_is_not_supported(verify: Verify, tmp_path: Path):
    """The run that lacked tshark passed with tcpdump, so a run that failed for want of tshark could have passed too."""
    file = TRANSCRIPTS / "inspect_intercode_ctf.eval"
    document = audited(verify, "64", "--run", file, "--offline")
    assert document["verdict"]["status"] == "not_supported"
    assert document["hypotheses"] == []
    library = Library.open(Inputs(runs=(file,)))
    case = library.case(library.resolve("64"))
    gave_up = {"run_id": "lacking", "outcome": Outcome.FAILED, "score": 0.0, "answer": None}
    lacking = case.runs[0].model_copy(update=gave_up)
    both = case.model_copy(update={"runs": (*case.runs, lacking)})
    result = asyncio.run(audit(both, AuditOptions(settings=Settings(offline=True)), ArtifactStore(tmp_path / "store")))
    assert [(one.barrier, one.targets.programs) for one in result.hypotheses] == [(Barrier.COMMAND, ("tshark",))]
    assert result.verdict.status is Status.NOT_SUPPORTED
    assert "peers" in {one.probe for one in result.findings if one.id in result.verdict.decisive}


@pytest.mark.exhaustive
def test_of_the_capsules_that_judges_called_impassable_one_stays_open(verify: Verify):
    judged = REAL / "judged"
    sources = ["--claims", judged / "corebench*.csv", "--outcomes", OUTCOMES]
    listed = json.loads(verify("cases", *sources, "--benchmark", "corebench_hard", "--json").stdout)["tasks"]
    impassable = [task["task_id"] for task in listed if task["impassable_claims"]]
    assert len(impassable) == 12
    done = verify(*impassable, *sources, "--benchmark", "corebench_hard", "--offline", "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    statuses = {
        document["case"]["task_id"]: document["verdict"]["status"]
        for document in map(json.loads, done.stdout.splitlines())
    }
    assert statuses.pop("capsule-3821950") == "inconclusive"
    assert set(statuses.values()) == {"not_supported"}
    assert len(statuses) == 11


def test_offline_a_claimed_wall_is_inconclusive_because_a_control_failed(verify: Verify):
    document = audited(verify, "6b06d186", "--claims", REAL / "claims" / "assistantbench", "--offline")
    assert document["verdict"]["status"] == "inconclusive"
    assert document["verdict"]["score"] == 0


@pytest.mark.exhaustive
@pytest.mark.browser
async def test_a_wall_put_in_the_place_of_the_claimed_site_is_found_by_its_structure(verify: Verify):
    claims = REAL / "claims" / "assistantbench"
    async with Lab(hosts={"www.zillow.com": "px-wall", "www.redfin.com": "px-wall"}) as lab:
        mapped = [part for host in lab.hosts for part in ("--resolve", f"{host}={lab.address}")]
        control = ["--control", "https://article.lab.example/", "--lab-ca", lab.ca]
        document = await asyncio.to_thread(audited, verify, "6b06d186", "--claims", claims, *mapped, *control)
    found = [one for one in document["findings"] if one["probe"] == "browser" and one["question"] == "PRESENT"]
    present = [one for one in found if one["answer"] == "yes"]
    assert present, found
    assert all(control["passed"] for one in present for control in one["controls"])
    assert document["verdict"]["lab"] is True
    assert all(one["lab"] for one in present)
    [leading] = [one for one in document["hypotheses"] if one["id"] == present[0]["hypothesis"]]
    texts = {claim["claim_id"]: claim["text"] for claim in document["case"]["claims"]}
    assert leading["citations"]
    for citation in leading["citations"]:
        assert texts[citation["run_id"]][citation["start"] : citation["end"]] == citation["quote"]
