"""Every sentence that people read is rendered once, in the words that CONTRIBUTING asks for, and none lies unused."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases.sentences import FILE, Sentences, counted
from probes import STANDS_IN

ROOT = Path(__file__).parents[2]
ROOMS = ("cases", "sandboxes", "probes", "graph", "evidence", "verify")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".j2"})
PACKAGES = sorted(
    str(file.parent.relative_to(ROOT)).replace("/", ".") for room in ROOMS for file in (ROOT / room).rglob(FILE)
)
STIFF = re.compile(
    r"\b(nothing an agent may do|own doing|envelope|lifted arm|stands? verbatim|could neither|not among the \d"
    r"|the record\b|an agent here|is had|cannot be had|whereupon|thereof|so that it|\(s\)|a person must say"
    r"|(?:is|are) not known|for want of|takes? it for|stands? (?:on|there|here)\b|bears? that name"
    r"|this very task|offline was asked|not settled|nobody knows|routes? (?:passes|tries)|demands? (?:it|that))",
    re.IGNORECASE,
)

ROW = re.compile(r"^ *(?:[a-z ]+ {2,})?")
"""What a row on the terminal begins with: its label, or the room under the one above."""


def test_every_room_that_speaks_is_found() -> None:
    assert {"graph", "evidence", "verify", "probes.replay", "probes.replay.handlers", "probes.scorer"} <= {*PACKAGES}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_sentence_renders_once_whole_and_plain(package: str) -> None:
    say = Sentences(package)
    for name, text in say.all.items():
        # "7" fits where a number, a share or a text is formatted.
        fields = {field: spec for _, field, spec, _ in string.Formatter().parse(text) if field is not None}
        told = say(name, **{field: 7 if spec else "x" for field, spec in fields.items()})
        assert told.strip(), name
        assert not STIFF.search(told), (name, told)
        assert "  " not in ROW.sub("", told), (name, told)
        assert "{" not in told, (name, told)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_sentence_lies_unused(package: str) -> None:
    """A name, or the part of it that code makes up, stands in the code or a template of its room or one above."""
    rooms = ROOMS[3:] if "." not in package and package in ROOMS[3:] else (package.replace(".", "/"), "evidence")
    files = [path for room in rooms for path in FILES if path.is_relative_to(ROOT / room)]
    code = "\n".join(path.read_text("utf-8") for path in files)
    for name in Sentences(package).all:
        parts = re.split(r"(?<=[._])", name)
        begun = ["".join(parts[:count]) for count in range(1, len(parts))]
        tables = [one.rstrip(".") for one in begun if one.endswith(".")]
        begun += [one.rstrip("_") for one in begun]
        read = [f'"{name}"', *(f'"{one}{{' for one in begun)]
        read += [f'{told}("{table}")' for table in tables for told in ("table", "_verdict")]
        assert any(one in code for one in read), name


def test_every_name_that_code_gives_is_a_sentence_with_its_values() -> None:
    """A name or a value that is spelled wrong would first be met by a user."""
    for file in (path for path in FILES if path.suffix == ".py"):
        say = Sentences(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[ast.Constant(value=str(name))], keywords=given):
                    wanted = {field for _, field, _, _ in string.Formatter().parse(say.all[name]) if field}
                    assert wanted == {one.arg for one in given}, (file, name)


RULES = ROOT / "graph" / "rules.py"
"""The rules' table, which is their one place."""
PROMPTS = {ROOT / "graph" / "llm" / name for name in ("narrator.py", "proposer.py", "readings.py")}
"""What a model is asked; no person reads it."""
SCRIPTED = {ROOT / "verify" / "labelled" / name for name in ("formats.py", "rewriting.py")}
"""What scripted agents say in the labelled worlds' logs."""
CALLED = {"compile", "Option", "Argument", "Typer"}
"""What takes a pattern, or stands beside the option that it explains."""
COMPARED = {STANDS_IN, "The answer is {}."}
"""A limit that findings are known by, and a form of an answer that is tried."""
ORDINARY = re.compile(
    r"\b(an?|and|are|as|at|be|by|for|from|had|has|in|is|its?|not?|of|on|or|than|that|the|this|to|was|were|what|which|with)\b"
)


def own_words(path: Path) -> Iterator[tuple[int, str]]:
    """The texts in a file's code that are neither documentation nor the help of a command's option."""
    tree = ast.parse(path.read_text("utf-8"))
    beside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in CALLED:
            beside |= {id(one) for one in ast.walk(node)}
        elif isinstance(node, ast.Expr):
            beside.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            beside |= {id(one) for one in node.values}
    for node in ast.walk(tree):
        if id(node) in beside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
            yield node.lineno, "".join(map(str, parts))


def spoken(text: str) -> bool:
    """Whether it is a sentence, or a part of one with values in it; not a name, a command, code or an address."""
    if re.search(r"[\\^$|<>;&=\n]|\(\)|^[^A-Za-z{#“]", text):
        return False
    words = re.findall(r"(?<![\w./-])[A-Za-z][a-z']+(?![\w/(=-])", text)
    whole = text[:1].isupper() and text.endswith((".", "?"))
    return len(words) >= (3 if whole else 5) and bool(ORDINARY.search(text)) and (whole or "{" in text)


@pytest.mark.parametrize("room", ROOMS)
def test_what_people_read_is_data(room: str) -> None:
    """Names that code compares (of controls, observations, routes' sources) are code."""
    files = sorted({*(ROOT / room).rglob("*.py")} - {RULES} - PROMPTS - SCRIPTED)
    said = ((path, line, text) for path in files for line, text in own_words(path) if text not in COMPARED)
    told = [f"{path.relative_to(ROOT)}:{line}: {text}" for path, line, text in said if spoken(text)]
    assert not told, "\n".join(told)


def test_a_sentence_in_code_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        '"""A docstring that is long."""\nx = f"the {y} of it is not here"\nz = "ls -l /tmp"\n'
    )
    assert [text for _, text in own_words(tmp_path / "one.py") if spoken(text)] == ["the {} of it is not here"]


def test_numbers_are_told_with_their_nouns() -> None:
    assert [counted(1, "run"), counted(3, "run"), counted(2_000, "class", "classes")] == [
        "1 run",
        "3 runs",
        "2,000 classes",
    ]
