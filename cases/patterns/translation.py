"""A pattern of `re` as one of RE2.

What looks around is taken into the match, with an empty group between it and the match proper: the text's places are
then cut back to these marks.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Literal

from cases.patterns.alphabet import Alphabet, written
from cases.sentences import Sentences

say = Sentences(__name__)

Node = tuple[Any, Any]
Mark = Literal["start", "end"]
Place = Literal["first", "any", "later"]
_END = 256
"""The text's end, or its start, in sets of what may stand beside a match."""
_UNBOUNDED = 1000
_SEVERAL, _FOLDS = int(re.MULTILINE), int(re.IGNORECASE)
_BESIDE = frozenset(range(257))


class Unsupported(re.error):
    """What only an engine can do that goes back."""

    def __init__(self, what: str, pattern: str | bytes) -> None:
        super().__init__(say("patterns.translation.cannot_matched_linear_time", what=what), pattern)


@dataclass
class Translation:
    """A pattern for RE2, and what each of its groups is: a group of the pattern's own by its number, or a mark."""

    pattern: str | bytes
    alphabet: Alphabet
    place: Place
    """Where a match may begin: where the text does, anywhere, or behind that, so that something stands before it."""
    whole: bool
    """Whether the match reaches to the text's end."""
    parts: list[str] = field(default_factory=list)
    groups: list[int | Mark] = field(default_factory=list)
    loose: bool = False
    """Whether it finds at least what the pattern finds: nothing is looked around for, and what repeats may differ."""
    ahead: bool = False
    """Whether what is written is only looked at, behind the match."""
    behind: bool = False
    """Whether it looks behind, so that each way through it begins one character early."""

    def write(self, nodes: Iterable[Node], flags: int) -> str:
        """The whole pattern."""
        tree = list(nodes)
        self.behind = not self.loose and _looks_behind(tree)
        self._sequence(tree, flags, lead=self.behind, trail=not self.loose)
        return "".join(self.parts)

    def _sequence(self, nodes: Sequence[Node], flags: int, *, lead: bool, trail: bool) -> None:
        rest = list(nodes)
        if lead:
            head = list(takewhile(lambda node: _is_behind(node) or node[0] is ops.AT, rest))
            inner = rest[len(head) : len(head) + 1]
            if not _looks_behind(head) and _looks_behind(inner):
                if head:
                    self._refuse("an anchor before what looks behind")
            else:
                lead = False
                self._before(
                    [value[1] for _, value in filter(_is_behind, head)],
                    [node[0] for node in filter(_is_behind, head)],
                    flags,
                )
                rest = [node for node in head if not _is_behind(node)] + rest[len(head) :]
        tail = (
            list(takewhile(lambda node: _is_ahead(node, flags) or node[0] is ops.AT, reversed(rest))) if trail else []
        )
        if any(_is_ahead(node, flags) for node in tail):
            rest, trail = rest[: len(rest) - len(tail)], False
        else:
            tail = []
        for number, node in enumerate(rest):
            first, last = lead and number == 0, trail and number == len(rest) - 1
            self._node(node, flags, lead=first, trail=last)
        if tail:
            self._after([*reversed(tail)], flags)

    def _node(self, node: Node, flags: int, *, lead: bool, trail: bool) -> None:
        op, value = node
        if op is ops.LITERAL and value < 128 and not flags & _FOLDS:
            self.alphabet.take(value)
            self.parts.append(f"\\x{value:02x}")
        elif op in (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY):
            self.parts.append(written(self._set(node, flags)))
        elif op is ops.AT:
            end = _is_ahead(node, flags)
            self.parts.append("" if end and self.loose else r"\n?\z" if end and self.ahead else _anchor(value, flags))
        elif op is ops.BRANCH:
            self._branch(value[1], flags, lead=lead, trail=trail)
        elif op is ops.SUBPATTERN:
            group, added, removed, inner = value
            self._open(group)
            self._sequence(inner, (flags | added) & ~removed, lead=lead, trail=trail)
            self.parts.append(")")
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            self._repeat(value, flags, lazy=op is ops.MIN_REPEAT)
        elif self.loose:
            self._loosely(node, flags)
        else:
            self._refuse(str(op).lower())

    def _loosely(self, node: Node, flags: int) -> None:
        op, value = node
        if op is ops.ATOMIC_GROUP:
            self._branch([value], flags, lead=False, trail=False)
        elif op is ops.POSSESSIVE_REPEAT:
            self._repeat(value, flags, lazy=False)
        elif op is ops.GROUPREF:
            self.parts.append("(?s:.*)")
        elif op is ops.GROUPREF_EXISTS:
            self._branch([value[1], value[2] or []], flags, lead=False, trail=False)

    def _open(self, group: int | Mark | None) -> None:
        if group is None or self.loose:
            self.parts.append("(?:")
        else:
            self.parts.append("(")
            self.groups.append(group)

    def _branch(self, branches: Iterable[Iterable[Node]], flags: int, *, lead: bool, trail: bool) -> None:
        self.parts.append("(?:")
        for number, branch in enumerate(branches):
            self.parts.append("|" if number else "")
            self._sequence(list(branch), flags, lead=lead, trail=trail)
        self.parts.append(")")

    def _repeat(self, value: tuple[int, int, Iterable[Node]], flags: int, *, lazy: bool) -> None:
        least, most, inner = value
        self.parts.append("(?:")
        self._sequence(list(inner), flags, lead=False, trail=False)
        bound = "" if most is ops.MAXREPEAT or most > _UNBOUNDED else str(most)
        self.parts.append(f"){{{least},{bound}}}{'?' if lazy else ''}")

    def _set(self, node: Node, flags: int) -> frozenset[int]:
        return self.alphabet.members(self.alphabet.atom(node, flags))

    def _before(self, looks: Sequence[Any], kinds: Sequence[Any], flags: int) -> None:
        allowed = _BESIDE
        for look, kind in zip(looks, kinds, strict=True):
            if len(sequences := self._sequences(look, flags)) != 1 or len(sequences[0]) != 1:
                self._refuse("looking behind at more than one character")
            allowed &= sequences[0][0] if kind is ops.ASSERT else _BESIDE - sequences[0][0]
        first = [r"\A"] if _END in allowed and self.place != "later" else []
        other = [written(allowed - {_END})] if self.place != "first" else []
        self.parts.append(f"(?:{'|'.join([*first, *other]) or written(frozenset())})")
        self._open("start")
        self.parts.append(")")

    def _after(self, tail: Sequence[Node], flags: int) -> None:
        self.parts += [
            _anchor(value, flags) for op, value in tail if op is ops.AT and not _is_ahead((op, value), flags)
        ]
        self._open("end")
        self.parts.append(")")
        looks = [node for node in tail if _is_ahead(node, flags)]
        refused = [one for op, value in looks if op is ops.ASSERT_NOT for one in self._sequences(value[1], flags)]
        wanted = [node for node in looks if node[0] is not ops.ASSERT_NOT]
        if len(wanted) + bool(refused) > 1:
            self._refuse("looking ahead for several things")
        if refused:
            self.parts.append(r"\z" if self.whole else self._other_than(refused))
        elif self.whole:
            self.parts.append(r"\z" if self._at_end(wanted[0], flags) else written(frozenset()))
        elif wanted[0][0] is ops.AT:
            self.parts.append(r"\n?\z")
        else:
            self.ahead = True
            self._sequence(list(wanted[0][1][1]), flags, lead=False, trail=False)
            self.ahead = False

    def _at_end(self, node: Node, flags: int) -> bool:
        """Whether it holds at a text's very end."""
        tree = parser.SubPattern(parser.State(), [node])
        tree.state.flags = flags
        return compiler.compile(tree, flags).match(self.pattern[:0]) is not None

    def _other_than(self, refused: list[list[frozenset[int]]]) -> str:
        """What stands there where none of these does."""
        ways = list[str]()
        told = sorted(_BESIDE, key=lambda one: _which(refused, one))
        for which, symbols in groupby(told, key=lambda one: _which(refused, one)):
            rests = [refused[number][1:] for number in which]
            chosen = frozenset(symbols)
            if not all(rests):
                continue
            ways += [r"\z"] if _END in chosen else []
            if chosen - {_END}:
                ways.append(written(chosen - {_END}) + (self._other_than(rests) if rests else ""))
        return f"(?:{'|'.join(ways)})" if ways else written(frozenset())

    def _sequences(self, nodes: Iterable[Node], flags: int) -> list[list[frozenset[int]]]:
        """All that it may be, one set a place; refuses what has no end."""
        found: list[list[frozenset[int]]] = [[]]
        for op, value in nodes:
            if op in (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY):
                ways = [[self._set((op, value), flags)]]
            elif (
                op is ops.AT
                and value is ops.AT_BOUNDARY
                and all(one and one[-1] <= self.alphabet.word for one in found)
            ):
                ways = [[_BESIDE - self.alphabet.word]]
            elif op is ops.BRANCH:
                ways = [way for branch in value[1] for way in self._sequences(branch, flags)]
            elif op is ops.SUBPATTERN:
                ways = self._sequences(value[3], (flags | value[1]) & ~value[2])
            elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT) and value[1] is not ops.MAXREPEAT and value[1] <= 4:
                once = self._sequences(value[2], flags)
                ways = [[]] if not value[0] else []
                grown: list[list[frozenset[int]]] = [[]]
                for count in range(1, value[1] + 1):
                    grown = [one + way for one in grown for way in once]
                    ways += grown if count >= value[0] else []
            else:
                self._refuse("looking around for something without an end")
            found = [one + way for one in found for way in ways]
        return found

    def _refuse(self, what: str) -> Any:  # noqa: ANN401
        raise Unsupported(what, self.pattern)


