"""From what the arms brought to findings: pure, equal outcomes give equal words."""

from probes.contract import FindingMaker
from probes.model import Envelope, Finding
from probes.replay.findings.caused import caused
from probes.replay.findings.passable import passable
from probes.replay.findings.present import present
from probes.replay.resources.outcome import Outcome
from probes.replay.target.model import ReplayTarget


def findings(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> list[Finding]:
    """PRESENT always; PASSABLE unless the barrier is not there or the task needs nothing of it; CAUSED where a command
    of the task's was seen to need what it keeps, or not to: what the record says of that is the transcript's to answer.
    """
    found = [present(subject, outcome, envelope, make)]
    decisive = outcome.decisive
    if decisive and not outcome.needless and (outcome.passed or not decisive.worked):
        found.append(passable(subject, outcome, envelope, make))
    if answer := caused(subject, outcome, make):
        found.append(answer)
    return found
