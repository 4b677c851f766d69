"""What a kind of barrier knows of one hypothesis, and the strings that its route templates are filled with."""

from collections.abc import Mapping
from dataclasses import dataclass

from cases import patterns as re

PARAMETER = re.compile(r"\{([a-z_]+)\}")
Named = Mapping[str, str | bool | None]
"""By the names that routes use: texts for braces, None where one is not known; what is so or not for conditions."""


@dataclass(frozen=True)
class Details:
    """What the record and the container told beyond the subject's name; a kind that learns something has its own."""


@dataclass(frozen=True)
class RouteValues:
    """What the braces and conditions of a kind's route templates stand for; its routes may use these names only."""

    named: Named

    def has(self, name: str) -> bool:
        """Whether it is known, or so.

        Raises:
            KeyError: the kind has no such name.
        """
        return self.named[name] not in {None, False}

    def lacking(self, *texts: str) -> str | None:
        """The first name in the texts' braces that is not known."""
        names = (name for text in texts for name in PARAMETER.findall(text) if name in self.named)
        return next((name for name in names if not self.has(name)), None)

    def fill(self, text: str) -> str:
        """The text with the values put in; braces that are none of the kind's names stay as they are.

        Raises:
            ValueError: one of them is not known.
        """
        return PARAMETER.sub(self._text, text)

    def _text(self, braces: re.Match[str]) -> str:
        value = self.named.get(braces[1], braces[0])
        if not isinstance(value, str):
            raise ValueError(f"{braces[1]} is not known")  # noqa: TRY004
        return value
