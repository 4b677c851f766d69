"""A notebook's code as a script, for the machine that has the interpreter and none of Jupyter's programs."""

import ast
import json
import posixpath
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from cases import patterns as re
from cases.shell import Command

NOTEBOOK = ".ipynb"
_OF_NO_EFFECT = re.compile(
    r"[ \t]*%(?:load_ext|reload_ext|autoreload|matplotlib|config|precision|xmode|who|whos|history)\b.*"
)
_TIMED = re.compile(r"(?P<indent>[ \t]*)%(?:time|timeit|prun)[ \t]+(?P<statement>\w.*)")
_WHOLE = re.compile(r"%%(?:time|capture)\b.*")
_SHELL = re.compile(r"(?P<indent>[ \t]*)!(?P<line>[^!{}$]+)")
_SHELL_CELL = re.compile(r"%%(?:bash|sh)[ \t]*")
"""A line, or a cell, for the shell; IPython itself fills in what stands in braces or behind a dollar sign of a line."""
_OWN = re.compile(r"[ \t]*[%!?]|[ \t]*[\w.]+\?{1,2}[ \t]*$|.*\bget_ipython\(")
"""What IPython alone understands."""
_EXECUTING = frozenset({"nbconvert", "execute", "run", "jupyter-nbconvert", "jupyter-execute", "jupyter-run"})
_IN_ITS_FOLDER = frozenset({"jupyter", "jupyter-nbconvert", "jupyter-execute", "jupyter-run", "runipy"})
"""Programs that run a notebook where it lies, and not where they are called."""
DISPLAY = """def display(*shown, **how):
    for one in shown:
        if one is not None and type(one).__name__ != "Drawn":
            print(repr(one))
"""
"""What Jupyter does with what a cell gives back, but for a stand-in of what draws (words.toml)."""


def by_interpreter(text: str, command: Command) -> list[str]:
    """Commands that run the code of a notebook of Python or R in its order and print what its cells show; nothing where
    IPython alone understands some of it, or the command does something else with it.
    """
    place = next((word for word in command.arguments if word.endswith(NOTEBOOK)), "")
    called = {command.program, *command.arguments[:1]}
    itself = command.file is not None and command.file.text == place
    runs = itself or bool(called & _EXECUTING) or command.program in {"papermill", "ipython", "ipython3", "runipy"}
    converts = "nbconvert" in called or "jupyter-nbconvert" in called
    given = {word.partition("=")[0] for word in command.arguments}
    if not place or not runs or (converts and "--execute" not in given) or given & {"-p", "-r", "-f", "-y", "-b"}:
        return []
    try:
        notebook = json.loads(text)
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        language = _language(notebook["metadata"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    code = list(_python(cells)) if language == "python" else [_plain(cell) for cell in cells] if language == "r" else []
    if not code or None in code:
        return []
    script = "\n".join(one for one in code if one)
    folder = posixpath.dirname(place) if command.program in _IN_ITS_FOLDER else ""
    run = f"python3 -c {shlex.quote(f'{DISPLAY}{chr(10)}{script}')}" if language == "python" else None
    return [*([f"cd {shlex.quote(folder)}"] if folder else []), run or f"Rscript -e {shlex.quote(script)}"]


def _language(metadata: Mapping[str, Any]) -> str:
    told = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language") or "python"
    return str(told).lower()


def _python(cells: list[str]) -> Iterator[str | None]:
    """Each cell as Python, with its last expression printed; None for one that Python does not understand."""
    for cell in cells:
        source = _plain(_by_the_shell(cell))
        if source is None:
            yield None
            continue
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            yield None
            continue
        last = body[-1] if body else None
        if isinstance(last, ast.Expr) and not source.rstrip().endswith(";") and not _prints(last.value):
            shown = ast.get_source_segment(source, last)
            lines = source.splitlines()
            yield "\n".join([*lines[: last.lineno - 1], f"display({shown})"])
        else:
            yield source


def _by_the_shell(cell: str) -> str:
    """A cell with its lines for the shell as Python's: one that fails ends nothing, a whole cell does."""
    first, _, rest = cell.partition("\n")
    if _SHELL_CELL.fullmatch(first):
        return f'_ = __import__("subprocess").run(["bash", "-c", {rest!r}], check=True)'
    return "\n".join(
        f'{found["indent"]}_ = __import__("subprocess").run(["bash", "-c", {found["line"]!r}])'
        if (found := _SHELL.fullmatch(line))
        else line
        for line in cell.split("\n")
    )


def _plain(cell: str) -> str | None:
    """A cell without what changes only how it is shown; None where it asks IPython for anything else."""
    lines = [_TIMED.sub(r"\g<indent>\g<statement>", line) for line in cell.splitlines()]
    if lines and _WHOLE.fullmatch(lines[0]):
        lines = lines[1:]
    lines = [line for line in lines if not _OF_NO_EFFECT.fullmatch(line)]
    return None if any(_OWN.match(line) for line in lines) else "\n".join(lines)


def _prints(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in {"print", "display"}
