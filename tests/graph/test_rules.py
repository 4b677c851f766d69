"""Each row of the verdict's table, and each thing that it asks of a hypothesis, by itself."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from cases import Citation, Claim, Outcome, Transcript
from graph.aggregate import settle
from graph.conflicts import about_the_same, reconciled
from graph.decide import decide
from graph.rubric import NO_CATEGORY, rubrics
from graph.rules import OF_ALL, OF_ONE, Matter, Settled, counted
from graph.verdict import JudgeInputs, Locus, Status, Verdict
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question, Route, Targets, Tier
from tests.graph.synthetic import BAD, CASE, GOOD, RUN, finding, hypothesis, passed_by, three

YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN
PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED


def by(proposer: str, number: int = 1, *, cited: bool = True, barrier: Barrier = Barrier.HEADER) -> Hypothesis:
    """Somebody's hypothesis, which the record shows or not."""
    made = hypothesis(number, barrier)
    return made.model_copy(update={"proposer": proposer, "citations": made.citations if cited else ()})


def answers(present: Answer, passable: Answer, caused: Answer, number: int = 1) -> list[Finding]:
    return three(present, passable, caused, number=number)


def status(hypotheses: Sequence[Hypothesis], *findings: Sequence[Finding]) -> Status:
    return decide(CASE, hypotheses, [one for some in findings for one in some]).status


def settled(*findings: Finding, of: Hypothesis | None = None) -> Settled:
    return settle(of or hypothesis(), findings)


# One finding


@pytest.mark.parametrize(
    ("question", "answer", "controls", "counts"),
    [
        (PRESENT, YES, (GOOD,), YES),
        (PRESENT, YES, (), UNKNOWN),
        (PRESENT, YES, (GOOD, BAD), UNKNOWN),
        (PRESENT, NO, (), NO),
        (PASSABLE, NO, (GOOD,), NO),
        (PASSABLE, NO, (), UNKNOWN),
        (PASSABLE, YES, (), YES),
        (PASSABLE, YES, (BAD,), UNKNOWN),
        (CAUSED, YES, (), UNKNOWN),
        (CAUSED, NO, (), NO),
        (CAUSED, NO, (BAD,), UNKNOWN),
    ],
)
def test_only_what_speaks_for_a_score_of_one_needs_a_control(
    question: Question, answer: Answer, controls: Any, counts: Answer
) -> None:
    assert counted(finding(question, answer, controls)) is counts


# One hypothesis


def test_what_no_record_shows_and_is_not_there_is_refuted_and_what_one_shows_is_open() -> None:
    gone = answers(NO, UNKNOWN, UNKNOWN)
    assert settled(*gone, of=by("structure", cited=False)).status is Status.NOT_SUPPORTED
    assert settled(*gone, of=by("task", cited=False)).status is Status.NOT_SUPPORTED
    for shown in (by("structure"), by("task"), by("rules", cited=False), by("claim", cited=False)):
        assert settled(*gone, of=shown).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("given", "follows"),
    [
        ((YES, NO, YES), Status.SUPPORTED),
        ((YES, YES, YES), Status.NOT_SUPPORTED),
        ((UNKNOWN, YES, UNKNOWN), Status.NOT_SUPPORTED),
        ((NO, YES, UNKNOWN), Status.NOT_SUPPORTED),
        ((YES, NO, NO), Status.NOT_SUPPORTED),
        ((UNKNOWN, UNKNOWN, NO), Status.NOT_SUPPORTED),
        ((NO, NO, YES), Status.INCONCLUSIVE),
        ((NO, UNKNOWN, UNKNOWN), Status.INCONCLUSIVE),
        ((UNKNOWN, NO, YES), Status.INCONCLUSIVE),
        ((YES, UNKNOWN, YES), Status.INCONCLUSIVE),
        ((YES, NO, UNKNOWN), Status.INCONCLUSIVE),
    ],
)
def test_what_becomes_of_one_hypothesis(given: tuple[Answer, Answer, Answer], follows: Status) -> None:
    assert settled(*answers(*given)).status is follows


@pytest.mark.parametrize(
    ("given", "decisive"),
    [
        ((YES, NO, YES), ["PRESENT", "PASSABLE", "CAUSED"]),
        ((YES, YES, YES), ["PASSABLE"]),
        ((YES, YES, NO), ["PASSABLE", "CAUSED"]),
        ((YES, NO, NO), ["CAUSED"]),
        ((YES, UNKNOWN, YES), ["PRESENT"]),
        ((NO, UNKNOWN, YES), ["PRESENT"]),
        ((UNKNOWN, UNKNOWN, YES), []),
    ],
)
def test_what_settles_it_is_told_in_the_order_of_the_questions(
    given: tuple[Answer, Answer, Answer], decisive: list[str]
) -> None:
    found = settled(*answers(*given)[::-1]).decisive
    assert [one.question.value for one in found] == decisive


def test_a_finding_that_does_not_count_settles_nothing() -> None:
    bare = finding(PRESENT, YES, (), probe="browser")
    assert bare not in settled(*answers(YES, NO, YES), bare).decisive


def test_another_hypothesis_s_findings_are_not_its_own() -> None:
    assert settled(*answers(YES, NO, YES, number=2)).status is Status.INCONCLUSIVE


def test_a_page_is_doubted_where_it_was_visited_well_and_stays_unclear() -> None:
    visited = finding(PRESENT, UNKNOWN, probe="browser")
    assert settled(visited).doubted
    for other in (
        finding(PRESENT, UNKNOWN, (), probe="browser"),
        finding(PRESENT, UNKNOWN, (GOOD, BAD), probe="browser"),
        finding(PRESENT, YES, probe="browser"),
        finding(PASSABLE, UNKNOWN, probe="browser"),
        finding(PRESENT, UNKNOWN, probe="replay"),
    ):
        assert not settled(other).doubted


def test_a_failure_was_seen_here_where_a_machine_saw_it() -> None:
    assert settled(finding(PRESENT, YES)).failed_here
    for other in (
        finding(PRESENT, NO),
        finding(PRESENT, YES, probe="browser"),
        finding(PASSABLE, YES),
    ):
        assert not settled(other).failed_here


def test_whether_a_hypothesis_is_aside_beside_or_bare() -> None:
    assert settled(of=by("structure", cited=False)).aside
    assert settled(of=by("task", cited=False)).aside
    assert not settled(of=by("structure")).aside
    assert not settled(of=by("rules", cited=False)).aside
    needed = finding(CAUSED, YES, probe="transcript")
    assert settled(of=by("rules")).side
    assert settled(of=by("structure")).side
    assert not settled(of=by("claim")).side
    assert not settled(needed, of=by("rules")).side
    assert settled(of=by("claim", barrier=Barrier.UNSPECIFIED)).bare
    assert not settled(of=by("claim")).bare


