"""What convinces on one screen: it counts what was tried, never contradicts itself, and names what was assumed."""

import re
from pathlib import Path

import pytest

from evidence.proof import Proof
from graph.verdict import Audit, Status
from probes import LIFTED, ArtifactStore, Control, Ground, Question, Value
from tests.evidence.reports import report_of, words_of
from tests.evidence.synthetic_audits import ALL, not_supported, supported


def on_a_machine(audit: Audit, *, lifted: bool = True) -> Audit:
    """The same, its ways tried in a container, with the control that counts."""
    control = Control(name=LIFTED, expected="x", observed="the same command succeeds", passed=lifted)
    findings = tuple(
        one.model_copy(update={"ground": Ground.MACHINE, "controls": (*one.controls, control)})
        if one.question is Question.PASSABLE
        else one
        for one in audit.findings
    )
    network = audit.envelope.network.model_copy(update={"origin": "assumed"})
    envelope = audit.envelope.model_copy(update={"network": network})
    return audit.model_copy(update={"findings": findings, "envelope": envelope})


def test_a_supported_verdict_counts_the_ways_and_says_what_removed_it(store: ArtifactStore) -> None:
    proof = Proof(on_a_machine(supported(store)))
    told = [link.text for link in proof.chain]
    assert any(re.fullmatch(r"\d+ permitted ways? tried, 0 worked", text) for text in told), told
    assert "Works once the barrier is removed" in told
    assert "It is what stopped the run" in told
    assert {link.sign for link in proof.chain} == {"yes"}
    assert proof.assumption == "An assumed value never proves a task impassable."


def test_a_way_that_worked_counts_although_something_was_assumed(store: ArtifactStore, tmp_path: Path) -> None:
    audit = on_a_machine(not_supported(store))
    assert isinstance(audit.envelope.network, Value)
    page = words_of(report_of(audit, store, tmp_path))
    assert re.search(r"assumed: [^.]*network[^.]*\. What we assumed does not undo a way that worked\.", page)
    assert "cannot refute" not in page
    assert not any(link.text.endswith("0 worked") for link in Proof(audit).chain)


def test_a_control_that_failed_is_never_told_as_passed(store: ArtifactStore) -> None:
    proof = Proof(on_a_machine(supported(store), lifted=False))
    assert "Not shown to work with the barrier removed" in [link.text for link in proof.chain]
    assert not any("works once" in text for text in proof.strength)


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_hypothesis_has_its_fate_and_one_leads_where_the_verdict_has_one(name: str, store: ArtifactStore) -> None:
    audit = ALL[name](store)
    fates = Proof(audit).fates
    assert len(fates) == len(audit.hypotheses)
    assert all(fate.told for fate in fates)
    assert sum(fate.leads for fate in fates) == (audit.verdict.leading is not None)
    if audit.verdict.status is Status.SUPPORTED and audit.verdict.decisive:
        assert next(fate for fate in fates if fate.leads).told == "confirmed"
