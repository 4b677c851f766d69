"""Which expected numbers may follow from what stands on pages."""

import pytest

from cases import Task
from cases.answers.derivation import derivable


@pytest.mark.parametrize(
    ("texts", "possible"),
    [
        (["Besucher 2022: 45.289\nParken kostet 3", "Besucher 2021: 41.877"], True),
        (["Besucher der Saline 2022: 45.289", "Betten 2021: 41.877"], False),
        (["Besucher 2022: 45.289", "Besucher 2021: 41.878"], False),
        (["Besucher der Saline 2022: rund 3.410"], True),
        (["Besucher der Saline 2022: 6824 an 2 Tagen"], True),
        (["Besucher der Saline 2022: 3,41 Tsd."], True),
        (["Saline, offen von 2012-05-03", "bis 05.09.2021"], True),
        (["Saline, offen von 2012-05-03", "bis 07.09.2021"], False),
        (["Saline, open from 05/23/2012", "to 09/25/2021"], True),
    ],
)
def test_an_expected_number_may_follow_from_two_in_lines_that_speak_of_it(texts: list[str], *, possible: bool) -> None:
    task = Task(prompt="Um wie viele Besucher wuchs die Saline 2022?", gold="3.412")
    assert derivable(texts, task) is possible


def test_a_name_with_a_number_in_it_is_missed_like_any_other() -> None:
    prompt = "Welches Gerät gewann den Test, und mit welcher Note?"
    task = Task(prompt=prompt, gold="Nordhag AkkuSchnitt 36, Note 1,8")
    assert not derivable(["Im Test: 12 Geräte. Abo ab 3,60 Euro, 2 Monate gratis."], task)
    assert derivable(["Im Test: Nordhag, 12 Geräte. Abo ab 3,60 Euro, 3 Monate gratis."], task)


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("Bieg przełajowy 2014: Ewa Lisicka 3 okrążenia", True),
        ("Bieg przełajowy 2014: 3 okrążenia", False),
        ("Bieg przełajowy 2014: Ewelina L., 3 okrążenia", True),
        ("Bieg przełajowy 2014: EL 3 okrążenia", True),
        ("Кросс 2014: Эва Лисицка, 3 круга", True),
    ],
)
def test_no_sum_makes_up_for_a_name_that_stands_nowhere(text: str, *, possible: bool) -> None:
    task = Task(prompt="Kto wygrał bieg przełajowy (Кросс) i z ilu okrążeń?", gold="Ewa Lisicka, 3")
    assert derivable([text], task) is possible


@pytest.mark.parametrize("gold", ["Tuesday, 14", "Yes, 14", "Munich, 14", "Green, 14"])
def test_a_sum_may_stand_beside_a_word_that_has_other_forms(gold: str) -> None:
    task = Task(prompt="On which day or line, and how many stalls has the market?", gold=gold)
    assert derivable(["Der Markt hat 14 Stände (the market, stalls: 14)"], task)


@pytest.mark.parametrize(("last", "possible"), [("20.9", True), ("21.9", False)])
def test_an_expected_length_may_be_that_of_all_stages(last: str, *, possible: bool) -> None:
    texts = [f"Stage {number}\nIt is {length} km long." for number, length in enumerate(("12.4", "9.7", "14.2", last))]
    assert derivable(texts, Task(prompt="How long is the Fellside Way?", gold="57.2 km")) is possible