def test_only_a_reference_solution_that_passes_shows_that_the_task_can_be_passed() -> None:
    reference = by("task", cited=False, barrier=Barrier.REFERENCE_FAILS)
    assert settled(finding(PASSABLE, YES), of=reference).passes
    assert not settled(finding(PASSABLE, NO), of=reference).passes
    assert not settled(finding(PASSABLE, YES)).passes


# From findings to answers


def test_a_no_to_passable_needs_every_probe_that_owns_routes_and_nothing_open() -> None:
    assert settled(finding(PASSABLE, NO)).passable is NO
    assert settled(finding(PASSABLE, NO, probe="transcript")).passable is UNKNOWN
    assert settled(finding(PASSABLE, NO), finding(PASSABLE, UNKNOWN, probe="peers")).passable is UNKNOWN
    assert settled(finding(PASSABLE, NO), finding(PASSABLE, YES, probe="peers")).passable is YES
    nobody = by("rules", barrier=Barrier.AMBIGUOUS)
    assert settled(finding(PASSABLE, NO), of=nobody).passable is UNKNOWN


def test_what_only_the_record_shows_to_work_gives_way_to_a_machine_that_refuses_it() -> None:
    recorded = finding(PASSABLE, YES, probe="transcript")
    assert recorded.ground is Ground.RECORD
    assert settled(recorded).passable is YES
    assert settled(recorded, finding(PASSABLE, NO)).passable is NO
    assert settled(recorded, finding(PASSABLE, NO, ())).passable is YES, "a no without a control refuses nothing"
    assert settled(recorded, finding(PASSABLE, UNKNOWN)).passable is YES
    assert settled(finding(PASSABLE, YES, probe="peers"), finding(PASSABLE, NO)).passable is YES


def test_that_a_machine_saw_the_run_bring_it_about_outweighs_the_record() -> None:
    read = finding(CAUSED, YES, probe="transcript")
    own = finding(CAUSED, NO).model_copy(update={"locus": "agent run"})
    assert settled(read, own).caused is NO
    assert settled(read, own.model_copy(update={"locus": None})).caused is UNKNOWN
    assert settled(read, own.model_copy(update={"controls": (BAD,)})).caused is YES
    measured = finding(CAUSED, YES, probe="browser")
    assert settled(measured, own).caused is UNKNOWN, "what was measured stands against it"


def test_observations_that_disagree_are_no_answer() -> None:
    assert settled(finding(PRESENT, YES), finding(PRESENT, NO, probe="browser")).present is UNKNOWN
    assert settled(finding(PRESENT, YES), finding(PRESENT, YES, probe="browser")).present is YES
    assert settled(finding(PRESENT, YES), finding(PRESENT, UNKNOWN, probe="browser")).present is YES
    assert settled().present is UNKNOWN


def category(barrier: Barrier) -> str:
    found = rubrics()["environmental_barrier"].category_of(barrier)
    assert found
    return found.title


def measured(barrier: Barrier | None, about: str = "", probe: str = "replay", answer: Answer = YES) -> Finding:
    return finding(PRESENT, answer, probe=probe).model_copy(update={"barrier": barrier, "about": about})


def test_a_failure_without_a_name_has_the_one_that_a_measurement_gives_it() -> None:
    nameless = by("structure", barrier=Barrier.COMMAND_FAILS)
    found = settle(nameless, [measured(Barrier.MODULE, "yaml")]).hypothesis
    assert (found.barrier, found.targets.modules) == (Barrier.MODULE, ("yaml",))
    denied = settle(nameless, [measured(Barrier.PERMISSION, "/x")]).hypothesis
    assert (denied.barrier, denied.category) == (Barrier.PERMISSION, category(Barrier.PERMISSION))
    assert denied.category != nameless.category
    elsewhere = nameless.model_copy(update={"rubric": "assistantbench"})
    assert settle(elsewhere, [measured(Barrier.PERMISSION, "/x")]).hypothesis.category == nameless.category
    kept = settle(nameless, [measured(Barrier.MODULE)]).hypothesis
    assert (kept.barrier, kept.targets) == (Barrier.MODULE, nameless.targets)
    for unnamed in (
        [measured(None)],
        [measured(Barrier.MODULE, "yaml", answer=NO)],
        [measured(Barrier.MODULE, "yaml"), measured(Barrier.COMMAND, "jq", probe="browser")],
    ):
        assert settle(nameless, unnamed).hypothesis == nameless
    assert settle(hypothesis(), [measured(Barrier.MODULE, "yaml")]).hypothesis == hypothesis(), "it has a name"
    installer = by("structure", barrier=Barrier.PIP)
    lacked = settle(installer, [measured(Barrier.HEADER, "ft2build.h")]).hypothesis
    assert (lacked.barrier, lacked.targets.headers) == (Barrier.HEADER, ("ft2build.h",)), "an installer's is another's"


def test_a_reference_solution_s_failure_keeps_its_name_and_gets_its_line_of_the_rubric() -> None:
    reference = by("task", barrier=Barrier.REFERENCE_FAILS)
    found = settle(reference, [measured(Barrier.PERMISSION, "/x")]).hypothesis
    assert (found.barrier, found.targets) == (Barrier.REFERENCE_FAILS, reference.targets)
    assert found.category == category(Barrier.PERMISSION) != reference.category


# All hypotheses


SUPPORTED, PASSED, OPEN = (YES, NO, YES), (YES, YES, YES), (YES, UNKNOWN, UNKNOWN)


def test_one_that_is_supported_decides_and_refuted_ones_only_together() -> None:
    two = [hypothesis(1), hypothesis(2)]
    assert status(two, answers(*SUPPORTED), answers(*PASSED, number=2)) is Status.SUPPORTED
    assert status(two, answers(*PASSED), answers(*PASSED, number=2)) is Status.NOT_SUPPORTED
    assert status(two, answers(YES, UNKNOWN, YES), answers(*PASSED, number=2)) is Status.INCONCLUSIVE


def test_a_task_alone_is_told_as_its_state_and_never_decided() -> None:
    alone = CASE.model_copy(update={"runs": ()})
    assert decide(alone, [hypothesis()], answers(*SUPPORTED)).status is Status.INCONCLUSIVE
    claim = Claim(claim_id="c", source="c.csv:1", kind="rubric", score=1, text="shut")
    claimed = alone.model_copy(update={"claims": (claim,)})
    assert decide(claimed, [hypothesis()], answers(*SUPPORTED)).status is Status.SUPPORTED


