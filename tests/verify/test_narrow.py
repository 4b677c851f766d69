"""A verdict fits the terminal it is read on; where nobody reads it, each sentence stays on one line."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL
from verify.printing import show
from verify.terminal import clean


def told(audit_of: str, store: ArtifactStore, width: int, *, terminal: bool) -> list[str]:
    written = io.StringIO()
    console = Console(file=written, width=width, force_terminal=terminal, no_color=True, markup=False, soft_wrap=True)
    show(console, ALL[audit_of](store), None)
    return clean(written.getvalue()).splitlines()


@pytest.mark.parametrize("audit_of", ALL)
@pytest.mark.parametrize("width", [40, 100])
def test_a_verdict_breaks_between_words_and_says_the_same(audit_of: str, width: int, tmp_path: Path) -> None:
    narrow, whole = (told(audit_of, ArtifactStore(tmp_path), width, terminal=terminal) for terminal in (True, False))
    assert " ".join(" ".join(narrow).split()) == " ".join(" ".join(whole).split())
    commands = ALL[audit_of](ArtifactStore(tmp_path)).verdict.capable_agent
    assert [line for line in narrow if len(line) > width and " " in line.strip() and line.strip() not in commands] == []
    assert len(whole) < len(narrow)
