"""`verify rerun`: the probes of a pack again, live, beside what they answered then."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Controls, LabCa, Offline, Oracle, Quiet, Resolve, Vantage, Verbose, Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cases import Case
    from evidence import Packed
    from graph.rerun import Agreement
    from probes import Answer
    from verify.config import Configuration
    from verify.progress import Loudness

say = Sentences(__name__)

_ANSWER = len("unknown")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(rerun)


def rerun(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A pack: its folder or its zip.")],
    *,
    workspace: Workspace = None,
    oracle: Oracle = None,
    resolve: Resolve = None,
    vantage: Vantage = None,
    lab_ca: LabCa = None,
    control: Controls = None,
    offline: Offline = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the new pack goes (default: packs).")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Sign the new pack with this key.")] = None,
    from_har: Annotated[
        bool, typer.Option("--from-har", help="Read the pages again from the pack's own archives; send nothing.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Ask a pack's probes again, on the machine that it describes, and compare the answers."""
    if from_har:
        _from_archives(pack, as_json=as_json)
        return
    from evidence.checking import check
    from verify.auditor import Auditor
    from verify.config import load

    flags: dict[str, object] = {"workspace": workspace, "resolve": resolve, "lab_ca": lab_ca, "control": control}
    flags |= {"vantage": vantage, "offline": offline, "out": out, "key": key, "oracle": oracle}
    configuration = load(flags).model_copy(update={"model": None, "review": False})
    earlier = check(pack)
    loudness: Loudness = "quiet" if quiet else "verbose" if verbose else "normal"
    asked = earlier.audit.model_copy(update={"case": of_this_machine(earlier.audit.case, configuration)})
    packed = Auditor(configuration, loudness).repeat(asked, earlier.digest)
    if as_json:
        _answer(packed)
    else:
        _show(packed)


def of_this_machine(case: "Case", configuration: "Configuration") -> "Case":
    """The case without the place of a reference solution, which may be a stranger's choice; `--oracle` names ours."""
    from verify.inputs import with_oracle
    from verify.terminal import warn

    if case.task.reference and configuration.oracle is None:
        warn(say("rerun.reference_solution_not_read"))
    task = case.task.model_copy(update={"reference": None})
    return with_oracle(case.model_copy(update={"task": task}), configuration)


def _from_archives(pack: Path, *, as_json: bool) -> None:
    from cases import InputError
    from evidence.checking import check
    from evidence.recomputing import recompute
    from probes.browser.recorded import from_archives
    from verify import terminal
    from verify.failures import SCHEMA
    from verify.shutdown import run

    found = check(pack)
    files = {hashlib.sha256(data).hexdigest(): data for data in found.content.values()}
    rows = run(from_archives(found.audit.findings, found.audit.hypotheses, files.__getitem__))
    if not rows:
        raise InputError(say("rerun.holds_no_http_archive", pack=pack))
    same = all(row.agrees for row in rows)
    verdict = recompute(found)
    if as_json:
        told = [{**row._asdict(), "agrees": row.agrees} for row in rows]
        status = verdict.status.value if same else None
        document = {"schema": SCHEMA, "rerun": {"parent": found.digest, "from_har": told, "status": status}}
        terminal.answer(json.dumps(document))
        return
    console = terminal.out()
    for row in rows:
        console.print(f"{'same' if row.agrees else 'NOT THE SAME'}  {terminal.one_line(row.what)}")
        if not row.agrees:
            console.print(f"  then  {terminal.shorten(row.then, 300)}\n  now   {terminal.shorten(row.now, 300)}")
    agreed = sum(row.agrees for row in rows)
    console.print(say("rerun.observations_same_without_any", agreed=agreed, all=len(rows), digest=found.digest))
    follows = (
        say("rerun.so_verdict_same", status=verdict.status.value) if same else say("rerun.so_nothing_said_verdict")
    )
    console.print(follows)


def _answer(packed: "Packed") -> None:
    from evidence import document
    from graph.rerun import agreement
    from verify import terminal

    rows = [
        {"finding": row.finding, "then": row.then, "then_at": _at(row.then_at), "now": row.now}
        | {"now_at": _at(row.now_at), "agrees": row.agrees}
        for row in agreement(packed.audit)
    ]
    earlier = packed.audit.basis.earlier
    parent = earlier.pack if earlier else None
    terminal.answer(json.dumps({**document(packed), "rerun": {"parent": parent, "agreement": rows}}))


def _show(packed: "Packed") -> None:
    from graph.rerun import agreement
    from verify import terminal

    audit, made = packed
    console, rows, earlier = terminal.out(), agreement(audit), audit.basis.earlier
    for line in table(rows):
        console.print(line)
    agreed = sum(row.agrees for row in rows)
    console.print(say("rerun.findings_agree", agreed=agreed, all=len(rows)))
    if earlier:
        console.print(say("rerun.verdict_then_now", before=earlier.status.value, now=audit.verdict.status.value))
        console.print(f"parent   {earlier.pack}")
    console.print(f"pack     {made}")


def table(rows: "Sequence[Agreement]") -> list[str]:
    """The findings then and now, a line each below their headings, in columns."""
    from verify.terminal import one_line

    cells = [("finding", "then", "now", "agrees")]
    for row in rows:
        then, now = (_answered(*one) for one in ((row.then, row.then_at), (row.now, row.now_at)))
        cells.append((one_line(row.finding), then, now, "yes" if row.agrees else "NO"))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]


def _answered(answer: "Answer | None", at: "datetime | None") -> str:
    return f"{answer.value:<{_ANSWER}}  {_at(at)}".rstrip() if answer else say("rerun.not_asked")


def _at(moment: "datetime | None") -> str:
    return moment.strftime("%Y-%m-%d %H:%MZ") if moment else ""
