"""One way that every failing command gets: the tries that it means here, or why it means nothing."""

from dataclasses import dataclass

from probes.barriers import RoutePlan


@dataclass(frozen=True)
class Try:
    """Something to run in place of the failing command, which must end with 0 and show no failure that is known."""

    script: str
    shown: tuple[str, ...]
    """What a person would type."""
    refuted_by: str | None = None
    """Does the same though it cannot do the work: where this ends with 0 too, the try proves nothing."""
    in_bash: bool = False
    """Whatever shell the failing command has."""
    told: str | None = None
    """Prints what its steps said, for the log."""
    open: str = ""
    """Why it proves nothing where it works, so that the way stays open; ends a sentence."""
    by_goals: bool = False
    """Whether it proves all the same what it should where the task's other commands then work."""


@dataclass(frozen=True)
class Way:
    """A route with its tries."""

    plan: RoutePlan
    tries: tuple[Try, ...] = ()
    lacking: str = ""
    """Why it means nothing here; ends a sentence."""
    open: str = ""
    """Why it could not be tried though it may be a way; ends a sentence."""
    own_end: str = ""
    """Why a try that failed, though nothing was missing, leaves it open; empty where that speaks against the way."""
