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
        ("Annika Rosendahl", "Staff: Rosendahl, Per (loom)", False),
        ("larch wood", GERMAN, True),
        ("larch wood", ENGLISH, False),
        ("Larchwood Hill", GERMAN, False),
        ("107 knots", "It blew all night.", False),
        ("1:02:33", "She came in after more than an hour.", False),
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
    ],
)
def test_an_answer_may_stand_there_in_another_form(gold: str, text: str, may: bool) -> None:
    prompt = "What is the roof of the chapel on the hill above the lake made of, and who is in the staff?"
    assert in_another_form([text], Task(prompt=prompt, gold=gold)) is may


def test_a_value_answers_only_among_words_of_the_task() -> None:
    task = Task(prompt="How long is the Torrow ridge trail, according to the park?", gold="14 km")
    station = "Getting here: from the railway station it is 14 km by bus. " + "The kiosk sells tea. " * 30
    trail = "The Torrow ridge trail is 14 km long and takes five hours."
    assert in_answer("14 km", trail, task, (trail, station))
    assert not in_answer("14 km", station, task, (trail, station))
    assert not in_answer("15 km", trail, task, (trail, station))
