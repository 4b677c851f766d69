"""Whole audits with a model: it helps where rules leave it open, and changes nothing where they do not."""

import pytest

from cases import Claim, CredentialsError, Outcome
from evidence import read_pack, write_pack
from graph import AuditOptions, audit
from graph.decide import decide
from graph.llm import ModelOptions
from graph.verdict import JudgeInputs, Sentence, Status, Wording
from probes import Answer, ArtifactStore, Barrier, Settings
from tests.graph.llm.conversing import KEY, case_of
from tests.graph.small_probes import Records, Replay
from tests.graph.synthetic import CASE, hypothesis, three
from tests.lab.model import ModelServer, Reply
from tests.lab.model.personas import ADVERSARIES, pointing, worded

SPOKEN = {"limits", "assistance", "existence_reasoning", "causation_reasoning", "against"}
MISSED = "pytango: the module jnius does not seem to be there"
KNOWN = "ModuleNotFoundError: No module named 'torch'"
VAGUE = Claim(claim_id="claim:x:2", source="x.csv:2", kind="rubric", run_id="r1", score=1, text="It could not be done.")
HELPFUL = pointing("Missing system headers", "module", ["jnius"], MISSED)
CASES = {
    "supported": case_of(KNOWN, "I gave up."),
    "no barrier": case_of("all is well", "The answer is 4."),
    "open": case_of(MISSED, "I gave up.", claims=(VAGUE,)),
    "text is missing": case_of(MISSED, "I gave up.", complete=False),
}


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


async def audited(tmp_path, case, server=None, *, caused=Answer.YES, checkpoints=None, **settings):
    model = server and ModelOptions(
        **{"name": "lab", "server": server.url, "memory": tmp_path / "memory", "rate": 1000, "retries": 0, **settings}
    )
    records = (Records("transcript", caused), Records("peers"), Records("specification"))
    probes = (*records, Replay(tmp_path / "journal"))
    options = AuditOptions(settings=Settings(), model=model)
    return await audit(case, options, ArtifactStore(tmp_path / "store"), probes=probes, checkpoints=checkpoints)


def deciding(result):
    findings = {one.id: (one.question, one.answer) for one in result.findings if one.id in result.verdict.decisive}
    return result.verdict.model_dump_json(exclude=SPOKEN), findings


def again(result):
    return decide(result.case, result.hypotheses, result.findings, result.basis)


async def test_a_hypothesis_that_rules_missed_leads_to_a_probe_and_settles_an_open_case(tmp_path):
    alone = await audited(tmp_path, CASES["open"])
    assert alone.verdict.status is Status.INCONCLUSIVE
    with ModelServer(HELPFUL) as server:
        helped = await audited(tmp_path, CASES["open"], server, checkpoints=tmp_path / "checkpoints.sqlite")
    assert helped.verdict.status is Status.SUPPORTED
    leading = next(one for one in helped.hypotheses if one.id == helped.verdict.leading)
    assert (leading.proposer, leading.barrier) == ("model", Barrier.MODULE)
    assert helped.hypotheses[: len(alone.hypotheses)] == alone.hypotheses
    assert (tmp_path / "journal").read_text() == "start jnius\nend jnius\n"
    assert again(helped) == helped.verdict


async def test_where_rules_name_nothing_that_failed_a_model_is_asked_and_probes_decide(tmp_path):
    case = case_of(MISSED, "The build is done.")
    alone = await audited(tmp_path, case)
    assert (alone.verdict.status, alone.hypotheses) == (Status.INCONCLUSIVE, ())
    with ModelServer(HELPFUL) as server:
        helped = await audited(tmp_path, case, server)
        unsure = await audited(tmp_path, case, server, caused=Answer.UNKNOWN)
    assert helped.verdict.status is Status.SUPPORTED
    assert again(helped) == helped.verdict
    assert deciding(unsure) == deciding(alone)
    assert any("this decides nothing here" in limit for limit in unsure.verdict.limits)
    passed = case.model_copy(update={"runs": (case.runs[0].model_copy(update={"outcome": Outcome.PASSED}),)})
    with ModelServer(HELPFUL) as server:
        await audited(tmp_path, passed, server)
    assert server.calls == 0


@pytest.mark.parametrize("name", CASES)
async def test_no_adversary_changes_a_byte_of_what_decides(tmp_path, name):
    alone = await audited(tmp_path, CASES[name], caused=Answer.UNKNOWN if name != "supported" else Answer.YES)
    for persona, script in ADVERSARIES.items():
        folder = tmp_path / persona
        folder.mkdir()
        with ModelServer(script) as server:
            case, caused = CASES[name], Answer.UNKNOWN if name != "supported" else Answer.YES
            told = await audited(folder, case, server, caused=caused, second_reader=True, calls=4)
        assert deciding(told) == deciding(alone), persona
        assert server.calls <= 4
        assert again(told) == told.verdict
        reasoning = told.verdict.existence_reasoning + told.verdict.causation_reasoning
        assert "score is" not in reasoning
        assert "ernel panic" not in reasoning + told.verdict.against


async def test_where_rules_settle_it_nobody_is_asked_for_causes(tmp_path):
    with ModelServer(worded("The module is absent.", "It ended the run.", "-")) as server:
        await audited(tmp_path, CASES["supported"], server)
    assert [asked.wants for asked in server.asked] == ["Wording"]


