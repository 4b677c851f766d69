"""Answers and how they compare: equivalence, values, families of graders, needed texts."""
