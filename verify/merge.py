"""`verify merge`: the ledgers of several shares or machines as one, with results, index and table."""

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences

if TYPE_CHECKING:
    from verify.batch.ledger import Ledger, Reading

say = Sentences(__name__)

AT_ONCE = 1000
"""Lines for which the disk is waited for once."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(merge)


def merge(
    paths: Annotated[
        list[Path], typer.Argument(metavar="DIR|LEDGER...", help="Folders of packs with their ledgers, or ledgers.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the results go (default: the first folder).")
    ] = None,
) -> None:
    """Join ledgers and write their combined results; each audit counts once."""
    from verify import terminal
    from verify.batch.closing import close
    from verify.batch.ledger import Ledger, ledger_in

    found = [ledger for path in paths for ledger in _ledgers(path)]
    into = out or found[0].parent
    with Ledger(ledger_in(into)) as joined:
        _tell_problems(joined)
        for path in found:
            if path.resolve() != joined.path.resolve():
                _join(joined, path, into)
        for line in close(joined, into):
            terminal.out().print(line)


def _ledgers(path: Path) -> list[Path]:
    from cases import InputError

    found = sorted(path.glob("ledger*.jsonl")) if path.is_dir() else [path]
    if not found:
        raise InputError(say("merge.no_ledger_folder_verify", path=path))
    return found


def _join(joined: "Ledger", path: Path, into: Path) -> None:
    """Add what is not there yet, and where its packs lie."""
    from verify.batch.ledger import Reading

    source = Reading(path)
    _tell_problems(source)
    fresh = (line for line in source.audits() if line.key not in joined.done)
    while some := list(islice(fresh, AT_ONCE)):
        moved = ({"pack": os.path.relpath(path.parent / line.pack, into)} for line in some)
        joined.add(*(line.model_copy(update=told) for line, told in zip(some, moved, strict=True)))
    others = [one for one in source.unaudited() if not joined.speaks_of(one.benchmark, one.task_id)]
    if others:
        joined.add(*others)


def _tell_problems(ledger: "Reading") -> None:
    from verify.terminal import warn

    for problem in ledger.problems:
        warn(problem)
