"""`verify cases`: what the inputs hold, and which failures are disputed."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from verify.options import AsJson, Benchmark, ClaimPaths, OutcomePaths, RunPaths

if TYPE_CHECKING:
    from cases.library import TaskSummary

COLUMNS = ("runs", "failed", "passed", "transcripts", "claims", "impassable_claims")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(cases)


def cases(
    run: RunPaths = None,
    claims: ClaimPaths = None,
    outcomes: OutcomePaths = None,
    benchmark: Benchmark = None,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only failures that somebody called impassable and others did not.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the tasks that the inputs hold, and which of them are disputed."""
    from verify.config import load
    from verify.inputs import open_library

    flags = {"run": run, "claims": claims, "outcomes": outcomes, "benchmark": benchmark}
    tasks = [task for task in open_library(load(flags)).tasks() if task.disputed or not disputed]
    if as_json:
        _as_json(tasks)
    else:
        _as_table(tasks)


def _as_json(tasks: "list[TaskSummary]") -> None:
    from verify.failures import SCHEMA
    from verify.terminal import answer

    names = ("benchmark", "task_id", *COLUMNS, "disputed")
    rows = [{name: getattr(task, name) for name in names} for task in tasks]
    answer(json.dumps({"schema": SCHEMA, "tasks": rows}))


def _as_table(tasks: "list[TaskSummary]") -> None:
    from rich import box
    from rich.table import Table

    from verify.terminal import one_line, out

    console = out()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("benchmark", no_wrap=True)
    table.add_column("task", no_wrap=True, overflow="ignore")
    for name in ("runs", "failed", "passed", "transcripts", "claims", "say impassable"):
        table.add_column(name, justify="right")
    table.add_column("disputed")
    for task in tasks:
        numbers = [str(getattr(task, name)) for name in COLUMNS]
        mark = "disputed" if task.disputed else ""
        table.add_row(one_line(task.benchmark), one_line(task.task_id), *numbers, mark)
    if not console.is_terminal:
        console.width = 200
    console.print(table)
    found = sum(task.disputed for task in tasks)
    console.print(f"{len(tasks)} tasks, {found} disputed; verify TASK_ID audits one")