def test_runs_that_all_passed_leave_nothing_to_explain() -> None:
    passed = RUN.model_copy(update={"outcome": Outcome.PASSED, "transcript": None})
    assert decide(CASE.model_copy(update={"runs": (passed,)}), [], []).status is Status.NOT_SUPPORTED
    unrecorded = passed.model_copy(update={"outcome": Outcome.UNKNOWN})
    assert decide(CASE.model_copy(update={"runs": (passed, unrecorded)}), [], []).status is Status.INCONCLUSIVE
    unexplained = JudgeInputs(unexplained="`make` failed")
    assert decide(CASE.model_copy(update={"runs": (passed,)}), [], [], unexplained).status is Status.INCONCLUSIVE


def test_no_barrier_needs_every_failed_run_recorded_in_full() -> None:
    clipped = RUN.model_copy(update={"run_id": "r2", "transcript": Transcript(blocks=(), complete=False)})
    passed = clipped.model_copy(update={"outcome": Outcome.PASSED})
    assert decide(CASE.model_copy(update={"runs": (RUN, passed)}), [], []).status is Status.NOT_SUPPORTED
    assert decide(CASE.model_copy(update={"runs": (RUN, clipped)}), [], []).status is Status.INCONCLUSIVE
    assert decide(CASE.model_copy(update={"runs": ()}), [], []).status is Status.INCONCLUSIVE


def test_what_was_only_asked_aside_opens_nothing_until_it_is_found_or_doubted() -> None:
    aside = by("task", cited=False)
    assert status([aside]) is Status.NOT_SUPPORTED
    assert status([aside], [finding(PRESENT, YES, probe="browser")]) is Status.INCONCLUSIVE
    assert status([aside], [finding(PRESENT, YES, (), probe="replay")]) is Status.INCONCLUSIVE, "it failed here"
    assert status([aside], [finding(PRESENT, UNKNOWN, probe="browser")]) is Status.INCONCLUSIVE, "it is doubted"
    assert status([aside], [finding(PRESENT, UNKNOWN, (), probe="browser")]) is Status.NOT_SUPPORTED
    assert status([aside], answers(*SUPPORTED)) is Status.SUPPORTED


def test_pages_asked_aside_open_nothing_once_a_way_to_what_the_task_needs_was_seen() -> None:
    aside, walled = by("structure", cited=False), by("rules", 2, barrier=Barrier.REFUSED)
    doubted = [finding(PRESENT, UNKNOWN, probe="browser")]
    here = [finding(PRESENT, NO, number=2, probe="browser"), finding(PASSABLE, YES, number=2, probe="browser")]
    assert status([aside, walled], doubted, here[:1]) is Status.INCONCLUSIVE
    assert status([aside, walled], doubted, here) is Status.NOT_SUPPORTED


def test_code_of_the_run_s_own_opens_nothing_until_a_measurement_names_why_it_failed() -> None:
    own = by("structure", barrier=Barrier.OWN_CODE_FAILS)
    assert status([own], [finding(PRESENT, YES, probe="replay")]) is Status.NOT_SUPPORTED
    named = finding(PRESENT, YES, probe="replay").model_copy(update={"barrier": Barrier.DAMAGED_DATA, "about": "x.gz"})
    assert status([own], [named]) is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("barrier", "block", "comes"),
    [
        (Barrier.PIP, 1, Status.INCONCLUSIVE),
        (Barrier.PIP, 9, Status.NOT_SUPPORTED),
        (Barrier.COMMAND, 9, Status.NOT_SUPPORTED),
        (Barrier.SHARED_LIBRARY, 9, Status.INCONCLUSIVE),
    ],
)
def test_what_was_to_do_without_data_that_could_not_be_read_opens_nothing_where_a_way_reads_them(
    barrier: Barrier, block: int, comes: Status
) -> None:
    def at(one: Hypothesis, block: int) -> Hypothesis:
        return one.model_copy(update={"citations": tuple(c.model_copy(update={"block": block}) for c in one.citations)})

    data, rescue = at(by("structure", barrier=Barrier.DAMAGED_DATA), 4), at(by("rules", 2, barrier=barrier), block)
    found = [*passed_by("recovered", number=1), finding(PRESENT, YES, number=2), finding(CAUSED, UNKNOWN, number=2)]
    assert status([data, rescue], found) is comes
    packed = at(about(1, Barrier.COMMAND_FAILS, commands=("cd data && tar xf data/catalogue.tar.xz",)), 4)
    task = CASE.task.model_copy(update={"prompt": "How many events has catalogue.tar.xz, from 2001 on?"})
    told = CASE.model_copy(update={"task": task})
    assert decide(told, [packed, rescue], found).status is comes
    assert decide(CASE, [packed, rescue], found).status is Status.INCONCLUSIVE, "the task names no such file"


def test_a_reference_solution_that_passes_explains_a_run_that_nothing_else_does_and_no_failure_that_none_knows() -> (
    None
):
    reference = by("task", cited=False, barrier=Barrier.REFERENCE_FAILS)
    clipped = RUN.model_copy(update={"transcript": RUN.transcript.model_copy(update={"complete": False})})
    case = CASE.model_copy(update={"runs": (clipped,)})
    passes = [finding(PASSABLE, YES)]
    assert decide(case, [reference], passes).status is Status.NOT_SUPPORTED
    assert decide(case, [reference], []).status is Status.INCONCLUSIVE
    assert decide(case, [reference], passes, JudgeInputs(unexplained="`x` failed")).status is Status.INCONCLUSIVE


def test_a_claim_without_an_error_opens_nothing_that_the_records_have_settled() -> None:
    bare = by("claim", 2, barrier=Barrier.UNSPECIFIED)
    assert status([hypothesis(), bare], answers(*PASSED)) is Status.NOT_SUPPORTED
    assert status([by("structure"), bare], answers(*PASSED)) is Status.NOT_SUPPORTED
    assert status([by("claim"), bare], answers(*PASSED)) is Status.INCONCLUSIVE
    assert status([hypothesis(), bare], answers(*OPEN)) is Status.INCONCLUSIVE
    assert status([bare]) is Status.INCONCLUSIVE
    named = by("claim", 2)
    assert status([hypothesis(), named], answers(*PASSED)) is Status.INCONCLUSIVE


