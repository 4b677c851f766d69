"""`verify profiles`: what is known of benchmarks' machines, value by value, and what a run shows of its own."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Benchmark, RunPaths

if TYPE_CHECKING:
    from cases import Case
    from probes import Envelope
    from probes.envelope import Profile, Settled

say = Sentences(__name__)

_NAME = 16
_KEY = 20
_WIDE = 160


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(profiles)


def profiles(
    name: Annotated[str | None, typer.Argument(metavar="NAME|FILE", help="Explain this one.")] = None,
    *,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK_ID", help="Show the machine of this task's runs.")
    ] = None,
    run: RunPaths = None,
    benchmark: Benchmark = None,
    as_json: AsJson = False,
) -> None:
    """List the machines of known benchmarks, or explain one, value by value."""
    from cases import InputError
    from probes.envelope import load_profile, profile_names

    if task is not None:
        _machine(task, name, {"run": run, "benchmark": benchmark}, as_json=as_json)
    elif run or benchmark:
        raise InputError(say("profiles.run_benchmark_show_machine"))
    elif name is not None:
        _explain(load_profile(name, ""), as_json=as_json)
    else:
        _list([load_profile(one, "") for one in profile_names()], as_json=as_json)


def _list(known: "list[Profile]", *, as_json: bool) -> None:
    from probes.envelope import ASSUMED
    from verify.failures import SCHEMA
    from verify.terminal import answer, one_line, out

    if as_json:
        keys = {"name", "title", "source", "benchmarks", "extends"}
        answer(json.dumps({"schema": SCHEMA, "profiles": [one.model_dump(mode="json", include=keys) for one in known]}))
        return
    console = out()
    for one in known:
        console.print(f"{one.name:<{_NAME}}", style="bold", end="")
        console.print(one_line(one.title))
        if one.benchmarks or one.name == ASSUMED:
            console.print(f"{'':<{_NAME}}for {', '.join(one.benchmarks) or 'every other benchmark'}")
    console.print("verify profiles NAME explains one; verify TASK_ID --profile NAME|FILE takes it")


def _explain(profile: "Profile", *, as_json: bool) -> None:
    from probes.envelope import FIELDS, settled
    from verify.failures import SCHEMA
    from verify.terminal import answer, one_line, out

    values = {name: settled(name, profile) for name in FIELDS}
    if as_json:
        about = profile.model_dump(mode="json", exclude={"envelope", "dockerfile"})
        told = {name: _as_document(value) for name, value in values.items()}
        answer(json.dumps({"schema": SCHEMA, "profile": {**about, "values": told}}))
        return
    console = out()
    console.print(profile.name, style="bold", end="")
    console.print(f"  {one_line(profile.title) or 'without a title'}")
    for one in profile.lineage:
        console.print(f"  {one.name}'s source: {one_line(one.source) or 'not said'}")
    for name, value in values.items():
        by = say("profiles.stated") if value.by == profile.name else say("profiles.stated_2", by=value.by)
        _row(name, value.value, values["interpreter"].value, "assumed" if value.origin == "assumed" else by)
    console.print(say("profiles.assumed_value_never_proves"))


def _as_document(value: "Settled") -> dict[str, object]:
    plain = value.value
    if isinstance(plain, tuple):
        plain = [item if isinstance(item, str) else item.model_dump(mode="json") for item in plain]
    return {"value": plain, "origin": value.origin, "by": value.by}


def _machine(task: str, name: str | None, flags: dict[str, object], *, as_json: bool) -> None:
    from cases.events import events_of
    from probes.envelope import envelope_for, load_profile
    from verify.config import load
    from verify.failures import SCHEMA
    from verify.inputs import open_library
    from verify.terminal import answer

    configuration = load(flags)
    library = open_library(configuration)
    case = library.case(library.resolve(task))
    events = {run.run_id: events_of(run.transcript) for run in case.runs if run.transcript}
    envelope = envelope_for(
        case, events, load_profile(name or configuration.profile, case.benchmark, configuration.network)
    )
    if as_json:
        named = {"benchmark": case.benchmark, "task_id": case.task_id}
        answer(json.dumps({"schema": SCHEMA, "case": named, "envelope": envelope.model_dump(mode="json")}))
    else:
        _show(case, envelope)


def _show(case: "Case", envelope: "Envelope") -> None:
    from probes.envelope import FIELDS
    from verify.terminal import one_line, out, shorten

    console = out()
    named = f"{one_line(case.task_id)} of {one_line(case.benchmark)}"
    console.print(f"{named}, profile {one_line(envelope.profile)}")
    for name in FIELDS:
        value = getattr(envelope, name)
        origin = {"profile": f"profile {envelope.profile}"}.get(value.origin, value.origin)
        _row(name, value.value, envelope.interpreter.value, origin)
        if cited := value.citation:
            where = f"{shorten(cited.run_id, 60)}, block {cited.block}"
            console.print(f"  {'':<{_KEY}}“{shorten(cited.quote, _WIDE)}” ({where})")


def _row(name: str, value: object, interpreter: str, origin: str) -> None:
    from evidence.report.words import envelope_value
    from verify.terminal import one_line, out, shorten

    console = out()
    console.print(f"  {name:<{_KEY}}", style="dim", end="")
    console.print(f"{shorten(envelope_value(name, value, interpreter), _WIDE):<32}", end="")
    console.print(f"  {one_line(origin)}")
