"""Functions of libraries that a piece of Python calls, by the names under which a text may speak of them."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cases import patterns as re
from cases.events.folding import LONGEST, called
from cases.shell import Command

_SAYING = 8
"""Signs of a line of code that an output repeats by no accident."""
_SHOWING = frozenset(
    {"print", "open", "read", "readline", "readlines", "read_text", "Path", "splitlines", "strip", "rstrip", "decode"}
    | {"list", "tuple", "set", "dict", "reader", "DictReader", "load", "loads", "isfile", "getsize"}
    | {"walk", "listdir", "scandir", "iterdir", "glob", "rglob", "join", "exists", "sorted", "len", "enumerate", "str"}
)
"""Functions and methods that change nothing and compute nothing."""
_WRITING = re.compile(r"to_(?:csv|json|excel|parquet|pickle|hdf|netcdf)|save\w*|write_\w+|dump\w*|mkdir|makedirs|touch")
"""Functions and methods that write what they are given the name of, or are called on."""
_NUMBERED = re.compile(r'^ +File "<(?:stdin|string)>", line (?P<line>\d+)', re.MULTILINE)
"""A frame of code that has no file, of which CPython shows no source."""


def nodes_of(code: str) -> Iterator[ast.AST]:
    """All of a program's syntax; nothing of what is no Python, or too long."""
    tree = _parsed(code)
    yield from ast.walk(tree) if tree else ()


def at_once(code: str) -> list[ast.stmt]:
    """A program's statements that are carried out whatever it is asked; none of what is no Python, or too long."""
    tree = _parsed(code)
    return tree.body if tree else []


def only_imports(command: Command) -> bool:
    """Whether all that a command has an interpreter do is to load modules, and perhaps to tell their versions."""
    code = command.code
    if code is None:
        return False
    if code.language != "python":
        return not re.search(r"[A-Za-z]", code.text)
    body = at_once(code.text)
    return bool(body) and all(isinstance(node, ast.Import | ast.ImportFrom) or _tells_version(node) for node in body)


def _tells_version(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and "__version__" in ast.unparse(node)


@dataclass(frozen=True)
class Call:
    """A call of an imported function."""

    spellings: tuple[str, ...]
    """Its name whole, as the code has it, and alone where that is telling."""
    texts: tuple[str, ...]
    """What it is given in quotation marks."""
    plain: bool
    """Whether it is given nothing but constants."""


def calls_in_error(code: str, output: str) -> Iterator[Call]:
    """Those in lines of the code that the output repeats, or tells by their numbers, as errors do; none otherwise."""
    tree, shown = _parsed(code), _shown(code, output)
    imported = dict(_imported(tree)) if tree else {}
    for node in ast.walk(tree) if tree and shown else ():
        if not isinstance(node, ast.Call) or shown.isdisjoint(range(node.lineno, _end(node) + 1)):
            continue
        written = _dotted(node.func)
        first, _, rest = written.partition(".")
        if first in imported:
            whole = f"{imported[first]}.{rest}" if rest else imported[first]
            alone = whole.rpartition(".")[2]
            spellings = (whole, written if "." in written else "", alone if "_" in alone else "")
            given = [*node.args, *(one.value for one in node.keywords)]
            values = [one.value for one in given if isinstance(one, ast.Constant)]
            texts = tuple(value for value in values if isinstance(value, str))
            yield Call(tuple(dict.fromkeys(filter(None, spellings))), texts, plain=len(values) == len(given))


def files_shown(code: str) -> tuple[str, ...]:
    """The files, as Python spells them that only looks, whose text it may show; none of code that does more."""
    found = list[str]()
    for node in nodes_of(code):
        if not isinstance(node, ast.Call):
            continue
        name = called(node).rpartition(".")[2]
        texts = [one.value if isinstance(one, ast.Constant) else None for one in node.args]
        if name not in _SHOWING or (name == "open" and not str(texts[1] if len(texts) > 1 else "r").startswith("r")):
            return ()
        if name in ("open", "Path") and texts and isinstance(texts[0], str):
            found.append(texts[0])
    return tuple(found)


def files_written(code: str) -> tuple[str, ...] | None:
    """The names, or their ends, that Python writes to or makes as it spells them; None of what is no Python."""
    tree = _parsed(code)
    if tree is None:
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _writes(node)]
    kept = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return tuple(text for node in calls for text in _texts(node, kept))


def _writes(node: ast.Call) -> bool:
    name = called(node).rpartition(".")[2]
    if name != "open":
        return _WRITING.fullmatch(name) is not None
    modes = [*node.args[1:2], *node.args[:1], *(one.value for one in node.keywords if one.arg == "mode")]
    return any(isinstance(one, ast.Constant) and re.match("[rbt]*[wax+]+[bt+]*$", str(one.value)) for one in modes)


def _texts(node: ast.AST, kept: Mapping[str, ast.expr]) -> Iterator[str]:
    """All texts below a node, and those of the names there that were given one."""
    for inner in ast.walk(node):
        given = kept.get(inner.id) if isinstance(inner, ast.Name) else None
        for one in ast.walk(given) if given is not None else (inner,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code) if len(code) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that the code gives something imported, with that one's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _shown(code: str, output: str) -> frozenset[int]:
    """Numbers of the code's lines that an output repeats or numbers."""
    lines = ((number, line.strip()) for number, line in enumerate(code.splitlines(), 1))
    repeated = {number for number, line in lines if len(line) >= _SAYING and line in output}
    return frozenset(repeated or {int(match["line"]) for match in _NUMBERED.finditer(output)})


def _end(node: ast.Call) -> int:
    return node.end_lineno or node.lineno


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""
