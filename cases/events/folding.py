"""Finding out, without running it, which calls a piece of Python makes and with which text."""

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from cases.events.data import ToolKind, is_tool

MOST_TURNS = 50
"""Turns of a loop over a literal list that are followed."""
MOST_STATEMENTS = 5_000
"""Statements that are followed, each turn of a loop counted."""
LONGEST = 1_000_000
"""Characters beyond which a text is not computed, nor code looked at."""

Value = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool in code."""

    tool: str
    argument: str | None
    """The text it is called with; None when that depends on what is only known when it runs."""
    printed: bool
    """Whether its result goes to the output."""
    conditional: bool
    """Whether it is in a branch, so that it may not have run."""
    words: tuple[tuple[str, str], ...] = ()
    """Every argument whose text or number is known, by its keyword or its position from 0."""


def tool_uses(code: str, *kinds: ToolKind) -> list[ToolUse]:
    """The calls of such tools in the order in which they would run; code that breaks off is read as far as it goes."""
    tree = _parsed(code) if len(code) <= LONGEST else None
    if tree is None:
        return []
    finder = _Finder(kinds, _printed_names(tree))
    with suppress(RecursionError):
        finder.run(tree.body)
    return finder.uses


def _parsed(code: str) -> ast.Module | None:
    lines = code.split("\n")
    for end in range(len(lines), max(len(lines) - 40, 0), -1):
        try:
            return ast.parse("\n".join(lines[:end]))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _printed_names(tree: ast.Module) -> frozenset[str]:
    prints = (node for node in ast.walk(tree) if _is_print(node))
    return frozenset(name.id for call in prints for name in ast.walk(call) if isinstance(name, ast.Name))


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


class _Finder:
    """Follows statements in order, with the texts that variables are known to hold."""

    def __init__(self, kinds: Sequence[ToolKind], printed: frozenset[str]) -> None:
        self.uses: list[ToolUse] = []
        self._kinds = kinds
        self._printed = printed
        self._known: dict[str, Value] = {}
        self._branches = 0
        self._left = MOST_STATEMENTS

    def run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._left -= 1
            if self._left > 0:
                self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return
            case ast.If():
                self._calls(node.test)
                self._branch(node.body)
                self._branch(node.orelse)
            case ast.For() | ast.AsyncFor():
                self._loop(node)
            case ast.While():
                self._calls(node.test)
                self._branch(node.body)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._calls(item.context_expr)
                self.run(node.body)
            case ast.Try():
                self.run(node.body)
                for handler in node.handlers:
                    self._branch(handler.body)
                self.run([*node.orelse, *node.finalbody])
            case _:
                self._simple(node)

    def _branch(self, body: Sequence[ast.stmt]) -> None:
        """What may not run: afterwards the variables it sets are no longer known."""
        before = dict(self._known)
        self._branches += 1
        self.run(body)
        self._branches -= 1
        self._known = {name: value for name, value in before.items() if self._known.get(name) == value}

    def _loop(self, node: ast.For | ast.AsyncFor) -> None:
        self._calls(node.iter)
        turns = fold(node.iter, self._known)
        if isinstance(turns, tuple) and len(turns) <= MOST_TURNS and isinstance(node.target, ast.Name):
            for turn in turns:
                self._known[node.target.id] = turn
                self.run(node.body)
        else:
            for name in _named([node.target]):
                self._known.pop(name, None)
            self._branch(node.body)

    def _simple(self, node: ast.stmt) -> None:
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets, value = [node.target], node.value
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        self._calls(node, printed=any(name in self._printed for name in _named(targets)))
        folded = fold(value, self._known) if value is not None else None
        if isinstance(node, ast.AugAssign):
            before = fold(node.target, self._known)
            both = isinstance(before, str) and isinstance(folded, str) and isinstance(node.op, ast.Add)
            folded = f"{before}{folded}" if both else None
        for name in _named(targets):
            self._known.pop(name, None)
        if folded is not None:
            self._known.update(dict.fromkeys(names, folded))

    def _calls(self, node: ast.AST, *, printed: bool = False) -> None:
        """Calls in an expression or simple statement, inner ones first, as they run."""
        inside = printed or _is_print(node)
        for child in ast.iter_child_nodes(node):
            self._calls(child, printed=inside)
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            kind = next((kind for kind in self._kinds if is_tool(kind, name)), None)
            if kind is not None and isinstance(node.func, ast.Name):
                words = tuple(self._words(node))
                self.uses.append(ToolUse(name, self._argument(node, kind), printed, self._branches > 0, words))

    def _words(self, node: ast.Call) -> Iterator[tuple[str, str]]:
        given = [*enumerate(node.args), *((word.arg, word.value) for word in node.keywords if word.arg)]
        for name, word in given:
            value = fold(word, self._known)
            if isinstance(value, str):
                yield str(name), value
            elif isinstance(word, ast.Constant) and isinstance(word.value, int):
                yield str(name), str(word.value)

    def _argument(self, node: ast.Call, kind: ToolKind) -> str | None:
        named = {word.arg: word.value for word in node.keywords if word.arg}
        chosen = next((named[name] for name in kind.arguments if name in named), None)
        if chosen is None and node.args:
            chosen = node.args[0]
        value = fold(chosen, self._known) if chosen is not None else None
        return value if isinstance(value, str) else None


def called(call: ast.Call) -> str:
    """The name of what is called, with those of the modules before it; of a value's method only its own."""
    parts, node = list[str](), call.func
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else parts[0] if parts else ""


