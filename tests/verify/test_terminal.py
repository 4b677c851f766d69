"""Nothing that a transcript holds may steer the reader's terminal."""

import re
from pathlib import Path

import pytest

from probes import ArtifactStore
from tests.evidence.hostile_audits import ALL_OF_IT, hostile
from verify.printing import show
from verify.terminal import clean, one_line, out, shorten


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[31mred\x1b[0m",
        "\x1b]0;title\x07red",
        "\x1b]8;;http://x.example\x1b\\red\x1b]8;;\x1b\\",
        "re\x08\x08red"[4:],
        "\u202ered\u202c",
        "red\x9b31m"[:3],
        "r\x00ed",
    ],
)
def test_escape_sequences_and_control_characters_go(hostile: str):
    assert clean(hostile) == "red"


def test_markup_of_the_terminal_library_stays_text(capsys: pytest.CaptureFixture[str]):
    out().print(one_line("[bold]not bold[/bold] [link=http://x.example]x[/link]"))
    assert capsys.readouterr().out == "[bold]not bold[/bold] [link=http://x.example]x[/link]\n"


def test_lines_stay_lines_only_where_asked():
    assert clean("a\r\nb\tc") == "a\nb   c"
    assert one_line(" a\n b\t\tc ") == "a b c"


def test_shortening_says_that_it_cut():
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_a_hostile_audit_steers_no_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    store = ArtifactStore(tmp_path)
    audit = hostile(store, flood=10)
    bent = audit.verdict.model_copy(update={"reason": ALL_OF_IT, "against": ALL_OF_IT, "capable_agent": ALL_OF_IT})
    show(out(), audit.model_copy(update={"verdict": bent}), tmp_path)
    told = capsys.readouterr().out
    assert "[link=javascript:pwned=1]rich[/link]" in told
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)
