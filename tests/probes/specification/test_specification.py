"""What a task's text leaves open, whether its runs agree, and that neither ever decides."""

import pytest

from cases import Block, Case, Claim, Outcome, Run, Task, Transcript
from graph import AuditOptions, audit
from graph.classifier import classify
from graph.verdict import Audit, Status
from probes import Answer, ArtifactStore, Barrier, Settings
from probes.specification import read
from probes.specification.convergence import converge
from probes.specification.signs import signs, signs_of
from verify import terminal
from verify.printing import show

OPEN = "Which gym is currently the cheapest?"
GOLD = "Harbour Yoga Loft"
OTHER = "Stone Climbing"
BARE = Claim(claim_id="claim:c:1", source="c.csv:1", kind="rubric", score=1, text="The environment is broken.")
AMBIGUOUS = BARE.model_copy(update={"text": "The task is ambiguous."})


def run(number: int, answer: str | None, model: str | None = "m1", outcome: Outcome = Outcome.FAILED) -> Run:
    told = {"harness": "HAL"}
    return Run(run_id=f"r{number}", model=model, outcome=outcome, answer=answer, environment=told, source="synthetic")


def runs(*answers: str | None) -> tuple[Run, ...]:
    """One run an answer, of two models in turn."""
    return tuple(run(number, answer, f"m{number % 2}") for number, answer in enumerate(answers))


def case(*given: Run, prompt: str | None = OPEN, gold: str | None = GOLD, claims: tuple[Claim, ...] = ()) -> Case:
    return Case(benchmark="assistantbench", task_id="t", task=Task(prompt=prompt, gold=gold), runs=given, claims=claims)


async def audited(tmp_path, subject: Case) -> Audit:
    return await audit(subject, AuditOptions(settings=Settings(offline=True)), ArtifactStore(tmp_path))


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("How many people currently live there?", ["currently"]),
        ("Which shows ran last year, and which run this coming weekend?", ["last year", "this coming weekend"]),
        ("Which gyms have a trial under $40?", ["$40"]),
        ("What costs 300 dollars?", ["300 dollars"]),
        ("What is the cheapest way to travel?", ["cheapest"]),
        ("Which supermarkets are close to the park?", ["close to"]),
        ("Name an actor of the film.", ["Name an"]),
    ],
)
def test_what_a_text_leaves_open_is_found_with_its_place(text: str, quotes: list[str]):
    found = signs_of(text)
    assert [item.quote for item in found] == quotes
    assert all(text[item.start : item.end] == item.quote for item in found)


@pytest.mark.parametrize(
    "text",
    [
        "How many people lived there in 2020, and how many live there now?",
        "Which gyms in Denver have a trial under $40?",
        "What costs 300 Canadian dollars?",
        "What is the highest rated gym according to the city's own list?",
        "Which is the cheapest flight on Kayak?",
        "Which supermarkets are within 2 miles, close to the park?",
        "How many rivers end in the lake?",
        "",
    ],
)
def test_a_text_that_says_it_leaves_nothing_open(text: str):
    assert signs_of(text) == ()


def test_every_sign_names_barriers_that_are_asked_about():
    assert all(sign.barriers and sign.source and sign.lacks for sign in signs())
    assert len({sign.id for sign in signs()}) == len(signs())


@pytest.mark.parametrize(
    ("given", "agreement"),
    [
        (runs(OTHER, OTHER), "too few"),
        (runs(OTHER, OTHER, OTHER), "another"),
        (runs(OTHER, "stone climbing.", OTHER, "Planet", "Moon Hall"), "another"),
        (runs(OTHER, OTHER, OTHER, "Planet", "Moon Hall", "Sea Hall"), "scattered"),
        (runs(OTHER, "Planet", "Moon Hall"), "scattered"),
        ((run(1, OTHER), run(2, OTHER), run(3, OTHER)), "scattered"),
        ((run(1, OTHER, None), run(2, OTHER, None), run(3, OTHER, None)), "scattered"),
        (runs(GOLD, GOLD.upper(), GOLD), "expected"),
        (runs("Harbour Loft", "Harbour Loft", "Harbour Loft"), "open"),
        ((*runs(OTHER, OTHER, OTHER), run(9, GOLD, "m9", Outcome.PASSED)), "open"),
        (runs("I was unable to find it", "I could not find it", None, " "), "too few"),
    ],
)
def test_agreement_needs_three_answers_of_two_models_and_three_fifths_of_all(given: tuple[Run, ...], agreement: str):
    assert converge(case(*given)).agreement == agreement
    assert converge(case(*reversed(given))) == converge(case(*given))


def test_without_an_expected_answer_an_agreement_says_nothing():
    assert converge(case(*runs(OTHER, OTHER, OTHER), gold=None)).agreement == "open"


def test_an_agreement_alone_makes_a_hypothesis_and_signs_only_name_it():
    agreed, scattered = runs(OTHER, OTHER, OTHER), runs(OTHER, "Planet", "Moon Hall")
    clear = "Which gyms opened in 2020?"
    subjects = [case(*agreed), case(*agreed, prompt=clear), case(*scattered), case(*agreed, prompt=None)]
    proposed = [{item.barrier for item in classify(subject, {}, "auto")[0]} for subject in subjects]
    assert proposed[0] == {Barrier.STRICT_MATCH, Barrier.NO_DATE}
    assert proposed[1] == {Barrier.STRICT_MATCH, Barrier.AMBIGUOUS}
    assert proposed[2:] == [{Barrier.STRICT_MATCH}] * 2


