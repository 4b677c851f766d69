"""tree-sitter's grammar of bash."""

from collections.abc import Iterator
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from cases import patterns as re

MOST_SIGNS = 4_500
"""Characters that are no letters, digits, blanks or `_./,:=+-`: its time may grow with the square of these."""
_PLAIN = re.compile(r"[\w ./,:=+-]+", re.ASCII)
_FOREIGN = re.compile(r"[^\x01-\x7f]")


class BrokenError(Exception):
    """The text is no shell that the grammar knows."""


def ascii_of(text: str) -> str:
    """A letter for each that is none of ASCII, so that places are the same in bytes and in characters."""
    return _FOREIGN.sub("x", text)


def tree(plain: str) -> Node:
    """The tree of a text of ASCII; raises BrokenError for one that would take too long."""
    if sum(len(one) for one in _PLAIN.split(plain)) > MOST_SIGNS:
        msg = "too long"
        raise BrokenError(msg)
    return Parser(_language()).parse(plain.encode("ascii")).root_node


def every(root: Node, *kinds: str) -> Iterator[Node]:
    """The outermost nodes of these kinds, in order."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.type in kinds:
            yield node
        else:
            nodes += reversed(node.named_children)


def operator(redirect: Node) -> Node:
    """The sign of a redirection, behind its file descriptor."""
    return next(child for child in redirect.children if not child.is_named)


@cache
def _language() -> Language:
    return Language(tree_sitter_bash.language())
