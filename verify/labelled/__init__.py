"""Labelled sets: small machines with failed runs in them whose truth is known by how they were made."""

from verify.labelled.judging import Difference, Said, compare
from verify.labelled.sets import LabelledSet
from verify.labelled.world import Done, Recording, Step, Truth, World

__all__ = ["Difference", "Done", "LabelledSet", "Recording", "Said", "Step", "Truth", "World", "compare"]
