"""`verify bench`: how often the program is right on failures whose truth is known by how they were made."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Quiet

if TYPE_CHECKING:
    from verify.labelled import LabelledSet, World
    from verify.labelled.scores import Tried
    from verify.labelled.ways import Proof

say = Sentences(__name__)

FOLDER = Path("benchmarks/disputed")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(bench)


def bench(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A labelled set.")] = FOLDER,
    *,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Only worlds with this id (* allowed). Repeatable.")
    ] = None,
    at_once: Annotated[int, typer.Option("--at-once", metavar="N", min=1, max=64, help="Audits side by side.")] = 1,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="N", min=1, help="Audit each this often; all must agree.")
    ] = 1,
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option("--format", metavar="NAME", help="Write every run in this format instead of its own.")
    ] = None,
    rewritten: Annotated[
        str | None, typer.Option("--rewritten", metavar="NAME", help="Rewrite every run in this way first.")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Let the agents act in worlds without a recording, and stop there.")
    ] = False,
    ways: Annotated[
        bool,
        typer.Option("--ways", help="Prove the labels on fresh machines: walk each way, and try what should be shut."),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Audit failures whose truth is known, and report precision, recall and agreement."""
    from verify.labelled import LabelledSet

    labelled = LabelledSet(folder)
    worlds = labelled.worlds(only or ())
    if record:
        _record(labelled, worlds, named=bool(only))
    elif ways:
        _prove(labelled, worlds, as_json=as_json)
    else:
        worlds = tuple(one.model_copy(update={"format": format}) for one in worlds) if format else worlds
        _judge(labelled, worlds, (at_once, repeats), rewritten, as_json=as_json, quiet=quiet)


def _record(labelled: "LabelledSet", worlds: "tuple[World, ...]", *, named: bool) -> None:
    from verify.labelled.recording import recorded
    from verify.terminal import answer

    wanted = [one for one in worlds if named or labelled.recording(one) is None]
    for world, found in recorded(wanted, labelled):
        codes = " ".join(str(step.exit_code) for step in found.steps)
        answer(say("bench.steps_exit_codes", id=world.id, number=len(found.steps), codes=codes))


def _prove(labelled: "LabelledSet", worlds: "tuple[World, ...]", *, as_json: bool) -> None:
    from sandboxes import Engine
    from sandboxes.images import ensure_base
    from sandboxes.indexes import index_access
    from verify.failures import SCHEMA
    from verify.labelled.ways import prove
    from verify.terminal import answer

    proofs: list[Proof] = []
    engine = Engine.connect()
    try:
        with index_access(engine, ensure_base(engine)):
            for world in worlds:
                one = prove(world, labelled, engine)
                proofs.append(one)
                row = {"world": world.id, "holds": one.holds, "because": one.because}
                answer(
                    json.dumps({"schema": SCHEMA, "proof": row})
                    if as_json
                    else " ".join((f"{one.holds:9}", f"{world.id:44}", one.because))
                )
    finally:
        engine.close()
    if any(one.holds == "refuted" for one in proofs):
        raise typer.Exit(1)


def _judge(
    labelled: "LabelledSet",
    worlds: "tuple[World, ...]",
    how: tuple[int, int],
    rewritten: str | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    from verify.failures import SCHEMA
    from verify.labelled.benching import Bench
    from verify.labelled.scores import scores
    from verify.terminal import answer, err

    def tell(one: "Tried") -> None:
        if as_json:
            answer(json.dumps({"schema": SCHEMA, "audited": one.row}, ensure_ascii=True))
        if not quiet:
            for line in _lines(one):
                err().print(line)

    done = Bench(labelled, *how, rewritten, tell).run(worlds)
    figures = scores(done.tried) | {"not_counted": done.left}
    if as_json:
        answer(json.dumps({"schema": SCHEMA, "bench": figures}, ensure_ascii=True))
    else:
        _show(figures)
    if figures["as_labelled"] != len(done.tried) or not done.tried:
        raise typer.Exit(1)


def _lines(one: "Tried") -> "list[str]":
    said = one.said
    mark = "ok" if one.right and one.agrees else "DIFFERENT"
    row = f"{said.status:13} {said.barrier or '-':14} {said.decided_by}" if said else say("bench.no_verdict")
    lines = [f"{mark:9} {one.world.id:44} {one.times[0].seconds:5.0f} s  {row}".rstrip()]
    gaps = dict.fromkeys(str(gap) for run in one.times for gap in run.differences)
    lines += [f"          {gap}" for gap in gaps]
    if not one.right and said:
        lines.append(f"          reason: {said.reason}")
    return lines


def _show(figures: dict[str, object]) -> None:
    from verify.terminal import out

    console = out()
    for name, value in figures.items():
        label = name.replace("_", " ")
        if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
            console.print(f"{label}")
            for key, row in value.items():
                console.print(f"  {key:<30} {row['right']} of {row['worlds']}")
        elif isinstance(value, dict):
            console.print(f"{label:<22} " + "; ".join(f"{key}: {inner}" for key, inner in value.items()))
        elif isinstance(value, list):
            console.print(f"{label:<22} {', '.join(map(str, value)) or '-'}")
        else:
            console.print(f"{label:<22} {'-' if value is None else value}")