@pytest.mark.parametrize(
    ("answer", "shown", "agreement"),
    [
        ("Nothing was found.", "An empty page.", "open"),
        ("Es wurde nichts gefunden", "Eine leere Seite.", "open"),
        (OTHER, f"Open today: {OTHER.upper()}, 9 to 5.", "another"),
        (OTHER, None, "another"),
    ],
)
def test_what_no_run_was_shown_is_nothing_that_readers_agree_on(answer: str, shown: str | None, agreement: str):
    blocks = (Block(index=0, role="tool", kind="result", text=shown or ""),)
    record = None if shown is None else Transcript(blocks=blocks)
    agreed = (one.model_copy(update={"transcript": record}) for one in runs(answer, answer, answer))
    assert converge(case(*agreed)).agreement == agreement


async def test_readers_that_agree_on_another_answer_leave_a_question_and_no_verdict(tmp_path, capsys):
    asked = Block(index=0, role="user", kind="message", text=f"Task: {OPEN} Answer shortly.")
    page = Block(index=1, role="tool", kind="result", text=f"The cheapest: {OTHER}")
    shown = Transcript(blocks=(asked, page))
    first, *rest = runs(OTHER, OTHER, OTHER)
    result = await audited(tmp_path, case(first.model_copy(update={"transcript": shown}), *rest))
    verdict = result.verdict
    assert (verdict.status, verdict.score, verdict.deficiency_exists) == (Status.INCONCLUSIVE, 0, False)
    assert verdict.open_question.startswith("Does the answer depend on a day that the task does not give")
    assert "“currently”" in verdict.open_question
    assert verdict.reason == "The task does not say as of when: this needs a human reader."
    assert (verdict.barrier_then, verdict.barrier_now) == (None, None)
    assert "3 of 3 runs, of 2 agents or models, agree on one answer that is not the expected one" in (
        verdict.open_question
    )
    show(terminal.out(), result, None)
    assert "question  Does the answer depend on a day" in " ".join(capsys.readouterr().out.splitlines())
    (finding,) = [item for item in result.findings if item.probe == "specification"]
    assert finding.answer is Answer.UNKNOWN
    assert [citation.quote for citation in finding.citations] == ["currently", "cheapest"]
    assert all(result.case.cites(citation) for citation in finding.citations)
    told = {item.name: item.value for item in finding.observations}
    assert told["answers, group 1"] == f"3 runs of 2 agents or models: another answer, “{OTHER}”"
    assert any(name.startswith("task text, characters 13 to 22") for name in told)


async def test_wrong_answers_without_agreement_stay_the_agents_own_failure(tmp_path):
    result = await audited(tmp_path, case(*runs(OTHER, "Planet", "Moon Hall", "Sea Hall")))
    assert result.verdict.status is Status.NOT_SUPPORTED
    assert result.verdict.open_question == ""


async def test_a_claim_of_ambiguity_is_read_beside_the_text_and_the_answers(tmp_path):
    answers = (*runs("Harbour Loft", "Planet", "Moon Hall"), run(9, GOLD, "m9"))
    result = await audited(tmp_path, case(*answers, claims=(AMBIGUOUS,)))
    assert result.verdict.status is Status.INCONCLUSIVE
    (finding,) = [item for item in result.findings if item.probe == "specification"]
    assert "fall into 4 groups" in finding.summary
    assert not any(GOLD in item.value for item in finding.observations)
    assert {item.value.split(": ")[1].split(",")[0] for item in finding.observations if "group" in item.name} == {
        "the expected answer",
        "an answer that may be the expected one",
        "another answer",
    }


async def test_a_bare_claim_gets_no_question_about_a_text_that_shows_nothing(tmp_path):
    result = await audited(tmp_path, case(run(1, None), prompt="Which gyms opened in 2020?", claims=(BARE,)))
    assert not [item for item in result.findings if item.probe == "specification"]
    assert result.verdict.open_question == ""


async def test_a_run_that_passed_leaves_no_question(tmp_path):
    passed = run(9, GOLD, "m9", Outcome.PASSED)
    result = await audited(tmp_path, case(*runs(OTHER, OTHER, OTHER), passed, claims=(AMBIGUOUS,)))
    assert result.verdict.status is Status.NOT_SUPPORTED
    assert result.verdict.open_question == ""


def test_hundreds_of_answers_are_grouped():
    agreeing = [run(number, OTHER, f"m{number % 7}") for number in range(180)]
    found = converge(case(*agreeing, *(run(number, f"Hall {number}") for number in range(180, 300))))
    assert (found.answers, found.agreement, len(found.groups[0].runs)) == (300, "another", 180)


def test_any_text_can_be_read():
    for text in ("\ud83d\x00 now", "$" * 50_000, "now " * 50_000, "(" * 1_000):
        assert len(read(case(prompt=text)).signs) <= 12
