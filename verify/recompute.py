"""`verify recompute`: the verdict of packs again, from their own records alone."""

import json

import typer

from verify.options import AsJson, Packs


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(recompute)


def recompute(packs: Packs, *, as_json: AsJson = False) -> None:
    """Decide packs again from their records: offline, without model, Docker or browser."""
    from evidence.checking import check
    from evidence.recomputing import recompute as decided
    from verify.failures import SCHEMA
    from verify.terminal import answer, one_line, out

    for path in packs:
        pack = check(path)
        verdict = decided(pack)
        if as_json:
            told = {"pack": str(path), "digest": pack.digest, "status": verdict.status.value, "score": verdict.score}
            answer(json.dumps({"schema": SCHEMA, "recompute": told}))
            continue
        console = out()
        console.print("same", style="bold green", end="")
        console.print(f"  {one_line(str(path))}: {verdict.status.value} (score {verdict.score}), byte for byte")
        console.print(f"      {one_line(verdict.reason)}")
