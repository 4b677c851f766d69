"""How a verdict tells what the agent did itself, and what a capable one would have done."""

from collections.abc import Sequence

from graph.rules import Settled
from probes import Exclusion

_MOST = 4


def concerning(exclusions: Sequence[Exclusion], leading: Settled | None) -> tuple[Exclusion, ...]:
    """The exclusions of the run that the verdict speaks about; of every run where it speaks about none."""
    run = leading.hypothesis.run_id if leading else None
    return tuple(item for item in exclusions if run is None or item.run_id == run)


def told(exclusions: Sequence[Exclusion], rubric: str) -> str:
    """One sentence each, with the rubric's line that it shows and its place."""
    sentences = [f"{item.sentence} [{item.pattern}, {_place(item)}: {item.lines[rubric]}]" for item in exclusions]
    more = len(sentences) - _MOST
    return " ".join(sentences[:_MOST]) + (f" And {more} more." if more > 0 else "")


def remedies(exclusions: Sequence[Exclusion]) -> list[str]:
    """What a capable agent would have done, each once."""
    return list(dict.fromkeys(item.remedy for item in exclusions))[:_MOST]


def _place(item: Exclusion) -> str:
    blocks = dict.fromkeys(str(citation.block) for citation in item.citations)
    return f"{item.run_id}, block {', '.join(blocks)}" if blocks else item.run_id
