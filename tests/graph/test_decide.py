"""The judge's promises, over all answers and control outcomes."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import Block, Citation, Claim, Transcript
from graph.decide import decide
from graph.verdict import JudgeInputs, Status
from probes import Answer, Barrier, Question, Route, Targets, Tier
from tests.graph.synthetic import ANSWERS, BAD, CASE, GOOD, RUN, finding, hypothesis, of, passed_by, three


@pytest.mark.parametrize("answers", list(product(ANSWERS, repeat=3)))
def test_score_1_needs_present_yes_passable_no_and_caused_yes(answers):
    verdict = decide(CASE, [hypothesis()], three(*answers))
    assert (verdict.score == 1) == (answers == (Answer.YES, Answer.NO, Answer.YES))
    assert (verdict.status is Status.SUPPORTED) == (verdict.score == 1)


@pytest.mark.parametrize("failed", range(3))
def test_one_failed_control_is_enough_to_lose_support(failed):
    findings = three(Answer.YES, Answer.NO, Answer.YES)
    findings[failed] = findings[failed].model_copy(update={"controls": (GOOD, BAD)})
    assert decide(CASE, [hypothesis()], findings).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("bare", range(3))
def test_support_needs_controls_not_merely_no_failed_ones(bare):
    findings = three(Answer.YES, Answer.NO, Answer.YES)
    findings[bare] = findings[bare].model_copy(update={"controls": ()})
    assert decide(CASE, [hypothesis()], findings).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("measured", ANSWERS)
def test_what_is_there_now_is_told_by_what_was_looked_at_now_and_by_no_record(measured: Answer):
    told = finding(Question.PRESENT, Answer.YES, probe="transcript")
    verdict = decide(CASE, [hypothesis()], [told, *three(measured, Answer.NO, Answer.YES)])
    assert verdict.barrier_now == {Answer.YES: True, Answer.NO: False}.get(measured)
    alone = [told, *three(Answer.UNKNOWN, Answer.NO, Answer.YES)]
    assert decide(CASE, [hypothesis()], alone).status is Status.INCONCLUSIVE


def test_a_working_route_refutes_and_is_given_as_what_to_do():
    verdict = decide(CASE, [hypothesis()], three(Answer.YES, Answer.YES, Answer.YES))
    assert verdict.status is Status.NOT_SUPPORTED
    assert verdict.decisive == ("h1/replay/PASSABLE",)


def test_a_peer_that_passed_outweighs_a_ladder_that_failed():
    findings = [*three(Answer.YES, Answer.NO, Answer.YES), finding(Question.PASSABLE, Answer.YES, (), probe="peers")]
    assert decide(CASE, [hypothesis()], findings).status is Status.NOT_SUPPORTED


def test_an_unknown_route_answer_keeps_the_ladder_open():
    findings = three(Answer.YES, Answer.NO, Answer.YES)
    findings.append(finding(Question.PASSABLE, Answer.UNKNOWN, (), probe="peers"))
    assert decide(CASE, [hypothesis()], findings).status is Status.INCONCLUSIVE


def test_only_the_probe_that_owns_the_routes_may_say_that_none_works():
    findings = [
        finding(Question.PRESENT, Answer.YES),
        finding(Question.PASSABLE, Answer.NO, probe="transcript"),
        finding(Question.CAUSED, Answer.YES, probe="transcript"),
    ]
    assert decide(CASE, [hypothesis()], findings).status is Status.INCONCLUSIVE


def test_barriers_without_a_prober_are_never_supported():
    unprobed = hypothesis(barrier=Barrier.AMBIGUOUS)
    assert decide(CASE, [unprobed], three(Answer.YES, Answer.NO, Answer.YES)).status is Status.INCONCLUSIVE


def test_present_then_absent_now_is_inconclusive_and_dated():
    verdict = decide(CASE, [hypothesis()], three(Answer.NO, Answer.UNKNOWN, Answer.YES))
    assert (verdict.status, verdict.barrier_then, verdict.barrier_now) == (Status.INCONCLUSIVE, True, False)
    assert "gone now" in verdict.reason


def test_disagreement_between_observations_is_unknown():
    findings = [
        *three(Answer.YES, Answer.NO, Answer.YES),
        finding(Question.PRESENT, Answer.NO, probe="browser"),
    ]
    assert decide(CASE, [hypothesis()], findings).status is Status.INCONCLUSIVE


def test_one_supported_hypothesis_decides_whatever_the_others_say():
    findings = three(Answer.YES, Answer.NO, Answer.YES)
    findings.append(finding(Question.CAUSED, Answer.NO, number=2, probe="transcript"))
    verdict = decide(CASE, [hypothesis(2), hypothesis(1)], findings)
    assert (verdict.status, verdict.leading) == (Status.SUPPORTED, "h1")


RIVALS = [
    (of(1, Barrier.MODULE, modules=("tabulate",)), of(2, Barrier.PIP, packages=("Tabulate==0.9",))),
    (of(1, Barrier.MODULE, modules=("sklearn.svm",)), of(2, Barrier.PIP, packages=("scikit_learn",))),
    (of(1, Barrier.COMMAND, programs=("jq",)), of(2, Barrier.APT, packages=("jq",))),
    (of(1, Barrier.MISSING_DATA, paths=("/data/x.csv",)), of(2, Barrier.PERMISSION, paths=("/data//x.csv",))),
]


@pytest.mark.parametrize("pair", RIVALS)
def test_what_a_route_of_another_hypothesis_brought_is_not_impassable(pair):
    findings = [*three(Answer.YES, Answer.NO, Answer.YES), *passed_by("wheel-on-disk")]
    for hypotheses in (pair, pair[::-1]):
        verdict = decide(CASE, hypotheses, findings)
        assert (verdict.status, verdict.score, verdict.leading) == (Status.INCONCLUSIVE, 0, "h1")
        assert "Route wheel-on-disk of another hypothesis provided" in verdict.reason


def test_a_route_that_brought_something_else_leaves_a_supported_hypothesis_standing():
    findings = [*three(Answer.YES, Answer.NO, Answer.YES), *passed_by("wheel-on-disk")]
    others = [
        of(2, Barrier.PIP, packages=("yaml",)),
        of(2, Barrier.R_PACKAGE, packages=("tabulate",)),
        of(2, Barrier.IMPORT_BAN, modules=("tabulate",)),
    ]
    for other in others:
        assert decide(CASE, [of(1, Barrier.MODULE, modules=("tabulate",)), other], findings).score == 1


def test_of_two_supported_barriers_the_one_met_first_is_the_one_named():
    later = hypothesis(2).model_copy(update={"citations": (Citation(run_id="r1", block=7, start=0, end=1, quote="x"),)})
    findings = [item for number in (1, 2) for item in three(Answer.YES, Answer.NO, Answer.YES, number=number)]
    assert decide(CASE, [later, hypothesis(1)], findings).leading == "h1"


def test_not_supported_needs_every_hypothesis_refuted():
    findings = [finding(Question.CAUSED, Answer.NO, number=2, probe="transcript")]
    assert decide(CASE, [hypothesis(2), hypothesis(1)], findings).status is Status.INCONCLUSIVE


def test_a_complete_record_without_a_barrier_is_the_agents_own_failure():
    verdict = decide(CASE, [], [])
    assert verdict.status is Status.NOT_SUPPORTED
    assert "shows no barrier" in verdict.reason


def test_a_record_that_ends_in_a_failure_no_rule_knows_proves_nothing_either():
    said = "`./tool` failed with “version GLIBC_2.38 not found”"
    verdict = decide(CASE, [], [], JudgeInputs(unexplained=said))
    assert (verdict.status, verdict.score) == (Status.INCONCLUSIVE, 0)
    assert said in verdict.reason
    assert said in verdict.causation_reasoning
    assert (
        decide(CASE, [hypothesis()], three(*[Answer.YES] * 3), JudgeInputs(unexplained=said)).status
        is Status.NOT_SUPPORTED
    )


def test_a_clipped_record_without_a_barrier_proves_nothing():
    clipped = RUN.model_copy(update={"transcript": RUN.transcript.model_copy(update={"complete": False})})
    case = CASE.model_copy(update={"runs": (clipped,)})
    assert decide(case, [], []).status is Status.INCONCLUSIVE


def test_dissent_and_limits_are_always_shown():
    claim = Claim(claim_id="claim:x:2", source="x.csv:2", kind="rubric", score=1, text="impassable")
    case = CASE.model_copy(update={"claims": (claim,)})
    for answers in product(ANSWERS, repeat=3):
        verdict = decide(case, [hypothesis()], three(*answers), JudgeInputs(notes=("clipped",)))
        assert verdict.against
        assert verdict.would_change
        assert verdict.reason
        assert "clipped" in verdict.limits


def test_rubric_fields_are_the_seven_and_true_to_the_status():
    verdict = decide(CASE, [hypothesis()], three(Answer.YES, Answer.NO, Answer.YES))
    assert verdict.rubric_fields() == {
        "score": 1,
        "deficiency_exists": True,
        "deficiency_caused_failure": True,
        "deficiency_type": "Missing system headers",
        "existence_reasoning": verdict.existence_reasoning,
        "causation_reasoning": verdict.causation_reasoning,
        "evidence": verdict.evidence,
    }
    assert "fatal error: x.h" in verdict.evidence
    assert "[h1/replay/PRESENT]" in verdict.existence_reasoning


some_findings = st.lists(
    st.builds(
        finding,
        st.sampled_from(list(Question)),
        st.sampled_from(ANSWERS),
        st.lists(st.sampled_from([GOOD, BAD]), max_size=3).map(tuple),
        st.sampled_from(["transcript", "peers", "browser", "replay"]),
        st.integers(1, 3),
    ),
    max_size=14,
)


@given(some_findings, st.randoms())
def test_the_verdict_does_not_depend_on_the_order_of_findings(findings, shuffler: random.Random):
    unique = list({item.id: item for item in findings}.values())
    shuffled = unique.copy()
    shuffler.shuffle(shuffled)
    hypotheses = [hypothesis(number) for number in (1, 2, 3)]
    assert decide(CASE, hypotheses, unique) == decide(CASE, hypotheses, shuffled)


@given(some_findings)
def test_support_always_rests_on_controls_that_passed(findings):
    verdict = decide(CASE, [hypothesis(number) for number in (1, 2, 3)], findings)
    if verdict.score == 1:
        decisive = [item for item in findings if item.id in verdict.decisive and item.hypothesis == verdict.leading]
        assert {item.question for item in decisive} == set(Question)
        assert any(item.controls and all(control.passed for control in item.controls) for item in decisive)


@given(some_findings)
def test_dropping_every_control_never_makes_a_supported_verdict(findings):
    bare = [item.model_copy(update={"controls": ()}) for item in findings]
    assert decide(CASE, [hypothesis(number) for number in (1, 2, 3)], bare).score == 0


def test_the_reason_names_what_is_missing_and_never_says_it_of_two_things():
    verdict = decide(CASE, [hypothesis()], three(Answer.YES, Answer.NO, Answer.YES))
    assert verdict.reason == (
        "The system header or library `x.h` is missing: we hit it again in this audit, no permitted action gets past "
        "it, and it stopped the run."
    )
    hostile = hypothesis().model_copy(update={"targets": Targets(headers=("`a`\n# b" + "c" * 200, "y.h"))})
    reason = decide(CASE, [hostile], three(Answer.UNKNOWN, Answer.UNKNOWN, Answer.UNKNOWN)).reason
    assert "\n" not in reason
    assert "We could not tell whether the system header or library `" in reason
    assert "…` (and 1 more) was missing." in reason
    bare = hypothesis().model_copy(update={"targets": Targets()})
    assert decide(CASE, [bare], []).reason == "We could not tell whether a system header or library was missing."


def test_a_grader_has_no_ways_around_it():
    strict = hypothesis(barrier=Barrier.STRICT_MATCH)
    findings = [
        finding(Question.PRESENT, Answer.YES, probe="scorer"),
        finding(Question.PASSABLE, Answer.NO, probe="scorer"),
        finding(Question.CAUSED, Answer.YES, probe="scorer"),
    ]
    verdict = decide(CASE, [strict], findings)
    assert verdict.status is Status.SUPPORTED
    for text in (verdict.reason, verdict.against, verdict.would_change, verdict.causation_reasoning):
        assert "way" not in text.replace("always", "")
        assert "oute" not in text
    assert "marked this run's right answer wrong" in verdict.reason


def test_what_would_change_it_speaks_of_a_route_only_where_one_worked():
    peers = finding(Question.PASSABLE, Answer.YES, (), probe="peers")
    passed = Route(id="another-agent-passed", tier=Tier.T2, result="passed", note="Run r9 passed this same task.")
    verdict = decide(CASE, [hypothesis()], [peers.model_copy(update={"routes": (passed,)})])
    assert "route" not in verdict.would_change
    assert "another version of the task" in verdict.would_change
    assert verdict.capable_agent == "# Run r9 passed this same task."
    assert "Run r9 passed this same task." in verdict.causation_reasoning
    assert "A capable agent could have done this" not in verdict.causation_reasoning
    caused = decide(CASE, [hypothesis()], [finding(Question.CAUSED, Answer.NO, probe="transcript")])
    assert caused.would_change == "A log that shows the barrier stopping the run."
    assert "route" not in decide(CASE, [], []).would_change


def test_no_quotation_repeats_what_another_of_its_block_says():
    text = "I cannot. No, I cannot go on. fatal: x fatal: x"
    block = Block(index=0, role="tool", kind="result", text=text)
    case = CASE.model_copy(update={"runs": (RUN.model_copy(update={"transcript": Transcript(blocks=(block,))}),)})
    spans = [(2, 8), (0, 8), (30, 38), (39, 47)]
    cited = tuple(Citation(run_id="r1", block=0, start=a, end=b, quote=text[a:b]) for a, b in spans)
    verdict = decide(case, [hypothesis().model_copy(update={"citations": cited})], [])
    assert [citation.quote for citation in verdict.citations] == ["I cannot", "fatal: x"]


def test_a_network_that_is_not_there_is_no_barrier_where_a_route_passed_the_same_command() -> None:
    asked = Targets(commands=("pip install -r requirements.txt",))
    pip = hypothesis(1, Barrier.PIP).model_copy(update={"targets": asked})
    network = hypothesis(2, Barrier.NETWORK).model_copy(update={"targets": asked})
    route = Route(id="wheel-on-disk", tier=Tier.T2, commands=("pip install --no-index x",), result="passed", note="")
    brought = finding(Question.PASSABLE, Answer.YES).model_copy(update={"routes": (route,)})
    shut = three(Answer.YES, Answer.NO, Answer.YES, number=2)
    assert decide(CASE, [network], shut, JudgeInputs()).status is Status.SUPPORTED
    assert decide(CASE, [pip, network], [brought, *shut], JudgeInputs()).status is not Status.SUPPORTED
    other = network.model_copy(update={"targets": Targets(commands=("curl https://data.example/x",))})
    assert decide(CASE, [pip, other], [brought, *shut], JudgeInputs()).status is Status.SUPPORTED


def test_what_nothing_shows_to_be_needed_blocks_no_case_that_what_is_needed_has_settled() -> None:
    needed, side = hypothesis(1), hypothesis(2, Barrier.PIP)
    passed = three(Answer.YES, Answer.YES, Answer.YES)
    open_side = three(Answer.YES, Answer.NO, Answer.UNKNOWN, number=2)
    assert decide(CASE, [needed, side], [*passed, *open_side], JudgeInputs()).status is Status.NOT_SUPPORTED
    assert decide(CASE, [side], open_side, JudgeInputs()).status is Status.INCONCLUSIVE
    unsettled = three(Answer.YES, Answer.UNKNOWN, Answer.YES)
    assert decide(CASE, [needed, side], [*unsettled, *open_side], JudgeInputs()).status is Status.INCONCLUSIVE


def test_what_only_one_command_was_seen_to_need_is_void_where_that_works_by_a_way_of_its_own() -> None:
    goal = "python3 code/communities.py"
    network = of(1, Barrier.NETWORK, commands=("pip install -r requirements.txt",))
    program = of(2, Barrier.COMMAND_FAILS, commands=(f"{goal}; echo rc=$?",))
    needed = finding(Question.CAUSED, Answer.YES).model_copy(update={"reaches": (goal,)})
    shut = [finding(Question.PRESENT, Answer.YES), finding(Question.PASSABLE, Answer.NO), needed]
    assert decide(CASE, [network], shut).score == 1
    another = passed_by("another-version")
    assert decide(CASE, [network, program], [*shut, *another]).status is Status.NOT_SUPPORTED
    asked = finding(Question.CAUSED, Answer.YES, probe="transcript")
    verdict = decide(CASE, [network, program], [*shut, asked, *another])
    assert verdict.status is Status.INCONCLUSIVE, "the task asks for it besides"
    of_another = program.model_copy(update={"targets": Targets(commands=("python3 code/other.py",))})
    assert decide(CASE, [network, of_another], [*shut, *another]).score == 1
    elsewhere = finding(Question.PASSABLE, Answer.UNKNOWN, number=2)
    assert decide(CASE, [network, program], [*shut, another[0], elsewhere]).score == 1
    behind = [
        one.model_copy(update={"routes": tuple(way.model_copy(update={"behind": "exit code 1"}) for way in one.routes)})
        for one in another
    ]
    assert decide(CASE, [network, program], [*shut, *behind]).score == 1, "it never worked there"


def test_where_one_name_of_a_failure_leaves_a_door_open_the_other_is_open() -> None:
    network = of(1, Barrier.NETWORK, commands=("pip install -r requirements.txt",))
    pip = of(2, Barrier.PIP, packages=("tabulate",), commands=("pip install -r requirements.txt",))
    shut = [
        finding(Question.PRESENT, Answer.YES),
        finding(Question.PASSABLE, Answer.NO),
        finding(Question.CAUSED, Answer.YES),
    ]
    door = three(Answer.YES, Answer.UNKNOWN, Answer.YES, number=2)
    assert decide(CASE, [network, pip], [*shut, *door]).status is Status.INCONCLUSIVE
    other = pip.model_copy(update={"targets": Targets(packages=("tabulate",), commands=("pip install tabulate",))})
    assert decide(CASE, [network, other], [*shut, *door]).score == 1


def test_behind_a_way_that_brought_all_that_the_task_asks_for_nothing_else_of_that_run_was_in_the_way() -> None:
    lost = of(1, Barrier.MISSING_DATA, paths=("/data/x.csv",), commands=("make report",))
    passed = of(2, Barrier.COMMAND, programs=("jq",), commands=("make names",))
    present, yes = passed_by("equivalent-program")
    all_of_it = [present, yes.model_copy(update={"reaches": ("make report",)})]
    shut = three(Answer.YES, Answer.NO, Answer.YES)
    verdict = decide(CASE, [lost, passed], [*shut, *all_of_it])
    assert (verdict.status, verdict.score) == (Status.NOT_SUPPORTED, 0)
    assert decide(CASE, [lost, passed], [*shut, present, yes]).score == 1, "nothing was seen to work behind it"
    page = of(1, Barrier.MISSING_DATA, paths=("/data/x.csv",))
    elsewhere = passed.model_copy(update={"run_id": "r2"})
    bypass = yes.model_copy(
        update={"reaches": ("make report",), "routes": (yes.routes[0].model_copy(update={"tier": Tier.T3}),)}
    )
    for hypotheses, found in (
        ([page, passed], all_of_it),
        ([lost, elsewhere], all_of_it),
        ([lost, passed], [present, bypass]),
    ):
        assert decide(CASE, hypotheses, [*shut, *found]).score == 1