def test_what_nothing_needs_opens_nothing_once_all_that_is_needed_is_settled() -> None:
    side, needed = by("rules", 2), hypothesis(1)
    assert status([needed, side], answers(*PASSED)) is Status.NOT_SUPPORTED
    third = hypothesis(3)
    half = [*answers(*PASSED), *answers(YES, UNKNOWN, YES, number=3)]
    assert status([needed, side, third], half) is Status.INCONCLUSIVE
    unneeded = answers(YES, YES, UNKNOWN)
    assert status([needed, side], unneeded) is Status.INCONCLUSIVE


# A model's hypotheses


def model(number: int = 9) -> Hypothesis:
    return by("model", number)


def test_a_model_s_supported_hypothesis_counts_where_the_rules_leave_it_open_and_nowhere_else() -> None:
    found = answers(*SUPPORTED, number=9)
    assert status([model()], found) is Status.SUPPORTED
    assert status([hypothesis(), model()], answers(*OPEN), found) is Status.SUPPORTED
    assert status([hypothesis(), model()], answers(*PASSED), found) is Status.NOT_SUPPORTED
    verdict = decide(CASE, [hypothesis(), model()], [*answers(*OPEN), *found])
    assert verdict.leading == "h9"


def test_a_model_s_refuted_hypotheses_decide_only_where_nobody_else_names_an_error() -> None:
    nameless = by("structure", barrier=Barrier.COMMAND_FAILS)
    there = answers(YES, YES, UNKNOWN, number=9)
    assert status([nameless, model()], answers(*OPEN), there) is Status.NOT_SUPPORTED
    assert status([by("claim", barrier=Barrier.UNSPECIFIED), model()], there) is Status.NOT_SUPPORTED
    assert status([hypothesis(), model()], answers(*OPEN), there) is Status.INCONCLUSIVE
    assert status([nameless, model()], answers(*OPEN), answers(NO, YES, UNKNOWN, number=9)) is Status.INCONCLUSIVE
    mixed = [*there, *answers(YES, UNKNOWN, UNKNOWN, number=8)]
    assert status([nameless, model(), model(8)], answers(*OPEN), mixed) is Status.INCONCLUSIVE
    unmet = [*there, *answers(UNKNOWN, UNKNOWN, UNKNOWN, number=8)]
    assert status([nameless, model(), model(8)], answers(*OPEN), unmet) is Status.NOT_SUPPORTED
    assert status([nameless, model()], answers(*OPEN)) is Status.INCONCLUSIVE


def test_what_a_model_proposed_in_vain_is_told_as_a_limit_and_what_counts_is_not() -> None:
    verdict = decide(CASE, [hypothesis(), model()], answers(*PASSED))
    assert any("h9" in limit for limit in verdict.limits)
    heard = decide(CASE, [model()], answers(*SUPPORTED, number=9))
    assert not any("h9" in limit for limit in heard.limits)


# The verdict


def test_the_score_and_the_rubric_s_fields_say_what_the_status_says() -> None:
    found = {given: decide(CASE, [hypothesis()], answers(*given)) for given in (SUPPORTED, PASSED, OPEN, (NO, NO, YES))}

    def fields(verdict: Verdict) -> tuple[int, bool, bool, bool]:
        named = verdict.deficiency_type != NO_CATEGORY
        return verdict.score, verdict.deficiency_exists, verdict.deficiency_caused_failure, named

    assert fields(found[SUPPORTED]) == (1, True, True, True)
    assert fields(found[PASSED]) == (0, False, False, False), "what can be passed is no deficiency"
    assert fields(found[OPEN]) == (0, True, False, True)
    assert fields(found[NO, NO, YES]) == (0, False, False, False)
    assert fields(decide(CASE, [], [])) == (0, False, False, False)
    assert [found[given].barrier_now for given in (SUPPORTED, (NO, NO, YES))] == [True, False]
    assert decide(CASE, [hypothesis()], []).barrier_now is None


def test_the_run_s_record_tells_whether_it_was_there_then() -> None:
    assert decide(CASE, [hypothesis()], []).barrier_then is True
    wrong = Citation(run_id="r1", block=0, start=1, end=17, quote="fatal error: x.h")
    for citations, then in (((wrong,), False), ((), None), ((wrong.model_copy(update={"run_id": "c"}),), None)):
        assert decide(CASE, [hypothesis().model_copy(update={"citations": citations})], []).barrier_then is then
    for barrier in (Barrier.AMBIGUOUS, Barrier.STRICT_MATCH):
        assert decide(CASE, [hypothesis(barrier=barrier)], []).barrier_then is None
    assert decide(CASE, [], []).barrier_then is None


def test_the_fault_lies_where_it_was_measured_to_lie_and_a_failure_of_the_agent_s_with_its_run() -> None:
    assert decide(CASE, [hypothesis()], answers(*PASSED)).locus is Locus.AGENT_RUN
    kind = decide(CASE, [hypothesis()], answers(*SUPPORTED)).locus
    assert kind not in (None, Locus.AGENT_RUN, Locus.GRADER)
    present, *others = answers(*SUPPORTED)
    elsewhere = present.model_copy(update={"locus": Locus.GRADER.value})
    assert decide(CASE, [hypothesis()], [elsewhere, *others]).locus is Locus.GRADER
    last = others[-1].model_copy(update={"locus": Locus.TASK_TEXT.value})
    assert decide(CASE, [hypothesis()], [elsewhere, others[0], last]).locus is Locus.GRADER, "the first question's"
    clipped = RUN.model_copy(update={"transcript": None})
    assert decide(CASE.model_copy(update={"runs": (clipped,)}), [], []).locus is None


def test_the_verdict_speaks_of_the_first_by_rank_that_something_was_found_out_about() -> None:
    two = [hypothesis(1), hypothesis(2)]
    assert decide(CASE, two, [finding(PRESENT, YES, number=2)]).leading == "h2"
    assert decide(CASE, two, []).leading == "h1"
    both = [*answers(*PASSED), *answers(*PASSED, number=2)]
    assert decide(CASE, two, both).leading == "h1"
    assert decide(CASE, [], []).leading is None
    unplaced = two[0].model_copy(update={"citations": ()})
    assert decide(CASE, [unplaced, two[1]], [*answers(*SUPPORTED), *answers(*SUPPORTED, number=2)]).leading == "h2"


def test_a_supported_verdict_rests_on_its_own_findings_and_a_refuted_one_on_all() -> None:
    two, rest = [hypothesis(1), hypothesis(2)], answers(*PASSED, number=2)
    verdict = decide(CASE, two, [*answers(*SUPPORTED), *rest])
    assert verdict.decisive == tuple(one.id for one in answers(*SUPPORTED))
    refuted = decide(CASE, two, [*answers(*PASSED), *rest])
    assert refuted.decisive == ("h1/replay/PASSABLE", "h2/replay/PASSABLE")


