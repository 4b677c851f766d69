"""`verify audit`: from a task id to a checked verdict and its pack."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.options import (
    AsJson,
    Benchmark,
    ClaimPaths,
    Controls,
    Grader,
    LabCa,
    MaxCalls,
    MaxCost,
    ModelName,
    Network,
    Offline,
    Oracle,
    OutcomePaths,
    Quiet,
    Resolve,
    RunPaths,
    SecondReader,
    Tasks,
    TrustPickle,
    Vantage,
    Verbose,
    Workspace,
)

if TYPE_CHECKING:
    from cases import Case
    from evidence import Packed
    from verify.auditing import Auditor
    from verify.progress import Loudness

EXIT_CODES = {"supported": 10, "inconclusive": 12, "not_supported": 11}
"""With --exit-code; for several tasks the first of these that occurs."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(audit)


def audit(
    task_ids: Annotated[list[str], typer.Argument(metavar="TASK_ID...", help="Task ids or unambiguous prefixes.")],
    *,
    run: RunPaths = None,
    claims: ClaimPaths = None,
    outcomes: OutcomePaths = None,
    tasks: Tasks = None,
    grader: Grader = None,
    oracle: Oracle = None,
    trust_pickle: TrustPickle = None,
    benchmark: Benchmark = None,
    rubric: Annotated[
        str | None, typer.Option("--rubric", metavar="NAME", help="auto, assistantbench or environmental_barrier.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="NAME|PATH", help="What the run's machine was: a name, a file, a task."),
    ] = None,
    network: Network = None,
    workspace: Workspace = None,
    resolve: Resolve = None,
    vantage: Vantage = None,
    lab_ca: LabCa = None,
    control: Controls = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where packs go (default: packs).")] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Sign packs with this key (verify key new makes one).")
    ] = None,
    public: Annotated[
        bool | None, typer.Option("--public/--no-public", help="Packs without gold answers and local paths.")
    ] = None,
    as_json: AsJson = False,
    rubric_json: Annotated[bool, typer.Option("--rubric-json", help="Print the rubric's seven fields only.")] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Leave with 10 supported, 11 not supported, 12 inconclusive.")
    ] = False,
    thorough: Annotated[
        bool | None,
        typer.Option(
            "--thorough/--no-thorough", help="Run every probe, also once it is settled, for as long as it takes."
        ),
    ] = None,
    offline: Offline = None,
    model: ModelName = None,
    max_calls: MaxCalls = None,
    max_cost: MaxCost = None,
    second_reader: SecondReader = None,
    review: Annotated[
        bool | None, typer.Option("--review/--no-review", help="Ask a person before the verdict becomes final.")
    ] = None,
    answer: Annotated[
        str | None, typer.Option("--answer", metavar="WORD", help="To a waiting review: accept, reject, yes or no.")
    ] = None,
    because: Annotated[
        str | None, typer.Option("--because", metavar="TEXT", help="The reason of a reject, yes or no.")
    ] = None,
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", metavar="NAME", help="Who reviews (default: git's user.name).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be tried; send nothing.")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Settle whether a failed run met an impassable benchmark, by trying."""
    from cases import InputError
    from verify.auditing import Auditor
    from verify.config import load
    from verify.inputs import given_grader, open_library, with_grader, with_oracle
    from verify.review import Reviewer
    from verify.several import PassedOver

    if as_json and rubric_json:
        raise InputError("--json and --rubric-json exclude each other; choose one")
    flags: dict[str, object] = {
        "run": run,
        "claims": claims,
        "outcomes": outcomes,
        "tasks": tasks,
        "grader": grader,
        "oracle": oracle,
        "trust_pickle": trust_pickle,
        "benchmark": benchmark,
        "rubric": rubric,
    }
    flags |= {
        "profile": profile,
        "network": network,
        "workspace": workspace,
        "resolve": resolve,
        "vantage": vantage,
        "lab_ca": lab_ca,
        "control": control,
        "out": out,
        "key": key,
        "public": public,
    }
    flags |= {"model": model, "max_calls": max_calls, "max_cost": max_cost, "second_reader": second_reader}
    asked = True if answer else review
    configuration = load(flags | {"thorough": thorough, "offline": offline, "review": asked})
    person = Reviewer.of(answer, because, reviewer) if configuration.review else None
    library = open_library(configuration)
    found = [library.resolve(text) for text in task_ids]
    script = given_grader(configuration)
    failed = PassedOver(alone=len(found) == 1, as_json=as_json)
    cases: list[Case] = []
    for summary in dict.fromkeys(found):
        try:
            cases.append(with_oracle(with_grader(library.case(summary), script), configuration))
        except Exception as error:  # noqa: BLE001 - raised again where the others are not to go on
            failed(summary.task_id, error)
    loudness: Loudness = "quiet" if quiet else "verbose" if verbose else "normal"
    auditor = Auditor(configuration, loudness, person)
    if dry_run:
        _show_plans(auditor, cases, as_json=as_json)
        failed.leave()
        return
    statuses: set[str] = set()

    def tell(packed: "Packed") -> None:
        statuses.add(_told(packed, as_json=as_json, rubric_json=rubric_json))

    auditor.audit_all(cases, tell, lambda case, error: failed(case.task_id, error))
    failed.leave()
    if exit_code:
        raise typer.Exit(next(code for status, code in EXIT_CODES.items() if status in statuses))


def _told(packed: "Packed", *, as_json: bool, rubric_json: bool) -> str:
    """Print the answer; returns the status."""
    from evidence import document
    from verify import terminal
    from verify.verdict import show

    if as_json:
        terminal.answer(json.dumps(document(packed), ensure_ascii=True))
    elif rubric_json:
        terminal.answer(json.dumps(packed.audit.verdict.rubric_fields(), ensure_ascii=True))
    else:
        show(terminal.out(), packed.audit, packed.path)
    return packed.audit.verdict.status.value


def _show_plans(auditor: "Auditor", cases: list["Case"], *, as_json: bool) -> None:
    from verify import terminal
    from verify.failures import SCHEMA

    console = terminal.out()
    for case in cases:
        plan = auditor.plan(case)
        if as_json:
            steps = [step.model_dump(mode="json") for step in plan.steps]
            hypotheses = [one.model_dump(mode="json") for one in plan.hypotheses]
            named = {"benchmark": case.benchmark, "task_id": case.task_id}
            envelope = plan.envelope.model_dump(mode="json")
            document = {"case": named, "envelope": envelope, "hypotheses": hypotheses, "steps": steps}
            terminal.answer(json.dumps({"schema": SCHEMA, "plan": document}))
            continue
        statements = {one.id: one.statement for one in plan.hypotheses}
        console.print(terminal.one_line(f"{case.task_id} of {case.benchmark}: {len(plan.steps)} steps, nothing sent"))
        if auditor.model:
            console.print(
                f"  {'model':<10} {terminal.one_line(auditor.model.name)}: at most {auditor.model.calls} calls"
            )
        for step in plan.steps:
            statement = statements.get(step.hypothesis or "", "no hypothesis: what the records say")
            console.print(f"  {step.probe:<10} {terminal.one_line(statement)}")
            for target in step.targets:
                console.print(f"  {'':<10} {terminal.shorten(target, 200)}")
