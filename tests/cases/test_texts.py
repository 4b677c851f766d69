"""A name stands in a text where nothing of another name is around it, and the index leaves none of those texts out."""

import itertools
import re

import pytest

from cases.touches.texts import Name, Texts

SIGNS = ("", "a", "b7", ".", "-", "_", "/", " ", "ä", "\n", ".b", ". ")
NAMES = ("a", "a.b7", "data/a.csv", "-a", "ä", "...")


@pytest.mark.parametrize(
    "name", [name if name in ("a.b7", "...") else pytest.param(name, marks=pytest.mark.exhaustive) for name in NAMES]
)
@pytest.mark.parametrize("any_case", [False, True])
def test_a_name_is_found_as_a_pattern_with_its_edges_finds_it(name: str, any_case: bool):
    texts = [f"{one}{two}{name}{three}{four}" for one, two, three, four in itertools.product(SIGNS, repeat=4)]
    texts += [text.upper() for text in texts]
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", re.IGNORECASE if any_case else 0)
    expected = [number for number, text in enumerate(texts) if pattern.search(text)]
    assert list(Texts(texts).naming(Name((name,), any_case=any_case))) == expected


def test_any_spelling_will_do_and_texts_keep_their_order():
    texts = Texts(["see www.example.org", "nothing", "http://www.example.org/ is open", "www.example.orgs"])
    name = Name(("http://www.example.org", "www.example.org"))
    assert list(texts.naming(name)) == [0, 2]
    assert list(texts.with_words_of("example orgs www")) == [3]
