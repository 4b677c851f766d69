"""`verify doctor`: what this machine has and lacks, a line each, with the remedy."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from verify.condition import Check

say = Sentences(__name__)

NOT_READY = 3
STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(doctor)


def doctor(
    names: Annotated[list[str] | None, typer.Argument(metavar="CHECK...", help="Only these checks.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check what works here, and say how to fix the rest; exits with 3 if something needed fails."""
    from cases import InputError
    from verify.checks import CHECKS, looked
    from verify.config import load
    from verify.failures import SCHEMA
    from verify.terminal import answer, out

    for name in names or ():
        if name not in CHECKS:
            raise InputError(say("doctor.no_check", name=name, checks=", ".join(CHECKS)))
    configuration = load({})
    console = out()
    done = []
    for name in CHECKS:
        if names and name not in names:
            continue
        done.append(looked(name, configuration))
        if not as_json:
            _line(done[-1], console)
    if as_json:
        answer(json.dumps({"schema": SCHEMA, "checks": [one.model_dump() for one in done]}))
    if any(one.state == "fail" for one in done):
        raise typer.Exit(NOT_READY)


def _line(check: "Check", console: "Console") -> None:
    from verify.terminal import one_line

    console.print(f"{check.state:<5}", style=STYLES[check.state], end="")
    remedy = f"; {one_line(check.remedy)}" if check.remedy else ""
    console.print(f"{check.name:<10} {one_line(check.detail)}{remedy}")
