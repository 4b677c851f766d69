"""Words by which a barrier is known, with texts that show what they catch and what they miss."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from cases import Model
from cases import patterns as re

Where = Literal["output", "page", "claim", "replay"]
"""What commands and tools print, pages visited, earlier verdicts; and a replay, where the barrier is known already."""
Multiline = Annotated[re.Pattern[str], BeforeValidator(lambda text: re.compile(text, re.MULTILINE))]
_AROUND = 80
_MARKED = re.compile("«(.*?)»", re.DOTALL)


class Signature(Model):
    """One `[[signature]]` of a barrier's file; where it proposes, the first whose words stand in a place is taken.

    A replay must show the failure of the first one that fits the recorded output, so that the more specific stands
    before the more general.
    """

    where: tuple[Where, ...] = Field(min_length=1)
    pattern: Multiline
    """The group `subject` is what it is about; `subject2` and so on are the same in its alternatives."""
    failure: str = ""
    """What a replay calls this failure."""
    names: str = "{subject}"
    """What it gives the targets that the barrier is about; nothing where its subject is no such thing."""
    before: Multiline | None = None
    """Where what it is about may stand in front of it: the last match there goes before its own subject."""
    ignore: re.Pattern[str] | None = None
    """It proposes nothing where this matches within 80 characters before it or in it."""
    symptom: bool = False
    """Whether it only follows from something: dropped where the same output names a cause."""
    at_end: bool = False
    """Whether it counts only in a failure with which a run ended: agents often meet it while they look around."""
    source: str = Field(min_length=1)
    catches: tuple[str, ...] = Field(min_length=1)
    """Texts that it must find; « and » stand around the subject."""
    misses: tuple[str, ...] = Field(min_length=1)
    """Texts much like these that it must not take for them."""

    @model_validator(mode="after")
    def _names_its_failure(self) -> Self:
        if bool(self.failure) != ("replay" in self.where):
            raise ValueError("`failure` is what a replay shows, so that it and `replay` in `where` go together")
        return self

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """Where it proposes its barrier."""
        for match in self.pattern.finditer(text):
            if not (self.ignore and self.ignore.search(text[max(0, match.start() - _AROUND) : match.end()])):
                yield match

    def named(self, match: re.Match[str]) -> str:
        """What the barrier is about by a match of it; empty when that tells nothing."""
        in_front = self.before.finditer(match.string, 0, match.start()) if self.before else ()
        told = [subject_of(one) for one in in_front]
        subject = told[-1] if told else subject_of(match)
        return self.names.format(subject=subject).strip() if subject or "{" not in self.names else ""

    @property
    def shown(self) -> tuple[str, ...]:
        """What it catches, without marks."""
        return tuple(_MARKED.sub(r"\1", text) for text in self.catches)

    def wrong(self) -> list[str]:
        """Its examples that are none; one sentence each."""
        told = []
        for example, text in zip(self.catches, self.shown, strict=True):
            about, first = _MARKED.search(example), next(self.found(text), None)
            if first is None:
                told.append(f"misses {example!r}")
            elif about and subject_of(first) != about[1]:
                told.append(f"takes {example!r} to be about {subject_of(first)!r}")
        return told + [f"catches {example!r}" for example in self.misses if any(self.found(example))]


def subject_of(match: re.Match[str]) -> str:
    """What a match is about."""
    return next((text for text in match.groupdict().values() if text), "")
