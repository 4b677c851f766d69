"""`cases.patterns` finds what `re` finds, and no pattern of the program takes long over any text."""

import ast
import gc
import importlib
import inspect
import pickle
import pkgutil
import re
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from importlib.resources import files
from itertools import islice
from pathlib import Path
from re import _constants as ops
from re import _parser as parser
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from cases import patterns
from cases.patterns import limited

ROOMS = ("cases", "sandboxes", "probes", "graph", "evidence", "verify")
ALIKE = (
    r"a+?b|\bab?\b",
    r"(?i)\bstras|k+s?\b",
    r"^\s*(\w+)\s*=\s*(.*)$",
    r"(?m)^(?P<key>\w+):[ \t]*(?P<value>[^\n]*)$",
    r"(?s)a(.*?)b",
    r"(?<![\w.-])ab(?![\w-])",
    r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])",
    r"((?<=[.!?])\s+|\n+)",
    r"(?<!a)b|c(?!d)|d$",
    r"a(?! to\b)",
    r"\Aa* (?=b|$)",
    r"\d{2,}(?=\s|$)|x(?!\d|,\d)",
    r"[^\W\d_]+|[“”é]",
    r"\Aab|b\Z|\B-\B",
    r"(['\"])(a*)\1",
    r"a(?!b.)\w*b",
    r"(a|ab)(c|bcd)?(d*)",
)
TEXTS = st.text(alphabet="abcdkK 1٣éßſK“”—.,-=:'\"!\n\t ", max_size=12)
SECONDS, LONG, FIRST = 6.0, 100_000, 100
SHORT, SHARE = 10_000, 5_000
"""A text of a tenth is enough where it takes less than this share: ten times as long, it takes a thousand times that
only where time grows with the cube of its length."""
UNITS = (
    *("a", " ", "1", "a=", "link ", "\n", "YOUR ", "(", "<", "\\", '"', "'", "/", "a/", "a.", "-", "--a ", "a: ", "\t"),
    *("A", "_", "{", "[", "`", "é", "文", ". ", "a\n", " \n", "http://", "0,", "x=1\n", "\\\n", "$", "*", "|", ","),
    *("\x1b[", "\x1b"),
)


@pytest.mark.parametrize("pattern", ALIKE)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_it_finds_what_re_finds(pattern: str, text: str) -> None:
    mine, plain = patterns.compile(pattern), re.compile(pattern)
    assert [_told(one) for one in mine.finditer(text)] == [_told(one) for one in plain.finditer(text)]
    for way in ("search", "match", "fullmatch"):
        assert _told(getattr(mine, way)(text)) == _told(getattr(plain, way)(text))
    for pos in range(min(len(text), 3)):
        assert _told(mine.search(text, pos)) == _told(plain.search(text, pos))
    assert mine.findall(text) == plain.findall(text)
    assert mine.split(text) == plain.split(text)
    assert mine.sub(r"<\g<0>>", text) == plain.sub(r"<\g<0>>", text)


def _told(match: Any) -> Any:
    return match and ([match.span(group) for group in range(match.re.groups + 1)], match.groups(), match.groupdict())


def test_bytes_and_halves_of_characters_are_searched_too() -> None:
    assert patterns.compile(rb"[\x80-\xff]+").findall(b"a\xff\xfeb") == [b"\xff\xfe"]
    assert patterns.search(r"[\ud800-\udfff]+", "a\ud83d!").span() == (1, 2)
    assert patterns.search(r"\w+", "\ud83dab").group() == "ab"


def test_a_pattern_is_a_field_of_data_and_can_be_kept() -> None:
    class Data(BaseModel):
        pattern: patterns.Pattern[str]

    assert Data.model_validate({"pattern": "a+"}).pattern == patterns.compile("a+")
    assert pickle.loads(pickle.dumps(patterns.compile("a+", patterns.IGNORECASE))).search("xAA").span() == (1, 3)
    with pytest.raises(ValidationError, match="unterminated"):
        Data.model_validate({"pattern": "(a"})


def test_what_only_going_back_can_match_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.2)
    began = time.monotonic()
    with pytest.raises(patterns.TooSlowError, match="a text of 61 characters"):
        patterns.search(r"(?:(a+)+\1)+b(?<=c.)c?", "a" * 60 + "b")
    assert time.monotonic() - began < 5


