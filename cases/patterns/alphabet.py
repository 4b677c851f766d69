"""The bytes as which RE2 sees a text: ASCII as it is, any other character as one that its pattern cannot tell from it.

So each character is one byte, places need no counting, programs stay small, and letters, digits, blanks, case and word
boundaries mean what they mean in `re`, in any script.
"""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_KINDS = "é٣\u00a0—ſKİı"
"""A letter, a digit, a blank, anything else; and those that are ASCII letters where case does not count."""
_FIRST = 0x80
_WIDE = 300
_MOST = 20_000
_TOLD_BY = int(re.IGNORECASE | re.ASCII | re.DOTALL | re.UNICODE)


class Atom:
    """What one place of a pattern may be: a literal, a class or a dot."""

    def __init__(self, node: object, flags: int, *, text: bool) -> None:
        """`node` with the flags that hold there, in a pattern of text or of bytes."""
        tree = parser.SubPattern(parser.State(), [node])
        tree.state.flags = flags
        self._found = compiler.compile(tree, flags).match
        known = range(_FIRST) if text else range(256)
        self.plain = frozenset(one for one in known if self._found(chr(one) if text else bytes([one])))
        self.named, self.ranges = _named(node, flags)

    def has(self, char: str) -> bool:
        """Whether it may be this character."""
        return self._found(char) is not None


def _named(node: Any, flags: int) -> tuple[frozenset[str], tuple[range, ...]]:  # noqa: ANN401
    """The characters beyond ASCII that it names, and the wide ranges of them."""
    named, wide = set[int](), list[range]()
    for op, value in node[1] if node[0] is ops.IN else [node]:
        if op in (ops.LITERAL, ops.NOT_LITERAL):
            named.add(value)
        elif op is ops.RANGE and value[1] - max(value[0], _FIRST) < _WIDE:
            named.update(range(max(value[0], _FIRST), value[1] + 1))
        elif op is ops.RANGE:
            wide.append(range(max(value[0], _FIRST), value[1] + 1))
    chars = {chr(one) for one in named if one >= _FIRST}
    if flags & re.IGNORECASE:
        chars |= {form for one in chars for form in (one.lower(), one.upper(), one.title()) if len(form) == 1}
    return frozenset(chars), tuple(wide)


class _Node:
    """A node in a cache that knows it by how it is printed."""

    def __init__(self, node: object) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4096)
def _atom(_printed: str, flags: int, text: bool, node: _Node) -> Atom:
    return Atom(node.node, flags, text=text)


class Alphabet:
    """The bytes of one pattern."""

    def __init__(self, *, text: bool, bounded: bool) -> None:
        """Of a pattern of text or bytes, in which word boundaries stand or not."""
        self._text, self._bounded = text, bounded
        self._known = dict[tuple[str, int], Atom]()
        self._signs = dict[tuple[Atom | None, ...], int]()
        self._taken = set[int]()
        self._codes = dict[str, str]()
        self._kinds: bytes | None = None

    @property
    def size(self) -> int:
        """How many kinds of foreign characters it knows by now."""
        return len(self._signs)

    def atom(self, node: object, flags: int) -> Atom:
        """The atom of a node of `re`'s parser."""
        key = repr(node), flags & _TOLD_BY
        if key not in self._known:
            self._known[key] = _atom(*key, self._text, _Node(node))
        return self._known[key]

    @cached_property
    def _names(self) -> bool:
        return any(atom.named or atom.ranges for atom in self._atoms)

    @property
    def _atoms(self) -> Iterable[Atom]:
        return self._known.values()

    def take(self, code: int) -> None:
        """A letter that the pattern names stands for no other."""
        self._taken.add(code)

    def members(self, atom: Atom) -> frozenset[int]:
        """The bytes that it may be."""
        codes = {code for sign, code in list(self._signs.items()) if atom in sign}
        return atom.plain | codes if codes else atom.plain

    @property
    def word(self) -> frozenset[int]:
        """The bytes of words, as boundaries see them."""
        return _WORD

    def encoded(self, text: str) -> bytes:
        """A text in it."""
        if text.isascii():
            return text.encode("latin-1")
        if self._names:
            return _FOREIGN.sub(self._coded, text).encode("latin-1")
        if self._kinds is None:
            codes = bytes(self._code(kind) for kind in _KINDS)
            self._kinds = bytes(range(_FIRST)) + codes + bytes(range(_FIRST + len(codes), 256))
        return _by_kind(text).translate(self._kinds)

    def _coded(self, run: re.Match[str]) -> str:
        codes, chars = self._codes, run[0]
        try:
            return "".join([codes[char] for char in chars])
        except KeyError:
            if len(codes) > _MOST:
                self._codes = codes = {}
            for char in set(chars).difference(codes):
                codes[char] = chr(self._code(char if self._named(char) else _KINDS[_kind(char)]))
            return "".join([codes[char] for char in chars])

    def _named(self, char: str) -> bool:
        return any(char in atom.named or any(ord(char) in one for one in atom.ranges) for atom in self._atoms)

    def _code(self, char: str) -> int:
        sign = tuple(atom if atom.has(char) else None for atom in self._atoms)
        word = self._bounded and char.isalnum()
        key = (*sign, None) if word else sign
        if key not in self._signs:
            self._signs[key] = self._like(set(sign)) if word else self._fresh()
        return self._signs[key]

    def _like(self, sign: set[Atom | None]) -> int:
        """An ASCII letter that the pattern cannot tell from it: boundaries know no others."""
        free = _WORD - self._taken
        same = (one for one in free if all((one in atom.plain) == (atom in sign) for atom in self._atoms))
        return next(same, None) or self._fresh()

    def _fresh(self) -> int:
        taken = [code for code in self._signs.values() if code >= _FIRST]
        return min(max(taken, default=_FIRST - 1) + 1, 255)


_WORD = frozenset(one for one in range(_FIRST) if chr(one).isalnum() or chr(one) == "_")


@lru_cache(maxsize=64)
def _by_kind(text: str) -> bytes:
    return _FOREIGN.sub(lambda run: run[0].translate(_CODES), text).encode("latin-1")


class _Codes(dict[int, int]):
    """The codes of characters by their kinds, each told once."""

    def __missing__(self, point: int) -> int:
        code = self[point] = _FIRST + _kind(chr(point))
        return code


_CODES = _Codes()
"""At most one for each character of Unicode."""


def _kind(char: str) -> int:
    if char in _KINDS[4:]:
        return _KINDS.index(char)
    if char.isalnum():
        return 1 if char.isdecimal() else 0
    return 2 if char.isspace() else 3


@lru_cache(maxsize=4096)
def written(members: frozenset[int]) -> str:
    """A class of these bytes, as RE2 reads it."""
    chosen = sorted(members)
    if not chosen:
        return r"[^\x00-\xff]"
    if len(chosen) == 1:
        return f"\\x{chosen[0]:02x}"
    if len(chosen) == 256:
        return r"(?s:.)"
    starts = [one for one in chosen if one - 1 not in members]
    ends = [one for one in chosen if one + 1 not in members]
    ranges = (f"\\x{a:02x}-\\x{b:02x}" for a, b in zip(starts, ends, strict=True))
    return f"[{''.join(ranges)}]"