def test_notes_limits_and_labs_of_all_findings_are_told_once() -> None:
    found = answers(*SUPPORTED)
    told = [one.model_copy(update={"limits": ("slow",)}) for one in found]
    verdict = decide(CASE, [hypothesis()], told, JudgeInputs(notes=("clipped", "slow")))
    assert verdict.limits == ("clipped", "slow")
    assert verdict.lab is False
    mapped = [found[0].model_copy(update={"lab": True}), *found[1:]]
    assert decide(CASE, [hypothesis()], mapped).lab is True


# Rivals


def about(number: int, barrier: Barrier, **targets: tuple[str, ...]) -> Hypothesis:
    return hypothesis(number, barrier).model_copy(update={"targets": Targets(**targets)})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (about(1, Barrier.MODULE, modules=("yaml",)), about(2, Barrier.PIP, packages=("PyYAML>=6",)), True),
        (about(1, Barrier.MODULE, modules=("a.b",)), about(2, Barrier.MODULE, modules=("a.c",)), True),
        (about(1, Barrier.PIP, packages=("a_b.c[x]",)), about(2, Barrier.PIP, packages=("A-b-c ; python<'4'",)), True),
        (about(1, Barrier.PIP, packages=("a",)), about(2, Barrier.PIP, packages=("b",)), False),
        (about(1, Barrier.R_PACKAGE, packages=("a",)), about(2, Barrier.R_PACKAGE, packages=("A",)), True),
        (about(1, Barrier.R_PACKAGE, packages=("a",)), about(2, Barrier.PIP, packages=("a",)), False),
        (about(1, Barrier.PIP, packages=("",)), about(2, Barrier.PIP, packages=("",)), False),
        (about(1, Barrier.PERMISSION, paths=("/a/./b ",)), about(2, Barrier.MISSING_DATA, paths=("/a/b",)), True),
        (about(1, Barrier.PERMISSION, paths=("/a",)), about(2, Barrier.PERMISSION, paths=("/b",)), False),
        (about(1, Barrier.IMPORT_BAN, modules=("a",)), about(2, Barrier.MODULE, modules=("a",)), False),
    ],
)
def test_two_hypotheses_are_about_one_thing_by_any_of_its_names(one: Hypothesis, other: Hypothesis, same: bool) -> None:
    assert about_the_same(one, other) is same
    assert about_the_same(other, one) is same


PIP, MODULE = about(2, Barrier.PIP, packages=("tabulate",)), about(1, Barrier.MODULE, modules=("tabulate",))


def _behind(route: Route) -> Route:
    return route.model_copy(update={"behind": "x.h is missing"})


def route(result: str = "passed", tier: Tier = Tier.T2, *, answer: Answer = YES, controls: Any = (GOOD,)) -> Finding:
    tried = Route(id="wheel-on-disk", tier=tier, commands=("pip install x",), result=result)
    return finding(PASSABLE, answer, controls, number=2).model_copy(update={"routes": (tried,)})


@pytest.mark.parametrize(
    ("brought", "follows"),
    [
        (route(), Status.INCONCLUSIVE),
        (route("failed"), Status.SUPPORTED),
        (route(tier=Tier.T3), Status.SUPPORTED),
        (route(answer=NO), Status.SUPPORTED),
        (route(controls=(BAD,)), Status.SUPPORTED),
    ],
)
def test_only_a_route_that_passed_and_counts_brings_a_rival_s_thing(brought: Finding, follows: Status) -> None:
    assert status([MODULE, PIP], answers(*SUPPORTED), [brought]) is follows


def test_a_rival_is_named_with_its_route_and_a_hypothesis_is_no_rival_of_its_own() -> None:
    verdict = decide(CASE, [MODULE, PIP], [*answers(*SUPPORTED), route()])
    assert "oute wheel-on-disk of another hypothesis provided tabulate" in verdict.reason
    assert passed_by("x")[1].routes[0].id == "x"


def test_what_was_brought_of_another_hypothesis_s_question_does_not_count() -> None:
    other = route().model_copy(update={"question": CAUSED, "id": "h2/replay/CAUSED"})
    yes = finding(PASSABLE, YES, number=2)
    assert status([MODULE, PIP], answers(*SUPPORTED), [other, yes]) is Status.SUPPORTED


def test_a_program_that_another_way_does_without_is_the_module_of_its_name_that_python_was_to_run() -> None:
    program = about(1, Barrier.COMMAND, programs=("pytest",), commands=("pytest tests",))
    way = route().model_copy(update={"id": "h1/replay/PASSABLE", "hypothesis": "h1"})
    open_one = answers(YES, NO, UNKNOWN, number=2)
    for line, follows in (
        ("python3 -m pytest tests; python -m pytest tests", Status.NOT_SUPPORTED),
        ("python3 -m pytest -q tests", Status.NOT_SUPPORTED),
        ("python3 -m pytest tests --cov=app", Status.INCONCLUSIVE),
        ("python3 -m pytest", Status.INCONCLUSIVE),
        ("python3 -m pytest tests -k smoke", Status.INCONCLUSIVE),
        ("python3 -m pytest tests/integration", Status.INCONCLUSIVE),
        ("python3 -m pytest tests; python3 report.py", Status.INCONCLUSIVE),
        ("python3 report.py", Status.INCONCLUSIVE),
    ):
        module = about(2, Barrier.MODULE, modules=("pytest",), commands=(line,))
        assert status([module, program], [way, *open_one]) is follows, line
    module = about(2, Barrier.MODULE, modules=("pytest",), commands=("python3 -m pytest tests",))
    others = about(1, Barrier.COMMAND, programs=("pytest",), commands=("pytest docs", "tox tests"))
    assert status([module, others], [way, *open_one]) is Status.INCONCLUSIVE, "another program was given that"


