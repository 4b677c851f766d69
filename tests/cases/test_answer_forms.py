"""An answer that nobody finds as it was expected may stand there in another form, or stand there for something else."""

import pytest

from cases import Task
from cases.answers.forms import in_another_form, in_answer

CHOIR = "When does the choir of St Ebba begin its evening service on the feast of the patron?"
GERMAN = "Die Kapelle steht auf einem Hügel über dem See und wurde im Jahr 1702 aus dem Holz der Gegend errichtet. " * 6
ENGLISH = "The chapel stands on a hill above the lake and was built in 1702 of the wood that grew in the valley. " * 6


@pytest.mark.parametrize(
    ("gold", "text", "may"),
    [
        ("7:30 pm", "The service begins at 19:30.", True),
        ("Annika Rosendahl", "Staff: Rosendahl, Annika (loom)", True),
        ("Annika Rosendahl", "Staff: Lindqvist, Per (loom)", False),
        ("larch wood", GERMAN, True),
        ("larch wood", ENGLISH, False),
        ("Larchwood Hill", GERMAN, False),
        ("107 knots", "It blew all night.", False),
        ("1:02:33", "She came in after more than an hour.", False),
        ("41 m, chapel staff grade C", "Chapel staff: grade B", False),
    ],
    ids=[
        "a time of day",
        "a name turned round",
        "another name",
        "another language",
        "the same",
        "a name",
        "a number",
        "a time that was run",
        "the task's own words",
    ],
)
def test_an_answer_may_stand_there_in_another_form(gold: str, text: str, may: bool) -> None:
    prompt = "What is the roof of the chapel on the hill above the lake made of, and who is in the staff?"
    assert in_another_form([text], Task(prompt=prompt, gold=gold)) is may


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("Soren Kjaer", "Kaptajn er Søren Kjær."),
        ("Jory Penhale", "The steward is A. Penhale."),
        ("Arkady Vorobyov", "Режиссёр спектакля: Аркадий Воробьёв."),
    ],
    ids=["letters with strokes", "a part of it", "another script"],
)
def test_a_name_may_stand_there_in_other_letters_or_in_part(gold: str, text: str) -> None:
    assert in_another_form([text], Task(prompt="Who is the skipper of the ferry?", gold=gold))


def test_a_value_of_another_year_is_none() -> None:
    task = Task(prompt="Who won the first prize in 2019? https://prizes.example.org/2019", gold="Ann Moss")
    assert in_answer("Ann Moss", "Prizes of 2019: first prize Ann Moss", task, ())
    assert not in_answer("Ann Moss", "The first prize committee: Ann Moss, who won our thanks", task, ())
    rote = Task(prompt="Vad hette soldaten vid rote 73 enligt soldatregistret?")
    rows = "72 Per Persson Glad 1811 73 Nils Olofsson Trygg 1832 74 Nils Olofsson 1840"
    for name, told in (("Nils Olofsson Trygg", True), ("Nils Olofsson", False), ("Per Persson Frisk", False)):
        assert in_answer(name, rows, rote, ()) is told


def test_a_value_answers_only_among_words_of_the_task() -> None:
    task = Task(prompt="How long is the Torrow ridge trail, according to the park?", gold="14 km")
    station = "Getting here: from the railway station it is 14 km by bus. " + "The kiosk sells tea. " * 30
    trail = "The Torrow ridge trail is 14 km long and takes five hours."
    assert in_answer("14 km", trail, task, (trail, station))
    assert not in_answer("14 km", station, task, (trail, station))
    assert not in_answer("15 km", trail, task, (trail, station))
