"""Whether a text says an expected answer, be it in a spelling of its own."""

import pytest

from cases import Task
from cases.answers.figures import tells_by_absence
from cases.answers.places import shared
from cases.answers.presence import traced
from cases.answers.values import tokens

WINE = Task(prompt="Quantos litros produziu a Adega do Cabeço em 2020?", gold="41 200 litros")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Adega do Cabeço | 27 900 | 13 300 | 41 200 | Quinta", "shown"),
        ("Adega do Cabeço 27 900 13 300 41 200", "maybe"),
        ("Produção em litros\nAdega do Cabeço\n41.200", "shown"),
        ("Quinta das Lameiras: 41200", "maybe"),
        ("Adega do Cabeço: 141 200", "absent"),
        ("Adega do Cabeço: 41 201", "absent"),
    ],
)
def test_a_number_is_shown_without_its_unit_where_the_task_s_words_stand_before_it(text: str, state: str) -> None:
    assert traced(text, WINE, "https://wine.example/") == state


def test_a_short_number_stands_everywhere_and_tells_nothing() -> None:
    task = Task(prompt="How many bitterns did the trust count?", gold="14 pairs")
    assert traced("The trust counted bitterns on 14 days", task, "https://birds.example/") != "shown"


@pytest.mark.parametrize(
    ("gold", "text", "state"),
    [
        ("12.75 euros", "The Aurora lamp sold 1 275 pieces", "maybe"),
        ("3,87 meter", "The Aurora lamp stands 387 cm high", "maybe"),
        ("3,87 meter", "The Aurora lamp stands 1387 cm high", "absent"),
        ("12.75 euros", "The Aurora lamp costs 12,75 EUR", "shown"),
        ("120 km", "The Aurora lamp has 120 members", "maybe"),
        ("900 litres", "The Aurora lamp holds 41 900", "maybe"),
        ("120 km\u00b2", "The Aurora lamp lights 120 km", "shown"),
    ],
)
def test_another_number_or_unit_is_not_what_is_expected(gold: str, text: str, state: str) -> None:
    task = Task(prompt="What of the Aurora lamp?", gold=gold)
    assert traced(text, task, "https://lamps.example/") == state


@pytest.mark.parametrize(
    ("gold", "text", "state"),
    [
        ("2.350 Besucher", "Nach dem Umbau von 1962 fanden hier 2350 Leute Platz.", "shown"),
        ("2.350 Besucher", "Die Lindenhalle\t2350\tPlätze", "shown"),
        ("2.350 Besucher", "Der Verein verkaufte 2350 Karten.", "maybe"),
        ("1.962 Besucher", "Die Lindenhalle wurde 1962 gebaut.", "maybe"),
        ("2.000 Besucher", "Die Lindenhalle kostete 2000 Mark.", "maybe"),
    ],
)
def test_a_long_number_needs_no_unit_where_its_paragraph_speaks_of_what_the_task_names(
    gold: str, text: str, state: str
) -> None:
    task = Task(prompt="Wie viele Besucher fasste die Lindenhalle nach ihrem Umbau von 1962?", gold=gold)
    assert traced(text, task, "https://halle.example/") == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("62 | Owen Lonsdale | 1:19:40\n63 | Oriel Satterthwaite | Dale Runners | 1:20:10", "shown"),
        (
            "Oriel Satterthwaite opens the race.\n" + "The results are out. " * 20 + "\nThe last came in 1:20:10.",
            "maybe",
        ),
        ("63 | Oriel Satterthwaite | Dale Runners | 1:21:10", "absent"),
    ],
)
def test_an_answer_of_several_parts_stands_where_they_stand_together(text: str, state: str) -> None:
    task = Task(prompt="Who came in 63rd, and in what time?", gold="Oriel Satterthwaite, 1:20:10")
    assert traced(text, task, "https://race.example.org/results") == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            "Zwiedzanie\nŚroda | lato 9:00-19:00 | zima 11:00-18:45\n" + "Winda jest przy wejściu. " * 12 + "\n"
            "Bilety\nnormalny | 24,00 zł\nulgowy bilet | 13,50 zł",
            "shown",
        ),
        ("Wieża | zima 11:00-18:45\n" + "Winda jest przy wejściu. " * 12 + "\nPocztówka | 13,50 zł", "maybe"),
    ],
)
def test_parts_of_an_answer_that_stand_apart_are_told_by_the_task_s_words_around_each(text: str, state: str) -> None:
    prompt = "O której w środy zimą zamykają wieżę widokową i ile kosztuje bilet ulgowy?"
    task = Task(prompt=prompt, gold="18:45, 13,50 zł", gold_urls=("https://wieza.example.org/zwiedzanie",))
    assert traced(text, task, "https://wieza.example.org/zwiedzanie?zgoda=tak") == state
    assert traced(text, task, "https://wieza.example.org/kawiarnia") == "maybe", "it may be of something else"


