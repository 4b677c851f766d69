"""The Typer application: which words are commands, and that every other word is a task id."""

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

COMMANDS = (
    "audit",
    "view",
    "check",
    "recompute",
    "rerun",
    "issue",
    "image",
    "explain",
    "key",
    "cases",
    "profiles",
    "doctor",
    "demo",
)


class DefaultsToAudit(TyperGroup):
    """`verify TASK_ID…` is `verify audit TASK_ID…`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer's own context is not public
        """Put `audit` before anything that neither is a command nor a question about the program."""
        own = {"--help", "--version", "--install-completion", "--show-completion", *self.commands}
        if args and args[0] not in own:
            args = ["audit", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=DefaultsToAudit,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"impassable {version('impassable')}")
        raise typer.Exit


@app.callback(epilog="verify TASK_ID… is short for verify audit TASK_ID…; verify audit --help lists its options.")
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = (
        False
    ),
) -> None:
    """Was the benchmark impassable, or did the agent fall short? Settled by trying."""


for _command in COMMANDS:
    importlib.import_module(f"verify.{_command}").register(app)