def test_what_only_failed_to_fetch_a_thing_is_passed_where_another_way_does_without_it() -> None:
    module = about(1, Barrier.MODULE, modules=("tabulate",), commands=("python3 report.py",))
    install = ("pip install -r requirements.txt",)
    fetching = about(2, Barrier.PIP, packages=("tabulate==0.9",), commands=install)
    network = about(3, Barrier.NETWORK, commands=install)
    way = route().model_copy(update={"id": "h1/replay/PASSABLE", "hypothesis": "h1"})
    open_ones = [one for number in (2, 3) for one in answers(YES, NO, UNKNOWN, number=number)]
    assert status([network, fetching, module], [way, *open_ones]) is Status.NOT_SUPPORTED
    more = about(2, Barrier.PIP, packages=("tabulate", "scipy"), commands=install)
    assert status([network, more, module], [way, *open_ones]) is Status.INCONCLUSIVE, "of scipy nothing is known"
    assert status([network, fetching, module], [*open_ones]) is Status.INCONCLUSIVE, "nothing did without it"
    told = reconciled([settled(*open_ones, of=fetching), settled(way, of=module)])[0].rival
    assert "hat tabulate was wanted for works by route wheel-on-disk" in told
    partly = way.model_copy(update={"routes": tuple(one.model_copy(update={"behind": "x"}) for one in way.routes)})
    assert status([network, fetching, module], [partly, *open_ones]) is Status.INCONCLUSIVE, "the command still fails"
    another = module.model_copy(update={"run_id": "r2"})
    assert status([network, fetching, another], [way, *open_ones]) is Status.INCONCLUSIVE, "another run's"
    apart = fetching.model_copy(update={"targets": Targets(packages=("tabulate",), commands=("pip install tabulate",))})
    assert status([network, apart, module], [way, *open_ones]) is Status.INCONCLUSIVE, "nothing tells what it fetched"
    needed = [one for number in (2, 3) for one in answers(YES, NO, YES, number=number)]
    assert status([network, fetching, module], [way, *needed]) is not Status.NOT_SUPPORTED, (
        "the task asks for that itself"
    )


COMMANDS = ("make report",)


def test_a_network_s_rival_is_one_of_the_same_command_or_of_the_same_moment() -> None:
    network = about(1, Barrier.NETWORK, hosts=("a.example",))
    at_once = [one.model_copy(update={"event": 3}) for one in (network, PIP)]
    assert status(at_once, answers(*SUPPORTED), [route()]) is Status.INCONCLUSIVE
    assert status([network, PIP], answers(*SUPPORTED), [route()]) is Status.SUPPORTED, "no moment is known"
    later = [at_once[0], PIP.model_copy(update={"event": 4})]
    assert status(later, answers(*SUPPORTED), [route()]) is Status.SUPPORTED
    elsewhere = [at_once[0], at_once[1].model_copy(update={"run_id": "r2"})]
    assert status(elsewhere, answers(*SUPPORTED), [route()]) is Status.SUPPORTED
    headers = [hypothesis(1).model_copy(update={"event": 3}), at_once[1]]
    assert status(headers, answers(*SUPPORTED), [route()]) is Status.SUPPORTED, "neither is a network"
    swapped = [about(1, Barrier.PIP, packages=("a",), commands=COMMANDS), about(2, Barrier.NETWORK, commands=COMMANDS)]
    assert status(swapped, answers(*SUPPORTED), [route()]) is Status.INCONCLUSIVE
    further = route().model_copy(update={"routes": tuple(map(_behind, route().routes))})
    assert status(swapped, answers(*SUPPORTED), [further]) is Status.INCONCLUSIVE, "what it needed was brought"


def test_what_a_rescue_of_the_run_s_own_failed_at_is_as_open_as_the_command_that_needs_it() -> None:
    rescue = about(1, Barrier.PERMISSION, paths=("/srv/x",), commands=("touch /srv/x",))
    goal = about(2, Barrier.COMMAND_FAILS, commands=("cd /w && make report",))
    needed = finding(CAUSED, YES).model_copy(update={"reaches": ("make report",)})
    mine = [*answers(YES, NO, UNKNOWN), needed]
    present = finding(PRESENT, YES, number=2)
    measured = present.model_copy(update={"barrier": Barrier.PERMISSION, "about": "/srv/x.lock"})
    door = finding(PASSABLE, UNKNOWN, number=2)
    verdict = decide(CASE, [rescue, goal], [*mine, measured, door])
    assert verdict.status is Status.INCONCLUSIVE
    assert "whether there is a way around for `make report`" in verdict.reason
    two = needed.model_copy(update={"reaches": ("make report", "make index")})
    both = goal.model_copy(update={"targets": Targets(commands=("make report; make index",))})
    told = decide(CASE, [rescue, both], [*mine[:-1], two, measured, door]).reason
    assert "whether there is a way around for `make report`" in told, "the first of them"
    works = reconciled([settled(*mine[:-1], two, of=rescue), settled(present, route(), of=both)])[0].rival
    assert "`make report`, which needed it, works" in works
    shut = finding(PASSABLE, NO, number=2)
    assert status([rescue, goal], [*mine, measured, shut]) is not Status.INCONCLUSIVE
    assert status([rescue, goal], [*mine, present, door]) is Status.SUPPORTED, "nothing else has a measured name"
    assert status([rescue, goal], [*mine, measured]) is Status.SUPPORTED, "nobody asked whether there is one"
    itself = rescue.model_copy(update={"targets": Targets(paths=("/srv/x",), commands=("make report",))})
    assert status([itself, goal], [*mine, measured, door]) is Status.SUPPORTED, "its own ways were walked with it"


def test_what_only_prepares_is_in_nobody_s_way_where_what_is_asked_for_behind_it_has_one() -> None:
    def at(event: int, one: Hypothesis) -> Hypothesis:
        return one.model_copy(update={"event": event, "run_id": "r1"})

    lines = (
        "pip install -r needs.txt",
        "python3 -m venv /tmp/v && timeout 9 /tmp/v/bin/pip install -r needs.txt | tail",
    )
    ready = at(1, about(1, Barrier.NETWORK, commands=lines))
    work = at(2, about(2, Barrier.COMMAND, programs=("jupyter",), commands=("jupyter nbconvert --execute a.ipynb",)))
    open_one = [finding(PRESENT, UNKNOWN), finding(PASSABLE, NO), finding(CAUSED, YES)]
    behind = [finding(PRESENT, YES, number=2), finding(CAUSED, YES, number=2), route()]
    assert status([ready, work], open_one, behind) is Status.NOT_SUPPORTED
    unasked = [*behind[:1], finding(CAUSED, UNKNOWN, number=2), behind[2]]
    assert status([ready, work], open_one, unasked) is Status.INCONCLUSIVE
    fetching = ready.model_copy(update={"targets": Targets(commands=("python3 fetch.py",))})
    assert status([fetching, work], open_one, behind) is Status.INCONCLUSIVE


