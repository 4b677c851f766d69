"""`verify export`: audits in the forms that others read; advice, which changes nobody's scores."""

import json
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences

if TYPE_CHECKING:
    from verify.batch.exported import Exported

say = Sentences(__name__)


class Form(StrEnum):
    """What may be written."""

    ADVISORY = "advisory"
    INSPECT = "inspect"
    CSV = "csv"
    PARQUET = "parquet"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(export)


def export(
    paths: Annotated[
        list[Path], typer.Argument(metavar="DIR|LEDGER|PACK...", help="Folders of packs with their ledgers, or packs.")
    ],
    *,
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            metavar="NAME",
            help="advisory (a report with tiers), inspect (invalidations to propose), csv or parquet.",
        ),
    ] = Form.ADVISORY,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where it goes (default: stdout; Parquet needs one).")
    ] = None,
) -> None:
    """Export verdicts for other tools; nothing is invalidated, excluded or rescored."""
    from cases import EnvironmentNotReady, InputError
    from verify.batch.exported import exported
    from verify.batch.results import write_parquet
    from verify.terminal import answer

    if form is Form.PARQUET and out is None:
        raise InputError(say("export.parquet_no_text_terminal"))
    found = exported(paths)
    try:
        if form is Form.PARQUET:
            assert out
            _require_pyarrow()
            write_parquet(found.audits, out)
        elif out:
            out.write_text("".join(_text(found, form)), encoding="utf-8")
        else:
            sys.stdout.writelines(_text(found, form))
        if out:
            answer(str(out))
    except OSError as error:
        if out is None:
            raise
        raise EnvironmentNotReady(say("export.another_file_out", out=out, strerror=error.strerror)) from None


def _text(found: "Exported", form: Form) -> Iterable[str]:
    from verify.batch.advisory import advisory
    from verify.batch.invalidations import invalidations
    from verify.batch.results import csv_lines

    if form is Form.CSV:
        return csv_lines(found.audits)
    document = invalidations(found) if form is Form.INSPECT else advisory(found)
    return [json.dumps(document, indent=2, ensure_ascii=True), "\n"]


def _require_pyarrow() -> None:
    from importlib.util import find_spec

    from cases import EnvironmentNotReady

    if find_spec("pyarrow") is None:
        raise EnvironmentNotReady(say("export.pyarrow_not_installed_pip"))
