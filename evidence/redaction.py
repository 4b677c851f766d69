"""Secrets are masked before anything is written, and valid citations stay valid."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cases import Case
from cases.secrets import FREE_KEYS, MASK, Masker, secrets
from evidence.text import plain
from graph.verdict import Audit

__all__ = ["MASK", "Redacted", "redact", "secrets"]

_CITATION = frozenset({"run_id", "block", "start", "end", "quote"})


@dataclass(frozen=True)
class Redacted:
    """An audit and its text artifacts without secrets."""

    audit: Audit
    texts: dict[str, str]
    """Text artifacts by the SHA-256 of what they were before."""
    kinds: dict[str, int]
    """How many different secrets of each kind were masked."""

    @property
    def count(self) -> int:
        """How many different secrets were masked."""
        return sum(self.kinds.values())


def redact(audit: Audit, texts: Mapping[str, str] | None = None) -> Redacted:
    """Mask every secret in an audit and in `texts` (by digest); valid citations stay valid."""
    masker = Masker()
    told = plain(audit)
    verdict = told.pop("verdict")
    record = masker.record(told)
    masked = {digest: masker.text(text) for digest, text in (texts or {}).items()}
    kinds = dict(Counter(masker.kinds.values()))  # the verdict only repeats what stands elsewhere
    record, masked = masker.known({**record, "verdict": masker.record(verdict)}), masker.known(masked)
    _requote(record, audit.case, Case.model_validate(record["case"]))
    return Redacted(Audit.model_validate(record), masked, kinds)


def _requote(value: Any, before: Case, after: Case) -> None:  # noqa: ANN401 - any JSON value
    """Give every citation that held the words that now stand in its place."""
    if isinstance(value, list):
        for item in value:
            _requote(item, before, after)
    if not isinstance(value, dict):
        return
    if value.keys() == _CITATION:
        _requote_one(value, before, after)
        return
    for key, item in value.items():
        if key not in FREE_KEYS:
            _requote(item, before, after)


def _requote_one(citation: dict[str, Any], before: Case, after: Case) -> None:
    start, end = citation["start"], citation["end"]
    old, new = (case.text_of(citation["run_id"], citation["block"]) for case in (before, after))
    if old is not None and new is not None and len(old[start:end]) == len(citation["quote"]):
        masked = new[start:end]
        if masked != citation["quote"] and _agrees(old[start:end], citation["quote"]):
            citation["quote"] = masked


def _agrees(original: str, quote: str) -> bool:
    """Whether `quote` is `original`, apart from what was masked in it."""
    return all(theirs in (mine, MASK) for mine, theirs in zip(original, quote, strict=True))
