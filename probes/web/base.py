"""What the probes that visit pages have in common."""

from sandboxes.egress import Resolver

BACKOFF = (0.7, 1.5)
"""Seconds before the second and the third visit."""
PATIENCE = (8.0, 4.0)
"""Seconds that the first visit, and a further one, waits for a page to show its text or for a challenge to clear."""


class VisitingProbe:
    """A probe that shares the browser with others of its kind."""

    def __init__(
        self,
        *,
        resolvers: tuple[Resolver, ...] | None = None,
        backoff: tuple[float, ...] = BACKOFF,
        patience: tuple[float, float] = PATIENCE,
    ) -> None:
        """`resolvers` replace the system's and the independent ones, which are asked side by side."""
        self._resolvers = resolvers
        self._backoff = backoff
        self._patience = patience
