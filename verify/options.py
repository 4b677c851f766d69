"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

RunPaths = Annotated[
    list[Path] | None,
    typer.Option("--run", metavar="PATH", help="Transcripts: a file, a directory or a glob. Repeatable."),
]
ClaimPaths = Annotated[
    list[Path] | None,
    typer.Option("--claims", metavar="PATH", help="Earlier verdicts by rubrics, judges or people. Repeatable."),
]
OutcomePaths = Annotated[
    list[Path] | None,
    typer.Option("--outcomes", metavar="PATH", help="Which runs passed, as CSV. Repeatable."),
]
Tasks = Annotated[
    str | None,
    typer.Option(
        "--tasks",
        metavar="PATH|NAME",
        help="The tasks: a jsonl file, a folder of Terminal-Bench or Harbor tasks, or assistantbench (from the hub).",
    ),
]
Grader = Annotated[
    Path | None,
    typer.Option("--grader", metavar="FILE", help="The benchmark's grader: Python that defines grade(answer, gold)."),
]
Oracle = Annotated[
    Path | None,
    typer.Option(
        "--oracle",
        metavar="PATH",
        help="The reference solution and its checks: a task's folder, SWE-bench's rows, or a script.",
    ),
]
TrustPickle = Annotated[
    bool | None,
    typer.Option("--trust-pickle/--no-trust-pickle", help="Open the pickles in which BrowserGym keeps its steps."),
]
Benchmark = Annotated[str | None, typer.Option("--benchmark", metavar="NAME", help="Only this benchmark.")]
Workspace = Annotated[
    Path | None, typer.Option("--workspace", metavar="DIR", help="The task's own files, for replays.")
]
Network = Annotated[
    str | None,
    typer.Option("--network", metavar="MODE", help="What the run's machine could reach: none, indexes, task or open."),
]
Resolve = Annotated[
    list[str] | None,
    typer.Option("--resolve", metavar="HOST=ADDR:PORT", help="Map a host (lab evidence). Repeatable."),
]
Vantage = Annotated[
    str | None,
    typer.Option(
        "--vantage", metavar="URL", help="Also visit pages through this proxy of yours: http:// or socks5://."
    ),
]
LabCa = Annotated[Path | None, typer.Option("--lab-ca", metavar="FILE", help="Certificate authority for mapped hosts.")]
Controls = Annotated[
    list[str] | None,
    typer.Option("--control", metavar="URL", help="Positive control instead of the defaults. Repeatable."),
]
Offline = Annotated[bool | None, typer.Option("--offline/--no-offline", help="Send nothing over any network.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object per line on stdout.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress on stderr.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Every step on stderr.")]
Packs = Annotated[list[Path], typer.Argument(metavar="PACK...", help="Packs: folders or zips.")]
SignedBy = Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Demand a signature by this public key.")]
ModelName = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="A language model that may help but never decides (OPENAI_BASE_URL)."),
]
MaxCalls = Annotated[int | None, typer.Option("--max-calls", metavar="N", help="Its calls per audit (default: 2).")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", metavar="USD", help="What it may cost per audit.")]
SecondReader = Annotated[
    bool | None, typer.Option("--second-reader/--no-second-reader", help="Let it also argue against the verdict.")
]
