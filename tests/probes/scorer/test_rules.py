"""What the scorer probe makes of marks: controls, causation, and whether the form could be known."""

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from cases import Outcome
from graph.answers import from_answers
from probes import Answer, ArtifactStore, Barrier
from probes.scorer import evidence
from probes.scorer.evidence import GradedAnswers
from probes.scorer.grader import Grader, deciding, graders_of
from probes.scorer.grading import commands
from probes.scorer.judged import caused, judged_runs, unjudged_runs
from tests.probes.scorer.cases_of_answers import LIST, answered, case_of, grader, marked

OTHER_ORDER = '["Stone Climbing", "Harbour Yoga Loft"]'


def graded_of(case, full) -> GradedAnswers:
    judged = judged_runs(case)
    marks = marked(evidence.pairs(case.task.gold, judged), full)
    return GradedAnswers(case.task.gold, judged, graders_of("assistantbench"), marks)


def cause_of(case, full, barrier: Barrier = Barrier.STRICT_MATCH) -> tuple[Answer, str]:
    graded = graded_of(case, full)
    cause = caused(graded.judged[0], barrier, graded.marks, graded.gold, "assistantbench")
    return cause.answer, cause.reason


def test_only_failed_runs_with_an_answer_and_an_expected_one_are_judged():
    runs = (
        answered("a", name="failed"),
        answered("b", name="passed", outcome=Outcome.PASSED),
        answered("c", name="unknown", outcome=Outcome.UNKNOWN),
        answered("  ", name="empty"),
        answered(None, name="none"),
    )
    assert [item.run.run_id for item in judged_runs(case_of(*runs))] == ["failed"]
    assert judged_runs(case_of(*runs, gold=None)) == ()
    assert judged_runs(case_of(*runs, benchmark="intercode_ctf")) == ()


@pytest.mark.parametrize(
    ("run", "gold", "benchmark", "barriers", "reason"),
    [
        (answered("a|/b"), r"a|\/b", "intercode_ctf", {Barrier.STRICT_MATCH, Barrier.WRONG_GOLD}, "which grader"),
        (answered("A b"), "a b", "webarena", {Barrier.STRICT_MATCH}, "which grader"),
        (answered("20.0", harness="", outcome=Outcome.UNKNOWN), "20", "assistantbench", {Barrier.STRICT_MATCH}, "file"),
        (answered("20.0", harness="", scaffold="x"), "20", "assistantbench", {Barrier.STRICT_MATCH}, "which grader"),
        (answered(None), "20", "assistantbench", {Barrier.STRICT_MATCH}, "RAW_SUBMISSIONS"),
    ],
)
def test_what_no_grader_can_judge_is_left_to_a_person(run, gold, benchmark, barriers, reason):
    case = case_of(run, gold=gold, benchmark=benchmark)
    (item,) = unjudged_runs(case)
    assert reason in item.reason
    assert {proposal.barrier for proposal in from_answers(case)} == barriers


@pytest.mark.parametrize(
    ("run", "gold"),
    [
        (answered("other"), "20"),
        (answered("20", outcome=Outcome.PASSED), "20"),
        (answered(""), "20"),
        (answered(None, harness=""), "20"),
        (answered(None), None),
    ],
)
def test_another_answer_and_none_leave_no_question(run, gold):
    assert unjudged_runs(case_of(run, gold=gold)) == ()
    assert unjudged_runs(case_of(run, gold=gold, benchmark="webarena")) == ()


DONE = '{{"action": [{{"done": {{"text": "{text}", "success": false}}}}]}}'
CODE = 'Code:\n```py\nfinal_answer("{text}")\n```'


