"""The specification probe: does the task's text say enough, and do its readers agree?"""

from probes.specification.probe import SpecificationProbe
from probes.specification.reading import Reading, read

__all__ = ["Reading", "SpecificationProbe", "read"]
