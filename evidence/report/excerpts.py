"""Quotations inside the words around them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from cases import Case, Citation
from evidence.text import clip

_AROUND = 320
_LONGEST_QUOTE = 4_000


@dataclass(frozen=True)
class Excerpt:
    """Part of one block, with what is quoted from it marked."""

    where: str
    pieces: tuple[tuple[str, bool], ...]
    """Text, and whether it is quoted."""
    found: bool = True
    """Whether the quotation stands where its citation says."""
    place: tuple[str, int] | None = None
    """The run and block that it is from."""


def excerpts(case: Case, citations: Iterable[Citation]) -> list[Excerpt]:
    """An excerpt for every place that is quoted, blocks in the order of their first quotation."""
    cited = list(dict.fromkeys(citations))
    blocks = list(dict.fromkeys((citation.run_id, citation.block) for citation in cited))
    ordered = sorted(cited, key=lambda citation: (blocks.index(_block(citation)), citation.start, citation.end))
    found: list[Excerpt] = []
    for (run_id, block), group in groupby(ordered, _block):
        where = _where(case, run_id, block)
        quoted = list(group)
        text = case.text_of(run_id, block)
        if text is not None:
            valid = [(citation.start, citation.end) for citation in quoted if case.cites(citation)]
            found += [Excerpt(where, _pieces(text, spans), place=(run_id, block)) for spans in _neighbours(text, valid)]
        lost = [citation for citation in quoted if not case.cites(citation)]
        found += [Excerpt(where, ((clip(citation.quote, _LONGEST_QUOTE), True),), found=False) for citation in lost]
    return found


def excerpt_of(where: str, text: str, wanted: Iterable[str]) -> Excerpt:
    """The part of a text around the first of the wanted words that it holds, or its beginning."""
    found = next((quote for quote in wanted if quote and quote in text), "")
    start = text.index(found)
    pieces = _pieces(text, [(start, start + len(found))])
    return Excerpt(where, tuple(piece for piece in pieces if piece[0]))


def _block(citation: Citation) -> tuple[str, int]:
    return citation.run_id, citation.block


def _neighbours(text: str, spans: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Spans, in order, in groups whose surroundings touch; spans that overlap become one."""
    groups: list[list[tuple[int, int]]] = []
    for start, end in spans:
        if groups and start < groups[-1][-1][1]:
            before, until = groups[-1][-1]
            groups[-1][-1] = (before, max(until, end))
        elif groups and _around(text, start, end)[0] <= _around(text, *groups[-1][-1])[1]:
            groups[-1].append((start, end))
        else:
            groups.append([(start, end)])
    return groups


def _pieces(text: str, spans: list[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    first, last = _around(text, *spans[0])[0], _around(text, *spans[-1])[1]
    pieces = [("… " if first else "", False)]
    for start, end in spans:
        pieces += [(text[first:start], False), (clip(text[start:end], _LONGEST_QUOTE), True)]
        first = end
    pieces += [(text[first:last], False), (" …" if last < len(text) else "", False)]
    return tuple(piece for piece in pieces if piece[0])


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span shown around a quotation, cut at line ends where there are some."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    if first and (line := text.find("\n", first, start)) >= 0:
        first = line + 1
    if last < len(text) and (line := text.rfind("\n", end, last)) >= 0:
        last = line
    return first, last


def _where(case: Case, run_id: str, index: int) -> str:
    blocks = next((run.transcript.blocks for run in case.runs if run.run_id == run_id and run.transcript), ())
    if index >= len(blocks):
        return run_id
    block = blocks[index]
    who = {"call": "call of", "result": "result of"}.get(block.kind)
    speaker = f"{who} {block.tool or block.role}" if who else f"message of {block.role}"
    return f"run {run_id}, block {index}, {speaker}"
