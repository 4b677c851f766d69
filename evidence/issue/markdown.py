"""Foreign text in Markdown: it is shown, and does nothing; nobody is mentioned and nothing is referred to."""

from cases import patterns as re
from evidence.text import clip, visible

_LONGEST = 2_000
"""Characters of one quotation."""
_LONGEST_NAME = 100
_SPECIAL = re.compile(r"[\\`*_\[\]|~$#!]")
_QUOTED = re.compile(r"(?<!`)`([^`]*[^`\s][^`]*)`(?!`)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_GAP = "<!-- -->"
"""Parts what a tracker would otherwise read as a person, a thread or a link, and is not shown."""
_REFERENCES = (
    (re.compile(r"(@)(?=[\w-])"), rf"\1{_GAP}"),
    (re.compile(r"(\\[#!$~]|[%^])(?=\w)"), rf"\1{_GAP}"),
    (re.compile(r"\b(GH)(?=-\d)", re.IGNORECASE), rf"\1{_GAP}"),
    (re.compile(r"\b([a-z][a-z0-9+.-]*:)(?=//)|\b(mailto:|xmpp:)", re.IGNORECASE), rf"\g<0>{_GAP}"),
    (re.compile(r"\b(www)(?=\.)", re.IGNORECASE), rf"\1{_GAP}"),
)
_COMMIT = re.compile(r"\b[0-9a-f]{7,}\b", re.IGNORECASE)


_PLAIN = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*", re.IGNORECASE)


class Ready(str):
    """Markdown of our own making, printed as it is."""

    __slots__ = ()


def prose(value: object) -> Ready:
    """Anything printed that is not ready: one line of plain words, and what stands in backticks as code."""
    return value if isinstance(value, Ready) else Ready("".join(_parts(value)))


def row(value: object) -> Ready:
    """The same in a table, where a bar would end the cell even inside code."""
    parts = (part.replace("|", "\\|") if number % 2 else part for number, part in enumerate(_parts(value)))
    return Ready("".join(parts))


def _parts(value: object) -> list[str]:
    """Plain words and code in turn."""
    text = " ".join(clip(visible(str(value)), _LONGEST).split())
    return [code(part) if number % 2 else _words(part) for number, part in enumerate(_QUOTED.split(text))]


def _words(text: str) -> str:
    text = "".join(_ENTITIES.get(char, char) for char in text)
    text = _SPECIAL.sub(r"\\\g<0>", text)
    for pattern, parted in _REFERENCES:
        text = pattern.sub(parted, text)
    return _COMMIT.sub(_parted, text)


def _parted(match: re.Match[str]) -> str:
    digits = match[0]
    return _GAP.join(digits[start : start + 6] for start in range(0, len(digits), 6))


def code(value: object) -> Ready:
    """A code span."""
    text = " ".join(visible(clip(str(value), 300)).split()) or "–"
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return Ready(f"{ticks}{pad}{text}{pad}{ticks}")


def named(value: object) -> Ready:
    """A name in a title, where only code spans are drawn: in one, or plain where no tracker takes it for anything."""
    text = " ".join(clip(visible(str(value)), _LONGEST_NAME).split())
    return Ready(text) if _PLAIN.fullmatch(text) and _words(text) == text.replace("_", "\\_") else code(text)


def cell(value: object) -> Ready:
    """A code span in a table."""
    if isinstance(value, Ready):
        return value
    return Ready(code(value).replace("|", "\\|"))


def link(text: str, url: str) -> Ready:
    """A link of our own making, in a table too."""
    return Ready(f"[{row(text)}]({url})")


def fence(value: object, language: str = "text", indent: str = "", longest: int = _LONGEST) -> Ready:
    """A block of code that nothing in it can close, `indent` before each of its lines."""
    text = visible(clip(str(value), longest)).strip("\n")
    ticks = "`" * max(3, _longest_run(text) + 1)
    return Ready(indent + f"{ticks}{language}\n{text}\n{ticks}".replace("\n", f"\n{indent}"))


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
