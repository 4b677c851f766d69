"""Attacks on the verdict: a corpus of texts, the runs they are planted in, and what must not move."""
