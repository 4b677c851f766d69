"""`verify demo`: three bundled synthetic failures, one of each outcome, audited for real."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cases.sentences import Sentences
from verify.options import AsJson, Quiet, Verbose

if TYPE_CHECKING:
    from verify.demo.scenario import Result

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(demo)


def demo(
    web: Annotated[bool, typer.Option("--web", help="Only the browser case; needs no Docker engine.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where packs go (default: packs).")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Audit three bundled synthetic failures, one for each outcome, with a local site and real containers."""
    from evidence import document
    from verify import terminal
    from verify.config import load
    from verify.demo.scenario import run, scenarios

    chosen = [one for one in scenarios() if one.web or not web]
    target = load({"out": out}).out
    results = []
    for number, scenario in enumerate(chosen, 1):
        if not quiet:
            terminal.err().print(f"{number}/{len(chosen)} {scenario.title}", style="bold")
        results.append(run(scenario, target, "quiet" if quiet else "verbose" if verbose else "normal"))
        if as_json:
            terminal.answer(json.dumps(document(results[-1].packed)))
    if not as_json:
        _show(results)
    for result in results:
        _warn_when_unexpected(result)


def _show(results: "list[Result]") -> None:
    from verify.printing import STYLES
    from verify.terminal import one_line, out

    console = out()
    for result in results:
        verdict = result.packed.audit.verdict
        status = verdict.status.value
        console.print()
        console.print(f"{status:<14}", style=STYLES[status], end="")
        console.print(f" score {verdict.score}  {result.scenario.title}")
        if result.as_expected:
            console.print(f"  shown   {result.scenario.shown}")
        console.print(f"  reason  {one_line(verdict.reason)}")
        console.print(f"  pack    {result.packed.path}")


def _warn_when_unexpected(result: "Result") -> None:
    from verify.checks import looked
    from verify.config import Configuration
    from verify.terminal import warn

    if result.as_expected:
        return
    checks = [looked(name, Configuration()) for name in result.scenario.needs]
    lacking = [f"{check.detail}; {check.remedy}" for check in checks if check.state == "fail"]
    verdict = result.packed.audit.verdict
    failed = [limit for limit in verdict.limits if "could not run" in limit]
    because = "; ".join(lacking or failed) or verdict.reason
    status = verdict.status.value
    warn(say("demo.but_not_show", title=result.scenario.title, status=status, because=because))
