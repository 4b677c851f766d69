"""Every page of help is rendered once, at two widths, in the words that CONTRIBUTING asks for."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from tests.cases.test_sentences import STIFF
from verify.app import app
from verify.help import laid_out


def pages(command: Any, parent: Any = None) -> Iterator[tuple[str, Any]]:
    """Each command by its path, with its context."""
    context = command.make_context(command.name or "verify", [], parent=parent, resilient_parsing=True)
    yield context.command_path, context
    for name in getattr(command, "commands", {}):
        yield from pages(command.commands[name], context)


PAGES = dict(pages(typer.main.get_command(app)))


def words(text: str) -> list[str]:
    return re.sub(r"-\s+(?=\w)", "-", text).split()


def test_every_command_has_a_page() -> None:
    assert {"verify", "verify audit", "verify image", "verify key new"} <= {*PAGES}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_forty_and_eighty_columns_and_breaks_no_word(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    context = PAGES[path]
    told = {}
    for width in (40, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        told[width] = laid_out(context.command, context)
        assert [line for line in told[width].splitlines() if len(line) > width] == []
    assert words(told[40]) == words(told[80])
    assert not STIFF.search(told[80])
    assert "..." not in re.sub(r"[A-Z|_]+\.\.\.|\[ARGS\]\.\.\.", "", told[80]), "a sentence was cut"
