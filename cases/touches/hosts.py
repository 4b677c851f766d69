"""Hosts that a text tells as such, by an address or by a port; no list of the names that there are is asked."""

from cases import patterns as re

LONGEST = 200_000
"""Characters of a text that are read."""
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_TOLD = re.compile(
    rf"(?i)https?://(?:[^@/\s]*@)?(?P<site>(?:{_LABEL}\.){{1,8}}[a-z]{{2,24}})(?![\w-]|\.\w)"
    rf"|(?<![\w@./-])(?P<host>(?:{_LABEL}\.){{2,8}}[a-z]{{2,24}}):\d{{2,5}}(?!\w)"
)


def hosts_named(text: str) -> tuple[str, ...]:
    """In lower case, in order, each once."""
    found = (match["site"] or match["host"] for match in _TOLD.finditer(text[:LONGEST]))
    return tuple(dict.fromkeys(name.lower() for name in found))
