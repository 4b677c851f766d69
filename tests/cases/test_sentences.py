"""Every sentence that people read is rendered once, in the words that CONTRIBUTING asks for, and none lies unused."""

import re
import string
from pathlib import Path

import pytest

from cases.sentences import Sentences, counted

ROOT = Path(__file__).parents[2]
ROOMS = ("graph", "evidence", "verify", "probes")
PACKAGES = sorted(
    str(file.parent.relative_to(ROOT)).replace("/", ".")
    for room in ROOMS
    for file in (ROOT / room).rglob("sentences.toml")
)
STIFF = re.compile(
    r"\b(nothing an agent may do|own doing|envelope|lifted arm|stands? verbatim|could neither|not among the \d"
    r"|the record\b|an agent here|is had|cannot be had|whereupon|thereof|so that it|\(s\)|a person must say"
    r"|(?:is|are) not known|for want of|takes? it for|stands? (?:on|there|here)\b|bears? that name"
    r"|this very task|offline was asked|not settled|nobody knows|routes? (?:passes|tries)|demands? (?:it|that))",
    re.IGNORECASE,
)


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
        assert "  " not in told, (name, told)
        assert "{" not in told, (name, told)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_sentence_lies_unused(package: str) -> None:
    """A name, or the part of it that code makes up, stands in the code or a template of its room or one above."""
    rooms = ROOMS[:3] if "." not in package else (package.replace(".", "/"), "evidence")
    files = [path for room in rooms for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".j2"}]
    code = "\n".join(path.read_text("utf-8") for path in files)
    for name in Sentences(package).all:
        parts = re.split(r"(?<=[._])", name)
        begun = ["".join(parts[:count]) for count in range(1, len(parts))]
        table = name.rpartition(".")[0]
        begun += [one.rstrip("_") for one in begun]
        read = [f'"{name}"', f'table("{table}")', f'_verdict("{table}")', *(f'"{one}{{' for one in begun)]
        assert any(one in code for one in read), name


def test_every_name_that_code_gives_is_a_sentence() -> None:
    """A name that is spelled wrong would first be met by a user."""
    for package in PACKAGES:
        known = Sentences(package).all
        for file in (ROOT / package.replace(".", "/")).glob("*.py"):
            for name in re.findall(r'\bsay\(\s*"([a-z_0-9.-]+)"', file.read_text("utf-8")):
                assert name in known, (file.name, name)


def test_numbers_are_told_with_their_nouns() -> None:
    assert [counted(1, "run"), counted(3, "run"), counted(2_000, "class", "classes")] == [
        "1 run",
        "3 runs",
        "2,000 classes",
    ]
