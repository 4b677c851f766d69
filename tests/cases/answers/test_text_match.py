"""The content oracle reads numbers and words as people do, and is not fooled by an echo."""

import pytest

from cases.answers.text_match import telling, visible

URL = "https://site.test/page"


@pytest.mark.parametrize(
    ("needed", "page"),
    [
        ("$1,250.00", "It costs $1250 a month"),
        ("1250", "It costs $1,250.00."),
        ("1,250", "rent: 1 250, heating extra"),
        ("13.50", "13.5 miles"),
        ("Wheeler  Avenue", "1148 wheeler\n avenue"),
        ("Tom’s Café", "at TOM'S CAFÉ today"),
        ("2019–2020", "in 2019-2020 only"),
        ("café", "the cafe\u0301 there"),
        ("100%", "a full 100% of it"),
    ],
)
def test_the_needed_text_is_found_in_any_spelling(needed, page):
    assert visible((needed,), page, URL) == (needed,)


@pytest.mark.parametrize(
    ("needed", "page"),
    [
        ("1250", "12500"),
        ("1250", "1250.75"),
        ("lamp", "lamps"),
        ("250", "1,250"),
        ("no", "there is no such thing"),
        ("7", "7"),
    ],
)
def test_parts_of_words_and_numbers_and_tiny_texts_do_not_count(needed, page):
    assert visible((needed,), page, URL) == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://site.test/search?q=1148+Wheeler+Avenue",
        "https://site.test/search?q=what%20is%20at%201148%20wheeler%20avenue",
        "https://site.test/homes/1148-Wheeler-Avenue/",
    ],
)
def test_an_echo_of_the_address_shows_nothing(url):
    assert telling(("1148 Wheeler Avenue",), url) == ()
    assert visible(("1148 Wheeler Avenue",), "No results for 1148 Wheeler Avenue", url) == ()