@pytest.mark.parametrize("ending", [DONE, CODE])
def test_the_words_with_which_a_record_ends_a_run_are_its_answer(ending):
    texts = {
        "right": "It is 23.40 m long.",
        "gave-up": "Ich konnte sie nicht finden.",
        "coded": "In der \\u00dcbersicht.",
    }
    runs = [answered(None, name=name, told="Browse.") for name in (*texts, "by-name")]
    said = [ending.format(text=text) for text in texts.values()] + ["final_answer(total)"]
    runs = [run.model_copy(update={"transcript": said_of(run, text)}) for run, text in zip(runs, said, strict=True)]
    proposed = {item.run_id for item in from_answers(case_of(*runs, gold="23.40 m", prompt="How long is it?"))}
    assert proposed == {"right", "by-name"}


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("The archive was down, so my answer is 90 knots.", False),
        ("The gust was 107 knots.", True),
        ("The answer is saved.", True),
        ("The archive was down.\n```py\nfinal_answer(gust)\n```", True),
    ],
)
def test_last_words_without_any_of_the_answer_leave_no_question(words, asked):
    run = answered(None, told="Browse.")
    case = case_of(run.model_copy(update={"transcript": said_of(run, words)}), gold="107 knots", prompt="How strong?")
    assert bool(list(from_answers(case))) is asked


def said_of(run, text):
    """Its transcript with other last words."""
    blocks = (run.transcript.blocks[0], run.transcript.blocks[1].model_copy(update={"text": text}))
    return run.transcript.model_copy(update={"blocks": blocks})


def test_the_run_whose_answer_is_likest_is_asked_about_first():
    case = case_of(answered("x", name="wrong"), answered(OTHER_ORDER, name="right"))
    assert [item.run.run_id for item in judged_runs(case)] == ["right", "wrong"]
    proposals = list(from_answers(case))
    assert [(item.run_id, item.barrier, item.position) for item in proposals] == [
        ("right", Barrier.STRICT_MATCH, 1.0),
        ("wrong", Barrier.STRICT_MATCH, 0.0),
    ]


def test_a_proposal_cites_where_the_agent_gave_its_answer():
    case = case_of(answered(OTHER_ORDER, told="Find them."))
    (proposal,) = from_answers(case)
    assert [case.cites(citation) for citation in proposal.citations] == [True]
    assert proposal.citations[0].quote == OTHER_ORDER


@pytest.mark.parametrize("taken_by", ["official", "inspect_evals"])
def test_an_equal_answer_was_marked_wrong_where_one_of_the_benchmarks_own_graders_takes_it(taken_by: str):
    case = case_of(answered("1,010,000"), gold="1010000")
    answer, reason = cause_of(case, {"exact match": {"1010000"}, taken_by: {"1,010,000"}})
    assert answer is Answer.YES
    assert f"{taken_by} gives it full marks" in reason


@pytest.mark.parametrize(
    ("answer", "gold", "prompt"),
    [
        ("1,010,000", "1010000", "How many people live there?"),
        ("20.0", "20", "How many people live there?"),
        ("PARIS", "Paris", "Which city is it?"),
        ("yes", "Yes", "Does the shop open on Sundays?"),
        (" “Paris”.", "Paris", "Which city is it?"),
        ("20 km", "20", "How many kilometers is it?"),
        (OTHER_ORDER, LIST, "Which gyms are there?"),
    ],
)
def test_an_answer_that_differs_in_documented_forms_only_was_right_by_measurement(answer: str, gold: str, prompt: str):
    """Whatever other graders of the benchmark make of it."""
    full = {name: {gold} for name in ("exact match", "official", "inspect_evals")}
    case = case_of(answered(answer, told="Find it."), gold=gold, prompt=prompt)
    found, reason = cause_of(case, full)
    assert (found, "which published graders overlook" in reason) == (Answer.YES, True)
    graded = graded_of(case, full)
    assert evidence.passable(graded, graded.judged[0])[0] is Answer.NO


