"""Ways that every failing command gets besides its barrier's own, out of what documents, helps and the machine tell."""

from probes.replay.arms.documented.workarounds import other_ways

__all__ = ["other_ways"]
