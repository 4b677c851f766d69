"""Planted secrets are masked whatever they are written in; what only looks like one stays readable."""

import pytest

from cases.masking import Mask
from cases.secrets import MASK
from tests.cases.planted import DUMPS, ENCODINGS, Plant, carried, harmless, planted, seen

PERHAPS_LEFT = 0.34
"""Of a number that is cut at the end of a line the second half may be another number: at most that share stays."""


WHOLE = frozenset({"JSON in JSON", "base58", "ASCII85", "base85", "base32 with digits first"})
"""What is only JSON as a whole, and numbers that say nothing of themselves: a PIN in them is any number."""


WITHIN = "a backslash before each"
"""What is known by its length: an option of two signs, written so, is none."""


SHORTLY = frozenset(ENCODINGS) - WHOLE - {"plain", "base64", WITHIN}
"""What the cheaper test of texts that hold it somewhere within goes through, too."""


TELLING = frozenset({
    "base64 in lines", "base64 of gzip", "hex with x", "percent twice", "entities", "unicode escapes", "ANSI",
    "line breaks", "pieces of a program", "full width", "elements of HTML", "pieces on lines",
})  # fmt: skip
"""One of each kind of writing: the others within a text are gone through by `make exhaustive`."""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for plant in planted():
        if plant.variable:
            monkeypatch.setenv(plant.variable, plant.value)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    "encoding",
    [
        pytest.param(name, marks=pytest.mark.exhaustive) if name in SHORTLY else name
        for name in ENCODINGS | DUMPS
        if name != WITHIN
    ],
)
def test_no_planted_secret_is_left_in_a_text_that_is_written_in_any_encoding(encoding: str) -> None:
    def left(plant: Plant) -> bool:
        told, places = carried(plant, (ENCODINGS | DUMPS)[encoding])
        masked = Mask().text(told)
        assert len(masked) == len(told), "citations count on it"
        return seen(masked, places, MASK) >= PERHAPS_LEFT

    assert [plant.id for plant in planted() if left(plant)] == []


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    "encoding",
    [
        name if name in TELLING else pytest.param(name, marks=pytest.mark.exhaustive)
        for name in ENCODINGS
        if name not in WHOLE
    ],
)
def test_no_planted_secret_is_left_that_is_written_in_any_encoding_within_its_text(encoding: str) -> None:
    def left(plant: Plant) -> bool:
        told, places = carried(plant, ENCODINGS[encoding], whole=False)
        return seen(Mask().text(told), places, MASK) >= PERHAPS_LEFT

    assert [plant.id for plant in planted() if left(plant)] == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2, 3))])
def test_it_is_no_luck_of_how_they_were_drawn(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for plant in planted(seed):
        if plant.variable:
            monkeypatch.setenv(plant.variable, plant.value)
    told = {plant.id: (Mask().text(plant.text), carried(plant, str)[1]) for plant in planted(seed)}
    assert [name for name, (masked, places) in told.items() if seen(masked, places, MASK)] == []
    assert [line for line in harmless(seed) if Mask().text(line) != line] == []


@pytest.mark.parametrize("line", harmless())
def test_what_only_looks_like_a_secret_stays_readable(line: str) -> None:
    assert Mask().text(line) == line


def test_what_only_looks_like_a_secret_stays_readable_among_other_lines() -> None:
    told = "\n".join(harmless())
    masked = Mask().text(told)
    assert [line for line, now in zip(harmless(), masked.split("\n"), strict=True) if line != now] == []
