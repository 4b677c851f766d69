"""What a command makes, by its own words."""

from collections.abc import Collection, Iterator
from itertools import zip_longest

from cases.shell import Command

NEW = frozenset({"tee", "touch", "mkdir"})
"""Programs that make what they are told to, whatever is there."""
PLACING = NEW | {"cp", "mv", "install", "ln", "tar", "unzip", "git"}
"""These also bring to another place what is somewhere already; git only where it clones."""
OUTPUT = ("-o", "--output", "--target", "-out", "of")


def made(command: Command, programs: Collection[str] = NEW) -> Iterator[str]:
    """Paths as it spells them: redirected into, given to such a program, or to an option for output."""
    yield from command.outputs
    words = command.arguments
    if command.program in programs and (command.program != "git" or "clone" in words):
        yield from (word for word in words if not word.startswith("-"))
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        name, joined, value = word.partition("=")
        if name in OUTPUT:
            yield value if joined else following