def test_a_missing_program_is_as_open_as_the_run_s_own_call_of_a_compiler_behind_it() -> None:
    def at(event: int, one: Hypothesis) -> Hypothesis:
        return one.model_copy(update={"event": event, "run_id": "r1"})

    missing = at(1, about(1, Barrier.COMMAND, programs=("xlf",), commands=("make",)))
    by_hand = at(2, about(2, Barrier.COMMAND_FAILS, commands=("gfortran-12 -w -c flow.f 2>&1 | tail",)))
    door = finding(PASSABLE, UNKNOWN, number=2)
    verdict = decide(CASE, [missing, by_hand], [*answers(*SUPPORTED), door])
    assert verdict.status is Status.INCONCLUSIVE
    assert "`gfortran-12 -w -c flow.f" in verdict.reason
    for commands in (("cat flow.f",), ("gfortran-12 --version",), ("make FC=gfortran",)):
        other = by_hand.model_copy(update={"targets": Targets(commands=commands)})
        assert status([missing, other], [*answers(*SUPPORTED), door]) is Status.SUPPORTED, commands
    shut = finding(PASSABLE, NO, number=2)
    assert status([missing, by_hand], [*answers(*SUPPORTED), shut]) is Status.SUPPORTED
    first = missing.model_copy(update={"event": 3})
    assert status([first, by_hand], [*answers(*SUPPORTED), door]) is Status.SUPPORTED, "it was no try to do without"


def test_what_only_makes_ready_is_as_open_as_what_failed_behind_it_for_want_of_something_else() -> None:
    def at(event: int, one: Hypothesis) -> Hypothesis:
        return one.model_copy(update={"event": event, "run_id": "r1"})

    ready = at(1, about(1, Barrier.COMMAND, programs=("npm",), commands=("npm ci",)))
    work = at(2, about(2, Barrier.SUPPORT_FILE, paths=("node_modules/x",), commands=("node a.js",)))
    present, door = finding(PRESENT, YES, number=2), finding(PASSABLE, UNKNOWN, number=2)
    verdict = decide(CASE, [ready, work], [*answers(*SUPPORTED), present, door])
    assert verdict.status is Status.INCONCLUSIVE
    assert "only prepares the machine" in verdict.reason
    assert status([ready, work], answers(*SUPPORTED), [present, route()]) is Status.INCONCLUSIVE
    shut = finding(PASSABLE, NO, number=2)
    assert status([ready, work], answers(*SUPPORTED), [present, shut]) is Status.SUPPORTED
    partly = route().model_copy(update={"routes": tuple(_behind(one) for one in route().routes)})
    assert status([ready, work], answers(*SUPPORTED), [present, partly]) is Status.SUPPORTED
    unclear = finding(CAUSED, UNKNOWN, number=2)
    assert status([ready, work], answers(*SUPPORTED), [present, shut, unclear]) is Status.SUPPORTED, "it is shut"
    for first, then in (
        (at(3, ready), work),
        (at(2, ready), work),
        (at(1, about(1, Barrier.COMMAND, programs=("npm",), commands=("npm ci && node b.js",))), work),
        (at(1, about(1, Barrier.COMMAND, programs=("npm",), commands=("cat notes.txt",))), work),
        (at(1, about(1, Barrier.COMMAND, programs=("npm",), commands=("npm install y",))), work),
        (at(1, about(1, Barrier.COMMAND, programs=("npm",), commands=("npm test",))), work),
        (ready, at(2, about(2, Barrier.SUPPORT_FILE, paths=("node_modules/x",), commands=("ls node_modules",)))),
        (ready, at(2, about(2, Barrier.COMMAND, programs=("npm",), commands=("node a.js",)))),
        (ready, at(2, about(2, Barrier.COMMAND_FAILS, commands=("node a.js",)))),
        (ready, work.model_copy(update={"run_id": "r2"})),
    ):
        assert status([first, then], answers(*SUPPORTED), [present, door]) is Status.SUPPORTED, (first, then)


def test_what_only_makes_ready_is_open_where_the_machine_could_not_settle_what_failed_behind_it() -> None:
    def at(event: int, one: Hypothesis) -> Hypothesis:
        return one.model_copy(update={"event": event, "run_id": "r1"})

    def needed_by(command: str) -> list[Finding]:
        present, passable, caused = answers(*SUPPORTED)
        return [present, passable, caused.model_copy(update={"reaches": (command,)})]

    compiler = at(1, about(1, Barrier.PIP, packages=("cython",), commands=("pip install cython",)))
    work = at(2, about(2, Barrier.MODULE, modules=("geobox._speed",), commands=("python3 -m unittest",)))
    unsettled = finding(PRESENT, YES, (BAD,), number=2)
    assert status([compiler, work], needed_by("pip install -e ."), [unsettled]) is Status.INCONCLUSIVE
    assert status([compiler, work], needed_by("python3 -m unittest"), [unsettled]) is Status.SUPPORTED
    assert status([compiler, work], needed_by("pip install cython"), [unsettled]) is Status.SUPPORTED
    gone = finding(PRESENT, NO, number=2)
    assert status([compiler, work], needed_by("pip install -e ."), [gone]) is Status.SUPPORTED
    nobody_met = [finding(CAUSED, YES, number=2)]
    assert status([compiler, work], needed_by("pip install -e ."), nobody_met) is Status.SUPPORTED
    nobody_asked = [finding(PRESENT, YES, number=2)]
    assert status([compiler, work], needed_by("pip install -e ."), nobody_asked) is Status.SUPPORTED
    ruled_out = [unsettled, finding(PASSABLE, NO, number=2)]
    assert status([compiler, work], needed_by("pip install -e ."), ruled_out) is Status.SUPPORTED
    shut = [finding(PRESENT, YES, number=2), finding(PASSABLE, NO, number=2)]
    assert status([compiler, work], needed_by("pip install -e ."), shut) is Status.SUPPORTED