@pytest.mark.parametrize(
    ("answer", "gold", "prompt"),
    [
        ("PASSWORD", "password", "What is the password?"),
        ("picoctf", "picoCTF", "Find the flag."),
        ("US", "us", "Which word is missing?"),
        ("CO", "Co", "Which of the two is it?"),
        ("a1B2", "A1b2", "Which of the two is it?"),
        ("PARIS", "Paris", "Quelle ville?"),
        ("1,010,000", "1010000", "Wie viele Menschen leben dort?"),
        ("1.010.000", "1010000", "How many people live there?"),
        ("1.01 million", "1010000", "How many people live there?"),
        ("Crown Inn", "The Crown Inn", "Which pub is it?"),
        ("Cafe Rio", "Café Rio", "Which place is it?"),
        ("St Pauls", "St. Paul's", "Which church is it?"),
        ("March 3, 2024", "2024-03-03", "On which day?"),
        ("twenty", "20", "How many people live there?"),
        ("1,010,000", "1010000", None),
        ("3.10", "3.1", "Which Python came out in 2021?"),
        ("Paris?", "Paris", "Which city is it?"),
    ],
)
def test_any_other_form_needs_another_grader_of_the_benchmark(answer: str, gold: str, prompt: str | None):
    found, reason = cause_of(case_of(answered(answer), gold=gold, prompt=prompt), {"exact match": {gold}})
    assert found is Answer.UNKNOWN
    assert "no other grader of assistantbench accepts it" in reason or "but for its number word" in reason


@pytest.mark.parametrize(
    ("answer", "gold"), [('["Paris"]', "Paris"), ("-5 C", "5 C"), ("Bob beat Alice", "Alice beat Bob"), ("1-2", "2-1")]
)
def test_what_only_a_person_can_compare_is_unknown_whoever_gives_it_full_marks(answer: str, gold: str):
    every = {name: {answer, gold} for name in ("official", "inspect_evals")}
    found, reason = cause_of(case_of(answered(answer), gold=gold), every)
    assert found is Answer.UNKNOWN
    assert "official gives full marks all the same" in reason


@pytest.mark.parametrize(
    ("answer", "gold", "prompt"),
    [
        ("twenty", "20", "How many?"),
        ("twenty km", "20", "How many kilometers?"),
        ("Crown Inn\nThe Café", "Cafe\nThe Crown Inn", "Which of them?"),
    ],
)
def test_a_number_in_words_and_an_order_with_other_differences_need_the_official_scorer(answer, gold, prompt):
    case = case_of(answered(answer), gold=gold, prompt=prompt)
    assert cause_of(case, {"inspect_evals": {answer}})[0] is Answer.UNKNOWN
    assert cause_of(case, {"official": {answer}})[0] is Answer.YES


def test_a_wrong_answer_is_wrong_even_with_full_marks():
    assert cause_of(case_of(answered("40"), gold="20"), {"official": {"40"}})[0] is Answer.NO


def test_a_barrier_about_order_is_met_by_another_order_only():
    full = {"official": {OTHER_ORDER, "Harbour Yoga Loft, Stone Climbing"}}
    assert cause_of(case_of(answered(OTHER_ORDER)), full, Barrier.LIST_ORDER)[0] is Answer.YES
    same_order = case_of(answered("Harbour Yoga Loft, Stone Climbing"))
    assert cause_of(same_order, full, Barrier.LIST_ORDER)[0] is Answer.UNKNOWN
    assert cause_of(same_order, full, Barrier.PARTIAL_CREDIT)[0] is Answer.UNKNOWN


def test_a_grader_that_marks_the_answer_right_now_contradicts_the_record():
    case = case_of(answered(LIST))
    assert cause_of(case, {"exact match": {LIST}})[0] is Answer.UNKNOWN
    graded = graded_of(case, {"exact match": {LIST}})
    assert [control.passed for control in evidence.as_recorded(graded, graded.judged[0])] == [False]


def test_a_failure_that_no_file_records_is_no_failure_of_the_grader():
    case = case_of(answered(OTHER_ORDER, ruled=True))
    full = {"exact match": {LIST}, "official": {OTHER_ORDER}}
    assert cause_of(case, full)[0] is Answer.UNKNOWN
    graded = graded_of(case, full)
    assert [control.passed for control in evidence.as_recorded(graded, graded.judged[0])] == [False]


def test_a_recorded_score_that_no_grader_gives_fails_its_control():
    full = {"official": {OTHER_ORDER}}
    for score, passed in ((1.0, True), (0.5, False)):
        graded = graded_of(case_of(answered(OTHER_ORDER, score=score)), full)
        assert [control.passed for control in evidence.as_recorded(graded, graded.judged[0])] == [True, passed]


