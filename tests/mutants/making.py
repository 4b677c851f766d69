"""The mutants of a module, by Cosmic Ray's operators and one of our own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Keyword

from .plan import ROOT, Module


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    module: str
    """Its path."""
    number: int
    line: int
    before: str
    after: str
    source: str
    """Of the whole module."""

    def __str__(self) -> str:
        return f"{self.module}:{self.line}\n  - {self.before}\n  + {self.after}"


class Membership(Operator):  # type: ignore[misc] - the base has no types
    """`in` for `not in`, and the other way round, which Cosmic Ray leaves as they are."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        if node.parent is not None and _is_in(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        del index
        if node.type == "comp_op":
            return _word(node, "in")
        return _word(node, "not in")

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def _is_in(node: Any) -> bool:
    if node.type == "comp_op":
        return [child.value for child in node.children] == ["not", "in"]
    return bool(node.type == "keyword" and node.value == "in" and node.parent.type == "comparison")


def _word(node: Any, code: str) -> Any:
    return Keyword(code, node.start_pos, prefix=" ")


OWN = {"own/membership": Membership}


def mutants_of(module: Module, operators: tuple[str, ...]) -> list[Mutant]:
    """Each once, in the order of the lines."""
    source = (ROOT / module.path).read_text("utf-8")
    found: dict[str, Mutant] = {}
    for name in operators:
        operator = OWN[name]() if name in OWN else get_operator(name)()
        places = [
            (start, ASTQuery(node).get_definition_name())
            for node in ast_nodes(get_ast(source))
            for start, _ in operator.mutation_positions(node)
        ]
        for occurrence, ((line, _), function) in enumerate(places):
            changed = mutate_code(source, operator, occurrence)
            if changed and changed != source and (not module.only or function in module.only):
                found.setdefault(changed, _told(module.path, line, source, changed))
    return sorted(found.values(), key=lambda one: (one.line, one.after))


def _told(path: str, line: int, source: str, changed: str) -> Mutant:
    pairs = zip(source.splitlines(), changed.splitlines(), strict=False)
    number, (before, after) = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return Mutant(path, number, line, before.strip(), after.strip(), changed)
