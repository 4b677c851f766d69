"""`verify explain`: what a model was asked in the last audit of a task, and what it replied."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cases.sentences import Sentences
from verify.options import AsJson

if TYPE_CHECKING:
    from rich.console import Console

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(explain)


def explain(
    task_id: Annotated[str, typer.Argument(metavar="TASK_ID", help="The task id, or the beginning of one.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show the prompts of a task's last audit as they were sent, and the model's replies."""
    from cases import InputError
    from cases.masking import Mask
    from graph.llm.cache import Memory
    from verify.config import load
    from verify.failures import SCHEMA
    from verify.model import memory_of
    from verify.terminal import answer, out

    root = memory_of(load({}))
    known = {name: list(Memory(root).told(name)) for name in Memory(root).conversations(task_id)}
    if not known:
        raise InputError(say("explain.no_model_asked_about", root=root, task_id=task_id))
    mask = Mask()
    for name, exchanges in known.items():
        if as_json:
            told = {"conversation": mask.text(name), "exchanges": exchanges}
            answer(json.dumps({"schema": SCHEMA, "explain": told}))
            continue
        for number, exchange in enumerate(exchanges, 1):
            _show(out(), f"{mask.text(name)} {number}", exchange)


def _show(console: "Console", title: str, exchange: dict[str, Any]) -> None:
    from verify.terminal import clean, one_line

    console.print(
        f"{title}: {one_line(exchange['purpose'])}, {one_line(exchange['model'])}, {one_line(exchange['how'])}"
    )
    for message in exchange["prompt"]:
        console.print(f"--- {message['role']}", style="bold")
        console.print(clean(message["text"]))
    console.print("--- reply", style="bold")
    console.print(clean(exchange["reply"] or f"none: {exchange['fault'] or exchange['how']}"))
