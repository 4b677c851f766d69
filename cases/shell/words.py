"""Words as a program gets them: quoting undone, expansions left as they are spelled."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from cases import patterns as re
from cases.shell.grammar import every
from cases.shell.tree import Script, Word

Nested = Callable[[Node], Script]
EXPANDING = {"simple_expansion", "expansion", "arithmetic_expansion", "command_substitution", "process_substitution"}
WORDS = EXPANDING | {
    "string",
    "raw_string",
    "ansi_c_string",
    "translated_string",
    "concatenation",
    "word",
    "brace_expression",
}
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ESCAPED_IN_QUOTES = re.compile(r"\\([\\\"$`\n])")
GLOB = re.compile(r"(?<!\\)(?:\\\\)*(?:[*?]|\[[^\]]+\])")
BRACES = re.compile(r"\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}")
TILDE = re.compile(r"~[\w.+-]*(?:/|$)")
ANSI_C = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(.))", re.DOTALL)
NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}


def word(node: Node, text: str, nested: Nested) -> Word:
    """The word that a node of the tree stands for; `text` is what the tree counts its places in."""
    pieces = list(_pieces(node, text))
    start, end = _start(node, text), node.end_byte
    scripts = tuple(nested(one) for one in every(node, "command_substitution", "process_substitution"))
    spelled = text[start:end]
    bare = "".join(piece for piece, kind in pieces if kind == "bare")
    expands = any(kind == "expansion" for _, kind in pieces) or TILDE.match(spelled) or BRACES.search(bare)
    globs = any(kind == "bare" and GLOB.search(piece) for piece, kind in pieces)
    whole = "".join(_unescaped(piece) if kind == "bare" else piece for piece, kind in pieces)
    return Word(whole, not (expands or globs), start, end, scripts)


def _pieces(node: Node, text: str) -> Iterator[tuple[str, str]]:
    """Texts, each `bare` (with its escapes), `quoted` or an `expansion`."""
    spelled = text[_start(node, text) : node.end_byte]
    if node.type in {"concatenation", "command_name"}:
        for child in node.named_children:
            yield from _pieces(child, text)
    elif node.type == "variable_assignment":
        value = node.child_by_field_name("value")
        yield text[node.start_byte : value.start_byte if value else node.end_byte], "bare"
        yield from _pieces(value, text) if value else ()
    elif node.type in {"string", "translated_string"}:
        yield from _string(node, text)
    elif node.type == "raw_string":
        yield spelled[1:-1], "quoted"
    elif node.type == "ansi_c_string":
        yield ANSI_C.sub(_ansi_c, spelled[2:-1]), "quoted"
    elif node.type in EXPANDING or node.type in {"brace_expression", "array"}:
        yield spelled, "expansion"
    else:
        yield spelled, "bare"


def _string(node: Node, text: str) -> Iterator[tuple[str, str]]:
    inner = next((child for child in node.named_children if child.type == "string"), node)
    place = inner.start_byte + 1
    for child in inner.named_children:
        if child.type in EXPANDING:
            start = _start(child, text)
            yield ESCAPED_IN_QUOTES.sub(_kept, text[place:start]), "quoted"
            yield text[start : child.end_byte], "expansion"
            place = child.end_byte
    yield ESCAPED_IN_QUOTES.sub(_kept, text[place : inner.end_byte - 1]), "quoted"


def _start(node: Node, text: str) -> int:
    """The grammar lets blanks before an expansion inside of quotes belong to it."""
    start: int = node.start_byte
    if node.type in EXPANDING:
        while text[start : start + 1].isspace():
            start += 1
    return start


def _kept(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def _unescaped(piece: str) -> str:
    return ESCAPED.sub(_kept, piece)


def _ansi_c(match: re.Match[str]) -> str:
    octal, short, long, longer, other = match.groups()
    if octal:
        return chr(int(octal, 8))
    code = int(short or long or longer or "0", 16)
    return (chr(code) if code < 0x110000 else match[0]) if other is None else NAMED.get(other, other)
