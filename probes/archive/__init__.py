"""The archive probe: was the expected answer on the task's own pages then, and is it there now?"""

from probes.archive.places import found
from probes.archive.presence import telling_value
from probes.archive.probe import ArchiveProbe

__all__ = ["ArchiveProbe", "found", "telling_value"]
