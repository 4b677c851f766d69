"""Secrets are masked before anything is written, and valid citations stay valid."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cases import Case
from cases.machine import machine_secrets
from cases.secrets import FREE_KEYS, MASK, Masker
from cases.sentences import Sentences
from evidence.public import Public
from evidence.text import plain
from graph.verdict import Audit

say = Sentences(__name__)

__all__ = ["MASK", "Redacted", "redact"]

_CITATION = frozenset({"run_id", "block", "start", "end", "quote"})


@dataclass(frozen=True)
class Redacted:
    """An audit and its text artifacts without secrets."""

    audit: Audit
    texts: dict[tuple[str, str], str]
    """Texts of artifacts by the SHA-256 of what they were before, and by member."""
    kinds: dict[str, int]
    """How many different secrets of each kind were masked."""

    @property
    def count(self) -> int:
        """How many different secrets were masked."""
        return sum(self.kinds.values())


def redact(
    audit: Audit,
    texts: Mapping[tuple[str, str], str] | None = None,
    certain: Mapping[str, str] | None = None,
    *,
    whole: frozenset[str] = frozenset(),
    public: bool = False,
) -> Redacted:
    """Mask every secret in an audit and in its artifacts; valid citations stay valid.

    Args:
        audit: What the pack is about.
        texts: Texts of artifacts by digest and member.
        certain: Kinds of secrets that are known from elsewhere, by their value; None takes this machine's.
        whole: What masking could not hide: a text that still says it is masked from end to end.
        public: Whether gold answers and this machine's own places are masked too.
    """
    texts = texts or {}
    if public:
        hidden = Public(audit.case)
        texts = {place: hidden.text(text) for place, text in _without_private(audit, texts).items()}
        audit = hidden.audit(audit)
    before = audit.case
    masker = Masker()
    masker.certain |= machine_secrets() if certain is None else certain
    masker.whole = whole
    told = plain(audit)
    verdict = told.pop("verdict")
    record = masker.record(told)
    masked = {digest: masker.text(text) for digest, text in texts.items()}
    record, masked = masker.known(record), masker.known(masked)
    _name_artifacts(record["findings"], told["findings"])
    kinds = dict(Counter(masker.kinds.values()))  # the verdict only repeats what stands elsewhere
    record["verdict"] = masker.known(masker.record(verdict))
    _requote(record, before, Case.model_validate(record["case"]))
    return Redacted(Audit.model_validate(record), masked, kinds)


def _name_artifacts(findings: list[dict[str, Any]], before: list[dict[str, Any]]) -> None:
    """Put the digests by which artifacts are known back in place: they are no secrets, whatever they look like."""
    for finding, own in zip(findings, before, strict=True):
        for artifact, told in zip(finding["artifacts"], own["artifacts"], strict=True):
            artifact["sha256"] = told["sha256"]
        for part in ("observations", "routes"):
            for one, told in zip(finding[part], own[part], strict=True):
                one["artifact"] = told["artifact"]


def _without_private(audit: Audit, texts: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The same with one sentence in place of what nobody but the pack's owner may see, pictures included."""
    private = (one for finding in audit.findings for one in finding.artifacts if one.private)
    told = {one.sha256: say("pack.left_out", name=one.name) + "\n" for one in private}
    seen = {(digest, member): told.get(digest, text) for (digest, member), text in texts.items()}
    return seen | {(digest, ""): text for digest, text in told.items()}


def _requote(value: object, before: Case, after: Case) -> None:
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
