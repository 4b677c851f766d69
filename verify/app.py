"""The Typer application: which words are commands, and that every other word is a task id."""

import importlib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from verify.completing import completed
from verify.help import Gathered, Grouped, greet, nearly

COMMANDS = (
    "audit",
    "show",
    "merge",
    "export",
    "harbor",
    "view",
    "check",
    "recompute",
    "rerun",
    "watch",
    "issue",
    "feedback",
    "image",
    "explain",
    "key",
    "bench",
    "cases",
    "profiles",
    "doctor",
    "demo",
)


class DefaultsToAudit(Gathered):
    """`verify TASK_ID…` is `verify audit TASK_ID…`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer's own context is not public
        """Put `audit` before anything that neither is a command nor a question about the program."""
        own = {"-h", "--help", "--version", "--install-completion", "--show-completion", *self.commands}
        if not args and not ctx.resilient_parsing:
            greet()
            raise typer.Exit(2)
        if args and args[0] not in own:
            if near := get_close_matches(args[0], self.commands, 1, 0.7):
                nearly[args[0]] = near[0]
            args = ["audit", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ANN401 - see above
        """Commands, and tasks as `verify audit` completes them."""
        found = super().shell_complete(ctx, incomplete)
        audit = self.commands["audit"]
        inner = audit.make_context("audit", [], parent=ctx, resilient_parsing=True)
        tasks = next(one for one in audit.params if one.name == "task_ids")
        return found if incomplete.startswith("-") else [*found, *tasks.shell_complete(inner, incomplete)]


app = typer.Typer(
    cls=DefaultsToAudit,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        commit = _commit()
        typer.echo(f"impassable {version('impassable')}" + (f" (commit {commit})" if commit else ""))
        raise typer.Exit


def _commit() -> str:
    """As a wheel remembers it, or as git says it of a checkout; empty where neither does."""
    import subprocess

    here = Path(__file__).resolve().parent
    kept = here / "COMMIT"
    if kept.is_file():
        return kept.read_text(encoding="utf-8").strip()
    if not (here.parent / ".git").exists():
        return ""
    command = ["git", "-C", str(here.parent), "describe", "--always", "--dirty=+changes", "--exclude=*", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


@app.callback(epilog="verify TASK_ID… is short for verify audit TASK_ID…; its options: verify audit --help")
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and its commit.")
    ] = (False),
) -> None:
    """Was the benchmark impassable, or did the agent fall short? Settled by trying."""


for _command in COMMANDS:
    importlib.import_module(f"verify.{_command}").register(app)
for _registered in app.registered_commands:
    _registered.cls = Grouped
    completed(_registered.callback)
