"""`verify recompute`: verdict and texts of packs again, from their own records alone."""

import json
from pathlib import Path

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Packs

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(recompute)


def recompute(packs: Packs, *, as_json: AsJson = False) -> None:
    """Decide packs again from their findings, and rewrite their texts: offline, without model, Docker or browser."""
    from evidence.checking import check
    from evidence.recomputing import recompute as decided
    from verify.failures import SCHEMA
    from verify.several import each
    from verify.terminal import answer, one_line, out

    def again(path: Path) -> None:
        pack = check(path)
        verdict = decided(pack)
        if as_json:
            told = {"pack": str(path), "digest": pack.digest, "status": verdict.status.value, "score": verdict.score}
            answer(json.dumps({"schema": SCHEMA, "recompute": told}))
            return
        console = out()
        console.print("same", style="bold green", end="")
        console.print(
            say(
                "recompute.score_byte_byte",
                path=one_line(str(path)),
                status=verdict.status.value,
                score=verdict.score,
            )
        )
        console.print(f"      {one_line(verdict.reason)}")

    each(packs, again, as_json=as_json)
