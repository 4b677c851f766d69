"""`verify audit`: from a task id to a checked verdict and its pack."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
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
    from verify.progress import Loudness

say = Sentences(__name__)

EXIT_CODES = {"supported": 10, "inconclusive": 12, "not_supported": 11}
"""With --exit-code; for several tasks the first of these that occurs."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(audit)


def audit(
    task_ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TASK_ID...", help="Task ids, or the beginning of one; BENCHMARK/TASK_ID; - reads ids from stdin."
        ),
    ] = None,
    *,
    all_failed: Annotated[bool, typer.Option("--all-failed", help="Every task with a failed run.")] = False,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only tasks that some call impassable and others do not.")
    ] = False,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", metavar="NAME", help="Only tasks that this agent or model failed (* allowed). Repeatable."
        ),
    ] = None,
    claimed: Annotated[
        float | None,
        typer.Option("--claimed", metavar="SCORE", help="Only tasks with a claim of this score or more."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Only N of them, drawn at random.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The seed for --sample.")] = 0,
    shard: Annotated[
        str | None,
        typer.Option("--shard", metavar="I/N", help="Only this share of them; verify merge joins the shares."),
    ] = None,
    at_once: Annotated[
        int | None, typer.Option("--at-once", metavar="N", min=1, max=64, help="Audits side by side (default: 4).")
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", metavar="NAME", help="here, or dask for the workers of a cluster.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDR", help="The cluster's address; without one, a cluster is started here."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, help="Workers of the cluster that is started here.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Audit finished tasks again, too.")] = False,
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
        typer.Option(
            "--profile", metavar="NAME|PATH", help="The run's machine: a profile's name, a file, or a task's folder."
        ),
    ] = None,
    network: Network = None,
    workspace: Workspace = None,
    resolve: Resolve = None,
    vantage: Vantage = None,
    lab_ca: LabCa = None,
    control: Controls = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where packs go (default: packs).")] = None,
    evidence: Annotated[
        str | None,
        typer.Option("--evidence", metavar="URL", help="Also put each pack's zip there, such as s3://bucket/packs."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Sign packs with this key (verify key new makes one).")
    ] = None,
    public: Annotated[
        bool | None, typer.Option("--public/--no-public", help="Leave gold answers and local paths out of packs.")
    ] = None,
    as_json: AsJson = False,
    rubric_json: Annotated[bool, typer.Option("--rubric-json", help="Print only the rubric's seven fields.")] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 10 if supported, 11 if not, 12 if inconclusive.")
    ] = False,
    thorough: Annotated[
        bool | None,
        typer.Option("--thorough/--no-thorough", help="Run every probe to the end, even once the verdict is settled."),
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
        str | None,
        typer.Option("--answer", metavar="WORD", help="Your answer to a waiting review: accept, reject, yes or no."),
    ] = None,
    because: Annotated[
        str | None, typer.Option("--because", metavar="TEXT", help="The reason for a reject, yes or no.")
    ] = None,
    reviewer: Annotated[
        str | None, typer.Option("--reviewer", metavar="NAME", help="Who reviews (default: git's user.name).")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be tried; send nothing.")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Find out, by trying, whether a failed run met an impassable benchmark."""
    from cases import InputError
    from verify.batch.course import Course, Form
    from verify.batch.selection import Selection, Shard, named, resolved, selected
    from verify.config import load
    from verify.inputs import open_library
    from verify.review import Reviewer
    from verify.several import PassedOver

    if as_json and rubric_json:
        raise InputError(say("audit.json_rubric_json_exclude"))
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
        "evidence": evidence,
        "key": key,
        "public": public,
    }
    flags |= {
        "at_once": at_once,
        "engine": engine,
        "scheduler": scheduler,
        "workers": workers,
        "model": model,
        "max_calls": max_calls,
        "max_cost": max_cost,
        "second_reader": second_reader,
    }
    asked = True if answer else review
    configuration = load(flags | {"thorough": thorough, "offline": offline, "review": asked})
    person = Reviewer.of(answer, because, reviewer) if configuration.review else None
    share = Shard.parse(shard) if shard else None
    selection = Selection(all_failed, disputed, tuple(agent or ()), claimed, sample, seed, share)
    ids = named(task_ids or ())
    if not ids and not selection.given:
        raise InputError(say("audit.nothing_says_tasks_ids"))
    library = open_library(configuration)
    failed = PassedOver(alone=len(ids) == 1 and not selection.given and share is None, as_json=as_json)
    if any(problem.refused for problem in library.problems):
        failed.refused()
    found = resolved(library, ids, failed) if ids else library.tasks()
    if found and (selection.given or share):
        found = selected(library, found, selection if ids else selection.of_failures())
    loudness: Loudness = "quiet" if quiet else "verbose" if verbose else "normal"
    form: Form = "json" if as_json else "rubric" if rubric_json else "text"
    course = Course(configuration, library, failed, person, loudness, form)
    if dry_run:
        course.plan(found)
    elif failed.alone:
        course.one(found[0])
    else:
        course.many(found, share, again=again, whole=bool(ids))
    failed.leave()
    if exit_code and course.statuses:
        raise typer.Exit(next(code for status, code in EXIT_CODES.items() if status in course.statuses))
