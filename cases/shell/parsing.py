"""Reads a text as shell."""

from cases.remembered import remembered
from cases.shell.building import Builder
from cases.shell.grammar import BrokenError, ascii_of, every, operator, tree
from cases.shell.heredocs import take
from cases.shell.tree import Script

LONGEST = 400_000
"""Characters of a text; a longer one is flagged."""
DEEPEST = 3
"""Scripts in scripts."""
ROUNDS = 3
"""Attempts to tell here documents from what looks like one."""


@remembered(1024)
def parse(text: str, depth: int = 0) -> Script:
    """The text as shell; never raises. `depth` counts the scripts around it."""
    try:
        return _read(text, depth)
    except BrokenError as error:
        return Script(text, None, str(error))


def _read(text: str, depth: int) -> Script:
    """What is no here document, though it looks like one, is left in the text at the next attempt."""
    if depth > DEEPEST:
        return Script(text, None, "nested too deeply")
    if len(text) > LONGEST:
        return Script(text, None, "too long")
    if "\x00" in text:
        return Script(text, None, "no text")
    refused: set[int] = set()
    unclosed = False
    for _ in range(ROUNDS):
        plain, taken = take(ascii_of(text), refused, unclosed=unclosed)
        root = tree(plain)
        redirects = {operator(node).start_byte for node in every(root, "file_redirect")} if taken else set()
        wrong = {one.at for one in taken if one.at not in redirects}
        if not wrong and not root.has_error:
            heredocs = {one.at: one for one in taken}
            return Script(text, Builder(text, heredocs, lambda inner: parse(inner, depth + 1)).script(root))
        if not wrong and (unclosed or "<<" not in plain):
            break
        unclosed = unclosed or not wrong
        refused |= wrong
    return Script(text, None, "not understood")
