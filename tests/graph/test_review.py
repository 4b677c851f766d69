"""What a person's review may do to a verdict, and how an audit waits for it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph import AuditOptions, audit
from graph.aggregate import settle
from graph.decide import decide
from graph.review import ReviewNeeded, decisions, reviewed
from graph.verdict import JudgeInputs, Review, Status
from probes import Answer, ArtifactStore, Barrier, Question, Settings
from probes.barriers import Trait, having
from tests.graph.small_probes import Records, Replay
from tests.graph.synthetic import ANSWERS, BAD, CASE, GOOD, finding, five_missing_modules, hypothesis

AT = datetime(2031, 2, 3, tzinfo=UTC)
ASKS = "Do the task's words allow a second reading?"
DECISIONS = ("accept", "reject", "yes", "no")
WORDING = having(Trait.ABOUT_WORDING)


def review(decision: str, reason: str = "I read it twice") -> Review:
    return Review.model_validate({"decision": decision, "reason": reason, "reviewer": "Ada", "at": AT})


@given(
    barrier=st.sampled_from([*sorted(WORDING), Barrier.HEADER, Barrier.WRONG_GOLD, Barrier.BOT_WALL]),
    answers=st.tuples(*[st.sampled_from(ANSWERS)] * 3),
    controls=st.tuples(*[st.sampled_from([(), (GOOD,), (GOOD, BAD)])] * 3),
    decision=st.sampled_from(DECISIONS),
    reason=st.sampled_from(["", "because"]),
    asks=st.sampled_from(["", ASKS]),
)
def test_a_review_never_makes_support_out_of_a_failed_control_or_against_a_probe(
    barrier: Barrier, answers: tuple, controls: tuple, decision: str, reason: str, asks: str
) -> None:
    asked = hypothesis(barrier=barrier)
    found = [finding(question, answers[n], controls[n]) for n, question in enumerate(Question)]
    before = decide(CASE, [asked], found).model_copy(update={"open_question": asks})
    settled = settle(asked, found)
    after = reviewed(before, [settled], review(decision, reason))
    if after.score > before.score:
        assert decision == "yes"
        assert reason
        assert asks
        assert barrier in WORDING
        assert all(control.passed for one in found for control in one.controls)
        assert settled.present is settled.passable is Answer.UNKNOWN
        assert settled.caused is not Answer.NO
        assert before.status is Status.INCONCLUSIVE
    if decision == "reject":
        assert (after.score, after.status) == (0, Status.INCONCLUSIVE)
        assert "because" in after.against or not reason
    if decision == "accept":
        assert after == before
    assert after.score == int(after.status is Status.SUPPORTED)


@pytest.mark.parametrize(("decision", "status"), [("yes", Status.SUPPORTED), ("no", Status.NOT_SUPPORTED)])
def test_an_answer_settles_an_open_question_about_the_tasks_text(decision: str, status: Status) -> None:
    asked = hypothesis(barrier=Barrier.AMBIGUOUS)
    found = [finding(Question.PRESENT, Answer.UNKNOWN, ())]
    before = decide(CASE, [asked], found).model_copy(update={"open_question": ASKS})
    after = reviewed(before, [settle(asked, found)], review(decision))
    assert after.status is status
    assert "Ada" in after.reason
    assert "I read it twice" in after.reason
    assert "2031-02-03" in after.reason
    assert any("not on a probe" in limit for limit in after.limits)
    assert after.open_question == ""


def test_an_answer_to_what_the_probes_settle_counts_for_nothing_and_says_so() -> None:
    found = [
        finding(Question.PRESENT, Answer.YES),
        finding(Question.PASSABLE, Answer.NO),
        finding(Question.CAUSED, Answer.YES, probe="transcript"),
    ]
    verdict = decide(CASE, [hypothesis()], found, JudgeInputs(review=review("no")))
    assert verdict.status is Status.SUPPORTED
    assert any("does not count here" in limit for limit in verdict.limits)
    rejected = decide(CASE, [hypothesis()], found, JudgeInputs(review=review("reject")))
    assert (rejected.score, rejected.status) == (0, Status.INCONCLUSIVE)
    assert "I read it twice" in rejected.against


async def test_an_audit_waits_for_its_review_and_goes_on_without_asking_a_probe_again(tmp_path: Path) -> None:
    probes = (Records("transcript", Answer.YES), Records("peers"), Replay(tmp_path / "journal"))
    options = AuditOptions(settings=Settings(), review=True)

    async def call(answer: Review | None):
        case, store = five_missing_modules(1), ArtifactStore(tmp_path)
        kept = tmp_path / "checkpoints.sqlite"
        return await audit(case, options, store, probes=probes, checkpoints=kept, answer=answer)

    for early in (review("accept"), None, None, review("yes")):
        with pytest.raises(ReviewNeeded) as needed:
            await call(early)
        assert needed.value.audit.verdict.status is Status.SUPPORTED
        assert needed.value.audit.basis.review is None
        assert decisions(needed.value.audit.verdict) == ("accept", "reject")
    done = await call(review("reject"))
    assert (tmp_path / "journal").read_text() == "start m0\nend m0\n"
    assert done.verdict.status is Status.INCONCLUSIVE
    assert done.basis.review == review("reject")
    assert decide(done.case, done.hypotheses, done.findings, done.basis) == done.verdict
