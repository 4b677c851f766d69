"""The answers that a replay gives, and their controls."""