def _which(refused: list[list[frozenset[int]]], symbol: int) -> tuple[int, ...]:
    return tuple(number for number, one in enumerate(refused) if symbol in one[0])


def _is_behind(node: Node) -> bool:
    return node[0] in (ops.ASSERT, ops.ASSERT_NOT) and node[1][0] < 0


def _is_ahead(node: Node, flags: int) -> bool:
    if node[0] is ops.AT:
        return node[1] is ops.AT_END and not flags & _SEVERAL
    return node[0] in (ops.ASSERT, ops.ASSERT_NOT) and node[1][0] > 0


def _looks_behind(nodes: Iterable[Node]) -> bool:
    """Whether it does so anywhere at its beginning."""
    for node in nodes:
        if _is_behind(node):
            return True
        if node[0] is ops.SUBPATTERN:
            return _looks_behind(node[1][3])
        if node[0] is ops.BRANCH:
            return any(_looks_behind(branch) for branch in node[1][1])
        if node[0] is not ops.AT:
            return False
    return False


def _anchor(value: Any, flags: int) -> str:  # noqa: ANN401
    several = flags & _SEVERAL
    return {
        ops.AT_BEGINNING: "(?m:^)" if several else r"\A",
        ops.AT_BEGINNING_STRING: r"\A",
        ops.AT_END: "(?m:$)" if several else r"\z",
        ops.AT_END_STRING: r"\z",
        ops.AT_BOUNDARY: r"\b",
        ops.AT_NON_BOUNDARY: r"\B",
    }[value]
