"""`verify feedback`: what a maintainer says of a pack, as a file that travels back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from cases.sentences import Sentences

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(feedback)


def feedback(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A pack: its folder or its .zip.")],
    *,
    false: Annotated[
        bool | None, typer.Option("--false/--confirmed", help="The pack's verdict is a false alarm, or right.")
    ] = None,
    because: Annotated[str, typer.Option("--because", metavar="TEXT", help="Why.")] = "",
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who says so (default: git's user.name).")] = (
        None
    ),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where it goes (default: PACK.feedback.json).")
    ] = None,
) -> None:
    """Record that a pack's verdict is right or a false alarm; --claims reads it, and nothing else changes."""
    from cases import EnvironmentNotReady, InputError
    from evidence.checking import check
    from verify.failures import SCHEMA
    from verify.review import known_name
    from verify.terminal import answer

    because = " ".join(because.split())
    if false is None:
        raise InputError(say("feedback.say_pack_false_false"))
    if not because:
        raise InputError(say("feedback.feedback_needs_reason_others"))
    found = check(pack)
    case, verdict = found.audit.case, found.audit.verdict
    said = {
        "pack": pack.name.removesuffix(".zip"),
        "digest": found.digest,
        "benchmark": case.benchmark,
        "task_id": case.task_id,
        "status": verdict.status.value,
        "leading": verdict.leading,
        "says": "false alarm" if false else "confirmed",
        "because": because,
        "by": by or known_name("--by"),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = out or pack.with_name(f"{said['pack']}.feedback.json")
    try:
        path.write_text(json.dumps({"schema": SCHEMA, "feedback": said}, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise EnvironmentNotReady(say("feedback.another_file_out", path=path, strerror=error.strerror)) from None
    answer(str(path))
