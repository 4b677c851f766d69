"""How help is laid out: options in groups, readable at any width, and a greeting for whoever gives no word at all."""

import shutil
from collections.abc import Iterable
from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from cases.sentences import Sentences

say = Sentences(__name__)

GREETING = """\
Was the benchmark impassable,
or did the agent fall short?

Try it on bundled failures:
  verify demo

Audit a failure of yours:
  verify TASK_ID --run run.json

See what your files hold:
  verify cases --run runs/

Every command: verify --help
This machine:  verify doctor
"""
GROUPS = {
    "Which tasks": "all_failed disputed agent claimed sample seed shard again benchmark",
    "Who does the work": "at_once engine scheduler workers",
    "What is known about them": "run claims outcomes tasks rubric trust_pickle",
    "The run's machine": "profile network workspace grader oracle",
    "How hard to try": "thorough offline vantage dry_run",
    "The pack and the output": "out evidence key public as_json rubric_json exit_code quiet verbose",
    "A language model, which decides nothing": "model max_calls max_cost second_reader",
    "Review by a person": "review answer because reviewer",
    "A laboratory": "resolve lab_ca control",
}
"""Headings of `verify audit --help`, with the parameters below each; others stand below Options."""
_SENTENCE = 200
_NARROW = 64
_WIDEST = 100


def width() -> int:
    """Columns that help may take."""
    return min(shutil.get_terminal_size().columns, _WIDEST)


def sections(command: str | None, named: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """What is told of each option, below its heading."""
    headings = {name: heading for heading, names in GROUPS.items() for name in names.split()}
    told: dict[str, list[Any]] = {heading: [] for heading in (*GROUPS, "Options")}
    for name, row in named:
        told[headings.get(name, "Options") if command == "audit" else "Options"].append(row)
    return {heading: rows for heading, rows in told.items() if rows}


def laid_out(command: Any, ctx: Any) -> str:  # noqa: ANN401 - Typer's own are not public
    """A command's help; on a narrow terminal, what is told of a name stands below it."""
    formatter = ctx.make_formatter()
    formatter.width = width()
    if formatter.width < _NARROW:
        formatter.write_dl = partial(formatter.write_dl, col_max=6)
    command.format_help(ctx, formatter)
    text: str = formatter.getvalue()
    return text.rstrip("\n")


class Gathered(TyperGroup):
    """Commands below one word."""

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - see above
        """The help at the terminal's width."""
        return laid_out(self, ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - see above
        """Each command with its whole sentence."""
        with formatter.section("Commands"):
            named = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
            formatter.write_dl([(name, one.get_short_help_str(_SENTENCE)) for name, one in named if one])


class Grouped(TyperCommand):
    """A command whose help groups its options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - see above
        """Arguments by their own names; in brackets where they may be left out."""
        arguments = (one for one in self.get_params(ctx) if one.param_type_name == "argument")
        return ["[OPTIONS]", *(name if one.required else f"[{name}]" for one in arguments if (name := one.metavar))]

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 - see above
        """The help at the terminal's width."""
        return laid_out(self, ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's own are not public
        """Arguments first, then a section for each group."""
        records = [(one, one.get_help_record(ctx)) for one in self.get_params(ctx)]
        arguments = [(one.metavar, row[1]) for one, row in records if row and one.param_type_name == "argument"]
        named = [(one.name, row) for one, row in records if row and one.param_type_name != "argument"]
        for heading, rows in {"Arguments": arguments, **sections(self.name, named)}.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def usage(error: Any) -> str:  # noqa: ANN401 - Typer's usage errors are not public
    """A usage error in a sentence that says where its command is explained."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "verify"
    return f"{error.format_message().rstrip('.')}; see {path} --help"


nearly: dict[str, str] = {}
"""A first word that is no command, but nearly this one."""


def meant(message: str) -> str:
    """What went wrong, with the command that was meant where a word that nearly is one was no task."""
    for word, command in nearly.items():
        if repr(word) in message or message == Sentences("cases.library")("library.no_task_known_files"):
            return say("help.no_command_no_task", word=word, command=command, message=message.rstrip("."))
    return message


def greet() -> None:
    """Say what can be done here, on stderr: nothing was asked, so nothing is answered."""
    typer.echo(GREETING, err=True, nl=False)