async def test_reasoning_is_in_the_models_words_only_as_far_as_it_names_its_findings(tmp_path):
    words = worded("No torch is there.", "The run ended there.", "A wheel may have been overlooked.")
    with ModelServer(words) as server:
        result = await audited(tmp_path, CASES["supported"], server, second_reader=True)
    told, pack = result.verdict, write_pack(result, ArtifactStore(tmp_path / "store"), tmp_path / "packs").path
    assert told.existence_reasoning.startswith("No torch is there. [")
    assert again(read_pack(pack)) == read_pack(pack).verdict == told
    assert all(name in told.existence_reasoning + told.causation_reasoning for name in told.decisive)
    assert "A model (lab) argues: A wheel may have been overlooked. [" in told.against
    assert any("in the words of lab" in limit for limit in told.limits)
    with ModelServer(worded("The verdict is a score of 1.", "See https://evil.example.", "")) as server:
        plain = (await audited(tmp_path, CASES["supported"], server)).verdict
    assert plain.existence_reasoning == (await audited(tmp_path, CASES["supported"])).verdict.existence_reasoning


LIE = "The missing module was the sole and only reason; nobody could pass it."


def lying(asked):
    """Says nothing of a finding, and the opposite of the verdict of a quotation."""
    one = [{"text": LIE, "sources": ["C1"], "answer": "none"}]
    told = {"Wording": {"existence": one, "causation": one}, "Dissent": {"sentences": one}}
    return Reply.of(told.get(asked.wants, {"hypotheses": []}))


async def test_words_that_rest_on_quotations_alone_are_never_the_reasoning(tmp_path):
    for name, caused in (("supported", Answer.YES), ("supported", Answer.NO), ("open", Answer.UNKNOWN)):
        alone = (await audited(tmp_path, CASES[name], caused=caused)).verdict
        with ModelServer(lying) as server:
            told = (await audited(tmp_path, CASES[name], server, caused=caused, second_reader=True, calls=4)).verdict
        assert server.calls
        assert told.existence_reasoning == alone.existence_reasoning
        assert told.causation_reasoning == alone.causation_reasoning
        assert not any("in the words of" in limit for limit in told.limits)
        assert f"A model (lab) argues: {LIE} [" in told.against


def test_a_reasoning_holds_only_sentences_about_what_decides_and_none_where_nothing_does():
    found = three(Answer.YES, Answer.YES, Answer.YES)
    present, passable, caused = (one.id for one in found)
    alone = decide(CASE, [hypothesis()], found)
    assert alone.decisive == (passable,)
    sentences = tuple(
        Sentence(text=text, sources=sources)
        for text, sources in (("It passes.", (passable, "r1, block 0")), ("No.", (present, caused)), (LIE, ("r1",)))
    )
    words = Wording(existence=sentences, causation=sentences)
    told = decide(CASE, [hypothesis()], found, JudgeInputs(wording=words))
    assert told.existence_reasoning == f"It passes. [{passable}; r1, block 0]"
    assert told.causation_reasoning == alone.causation_reasoning
    silent = JudgeInputs(wording=Wording(existence=sentences[1:], causation=sentences))
    assert decide(CASE, [hypothesis()], found, silent) == alone


FAILURES = {
    "too many requests": Reply(status=429),
    "server error": Reply(status=500),
    "refusal": Reply("", refusal="No."),
    "cut off": Reply('{"hypotheses": [', finish="length"),
    "wrong enum": Reply.of({"hypotheses": [{"category": "?", "barrier": "demons", "subjects": [], "quotations": []}]}),
    "empty": Reply(""),
    "no JSON": Reply("The verdict: score 1."),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failing_model_leaves_the_verdict_to_the_rules_and_says_so(tmp_path, name):
    alone = await audited(tmp_path, CASES["open"])
    with ModelServer(lambda asked: FAILURES[name]) as server:
        told = await audited(tmp_path, CASES["open"], server)
    assert deciding(told) == deciding(alone)
    assert any(limit.startswith("The model was of no help to propose causes: ") for limit in told.verdict.limits)
    assert told.verdict.assistance.calls >= 1


async def test_the_second_audit_asks_nothing_of_the_server(tmp_path):
    with ModelServer(HELPFUL) as server:
        first = await audited(tmp_path, CASES["open"], server, calls=1)
        count = server.calls
        second = await audited(tmp_path, CASES["open"], server, calls=1)
    assert (count, server.calls) == (1, 1)
    assert deciding(second) == deciding(first)
    assert (second.verdict.assistance.calls, second.verdict.assistance.cached) == (0, 1)


async def test_two_calls_are_enough_and_their_usage_is_told(tmp_path):
    with ModelServer(ADVERSARIES["inventions"]) as server:
        told = await audited(tmp_path, CASES["open"], server, price=(1, 2))
    spent = told.verdict.assistance
    assert server.calls == spent.calls == 2
    assert spent.tokens_read > 100
    assert spent.cost > 0
    assert (spent.proposed, spent.rejected) == (0, 3)


async def test_a_directory_that_cannot_be_written_leaves_the_verdict_to_the_rules(tmp_path):
    (tmp_path / "memory").write_text("not a directory")
    alone = await audited(tmp_path, CASES["open"])
    with ModelServer(HELPFUL) as server:
        told = await audited(tmp_path, CASES["open"], server)
    assert deciding(told) == deciding(alone)
    assert any(limit.startswith("The proposer failed: ") for limit in told.verdict.limits)


async def test_a_missing_key_is_never_passed_over(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with ModelServer(HELPFUL) as server, pytest.raises(CredentialsError, match="OPENAI_API_KEY"):
        await audited(tmp_path, CASES["open"], server)


async def test_offline_nothing_is_sent_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with ModelServer(HELPFUL) as server:
        told = await audited(tmp_path, CASES["open"], server, offline=True)
    assert server.calls == 0
    assert any("nothing may be sent" in limit for limit in told.verdict.limits)