def test_a_name_longer_than_any_is_found_nowhere() -> None:
    name = "a=" * patterns.LONGEST
    assert patterns.search(patterns.escape(name), name) is None
    assert patterns.search(patterns.escape(name, any_length=True), name)
    assert patterns.search(patterns.escape(name[: patterns.LONGEST]), "a=" * 50_000)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_no_pattern_takes_long_over_any_text() -> None:
    found = {one for one in (*_compiled(), *_written()) if one.pattern not in ALIKE}
    assert len(found) > 1000
    slow = [(seconds, unit, pattern) for pattern in found for seconds, unit in [_worst(pattern)] if seconds > SECONDS]
    assert not slow


def _compiled() -> Iterator[patterns.Pattern[Any]]:
    """What the modules hold, and what their tables hold once they are read."""
    for module in _modules():
        for one in vars(module).values():
            if isinstance(one, _lru_cache_wrapper) and not inspect.signature(one).parameters:
                one()
    yield from (one for one in gc.get_objects() if isinstance(one, patterns.Pattern))


def _modules() -> Iterator[ModuleType]:
    for room in map(importlib.import_module, ROOMS):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if ".inside" not in module.name and not module.name.endswith("__main__"):
                yield importlib.import_module(module.name)


def _written() -> Iterator[patterns.Pattern[Any]]:
    """What stands in code where it is used, and every text of a table that can be a pattern."""
    found = {text for module in _modules() for text in _in_code(module)}
    for table in (table for room in ROOMS for table in Path(str(files(room))).rglob("*.toml")):
        found |= {text for text in _texts(tomllib.loads(table.read_text("utf-8"))) if re.search(r"[\\*+?|(\[]", text)}
    for text in found:
        with suppress(patterns.error, FutureWarning):
            yield patterns.Pattern(text, patterns.MULTILINE)


def _in_code(module: ModuleType) -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).startswith("re."):
            yield from _spelt(node.args[0], module)


def _spelt(node: ast.expr, module: ModuleType) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(map(str, (_part(one, module) for one in node.values)))


def _part(node: ast.expr, module: ModuleType) -> Any:
    """A piece of an f-string: what the module calls so, or a word."""
    return node.value if isinstance(node, ast.Constant) else getattr(module, ast.unparse(node.value), "name")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        if key not in ("catches", "misses", "source", "commands"):
            yield from _texts(inner)


def _worst(pattern: patterns.Pattern[Any]) -> tuple[float, str]:
    """The seconds that the worst text would take, and what it repeats."""
    units = (*UNITS, *(_own(pattern) if isinstance(pattern.pattern, str) else ()))
    short = [(_seconds(pattern, unit, SHORT), unit) for unit in units]
    doubtful = [(_seconds(pattern, unit, LONG), unit) for seconds, unit in short if seconds > SECONDS / SHARE]
    return max(doubtful or short)


def _seconds(pattern: patterns.Pattern[Any], unit: str, length: int) -> float:
    """A search, and as many matches as the text has, as the first ones tell."""
    text: Any = (unit * (length // len(unit) + 1))[:length]
    text = text if isinstance(pattern.pattern, str) else text.encode()
    began = time.thread_time()
    pattern.match(text)
    once = time.thread_time() - began
    ends = [match.end() for match in islice(pattern.finditer(text), FIRST)]
    share = 1.0 if len(ends) < FIRST else ends[-1] / length
    return once + (time.thread_time() - began - once) / max(share, FIRST / length)


def _own(pattern: patterns.Pattern[Any]) -> set[str]:
    """Texts that it finds, and parts of them."""
    nodes = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    wholes = [_example(nodes, more) for more in (0, 1)]
    return {part for one in wholes for part in (one, one[:-1], one[: len(one) // 2], one[len(one) // 2 :]) if part}


def _example(nodes: Iterable[Any], more: int) -> str:
    text = ""
    for op, value in nodes:
        if op is ops.LITERAL:
            text += chr(value)
        elif op in (ops.NOT_LITERAL, ops.ANY):
            text += "a" if value != ord("a") else "b"
        elif op is ops.IN:
            first = next(inner for name, inner in [*value, (ops.LITERAL, ord("."))] if name in (ops.LITERAL, ops.RANGE))
            text += chr(first if isinstance(first, int) else first[0])
        elif op is ops.BRANCH:
            text += _example(value[1][-more], more)
        elif op is ops.SUBPATTERN:
            text += _example(value[3], more)
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            text += _example(value[2], more) * max(value[0], more)
    return text
