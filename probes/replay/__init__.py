"""Replaying a failed run's commands in containers: does it fail again, can it be passed, was the command right."""

from probes.replay.probe import ReplayProbe

__all__ = ["ReplayProbe"]
