"""Faults at random moments of audits whose truth is known: nothing wrong is supported, nothing lost, nothing left."""

from .campaign import Campaign, Tally

__all__ = ["Campaign", "Tally"]
