"""How a verdict tells what the agent did itself, and what a capable one would have done."""

from collections.abc import Sequence

from cases.sentences import Sentences
from graph.rules import Settled
from probes import Exclusion

say = Sentences(__name__)

_MOST = 4


def concerning(exclusions: Sequence[Exclusion], leading: Settled | None) -> tuple[Exclusion, ...]:
    """The exclusions of the run that the verdict speaks about; of every run where it speaks about none."""
    run = leading.hypothesis.run_id if leading else None
    return tuple(item for item in exclusions if run is None or item.run_id == run)


def told(exclusions: Sequence[Exclusion], rubric: str) -> str:
    """One sentence each, with the rubric's line that it shows and its place."""
    return _first([f"{item.sentence} [{item.pattern}, {_place(item)}: {item.lines[rubric]}]" for item in exclusions])


def plainly(exclusions: Sequence[Exclusion]) -> str:
    """The same for somebody who has the log before them and no rubric."""
    return _first([say("own.placed", did=item.sentence.rstrip("."), place=_place(item)) for item in exclusions])


def _first(sentences: list[str]) -> str:
    more = len(sentences) - _MOST
    return " ".join((*sentences[:_MOST], *([say("own.more", number=more)] if more > 0 else [])))


def remedies(exclusions: Sequence[Exclusion]) -> list[str]:
    """What a capable agent would have done, each once."""
    return list(dict.fromkeys(item.remedy for item in exclusions))[:_MOST]


def _place(item: Exclusion) -> str:
    blocks = dict.fromkeys(str(citation.block) for citation in item.citations)
    return say("own.blocks", run=item.run_id, blocks=", ".join(blocks)) if blocks else item.run_id
