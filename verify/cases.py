"""`verify cases`: what the inputs hold, and which failures are disputed."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cases.sentences import Sentences, counted
from verify.options import AsJson, Benchmark, ClaimPaths, OutcomePaths, RunPaths, Tasks, TrustPickle

if TYPE_CHECKING:
    from cases.explaining import Explanation

say = Sentences(__name__)

_WIDE = 100
"""Columns that the table needs."""
COLUMNS = ("runs", "failed", "passed", "transcripts", "claims", "impassable_claims")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(cases)


def cases(
    run: RunPaths = None,
    claims: ClaimPaths = None,
    outcomes: OutcomePaths = None,
    tasks: Tasks = None,
    trust_pickle: TrustPickle = None,
    benchmark: Benchmark = None,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only tasks that some call impassable and others do not.")
    ] = False,
    explain: Annotated[
        list[Path] | None,
        typer.Option("--explain", metavar="PATH", help="Say which reader handles a file, why, and what is lost."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the tasks in the inputs, and which of them are disputed."""
    from cases.masking import Mask
    from verify.config import load
    from verify.inputs import open_library

    flags: dict[str, object] = {"run": run, "claims": claims, "outcomes": outcomes, "benchmark": benchmark}
    configuration = load(flags | {"tasks": tasks, "trust_pickle": trust_pickle})
    if explain:
        _explain(explain, as_json=as_json, trust_pickle=configuration.trust_pickle)
        return
    found = [task for task in open_library(configuration).tasks() if task.disputed or not disputed]
    rows = Mask().value([asdict(task) for task in found])
    if as_json:
        _as_json(rows)
    else:
        _as_table(rows)


def _explain(paths: list[Path], *, as_json: bool, trust_pickle: bool) -> None:
    from cases.explaining import explained
    from cases.masking import Mask
    from verify.failures import SCHEMA
    from verify.terminal import answer

    mask = Mask()
    for found in map(mask.model, explained(paths, trust_pickle=trust_pickle)):
        if as_json:
            answer(json.dumps({"schema": SCHEMA, "file": found.model_dump(mode="json")}))
        else:
            _tell(found)


def _tell(found: "Explanation") -> None:
    from verify.terminal import one_line, out

    console = out()
    rows = {
        "read as": f"{found.reader}, recognised by {found.signs}" if found.reader else "nothing",
        "runs": f"{found.runs} ({found.transcripts} with a transcript, {found.passed} passed, {found.failed} failed)",
        "blocks": say(
            "cases.messages_calls_results",
            blocks=found.blocks,
            messages=found.messages,
            calls=found.calls,
            results=found.results,
        ),
        "calls": say(
            "cases.read_observations",
            calls_read=found.calls_read,
            calls_present=found.calls_present,
            observations=found.observations,
        ),
        "events": say(
            "cases.commands_page_visits_calls",
            commands=found.commands,
            visits=found.visits,
            other_calls=found.other_calls,
            errors=found.errors,
        ),
        "claims": str(found.claims),
        "outcomes": say("cases.runs_other_files", outcomes=found.outcomes),
    }
    console.print(one_line(found.file), markup=False)
    for name, text in rows.items() if found.reader else ():
        console.print(f"  {name:<9} {one_line(text)}", markup=False)
    for number, text in enumerate(found.not_understood):
        console.print(f"  {'unread' if not number else '':<9} {one_line(text)}", markup=False)
    for number, text in enumerate(found.lost or ("nothing",)):
        console.print(f"  {'lost' if not number else '':<9} {one_line(text)}", markup=False)
    if found.omits:
        console.print(f"  {'not taken':<9} {one_line(found.omits)}", markup=False)


def _as_json(tasks: list[dict[str, Any]]) -> None:
    from verify.failures import SCHEMA
    from verify.terminal import answer

    names = ("benchmark", "task_id", *COLUMNS, "disputed")
    rows = [{name: task[name] for name in names} for task in tasks]
    answer(json.dumps({"schema": SCHEMA, "tasks": rows}))


def _as_table(tasks: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    from verify.terminal import one_line, out

    console = out()
    if console.is_terminal and console.width < _WIDE:
        for task in tasks:
            console.print(f"{one_line(task['task_id'])} of {one_line(task['benchmark'])}", style="bold")
            console.print(
                say("cases.runs_failed_passed", runs=task["runs"], failed=task["failed"], passed=task["passed"])
            )
            if task["claims"]:
                said = say(
                    "cases.claims_impassable", claims=task["claims"], impassable_claims=task["impassable_claims"]
                )
                console.print(f"{said}{', disputed' if task['disputed'] else ''}")
        console.print("verify TASK_ID audits one")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("benchmark", no_wrap=True)
    table.add_column("task", no_wrap=True, overflow="ignore")
    for name in ("runs", "failed", "passed", "transcripts", "claims", "say impassable"):
        table.add_column(name, justify="right")
    table.add_column("disputed")
    for task in tasks:
        numbers = [str(task[name]) for name in COLUMNS]
        mark = "disputed" if task["disputed"] else ""
        table.add_row(one_line(task["benchmark"]), one_line(task["task_id"]), *numbers, mark)
    if not console.is_terminal:
        console.width = 200
    console.print(table)
    found = sum(task["disputed"] for task in tasks)
    console.print(say("cases.tasks_disputed_verify_task", tasks=counted(len(tasks), "task"), found=found))
