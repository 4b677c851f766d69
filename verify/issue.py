"""`verify issue`: the text to give to a benchmark's maintainers; printed, never filed."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(issue)


def issue(pack: Annotated[Path, typer.Argument(metavar="PACK", help="A pack: its folder or its .zip.")]) -> None:
    """Print a pack's issue text in Markdown; nothing is ever filed."""
    from evidence.issue.stored import stored_issue
    from verify import terminal

    for line in terminal.clean(stored_issue(pack)).splitlines():
        terminal.answer(line)
