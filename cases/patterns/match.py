"""What `re` calls a match."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, AnyStr, Generic, Protocol, overload

Span = tuple[int, int]
_TEMPLATE = re.compile(r"\\(?:g<(\w+)>|(\d)|(.))", re.DOTALL)


class Matcher(Protocol[AnyStr]):
    """The pattern of a match."""

    pattern: AnyStr
    groupindex: Mapping[str, int]


class Match(Generic[AnyStr]):
    """Where a pattern was found."""

    __slots__ = ("_spans", "re", "string")

    def __init__(self, pattern: Matcher[AnyStr], string: AnyStr, spans: Sequence[Span]) -> None:
        """`spans` are those of the whole match and of each group."""
        self.re: Matcher[AnyStr] = pattern
        self.string: AnyStr = string
        self._spans = spans

    def span(self, group: int | str = 0) -> Span:
        """Where a group begins and ends; twice -1 where it took no part."""
        return self._spans[group if isinstance(group, int) else self._number(group)]

    def start(self, group: int | str = 0) -> int:
        """Where a group begins."""
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        """Where a group ends."""
        return self.span(group)[1]

    def __getitem__(self, group: int | str) -> AnyStr | Any:  # noqa: ANN401 - as in `re`
        start, end = self.span(group)
        return None if start < 0 else self.string[start:end]

    @overload
    def group(self, group: int | str = 0, /) -> AnyStr | Any: ...  # noqa: ANN401
    @overload
    def group(self, group: int | str, other: int | str, /, *more: int | str) -> tuple[AnyStr | Any, ...]: ...
    def group(self, *groups: int | str) -> AnyStr | Any | tuple[AnyStr | Any, ...]:
        """The text of a group, or of several."""
        return self[groups[0] if groups else 0] if len(groups) < 2 else tuple(self[group] for group in groups)

    def groups(self, default: object = None) -> tuple[AnyStr | Any, ...]:
        """The texts of all groups."""
        return tuple(self.string[start:end] if start >= 0 else default for start, end in self._spans[1:])

    def groupdict(self, default: object = None) -> dict[str, AnyStr | Any]:
        """The texts of all groups that have names."""
        found = {name: self[number] for name, number in self.re.groupindex.items()}
        return {name: default if text is None else text for name, text in found.items()}

    @property
    def which(self) -> str:
        """The name of the first group with one that took part, as alternatives have them.

        Raises:
            LookupError: none did.
        """
        for name, number in self.re.groupindex.items():
            if self._spans[number][0] >= 0:
                return name
        raise LookupError("no group took part")

    def expand(self, template: str) -> str:
        r"""A template with its `\1` and `\g<name>` filled in."""

        def filled(found: re.Match[str]) -> str:
            if name := found[1] or found[2]:
                return str(self[int(name) if name.isdigit() else name] or "")
            return {"n": "\n", "t": "\t", "\\": "\\"}.get(found[3], found[0])

        return _TEMPLATE.sub(filled, template)

    def _number(self, name: str) -> int:
        if name not in self.re.groupindex:
            raise IndexError("no such group")
        return self.re.groupindex[name]

    def __repr__(self) -> str:
        return f"<Match {self.span()} of {self.re.pattern!r}: {self[0]!r}>"
