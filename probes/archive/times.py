"""Whether a task asks for the state of today or of a time that it names."""

from typing import Literal

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load

Asked = Literal["past", "today", "unclear"]


class Phrase(Model):
    """One pattern with where it was met."""

    pattern: Expression
    source: str


class Times(Model):
    """The content of `times.toml`."""

    past: tuple[Phrase, ...]
    today: tuple[Phrase, ...]
    unclear: tuple[Phrase, ...]


def times() -> Times:
    """Validated."""
    return load(Times, __package__, "times.toml")


def time_asked(prompt: str | None) -> Asked:
    """The time that a task's text asks about; plain present tense asks for today."""
    if not (prompt or "").strip():
        return "unclear"
    past, today, unclear = (_any(phrases, prompt or "") for phrases in (times().past, times().today, times().unclear))
    if past:
        return "unclear" if today else "past"
    return "unclear" if unclear else "today"


def _any(phrases: tuple[Phrase, ...], text: str) -> bool:
    return any(re.search(phrase.pattern, text, re.IGNORECASE) for phrase in phrases)