def test_what_the_run_called_otherwise_and_failed_for_want_of_something_else_leaves_the_first_open() -> None:
    def at(event: int, one: Hypothesis) -> Hypothesis:
        return one.model_copy(update={"event": event, "run_id": "r1"})

    first = at(1, about(1, Barrier.COMMAND, programs=("mpicc",), commands=("cd /w && make",)))
    then = at(2, about(2, Barrier.HEADER, headers=("mpi.h",), commands=("cd /w && make CC=gcc -k",)))
    present, door = finding(PRESENT, YES, number=2), finding(PASSABLE, UNKNOWN, number=2)
    verdict = decide(CASE, [first, then], [*answers(*SUPPORTED), present, door])
    assert verdict.status is Status.INCONCLUSIVE
    assert "alled with other options, the same command failed" in verdict.reason
    shut = finding(PASSABLE, NO, number=2)
    assert status([first, then], answers(*SUPPORTED), [present, shut]) is Status.SUPPORTED
    for one, other in (
        (at(3, first), then),
        (first, at(2, about(2, Barrier.HEADER, headers=("mpi.h",), commands=("make install",)))),
        (
            at(1, about(1, Barrier.COMMAND, programs=("mpicc",), commands=("ls out; make",))),
            at(2, about(2, Barrier.HEADER, headers=("mpi.h",), commands=("ls -l out; node a.js",))),
        ),
        (first, at(2, about(2, Barrier.COMMAND, programs=("mpicc",), commands=("make CC=gcc",)))),
        (first, at(2, about(2, Barrier.COMMAND_FAILS, commands=("make CC=gcc",)))),
        (first, at(2, about(2, Barrier.HEADER, headers=("mpi.h",), commands=("sed -i s/a/b/ x.mk && make",)))),
        (first, then.model_copy(update={"run_id": "r2"})),
    ):
        assert status([one, other], answers(*SUPPORTED), [present, door]) is Status.SUPPORTED, (one, other)


def test_what_a_network_was_to_bring_is_as_open_as_what_misses_it() -> None:
    missed = ("models/large/weights.bin",)
    fetch = about(1, Barrier.NETWORK, hosts=("a.example",), commands=("python3 fetch.py models/large/",))
    work = about(2, Barrier.MISSING_DATA, paths=missed, commands=("python3 run.py models/large",))
    tried = Route(id="another-choice", tier=Tier.T2, commands=("python3 run.py models/small",), result="not_tried")
    door = finding(PASSABLE, UNKNOWN, number=2).model_copy(update={"routes": (tried,)})
    verdict = decide(CASE, [fetch, work], [*answers(*SUPPORTED), door])
    assert verdict.status is Status.INCONCLUSIVE
    assert "hat it was to bring may not be needed" in verdict.reason
    elsewhere = about(1, Barrier.NETWORK, hosts=("a.example",), commands=("python3 fetch.py models/base",))
    no_folder = work.model_copy(update={"targets": Targets(paths=("weights.bin",))})
    header = about(1, Barrier.HEADER, headers=("a.h",), commands=("make models/large",))
    failed = door.model_copy(update={"routes": (tried.model_copy(update={"result": "failed"}),)})
    for one, other, found in (
        (elsewhere, work, door),
        (fetch, no_folder, door),
        (header, work, door),
        (fetch, work.model_copy(update={"run_id": "r2"}), door),
        (fetch, work, failed),
        (fetch, work, door.model_copy(update={"answer": NO})),
    ):
        assert status([one, other], answers(*SUPPORTED), [found]) is Status.SUPPORTED, (one, other, found)


def test_behind_a_way_that_reached_the_task_s_end_what_stays_refuted_needs_no_rival() -> None:
    mine = about(1, Barrier.PIP, packages=("a",), commands=COMMANDS)
    reaching = route().model_copy(update={"reaches": ("make one", "make two", "make three")})
    verdict = decide(CASE, [mine, about(2, Barrier.PIP, packages=("b",))], [*answers(*SUPPORTED), reaching])
    assert verdict.status is Status.NOT_SUPPORTED
    pair = [settled(*answers(*SUPPORTED), of=mine), settled(reaching, of=about(2, Barrier.PIP, packages=("b",)))]
    assert "`make one`, `make two` works" in reconciled(pair)[0].rival
    assert "make three" not in reconciled(pair)[0].rival
    plain = settled(*answers(NO, UNKNOWN, UNKNOWN), of=about(1, Barrier.COMMAND_FAILS, commands=("make one",)))
    assert not reconciled([*pair, plain])[0].rival, "what works here without it was reached by no route"
    told = decide(CASE, [mine, about(2, Barrier.PIP, packages=("b",))], [*answers(YES, UNKNOWN, YES), reaching])
    assert told.status is Status.NOT_SUPPORTED
    refuted = decide(CASE, [mine], answers(YES, NO, NO))
    both = decide(CASE, [mine, about(2, Barrier.PIP, packages=("b",))], [*answers(YES, NO, NO), reaching])
    assert refuted.status is both.status is Status.NOT_SUPPORTED
    assert "make one" not in both.reason


def test_what_the_rules_are_asked_about_is_never_changed() -> None:
    for frozen in (settled(), Matter(CASE, ())):
        with pytest.raises(FrozenInstanceError):
            frozen.findings = ()  # type: ignore[misc, union-attr]


def test_nothing_was_met_where_nobody_proposes_anything_and_no_failure_is_unexplained() -> None:
    assert Matter(CASE, ()).nothing
    assert not Matter(CASE, (), unexplained=True).nothing


def test_each_row_carries_out_the_rule_of_the_plan_that_it_names() -> None:
    no, yes, unclear = Status.NOT_SUPPORTED, Status.SUPPORTED, Status.INCONCLUSIVE
    assert [(row.number, row.status) for row in OF_ONE] == [
        (6, no),
        (3, no),
        (4, no),
        (2, yes),
        (5, unclear),
        (9, unclear),
    ]
    all_of_them = [(9, unclear), (7, yes), (7, no), (6, no), (11, yes), (6, no), (11, no), (9, unclear)]
    assert [(row.number, row.status) for row in OF_ALL] == all_of_them
    assert [row.number for row in OF_ALL if row.speaks == "proposed"] == [11, 11]


@pytest.mark.parametrize(
    ("named", "barrier", "about", "told"),
    [
        (("writing",), Barrier.PERMISSION, "/srv/out", "/srv/out"),
        ((), Barrier.PERMISSION, "/srv/out", None),
        (("writing",), Barrier.MISSING_DATA, "/srv/out", "writing"),
        (("writing",), Barrier.PERMISSION, "out", "writing"),
        (("/srv",), Barrier.PERMISSION, "/srv/out", "/srv"),
        (("out",), Barrier.PERMISSION, "/srv/out", "out"),
        (("writing", "out"), Barrier.PERMISSION, "/srv/out", "writing"),
    ],
)
def test_a_path_that_was_measured_stands_for_words_that_name_none(
    named: tuple[str, ...], barrier: Barrier, about: str, told: str | None
) -> None:
    worded = hypothesis(barrier=Barrier.PERMISSION).model_copy(update={"targets": Targets(paths=named)})
    seen = finding(Question.PRESENT, Answer.YES).model_copy(update={"barrier": barrier, "about": about})
    assert next(iter(settled(seen, of=worded).hypothesis.targets.paths), None) == told
