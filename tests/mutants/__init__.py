"""Small changes to the code that decides, each of which some test must notice."""

from .making import Mutant, mutants_of
from .plan import Explained, Module, plan

__all__ = ["Explained", "Module", "Mutant", "mutants_of", "plan"]
