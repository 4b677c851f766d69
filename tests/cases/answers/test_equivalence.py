"""What says the same, what says something else, and what only a person can tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.answers.equivalence import compare
from cases.answers.families import equivalents, list_form, wrongs
from cases.answers.words import asked_forms, asks_order, goes_without_saying

DISTANCE = "How many kilometers is the walk?"
PRICE = "What is the cheapest price in dollars?"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("1,010,000", "1010000", ""),
        ("1 010 000", "1010000", ""),
        ("1.010.000", "1010000", ""),
        ("1’010’000", "1010000", ""),
        ("1.01 million", "1010000", ""),
        ("1010000.0", "1010000", ""),
        ("1e6", "1000000", ""),
        ("-1,5", "-1.5", ""),
        ("20 km", "20", DISTANCE),
        ("20", "20 kilometres", DISTANCE),
        ("$45", "45", PRICE),
        ("21 inches", "21", "What is the height in inches?"),
        ("-3 °C", "-3", "How many degrees Celsius was it?"),
        ("45 USD", "$45", ""),
        ("twenty-five", "25", ""),
        ("one hundred and two", "102", ""),
        ("March 3, 2024", "2024-03-03", ""),
        ("the 3rd of March 2024", "3 Mar 2024", ""),
        (" THE Crown inn. ", "the crown inn", ""),
        ("St Paul’s", "St. Pauls", ""),
        ("Cafe  Müller", "Café Muller", ""),
        ("check-in desk", "Check in desk", ""),
        ('["b","a"]', "a\nb", ""),
        ("a, b and c", "a\nb\nc", ""),
        ("- b\n- a", '["a", "b"]', ""),
        ("2. 1,000\n1. 20", "20\n1000", ""),
    ],
)
def test_another_form_of_the_same_answer_is_the_same(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness == "same"


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("40", "20"),
        ("-5", "5"),
        ("$5", "5%"),
        ("12,34", "1234"),
        ("2 million", "2"),
        ("I could not find it", "20"),
        ("I was unable to determine the answer", "The Crown Inn"),
        ("2024-03-04", "2024-03-03"),
        ("Planet Fitness", "Harbour Yoga Loft\nStone Climbing"),
        ("[40]", "20"),
        ("   ", "Paris"),
    ],
)
def test_another_answer_is_different(answer: str, gold: str):
    assert compare(answer, gold).likeness == "different"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("[20]", "20", ""),
        ("It takes 20 km", "20", DISTANCE),
        ("20 mi", "20", DISTANCE),
        ("20%", "20", ""),
        ("20-25", "20", ""),
        ("2 km", "2000 meters", ""),
        ("1,010", "1.01", ""),
        ("about 1.01 million people", "1010000", ""),
        ("1,00,000", "100000", ""),
        ("not Paris", "Paris", ""),
        ("NYC", "New York City", ""),
        ("Vitamin A", "Vitamin", ""),
        ("C++", "C", ""),
        ("-5 C", "5 C", ""),
        ("Crown", "Crown Inn", ""),
        ("03/04/2024", "2024-03-04", ""),
        ("Harbour Yoga Loft", "Harbour Yoga Loft\nStone Climbing", ""),
        ("Harbour Yoga Loft\nStone Climbing\nPlanet Fitness", "Harbour Yoga Loft\nStone Climbing", ""),
        ("b\na", "a\nb", "List them in chronological order."),
        ("20 m", "20000000", ""),
        ("open 10:30", "open 10 30", ""),
        ("x" * 30_000, "x", ""),
        ("1½", "1.5", ""),
        ("nineteen ninety", "1990", ""),
        ("AT&T", "ATT", ""),
    ],
)
def test_in_doubt_a_person_must_say(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness == "unsure"


def test_what_looks_alike_to_a_rule_is_not_the_same():
    for answer, gold in (("5'3 tall", "53 tall"), (f"{'9' * 40}1", f"{'9' * 40}2"), ("1,1", "11"), ("a b", "ab")):
        assert compare(answer, gold).likeness != "same"


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("1-2", "2-1"),
        ("Bob beat Alice", "Alice beat Bob"),
        ("from Paris to London", "from London to Paris"),
        ("5 AM - 10 PM", "10 AM - 5 PM"),
        ("17:00-9:30", "9:30-17:00"),
        ("No, yes", "Yes, no"),
        ("John Doe, Jane Smith", "Jane Doe, John Smith"),
        ("New York New York", "New York"),
        ("-5 C", "5 C"),
        ("A+", "A"),
        ("10²", "102"),
        ("x²", "x2"),
        ("five five", "10"),
        ("twenty twenty", "40"),
        ("two and three", "5"),
        ("one million million", "1000000"),
        ("The The", "The"),
        ("The A", "A"),
    ],
)
def test_what_a_lenient_grader_overlooks_may_still_be_another_answer(answer: str, gold: str):
    """The official scorer gives most of these full marks: it knows neither order nor repetition."""
    assert compare(answer, gold).likeness != "same"
    assert compare(gold, answer).likeness != "same"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("$20", "20", "How much does the museum ticket cost in euros?"),
        ("$20", "20", "How much does a ticket cost at the Louvre?"),
        ("$20", "20", "How much does it cost in dollars, and how much in euros?"),
        ("US$20", "20", "What is the price in Canadian dollars?"),
        ("$5", "5", "How many people voted for her?"),
        ("5%", "5", "How many people voted for her?"),
        ("5%", "5", "What is the exchange rate?"),
        ("5 sqft", "5", "How many metres?"),
        ("5 minutes", "5", "How many hours or minutes does it take?"),
    ],
)
def test_a_unit_goes_without_saying_only_where_the_task_names_it_and_no_other(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness == "unsure"
    assert compare(gold, answer, task).likeness == "unsure"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [
        ("3.10", "3.1", "Which version was released in October 2021?"),
        ("Ubuntu 20.10", "Ubuntu 20.1", ""),
        ("Python 3.10", "Python 3.1", ""),
        ("Psalm 119,10", "Psalm 119.1", ""),
        ("v1.2", "v1 2", ""),
        ("2,10", "2.1", "Which chapter?"),
        ("7.30", "7.3", "At what time does it close (h.mm)?"),
        ("2134", "02134", "What is the ZIP code?"),
        ("02134", "2134", ""),
        ("00441234", "441234", "Which phone number?"),
        ("+441234", "441234", "Which phone number?"),
        ("007", "7", ""),
    ],
)
def test_a_number_that_may_be_a_label_is_not_compared_as_a_number(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness == "unsure"
    assert compare(gold, answer, task).likeness == "unsure"


@pytest.mark.parametrize(
    ("answer", "gold", "task"),
    [("Part 1,000", "Part 1000", ""), ("45.00", "45", "How many?"), ("0.5", ".5", ""), ("20 km²", "20 sq km", "")],
)
def test_what_separates_thousands_and_decimals_that_say_nothing_change_no_number(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness == "same"


@pytest.mark.parametrize(
    "task",
    [
        "What is the lowest and the highest price?",
        "List the cities, largest first.",
        "List the cities ordered by population.",
        "List the cities, starting with the biggest.",
        "List the cities from north to south.",
        "Who came in first and who came in second?",
        "How many cats and how many dogs?",
        "Give departure and destination.",
        "Which city is largest, which smallest?",
    ],
)
def test_another_order_is_in_doubt_where_the_task_may_mean_one(task: str):
    assert compare('["b", "a"]', "a\nb", task).likeness == "unsure"
    assert compare('["a", "b"]', "a\nb", task).likeness == "same"


def test_the_difference_of_two_equal_answers_is_named():
    assert compare("1,010,000", "1010000").differences == {"thousands separators"}
    assert compare("1.010.000", "1010000").differences == {"number form"}
    assert compare("45.00", "$45", PRICE).differences == {"trailing zeros", "unit"}
    assert compare("20 km", "20", DISTANCE).differences == {"unit"}
    assert compare("twenty", "20").differences == {"number word"}
    assert compare("PARIS", "Paris").differences == {"case"}
    assert compare("“PARIS”.", "Paris").differences == {"case", "surrounding punctuation"}
    assert compare("20.", "20").differences == {"surrounding punctuation"}
    assert compare("St Paul’s", "St. Pauls").differences == {"punctuation"}
    assert compare("Café", "Cafe").differences == {"accent"}
    assert compare("Crown Inn", "The Crown Inn").differences == {"article"}
    assert compare("b, a", "a\nb").differences == {"list form", "order"}


@pytest.mark.parametrize(
    "gold",
    ["1010000", "20", "0.5", "$45", "-3.5", "Paris", "b\na", '["x y", "z"]', "2024-03-03", "Hall A\n20 km", "4%"],
)
def test_no_wrong_answer_is_like_the_expected_one_and_its_forms_are(gold: str):
    forms = equivalents(gold, f"{DISTANCE} {PRICE}")
    assert sum(form.equivalent for form in forms) >= 2
    assert gold not in {form.text for form in forms}
    for wrong in wrongs(gold):
        assert compare(wrong.text, gold).likeness == "different", wrong
    for form in forms:
        assert compare(form.text, gold, DISTANCE).likeness != "different", form


def test_the_family_of_a_number_has_separators_units_words_and_a_sentence():
    names = {form.name: form for form in equivalents("1010000", DISTANCE)}
    assert names["thousands separators"].text == "1,010,000"
    assert names["with kilometre"].text == "1010000 km"
    assert not names["sentence around"].equivalent
    assert {form.text for form in equivalents("20")} >= {"twenty", "20.0", "[20]"}
    assert "$45" in {form.text for form in equivalents("45", PRICE)}


def test_the_family_of_a_list_has_another_order_unless_the_task_asks_for_one():
    forms = {form.name: form.equivalent for form in equivalents("a1\nb2")}
    assert forms["JSON list, other order"]
    assert not {form.name: form.equivalent for form in equivalents("a1\nb2", "sorted by size")}[
        "JSON list, other order"
    ]
    assert list_form("a1\nb2") == '["a1", "b2"]'
    assert list_form("20") == "20"


def test_a_form_that_the_task_asks_for_is_found():
    asked = {form.words: form for form in asked_forms("Give the distance in km, number only.")}
    assert "unit" in asked["number only"].settles
    assert "thousands separators" in asked["number only"].concerns
    assert asked_forms("Answer as a comma-separated list.")
    assert asked_forms("Which gyms near the park have classes before 7 am?") == ()
    assert asks_order("Rank them, ranked by price")
    assert not asks_order("In order to win, which of them?")
    assert goes_without_saying("kilometre", DISTANCE)
    assert not goes_without_saying("mile", DISTANCE)


@given(st.text(max_size=200), st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_any_text_can_be_compared_and_varied(answer: str, gold: str, task: str):
    assert compare(answer, gold, task).likeness in {"same", "unsure", "different"}
    assert compare(gold, gold, task).likeness == "same"
    for form in equivalents(gold, task):
        assert form.text != gold


@given(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))
def test_numbers_are_the_same_when_they_are(one: int, other: int):
    assert compare(f"{one:,}", str(one)).likeness == "same"
    assert (compare(f"{one:,}", str(other)).likeness == "same") is (one == other)