def _named(targets: Sequence[ast.expr]) -> list[str]:
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def fold(node: ast.expr | None, known: dict[str, Value]) -> Value | None:
    """The text, or list of texts, that an expression is sure to have."""
    value: Value | None = None
    match node:
        case ast.Constant(value=str(text)):
            value = text
        case ast.Name(id=name):
            value = known.get(name)
        case ast.Attribute(value=ast.Name(id="sys"), attr="executable"):
            value = "python3"
        case ast.JoinedStr(values=parts):
            value = _joined([_part(part, known) for part in parts])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            value = _joined([fold(left, known), fold(right, known)])
        case ast.List(elts=items) | ast.Tuple(elts=items):
            value = _texts([fold(item, known) for item in items])
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=arguments, keywords=[]):
            value = _method(fold(owner, known), method, [fold(argument, known) for argument in arguments])
    return value if value is None or len(value) <= LONGEST else None


def _part(part: ast.expr, known: dict[str, Value]) -> Value | None:
    if isinstance(part, ast.FormattedValue):
        plain = part.conversion == -1 and part.format_spec is None
        if plain and isinstance(part.value, ast.Constant) and isinstance(part.value.value, int | float):
            return str(part.value.value)
        return fold(part.value, known) if plain else None
    return fold(part, known)


def _joined(parts: list[Value | None]) -> str | None:
    texts = _texts(parts)
    return None if texts is None or sum(map(len, texts)) > LONGEST else "".join(texts)


def _texts(parts: list[Value | None]) -> tuple[str, ...] | None:
    texts = [part for part in parts if isinstance(part, str)]
    return tuple(texts) if len(texts) == len(parts) else None


def _method(owner: Value | None, name: str, arguments: list[Value | None]) -> Value | None:
    strips: dict[str, Callable[[str], str]] = {"strip": str.strip, "lstrip": str.lstrip, "rstrip": str.rstrip}
    if isinstance(owner, str) and name in strips and not arguments:
        return strips[name](owner)
    if isinstance(owner, str) and name == "join" and len(arguments) == 1 and isinstance(arguments[0], tuple):
        return owner.join(arguments[0])
    texts = _texts(arguments)
    if isinstance(owner, str) and name == "format" and texts:
        pieces = owner.split("{}")
        plain = len(pieces) == len(texts) + 1 and not any("{" in piece or "}" in piece for piece in pieces)
        return _joined([part for pair in zip(pieces, (*texts, ""), strict=True) for part in pair]) if plain else None
    return None
