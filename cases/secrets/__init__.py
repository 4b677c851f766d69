"""Secrets in a text: which patterns show them, how they are found in whatever they are encoded in, and masked."""

from cases.secrets.data import kinds, shown_headers, words
from cases.secrets.masker import FREE_KEYS, MASK, Masker

__all__ = ["FREE_KEYS", "MASK", "Masker", "kinds", "shown_headers", "words"]