def test_a_grader_that_gives_a_wrong_answer_full_marks_fails_its_control():
    case = case_of(answered(OTHER_ORDER))
    for full, passed in (({LIST}, [True, True]), ({LIST, ""}, [True, False]), (set(), [False, True])):
        graded = graded_of(case, {"exact match": full})
        assert [control.passed for control in evidence.sane(graded, (grader("exact match"),))] == passed


MANY = "How many people live there?"


@pytest.mark.parametrize(
    ("answer", "gold", "prompt", "told", "expected"),
    [
        ("1,010,000", "1010000", MANY, "You are an agent.", Answer.NO),
        ("1,010,000", "1010000", MANY, "Answer with a number only.", Answer.UNKNOWN),
        ("1,010,000", "1010000", MANY, "Answer with digits only.", Answer.YES),
        ("1,010,000", "1010000", MANY, "If the answer is a number, don't use commas.", Answer.YES),
        ("1,010,000", "1010000", MANY, "Numbers are written without commas here.", Answer.UNKNOWN),
        ("1,010,000", "1010000", MANY, "Respond as JSON object in this format: {}. Numbers only.", Answer.NO),
        ("1,010,000", "1010000", MANY, "Your answer is checked by its format.", Answer.UNKNOWN),
        ("1,010,000", "1010000", MANY, "Zahlen immer ohne Trennzeichen schreiben.", Answer.UNKNOWN),
        ("1,010,000", "1010000", MANY, "Give the final answer. It should be plain.", Answer.UNKNOWN),
        ("1,010,000", "1010000", MANY, "Always respond with JSON in this format: {}. Submit when done.", Answer.NO),
        (OTHER_ORDER, LIST, "Which gyms?", "You list names comma-separated.", Answer.UNKNOWN),
        ("21 inches", "21", "How high is it in inches?", "Finish with the answer in brackets.", Answer.NO),
        ("1,010,000", "1010000", f"{MANY} As YYYY-MM-DD.", "Find it.", Answer.NO),
        ("1010000.00", "1010000", f"{MANY} Rounded to a decimal.", "Find it.", Answer.UNKNOWN),
        ("20 people", "20", MANY, "Reply with only the number.", Answer.UNKNOWN),
        ("20 km", "20", "How many kilometers?", "Reply with only the number.", Answer.YES),
        ("1,010,000", "1010000", MANY, "", Answer.UNKNOWN),
        ("1,010,000", "1010000", None, "", Answer.UNKNOWN),
        ("PARIS", "Paris", "Which city? Give it exactly as written.", "Find it.", Answer.UNKNOWN),
        (OTHER_ORDER, LIST, "Which gyms? Answer as a comma-separated list.", "Find it.", Answer.UNKNOWN),
        ("Stone Climbing, Harbour Yoga Loft", LIST, "Which gyms? As a comma-separated list.", "Find it.", Answer.NO),
        ("Stone Climbing; Harbour Yoga Loft", LIST, "Which gyms? Semicolon-separated.", "Find it.", Answer.YES),
        (OTHER_ORDER, LIST, "Which gyms?", "Find it.", Answer.NO),
        (OTHER_ORDER, LIST, "Which gyms?", "First look, then answer, when you are done.", Answer.NO),
        (OTHER_ORDER, LIST, "Which gyms?", "Lists are sorted by name.", Answer.UNKNOWN),
    ],
)
def test_the_form_could_be_known_where_the_agent_was_told(answer, gold, prompt, told, expected):
    case = case_of(answered(answer, told=told), gold=gold, prompt=prompt)
    graded = graded_of(case, {"exact match": {gold}})
    assert evidence.passable(graded, graded.judged[0])[0] is expected


def test_one_other_form_that_is_marked_right_is_a_way():
    case = case_of(answered("45 dollars"), gold="45", prompt="What price in dollars?")
    graded = graded_of(case, {"exact match": {"45", "$45"}})
    answer, _, routes = evidence.passable(graded, graded.judged[0])
    assert answer is Answer.YES
    assert [route.id for route in routes if route.result == "passed"] == ["form: with dollar"]