ROWS = "Rondleiding | Duur | Groep | Prijs\nKazematten | 60 minuten | 20 personen | € 85\n"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (ROWS + "Lantaarntocht | 75 minuten | 14 personen | € 110", "shown"),
        (ROWS + "Lantaarntocht | 75 minuten | 14 personen | € 120", "absent"),
        ("Open van 14 maart\n" + ROWS + "Vleermuizen | 45 minuten | 10 personen | € 110", "absent"),
    ],
)
def test_the_numbers_of_an_answer_in_another_language_stand_in_one_row_of_the_benchmarks_own_page(
    text: str, state: str
) -> None:
    url = "https://fort.example.org/rondleidingen"
    prompt = "For the lantern tour, what is the maximum group size and what does it cost per group?"
    task = Task(prompt=prompt, gold="14 people, €110", gold_urls=(url,))
    assert traced(text, task, url) == state
    assert traced(text, task, "https://fort.example.org/elsewhere") == "absent"


@pytest.mark.parametrize(
    ("gold", "has"),
    [
        ("$34", True),
        ("12 kg", True),
        ("34", False),
        ("140%", False),
        ("Yes", False),
        ("6218", True),
        ("1 962", False),
        ("5000", False),
        ("27.35", False),
    ],
)
def test_a_number_with_its_unit_is_told_from_one_without(gold: str, *, has: bool) -> None:
    assert tells_by_absence(gold) is has


@pytest.mark.parametrize(
    ("text", "state"), [("Cast in '37.", "maybe"), ("A.D. MCMXXXVII", "maybe"), ("1938", "absent")]
)
def test_a_year_may_stand_in_other_figures(text: str, state: str) -> None:
    task = Task(prompt="In which year did the Pask foundry cast its last bell?", gold="1937")
    assert traced(text, task, "https://review.example/bells") == state


@pytest.mark.parametrize(
    ("gold", "text", "state"),
    [
        ("戸倉源之助", "この水車模型は、船大工の戸倉源之助が二年をかけて製作したものです。", "shown"),
        ("18,450", "初年度の入館者は18,450人でした。", "shown"),
        ("67명", "첫해에는 67명이 왔다.", "shown"),
        ("ศาลาเก้าเหลี่ยม", "นัดพบกันที่ศาลาเก้าเหลี่ยมในสวน", "shown"),
        ("67명", "첫해에는 167명이 왔다.", "absent"),
        ("京都の水車", "東京都の水道橋", "absent"),
        ("戸倉源之助", "この水車模型は、船大工の戸倉源三郎が製作したものです。", "absent"),
    ],
)
def test_a_script_without_spaces_between_words_shows_them_all_the_same(gold: str, text: str, state: str) -> None:
    task = Task(prompt="初年度の入館者、水車模型の製作者。 첫해 방문자.", gold=gold)
    assert traced(text, task, "https://museum.example/") in (state, "maybe" if state == "shown" else state)
    assert (traced(text, task, "https://museum.example/") == "absent") is (state == "absent")


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("Jodłowiec Górny", "Spotykamy się w Jodłowcu Górnym, pod kościołem."),
        ("Tampereen tehdas", "Pilli soi Tampereen tehtaalla joka aamu, ja Tampereen tehdasta laajennettiin."),
        ("Karel Novotný", "Hodiny opravil roku 1887 hodinář Karla Novotného syn."),
    ],
)
def test_words_with_other_endings_may_be_the_expected_ones(gold: str, text: str) -> None:
    assert traced(text, Task(prompt="?", gold=gold), "https://club.example/") == "maybe"
    assert traced("Spotkanie odwołano.", Task(prompt="?", gold=gold), "https://club.example/") == "absent"


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("大阪市", "東大阪市にあります。"),
        ("北海道大学", "北海道大学院を卒業"),
        ("서울대학", "서울대학로 12"),
        ("김철수", "김철수가 왔다."),
    ],
)
def test_what_stands_within_a_run_of_its_own_script_may_be_another_word(gold: str, text: str) -> None:
    assert traced(text, Task(prompt="?", gold=gold), "https://club.example/") == "maybe"


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("17.5 miles", "The Aurora lamp walk: 17½ miles"),
        ("14.60 euros", "La lampe Aurora : 14€60"),
        ("£14.60", "Aurora lamp £14·60"),
        ("14.60 جنيه", "Aurora lamp ١٤٫٦٠"),
        ("1785", "Aurora lamp १७८५"),
        ("12½ miles", "Aurora lamp: the 12½ miles road"),
        ("١٢٣٤ كم", "Aurora lamp ١٢٣٤ كيلومتر"),
    ],
)
def test_figures_of_every_script_and_fractions_are_numbers(gold: str, text: str) -> None:
    assert traced(text, Task(prompt="What of the Aurora lamp?", gold=gold), "https://lamps.example/") != "absent"


def test_two_prices_side_by_side_are_no_third() -> None:
    task = Task(prompt="What of the Aurora lamp?", gold="12.15 €")
    assert traced("Aurora lamp: child 12€15€ senior", task, "https://lamps.example/") != "shown"


@pytest.mark.parametrize(
    ("asked", "page", "found"),
    [
        ("the ferry sails", "Ferries: none sail", {"ferry", "sails"}),
        ("according to the account", "Contact your provider", set()),
        ("रामगिरि की वेबसाइट", "वेबसाइट रखरखाव", {"वेबसाइट"}),
    ],
)
def test_words_stand_on_a_page_with_other_endings_and_with_the_signs_of_their_script(
    asked: str, page: str, found: set[str]
) -> None:
    assert shared(tokens(asked), tokens(page)) == found
