"""`verify watch`: the packs of a folder asked again, the oldest first, and what has changed since: a nightly job."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Controls, LabCa, Offline, Oracle, Quiet, Resolve, Vantage, Workspace

if TYPE_CHECKING:
    from verify.batch.watching import Seen

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(watch)


def watch(
    path: Annotated[Path, typer.Argument(metavar="DIR|LEDGER", help="A folder of packs, or its ledger.")],
    *,
    older_than: Annotated[
        float, typer.Option("--older-than", metavar="DAYS", min=0, help="Only packs not asked for this long.")
    ] = 0.0,
    most: Annotated[int | None, typer.Option("--most", metavar="N", min=1, help="At most this many packs.")] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", min=0, help="Start no pack after this many minutes.")
    ] = None,
    workspace: Workspace = None,
    oracle: Oracle = None,
    resolve: Resolve = None,
    vantage: Vantage = None,
    lab_ca: LabCa = None,
    control: Controls = None,
    offline: Offline = None,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 10 if anything has changed.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Ask a folder's packs again, oldest first, and say what has changed; history.jsonl keeps a record."""
    import json
    from datetime import timedelta

    from verify import terminal
    from verify.batch.watching import Budget, Watch
    from verify.config import load
    from verify.failures import SCHEMA, explained, tell

    flags: dict[str, object] = {"workspace": workspace, "resolve": resolve, "lab_ca": lab_ca, "control": control}
    flags |= {"vantage": vantage, "offline": offline, "oracle": oracle}
    folder = path if path.is_dir() else path.parent
    configuration = load(flags).model_copy(update={"model": None, "review": False, "out": folder})
    budget = Budget(timedelta(days=older_than), most, timedelta(minutes=minutes) if minutes is not None else None)
    codes, changed, asked = {0}, 0, 0

    def show(seen: "Seen") -> None:
        nonlocal changed, asked
        asked += 1
        changed += bool(seen.changes)
        if as_json:
            terminal.answer(json.dumps({"schema": SCHEMA, "watch": seen.model_dump(mode="json")}))
        elif seen.changes or not quiet:
            terminal.out().print(terminal.one_line(seen.told))

    def failed(task: str, error: Exception) -> None:
        message, code = explained(error)
        tell(f"{task}: {message}", code, as_json=as_json)
        codes.add(code)

    left = Watch(path, configuration, budget, show, failed).run()
    if not as_json:
        terminal.out().print(say("watch.asked_again_changed_left", asked=asked, changed=changed, left=left))
    if max(codes):
        raise typer.Exit(max(codes))
    if exit_code and changed:
        raise typer.Exit(10)
