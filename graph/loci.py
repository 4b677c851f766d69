"""What a verdict says where the fault lies in a machine, in a grader or in a task's text."""

from dataclasses import dataclass

from graph.verdict import Locus
from graph.words import say
from probes import Hypothesis
from probes.barriers import Trait, entry


@dataclass(frozen=True)
class LocusWords:
    """Parts of a verdict's sentences."""

    proof: str
    """Why it is supported; follows a colon."""
    met: str
    """That the barrier is there; part of a sentence."""
    closed: str
    """That no alternative is left."""
    untried: str
    """What may still speak against support."""
    refutes: str
    """What would refute support."""
    missing_present: str
    """What would answer the first question; part of a sentence, as the next two."""
    missing_passable: str
    missing_caused: str

    @property
    def missing(self) -> tuple[str, str, str]:
        """What would answer each of the three questions."""
        return self.missing_present, self.missing_passable, self.missing_caused


_OF_LOCUS = {Locus.GRADER: "grader", Locus.TASK_TEXT: "text"}


def locus_of(hypothesis: Hypothesis) -> Locus:
    """Where the fault would lie, by its kind of barrier."""
    return Locus(entry(hypothesis.barrier).locus)


def locus_words(hypothesis: Hypothesis) -> LocusWords:
    """The words for its locus, or for the benchmark's own solution."""
    of_reference = Trait.REFERENCE in entry(hypothesis.barrier).traits
    place = "reference" if of_reference else _OF_LOCUS.get(locus_of(hypothesis), "machine")
    return LocusWords(**say.table(f"locus.{place}"))
