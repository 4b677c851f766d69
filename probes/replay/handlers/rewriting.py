"""Whether what a program misses can be written anew in its own language."""

import ast
import posixpath
import shlex
from collections.abc import Collection, Iterable
from functools import partial

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import prompt_of
from cases.touches.calls import nodes_of
from cases.touches.names import tests
from probes.names import conveniences, modules
from probes.replay.handlers.sources import sources
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to, scripts_of

say = Sentences(__name__)

_ABSENT_IN_PYTHON = (
    "import importlib.util, sys\n"
    "sys.path[:0] = sys.argv[1].split(':')\n"
    "print(*(one for one in sys.argv[2:] if importlib.util.find_spec(one) is None))"
)
_ABSENT_IN_R = "cat(setdiff(commandArgs(TRUE), rownames(installed.packages())))"
_LOADED_IN_R = re.compile(
    r"\b(?:library|require|requireNamespace|loadNamespace)\(\s*['\"]?(?P<name>[A-Za-z][\w.]*)|"
    r"(?<![\w.:])(?P<of>[A-Za-z][\w.]*)::"
)


def python_alone(trial: ContainerContext) -> str | None:
    """That what the program takes of all missing modules can be written anew, if an index has them; ends a sentence.

    None where that of one cannot, the task's own text names one, or what fails are tests.
    """
    source = _sources(trial)
    if not source:
        return None
    top = {name.partition(".")[0] for node in nodes_of(source) for name in _imported(node)}
    line = trial.subject.attempts[0].command
    folders = {posixpath.dirname(posixpath.join(gone_to(line) or ".", path)) or "." for path in scripts_of(line)}
    given = shlex.join((_ABSENT_IN_PYTHON, ":".join(sorted(folders)), *sorted(top)))
    missing = {trial.subject.about.partition(".")[0], *_printed(trial, f"python3 -c {given}")}
    packages = [modules()[name].package for name in missing if name in modules()]
    if any(map(partial(_beyond_us, source, prompt_of(trial.context.case)), missing)):
        return None
    return _told(trial, missing, packages, "rewriting.anew")


def _beyond_us(source: str, prompt: str, module: str) -> bool:
    """Whether nobody writes anew what a source takes of a module."""
    hard = conveniences()
    if module in hard.drawing:
        return bool(re.search(hard.drawn, prompt))
    return module in hard.python or not _taken(source, module).isdisjoint(hard.parts.get(module, ()))


def _taken(source: str, module: str) -> set[str]:
    """What a source takes from a module, by the first name behind it; `*` for anything."""
    nodes = list(nodes_of(source))
    imported = [(node, one) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names]
    bound = {one.asname or module for node, one in imported if isinstance(node, ast.Import) and one.name == module}
    taken = {one.name for node, one in imported if isinstance(node, ast.ImportFrom) and node.module == module}
    below = {one.name.split(".")[1] for node, one in imported if one.name.startswith(f"{module}.")}
    below |= {
        node.module.split(".")[1]
        for node, _ in imported
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{module}.") and node.module
    }
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in bound
    }
    return taken | below | used or {"*"}


def r_alone(trial: ContainerContext) -> str | None:
    """The same of R, and what R has without further packages."""
    source = _sources(trial)
    names = sorted(loaded_in_r(source))
    missing = _printed(trial, f"Rscript -e {shlex.quote(_ABSENT_IN_R)} {shlex.join(names)}") if names else []
    return _told(trial, missing, (), "rewriting.by_itself") if set(missing) <= conveniences().r else None


def loaded_in_r(source: str) -> frozenset[str]:
    """The packages that a program of R's loads."""
    return frozenset(match["name"] or match["of"] for match in _LOADED_IN_R.finditer(source))


def _sources(trial: ContainerContext) -> str:
    line = trial.subject.attempts[0].command
    if any(tests(step.command) for step in steps_of(line)) or not scripts_of(line):
        return ""
    return sources(trial, line) or ""


def _printed(trial: ContainerContext, ask: str) -> list[str]:
    [done] = trial.run("replay-rewriting", ask, seconds=30)
    return done.output.split() if done.ok else []


def _told(trial: ContainerContext, missing: Collection[str], more: Iterable[str], sentence: str) -> str | None:
    prompt = prompt_of(trial.context.case)
    named = any(re.search(rf"(?i)(?<![\w.]){re.escape(name)}(?![\w.]*\w)", prompt) for name in (*missing, *more))
    return say(sentence, names=", ".join(sorted(missing))) if prompt and missing and not named else None


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
