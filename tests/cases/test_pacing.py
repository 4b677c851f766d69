"""The stream that feeds the JSON parser: the same bytes, in pieces that hostile input cannot turn against it."""

import io
import json
from typing import Any

import ijson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.readers.pacing import DEEPEST, LONGEST_NUMBER, MOST_VALUES, PIECE, HostileError, Paced

TEXT = st.text(st.sampled_from('\\"ab\n[{]},:0'), max_size=60).flatmap(
    lambda text: st.sampled_from((1, 70, 400)).map(lambda times: text * times)
)
JSON = st.recursive(
    st.none() | st.integers(-(1 << 62), 1 << 62) | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=15,
)


def drained(paced: Paced) -> bytes:
    pieces = []
    while piece := paced.read(PIECE):
        pieces.append(piece)
    return b"".join(pieces)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_nothing_is_changed_and_the_parser_understands_it(value: Any) -> None:
    raw = json.dumps({"value": value}).encode()
    assert drained(Paced(io.BytesIO(raw))) == raw
    assert list(ijson.items(Paced(io.BytesIO(raw)), "value", use_float=True)) == [value]


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400).flatmap(lambda raw: st.sampled_from((1, 50)).map(lambda times: raw * times)))
def test_bytes_that_are_no_json_come_through_or_are_refused(raw: bytes) -> None:
    try:
        assert drained(Paced(io.BytesIO(raw))) == raw
    except HostileError:
        assert max(raw.count(b"["), raw.count(b"{")) > 10


def test_a_long_text_comes_in_growing_pieces() -> None:
    paced = Paced(io.BytesIO(b'"' + b"x" * 10_000_000 + b'", 1'))
    lengths = []
    while piece := paced.read(PIECE):
        lengths.append(len(piece))
    assert len(lengths) < 20
    assert sum(lengths) == 10_000_005


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"[" * (DEEPEST + 2 * PIECE), "nested too deeply"),
        (b"[" + b"1" * (LONGEST_NUMBER + 3 * PIECE), "thousands of digits"),
    ],
)
def test_what_would_crash_the_parser_is_refused(raw: bytes, message: str) -> None:
    with pytest.raises(HostileError, match=message):
        drained(Paced(io.BytesIO(raw)))
    quoted = b'"' + raw + b'"'
    assert drained(Paced(io.BytesIO(quoted))) == quoted


def test_only_what_is_held_in_memory_is_limited() -> None:
    raw = b"[" + b"1," * (MOST_VALUES // 2) + b"1]"
    many = raw + raw + raw
    assert len(drained(Paced(io.BytesIO(many)))) == len(many)
    held = Paced(io.BytesIO(many))
    held.hold()
    with pytest.raises(HostileError, match="more values in one place"):
        drained(held)
