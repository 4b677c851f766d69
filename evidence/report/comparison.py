"""Then and now, line by line: a run's own output beside the replay's, an archived page beside today's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from cases import Case
from cases import patterns as re
from cases.screenshots import same_page
from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.text import clip
from probes import Finding, Hypothesis, Question

say = Sentences(__name__)

_LONGEST = 12_000
_MOST_LINES = 400
_SHOWN = 160
_AROUND = 2
_ADDRESS = re.compile(r"(?:^|; )at (https?://[^\s;]+)")
_BROWSER, LOGGED = "browser", "screenshot in the log"
"""Observations that hold a picture: what our browser saw, and what the run's own did."""
_ARCHIVED = re.compile(r"https?://[^/]+/.*?\d{14}[a-z_]*/(https?://.+)")
_TERMINAL = "replay arm"
_PAGE_TEXTS = ("main text", "visible text")

Mark = Literal["same", "then", "now", "gap"]


@dataclass(frozen=True)
class Comparison:
    """Two texts of the same thing."""

    then: str
    """Where the older one comes from."""
    now: EvidenceFile
    lines: tuple[tuple[Mark, str], ...]
    """Both texts; `gap` counts equal lines that are left out."""

    @property
    def same(self) -> bool:
        """Whether no line differs."""
        return not any(mark in {"then", "now"} for mark, _ in self.lines)


def compare(
    case: Case,
    leading: Hypothesis | None,
    findings: tuple[Finding, ...],
    file: Callable[[str | None], EvidenceFile | None],
) -> Comparison | None:
    """The comparison that the leading hypothesis allows; None where one of the two texts is missing."""
    if leading is None:
        return None
    own = [finding for finding in findings if finding.hypothesis == leading.id]
    return _terminal(case, leading, own, file) or _page(own, file)


def text_of_now(
    leading: Hypothesis | None,
    findings: tuple[Finding, ...],
    file: Callable[[str | None], EvidenceFile | None],
) -> EvidenceFile | None:
    """What this audit read in the barrier's place: a replay's output, or a page's text, archived copies aside."""
    own = [one for one in findings if leading and one.hypothesis == leading.id and one.question is Question.PRESENT]
    pages = {url: digest for url, digest in _texts(own) if not _ARCHIVED.fullmatch(url)}
    found = [*_arms(own, file), *filter(None, map(file, pages.values()))]
    return found[0] if found else None


def _terminal(
    case: Case,
    leading: Hypothesis,
    findings: list[Finding],
    file: Callable[[str | None], EvidenceFile | None],
) -> Comparison | None:
    arms = _arms(findings, file)
    for citation in leading.citations:
        blocks = next(
            (run.transcript.blocks for run in case.runs if run.run_id == citation.run_id and run.transcript), ()
        )
        block = blocks[citation.block] if citation.block < len(blocks) else None
        if arms and block and block.kind != "call" and block.role not in {"assistant", "system"}:
            then = f"run {citation.run_id}, block {citation.block}"
            return Comparison(then, arms[0], difference(block.text, arms[0].text or ""))
    return None


def _arms(findings: list[Finding], file: Callable[[str | None], EvidenceFile | None]) -> list[EvidenceFile]:
    return [
        found
        for finding in findings
        if finding.question is Question.PRESENT
        for entry in finding.observations
        if entry.name.startswith(_TERMINAL) and (found := file(entry.artifact)) and found.text
    ]


def _page(findings: list[Finding], file: Callable[[str | None], EvidenceFile | None]) -> Comparison | None:
    pages = {url: found for url, digest in _texts(findings) if (found := file(digest)) and found.text}
    for copy, then in pages.items():
        original = _ARCHIVED.fullmatch(copy)
        now = next((found for url, found in pages.items() if original and same_page(url, original[1])), None)
        if now:
            return Comparison(f"archived copy {copy}", now, difference(then.text or "", now.text or ""))
    return None


@dataclass(frozen=True)
class Pair:
    """Pictures of one page, then and now."""

    url: str
    then: str
    """By its SHA-256: from the log, or of an archived copy."""
    now: str | None
    """None where the browser got no page to take one of."""
    logged: bool


def pictured(findings: tuple[Finding, ...], leading: Hypothesis | None) -> Pair | None:
    """What the run's own browser showed beside what ours shows now, or else an archived copy beside the page itself."""
    own = [finding for finding in findings if leading and finding.hypothesis == leading.id]
    seen = list(_seen(own))
    shots = {url: digest for url, name, digest in seen if name == _BROWSER}
    for then_url, then in ((url, digest) for url, name, digest in seen if name == LOGGED):
        return Pair(
            then_url, then, next((at for url, at in shots.items() if same_page(url, then_url)), None), logged=True
        )
    for copy, then in shots.items():
        original = _ARCHIVED.fullmatch(copy)
        if now := next((at for url, at in shots.items() if original and same_page(url, original[1])), None):
            return Pair(copy, then, now, logged=False)
    return None


def _texts(findings: list[Finding]) -> Iterator[tuple[str, str]]:
    """Address and artifact of every page's text, the better kind of text last."""
    seen = list(_seen(findings))
    for wanted in reversed(_PAGE_TEXTS):
        yield from ((address, digest) for address, name, digest in seen if name == wanted)


def _seen(findings: list[Finding]) -> Iterator[tuple[str, str, str]]:
    """Address, name and artifact of everything that was kept of a page."""
    for finding in findings:
        address = ""
        for entry in finding.observations:
            if entry.name in {_BROWSER, LOGGED}:
                found = _ADDRESS.search(entry.value)
                address = found[1] if found else ""
            if address and entry.artifact:
                yield address, entry.name, entry.artifact


def difference(then: str, now: str) -> tuple[tuple[Mark, str], ...]:
    """Both texts by line; indentation and spaces at the end do not make a line different."""
    left, right = _lines(then), _lines(now)
    matcher = SequenceMatcher(None, [line.strip() for line in left], [line.strip() for line in right], autojunk=False)
    lines: list[tuple[Mark, str]] = []
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            lines += _equal(right[first:last], head=bool(lines), tail=end < len(left) or last < len(right))
        else:
            lines += [("then", line) for line in left[start:end]] + [("now", line) for line in right[first:last]]
    if len(lines) > _SHOWN:
        lines = [*lines[:_SHOWN], ("gap", say("difference.more", number=len(lines) - _SHOWN))]
    return tuple(lines)


def _lines(text: str) -> list[str]:
    lines = clip(text, _LONGEST).strip("\n").splitlines()
    left_out = len(lines) - _MOST_LINES
    half = _MOST_LINES // 2
    return lines if left_out <= 0 else [*lines[:half], say("difference.left_out", number=left_out), *lines[-half:]]


def _equal(lines: list[str], *, head: bool, tail: bool) -> list[tuple[Mark, str]]:
    """Equal lines, with the middle of a long stretch left out."""
    before, after = _AROUND * head, _AROUND * tail
    left_out = len(lines) - before - after
    if left_out < 3 or not (head or tail):
        return [("same", line) for line in lines]
    gap: tuple[Mark, str] = ("gap", say("difference.equal", number=left_out))
    ends: list[tuple[Mark, str]] = [("same", line) for line in lines]
    return [*ends[:before], gap, *ends[len(lines) - after :]]
