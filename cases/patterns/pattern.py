"""What `re` calls a pattern."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import islice
from re import _parser as parser  # type: ignore[attr-defined]
from re import error
from typing import Any, AnyStr, Generic

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from cases.patterns.alphabet import Alphabet
from cases.patterns.limited import Limited
from cases.patterns.match import Match
from cases.patterns.program import ANYWHERE, HERE, NOWHERE, WHOLE, Program
from cases.patterns.translation import Place, Translation, Unsupported

_WAYS = {ANYWHERE: "search", HERE: "match", WHOLE: "fullmatch"}
_LONG = 500
"""Characters from which on it is worth while to keep a text's bytes."""


class Pattern(Generic[AnyStr]):
    """A pattern, made by `compile`."""

    def __init__(self, pattern: AnyStr, flags: int = 0) -> None:
        """Refuses at once what is no pattern; the rest is left to its first use.

        Most are never used, so that what was read of it is not kept until then.
        """
        tree = parser.parse(pattern, flags)
        self.pattern: AnyStr = pattern
        self.flags = int(tree.state.flags)
        self.groups: int = tree.state.groups - 1
        self.groupindex: Mapping[str, int] = tree.state.groupdict
        self._alphabet = Alphabet(text=isinstance(pattern, str), bounded="BOUNDARY" in repr(tree))
        self._programs = dict[tuple[Place, bool], Program]()

    @cached_property
    def limited(self) -> Limited[AnyStr] | None:
        """The engine that it needs where RE2 has no words for it."""
        try:
            self._build("any", whole=False, loose=False)
        except Unsupported:
            return Limited(self.pattern, self.flags)
        return None

    @cached_property
    def _marked(self) -> bool:
        return self._program("any", whole=False).marked

    def search(self, text: AnyStr, pos: int = 0) -> Match[AnyStr] | None:
        """The first match at `pos` or behind it."""
        return self._at_once(ANYWHERE, text, pos)

    def match(self, text: AnyStr, pos: int = 0) -> Match[AnyStr] | None:
        """The match that begins at `pos`."""
        return self._at_once(HERE, text, pos)

    def fullmatch(self, text: AnyStr, pos: int = 0) -> Match[AnyStr] | None:
        """The match of all from `pos` on."""
        return self._at_once(WHOLE, text, pos)

    def finditer(self, text: AnyStr, pos: int = 0, endpos: int | None = None) -> Iterator[Match[AnyStr]]:
        """All matches, none of which overlap."""
        plain = self._plain
        if plain is not None and isinstance(text, str) and len(text) <= _LONG and text.isascii():
            text = text[:endpos]
            yield from self._plainly(plain, text, text.encode(), pos)
            return
        data = self._encoded(text)
        if endpos is not None:
            text, data = text[:endpos], data[:endpos]  # a byte is a character, whatever follows it
        if plain is not None:
            yield from self._plainly(self._program("any", whole=False).engine.Match, text, data, pos)
            return
        while pos <= len(data) and (found := self._find(ANYWHERE, text, data, pos)):
            yield found
            start, end = found.span()
            pos = end + (start == end)

    def _plainly(self, run: Any, text: AnyStr, data: bytes, pos: int) -> Iterator[Match[AnyStr]]:  # noqa: ANN401
        size = len(data)
        while pos <= size:
            spans = run(ANYWHERE, data, pos, size)
            start, end = spans[0]
            if start < 0:
                return
            yield Match(self, text, spans)
            pos = end + (start == end)

    def findall(self, text: AnyStr) -> list[Any]:
        """The texts of all matches, or of their groups where there are some."""
        if not self.groups:
            return [found[0] for found in self.finditer(text)]
        told: list[Any] = [found.groups(text[:0]) for found in self.finditer(text)]
        return [one[0] for one in told] if self.groups == 1 else told

    def split(self, text: AnyStr, maxsplit: int = 0) -> list[AnyStr | Any]:
        """What stands between the matches, and their groups."""
        matches: Iterator[Match[AnyStr]] = islice(self.finditer(text), maxsplit or None)
        pieces: list[Any] = []
        last = 0
        for found in matches:
            start, end = found.span()
            pieces.append(text[last:start])
            pieces.extend(found.groups())
            last = end
        return [*pieces, text[last:]]

    def sub(self, to: AnyStr | Callable[[Match[AnyStr]], AnyStr], text: AnyStr, count: int = 0) -> AnyStr:
        """The text with its matches replaced."""
        pieces: list[Any] = []
        last = 0
        plain = isinstance(to, bytes) or "\\" not in str(to)
        matches: Iterator[Match[AnyStr]] = islice(self.finditer(text), count or None)
        for found in matches:
            new: Any = to(found) if callable(to) else to if plain else found.expand(str(to))
            pieces += [text[last : found.start()], new]
            last = found.end()
        return text[:0].join([*pieces, text[last:]])

    def _at_once(self, anchor: object, text: AnyStr, pos: int) -> Match[AnyStr] | None:
        if self._plain is None or len(text) > _LONG or not text.isascii() or isinstance(text, bytes):
            return self._find(anchor, text, self._encoded(text), pos)
        if pos > len(text):
            return None
        spans = self._plain(anchor, text.encode(), pos, len(text))
        return None if spans[0] == NOWHERE else Match(self, text, spans)

    @cached_property
    def _plain(self) -> Any:  # noqa: ANN401
        """What finds it in ASCII, where the match is no more than what RE2 matches."""
        return None if self.limited or self._marked else self._program("any", whole=False).engine.Match

    def _encoded(self, text: AnyStr) -> bytes:
        if not isinstance(text, str):
            return text
        self._program("any", whole=False)
        return _long_encoded(self._alphabet, text) if len(text) > _LONG else self._alphabet.encoded(text)

    def _find(self, anchor: object, text: AnyStr, data: bytes, pos: int) -> Match[AnyStr] | None:
        if self.limited:
            return self._find_limited(self.limited, anchor, text, data, pos)
        if pos > len(data):
            return None
        if not self._marked:
            return self._run(self._program("any", whole=False), anchor, text, data, pos)
        if pos:
            return self._run(self._program("later", whole=anchor is WHOLE), anchor, text, data, pos)
        program = self._program("any" if anchor is ANYWHERE else "first", whole=anchor is WHOLE)
        if anchor is ANYWHERE and program.early:  # what begins with the text comes before what looks at its first sign
            found = self._run(self._program("first", whole=False), HERE, text, data, 0)
            return found or self._run(self._program("later", whole=False), ANYWHERE, text, data, 0)
        return self._run(program, anchor, text, data, 0)

    def _run(self, program: Program, anchor: object, text: AnyStr, data: bytes, pos: int) -> Match[AnyStr] | None:
        spans = program.engine.Match(anchor, data, pos - program.early if pos else 0, len(data))
        if spans[0] == NOWHERE:
            return None
        return Match(self, text, program.cut(spans) if self._marked else spans)

    def _find_limited(
        self,
        limited: Limited[AnyStr],
        anchor: object,
        text: AnyStr,
        data: bytes,
        pos: int,
    ) -> Match[AnyStr] | None:
        if pos > len(data):
            return None
        at = self._program("any", whole=False).engine.Match(anchor, data, pos, len(data))[0][0]
        if at < 0:
            return None
        spans = limited.spans(_WAYS[anchor], text, at)
        return None if spans is None else Match(self, text, spans)

    def _program(self, place: Place, *, whole: bool) -> Program:
        known = self._programs.get((place, whole))
        if known and known.size == self._alphabet.size:
            return known
        return self._build(place, whole=whole, loose=self.limited is not None)

    def _build(self, place: Place, *, whole: bool, loose: bool) -> Program:
        written = Translation(self.pattern, self._alphabet, place=place, whole=whole, loose=loose)
        tree = parser.parse(self.pattern, self.flags)
        self._programs[place, whole] = program = Program(written, tree, self.flags)
        return program

    def __repr__(self) -> str:
        return f"compile({self.pattern!r}, {self.flags})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self) -> int:
        return hash((self.pattern, self.flags))

    def __reduce__(self) -> tuple[Any, ...]:
        return Pattern, (self.pattern, self.flags)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.no_info_after_validator_function(_of_data, core_schema.str_schema())
        return core_schema.union_schema([core_schema.is_instance_schema(Pattern), written])


@lru_cache(maxsize=8)
def _long_encoded(alphabet: Alphabet, text: str) -> bytes:
    return alphabet.encoded(text)


def _of_data(written: str) -> Pattern[str]:
    try:
        return Pattern(written)
    except error as wrong:
        raise ValueError(str(wrong)) from wrong
