"""A task's text and its runs' answers, read together."""

from dataclasses import dataclass

from cases import Case, Citation
from probes.model import Barrier
from probes.specification.convergence import Convergence, converge
from probes.specification.signs import Found, cited, signs_of


@dataclass(frozen=True)
class Reading:
    """What rules find in one task."""

    signs: tuple[Found, ...]
    convergence: Convergence

    @property
    def suspect(self) -> bool:
        """Whether independent runs agree on an answer that is not the expected one."""
        return self.convergence.agreement == "another"

    @property
    def barrier(self) -> Barrier:
        """What may be at fault then: what the text leaves open, or else that it has another reading."""
        return self.signs[0].sign.barriers[0] if self.signs else Barrier.AMBIGUOUS

    def about(self, barrier: Barrier) -> tuple[Found, ...]:
        """The signs that bear on a barrier; all of them where the barrier is not named."""
        return tuple(found for found in self.signs if barrier is Barrier.UNSPECIFIED or barrier in found.sign.barriers)

    @staticmethod
    def citations(case: Case, signs: tuple[Found, ...]) -> tuple[Citation, ...]:
        """Where the records show these words."""
        return tuple(citation for found in signs if (citation := cited(case, found)))


def read(case: Case) -> Reading:
    """Read the task's text and group the answers."""
    return Reading(signs_of(case.task.prompt or ""), converge(case))
