"""The answers that a replay gives, and their controls."""

from collections.abc import Sequence

from cases.sentences import Sentences
from probes.contract import FindingMaker
from probes.model import Answer, Control, Envelope, Finding, Question
from probes.replay.findings.caused import caused
from probes.replay.findings.passable import passable
from probes.replay.findings.present import present
from probes.replay.resources.outcome import Outcome
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

_OWN_DOING = {Question.PRESENT: Answer.YES, Question.PASSABLE: Answer.NO, Question.CAUSED: Answer.YES}
"""What an isolating runtime may bring about by itself: a call that it does not know fails as a barrier does, for the
run's own command and on every way around."""


def findings(subject: ReplayTarget, outcome: Outcome, envelope: Envelope, make: FindingMaker) -> list[Finding]:
    """From what the arms brought: PRESENT always; PASSABLE unless the barrier is not there or the task needs nothing of
    it; CAUSED where a command of the task's was seen to need what it keeps, or not to: what the record says of that is
    the transcript's to answer. Pure: equal outcomes give equal words.
    """
    found = [present(subject, outcome, envelope, make)]
    decisive = outcome.decisive
    if decisive and not outcome.needless and (outcome.passed or not decisive.worked):
        found.append(passable(subject, outcome, envelope, make))
    if answer := caused(subject, outcome, make):
        found.append(answer)
    return found


def doubtful(found: Sequence[Finding]) -> bool:
    """Whether something of it is no answer until the plain runtime gives it too."""
    return any(map(_doubtful, found))


def confirmed(found: Sequence[Finding], plain: Sequence[Finding], runtime: str) -> list[Finding]:
    """The same, where it is doubtful with what the plain runtime answered as a control."""
    told = {finding.question: finding for finding in plain}
    return [_controlled(one, told.get(one.question), runtime) if _doubtful(one) else one for one in found]


def _doubtful(finding: Finding) -> bool:
    return _OWN_DOING.get(finding.question) is finding.answer


def _controlled(finding: Finding, plain: Finding | None, runtime: str) -> Finding:
    answer = plain.valid_answer if plain else Answer.UNKNOWN
    control = Control(
        name="plain runtime",
        expected=say("findings.same_answer", runtime=runtime, value=finding.answer.value),
        observed=f"{answer.value}{f': {plain.summary}' if plain else ''}",
        passed=answer is finding.answer,
    )
    return finding.model_copy(update={"controls": (*finding.controls, control)})
