"""The public labelled set, as the tests take worlds from it."""

from pathlib import Path

from verify.labelled import LabelledSet

DISPUTED = LabelledSet(Path(__file__).parents[2] / "benchmarks" / "disputed")