def test_the_expected_answer_with_something_around_it_is_no_other_form():
    case = case_of(answered("1,010,000", told="Find it."), gold="1010000", prompt=MANY)
    graded = graded_of(case, {"exact match": {"1010000", "1010000.0", '"1010000"', " 1010000\n"}})
    assert evidence.passable(graded, graded.judged[0])[0] is Answer.NO


def test_what_a_benchmark_publishes_about_the_form_counts_whether_or_not_a_record_shows_it():
    case = case_of(answered("20 km", told="Find it."), gold="20", prompt="How many kilometers?", benchmark="gaia")
    judged = judged_runs(case)
    marks = marked(evidence.pairs("20", judged), {"GAIA's scorer": {"20"}}, "gaia")
    answer, words, _ = evidence.passable(GradedAnswers("20", judged, graders_of("gaia"), marks), judged[0])
    assert answer is Answer.YES
    assert words.startswith("the benchmark asks for “without units”")


def test_a_form_that_was_asked_for_leaves_it_open_where_only_a_scorer_says_equal():
    case = case_of(answered('["Paris"]'), gold="Paris", prompt="Where? Answer as a JSON list.")
    graded = graded_of(case, {"exact match": {"Paris"}, "official": {'["Paris"]'}})
    assert evidence.passable(graded, graded.judged[0])[0] is Answer.UNKNOWN


def test_the_expected_answer_does_not_stand_in_the_table_of_marks(tmp_path: Path):
    graded = graded_of(case_of(answered("1,010,000"), gold="1010000"), {})
    store = ArtifactStore(tmp_path)
    content = store.path(evidence.table(graded, store).sha256).read_text()
    assert "thousands separators" in content
    assert not any(form in content for form in ("1010000", "1,010,000"))


def test_the_grader_that_decided_a_run_is_its_harnesss_or_its_scaffolds_and_else_not_known():
    assert deciding("assistantbench", answered("x", scaffold="inspect_ai")) == grader("inspect_evals")
    assert deciding("assistantbench", answered("x", scaffold="browsergym")) == grader("official")
    assert deciding("assistantbench", answered("x")) == grader("exact match")
    assert deciding("assistantbench", answered("x", scaffold="browser-use")) is None
    assert deciding("assistantbench", answered("x", harness="")) is None
    assert deciding("assistantbench", answered("x", harness="another")) is None
    assert deciding("webarena", answered("x", scaffold="inspect_ai")) is None
    assert deciding("gaia", answered("x", scaffold="anything")) == graders_of("gaia")[0]


def test_graders_are_pinned_and_installed_apart():
    lines = commands(graders_of("assistantbench"))
    assert len(lines) == 2
    assert all("--no-deps" in line and "--target /opt/" in line for line in lines)
    with pytest.raises(ValidationError):
        Grader(name="x", benchmarks=("b",), packages=("numpy",), code="grade = abs", source="s")
    with pytest.raises(ValidationError):
        Grader(name="x", benchmarks=("b",), code="mark = abs", source="s")


def test_a_package_adds_a_grader_by_an_entry_point(tmp_path: Path):
    """A package installed beside the program, with one grader that works and two that cannot be used."""
    info = tmp_path / "added-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[impassable.graders]\nmine = added_grader:MINE\nbroken = added_grader:MISSING\nwrong = added_grader:WRONG\n"
    )
    (tmp_path / "added_grader.py").write_text(
        "from probes.scorer import Deciding, Grader\nWRONG = 1\n"
        "MINE = Grader(name='mine', benchmarks=('webarena',), official=True, source='x',\n"
        "              code='def grade(answer, gold): return float(answer == gold)')\n"
    )
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from cases import Run\nfrom probes.scorer.grader import added, deciding, graders_of\n"
        "run = Run(run_id='r', source='s')\n"
        "print([g.name for g in graders_of('webarena')], deciding('webarena', run).name, *added()[1])"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.startswith("['mine'] mine ")
    assert "broken (added_grader:MISSING) cannot be used: AttributeError" in done.stdout
    assert "wrong (added_grader:WRONG) cannot be used: it is no probes.scorer.Grader" in done.stdout
