"""Python and shells that only run one command or script and show what came of it: that command."""

import ast
import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.events.folding import LONGEST, Value, called, fold
from cases.model import CommandRun
from cases.shell import parse
from cases.shell.tree import Command

_RUNS = frozenset(
    {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "getoutput", "getstatusoutput")}
    | {"os.system", "os.popen"}
)
_SHOWS = frozenset({"print", "str", "repr", "len", "sleep", "strip", "splitlines", "decode", "join", "read"})
_OTHERWISE = frozenset({"env", "input", "stdin", "executable", "preexec_fn", "user"})
"""Arguments that make of a command another one than its words say."""
_RETURNED = re.compile(r"^(-?\d{1,3})(?:[\s,)]|$)", re.MULTILINE)
_RAISED = re.compile(r"returned non-zero exit status (\d{1,3})")
_SCRIPT_FAILED = re.compile(
    r'Traceback \(most recent call last\):\n +File "(?P<script>[^"\n]+)", line \d+, in <module>'
)
"""What Python shows of a script that fails."""
_SHELL = re.compile(r"(?:ba|da|z)?sh(?: -[il])* -[il]*c")


def as_command(run: CommandRun) -> CommandRun:
    """A run of Python or of a shell as that of what it only runs, with its exit code where that is shown; else itself.

    Itself also where Python failed before that command ran: an interpreter may forbid it.
    """
    if run.kind == "shell":
        line = _handed_on(run.command)
        return run.model_copy(update={"command": line}) if line else run
    return _run_by_python(run)


def _handed_on(line: str) -> str:
    """What `bash -lc '…'` has a shell run, where that is all the line does; else empty."""
    nodes = body.parts if (body := parse(line).body) else ()
    only = nodes[0] if len(nodes) == 1 else None
    if not isinstance(only, Command) or only.redirects or only.assignments or only.wrappers or len(only.inner) != 1:
        return ""
    *shell, text = only.words
    plain = text.literal and _SHELL.fullmatch(" ".join(word.text for word in shell))
    return text.text if plain and only.inner[0].body else ""


def _run_by_python(run: CommandRun) -> CommandRun:
    output = run.output or ""
    raised = _RAISED.search(output)
    failed = _SCRIPT_FAILED.search(output)
    found = _only_run(run.command, failed["script"] if failed else "") if len(run.command) <= LONGEST else None
    if found is None:
        return run
    line, shows_code = found
    own = failed is not None and posixpath.basename(failed["script"]) in line
    if not (raised or own) and (run.failed == "yes" or "subprocess" in output):
        return run
    match = raised or (_RETURNED.search(output) if shows_code else None)
    code = int(match[1]) if match else 1 if own else run.exit_code
    return run.model_copy(update={"kind": "shell", "command": line, "exit_code": code})


def _only_run(code: str, failed: str) -> tuple[str, bool] | None:
    """The shell's line, and whether the first thing that is printed is its exit code.

    `failed` is the script that failed, where one did: a tool of the run's that is given its name runs it.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    known = dict(_known(tree))
    runs = [node for node in calls if called(node) in _RUNS or _runs_script(node, known, failed)]
    others = [called(node).rpartition(".")[2] for node in calls if node not in runs]
    if len(runs) != 1 or not _SHOWS.issuperset(others) or any(map(_branches, ast.walk(tree))):
        return None
    line = _line(runs[0], known) if called(runs[0]) in _RUNS else shlex.join(("python3", *_told(runs[0], known)))
    printed = next((node for node in calls if called(node) == "print" and node.args), None)
    first = printed.args[0] if printed else None
    return (line, isinstance(first, ast.Attribute) and first.attr == "returncode") if line else None


def _told(call: ast.Call, known: dict[str, Value]) -> list[str]:
    """The texts that a call is given; empty where one is none, or is not known."""
    texts = [value for word in call.args if isinstance(value := fold(word, known), str)]
    return texts if len(texts) == len(call.args) and not call.keywords else []


def _runs_script(call: ast.Call, known: dict[str, Value], failed: str) -> bool:
    told = _told(call, known) if isinstance(call.func, ast.Name) and failed else []
    return bool(told) and f"/{failed}".endswith(f"/{posixpath.normpath(told[0])}")


def _line(call: ast.Call, known: dict[str, Value]) -> str:
    words = {word.arg: word.value for word in call.keywords}
    told = fold(call.args[0] if call.args else words.get("args"), known)
    if not told or not _OTHERWISE.isdisjoint(filter(None, words)):
        return ""
    folder = fold(words.get("cwd"), known)
    if "cwd" in words and not isinstance(folder, str):
        return ""
    line = told if isinstance(told, str) else shlex.join(told)
    return f"cd {shlex.quote(folder)} && {line}" if isinstance(folder, str) else line


def _known(tree: ast.Module) -> Iterator[tuple[str, Value]]:
    for node in tree.body:
        value = fold(node.value, {}) if isinstance(node, ast.Assign) else None
        if value is not None and isinstance(node, ast.Assign):
            yield from ((target.id, value) for target in node.targets if isinstance(target, ast.Name))


def _branches(node: ast.AST) -> bool:
    return isinstance(node, ast.If | ast.For | ast.While | ast.FunctionDef | ast.ClassDef | ast.Lambda)
