"""Every sentence of the verdict, the report and the terminal is rendered once, in the words CONTRIBUTING asks for."""

import re
import string
from pathlib import Path

import pytest

from cases.sentences import Sentences
from graph.words import past, statement, whether
from probes import Barrier, Hypothesis, Targets
from probes.barriers import entry

ROOT = Path(__file__).parents[2]
ROOMS = ("graph", "evidence", "verify")
STIFF = re.compile(
    r"\b(nothing an agent may do|own doing|envelope|lifted arm|stands? verbatim|could neither|not among the"
    r"|the record\b|an agent here|is had|cannot be had|whereupon|thereof|so that it|\(s\))",
    re.IGNORECASE,
)
BARRIERS = sorted(Barrier)


def hypothesis(barrier: Barrier) -> Hypothesis:
    field = entry(barrier).about
    return Hypothesis(
        id="h1",
        rubric="environmental_barrier",
        category="c",
        barrier=barrier,
        statement="",
        targets=Targets(**({field: ("humanize",)} if field else {})),
        citations=(),
        proposer="rules",
    )


@pytest.mark.parametrize("room", ROOMS)
def test_every_sentence_renders_once_whole_and_plain(room: str) -> None:
    say = Sentences(room)
    for name, text in say.all.items():
        fields = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
        told = say(name, **dict.fromkeys(fields, "x"))
        assert told.strip(), name
        assert not STIFF.search(told), (name, told)
        assert "  " not in told, (name, told)
        assert "{" not in told, (name, told)


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_lies_unused(room: str) -> None:
    """A name, or the part of it that code makes up, stands in the code or a template of its room or one above."""
    files = [path for above in ROOMS for path in (ROOT / above).rglob("*") if path.suffix in {".py", ".j2"}]
    code = "\n".join(path.read_text("utf-8") for path in files)
    for name in Sentences(room).all:
        parts = re.split(r"(?<=[._])", name)
        begun = ["".join(parts[:count]) for count in range(1, len(parts))]
        table = name.rpartition(".")[0]
        begun += [one.rstrip("_") for one in begun]
        read = [f'"{name}"', f'table("{table}")', f'_verdict("{table}")', *(f'"{one}{{' for one in begun)]
        assert any(one in code for one in read), name


@pytest.mark.parametrize("barrier", BARRIERS)
def test_every_barrier_makes_a_hypothesis_and_a_doubt(barrier: Barrier) -> None:
    told, doubt = statement(hypothesis(barrier)), whether(hypothesis(barrier))
    assert told.startswith("Hypothesis: ")
    assert told.endswith(" and no agent could have worked around it.")
    assert not STIFF.search(told), told
    assert not re.search(r"did not did|cannot\b", told), told
    assert doubt
    assert "{" not in doubt


def test_a_title_goes_into_the_past_and_a_name_in_it_does_not() -> None:
    assert past("the command `is it` fails and is not there") == "the command `is it` failed and was not there"
    assert whether(hypothesis(Barrier.R_PACKAGE)) == "`humanize` was installable"
