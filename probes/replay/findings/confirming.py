"""What an isolating runtime may bring about by itself is no answer until the plain one gives it too."""

from collections.abc import Sequence

from cases.sentences import Sentences
from probes.model import Answer, Control, Finding, Question

say = Sentences(__name__)

_OWN_DOING = {Question.PRESENT: Answer.YES, Question.PASSABLE: Answer.NO, Question.CAUSED: Answer.YES}
"""A call that it does not know fails as a barrier does, for the run's own command and on every way around."""


def doubtful(found: Sequence[Finding]) -> bool:
    """Whether something of it has to be asked again."""
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
        expected=say("confirming.same_answer", runtime=runtime, value=finding.answer.value),
        observed=f"{answer.value}{f': {plain.summary}' if plain else ''}",
        passed=answer is finding.answer,
    )
    return finding.model_copy(update={"controls": (*finding.controls, control)})
