"""An audit done again: the same case, envelope and hypotheses, and fresh findings beside the earlier answers."""

from datetime import datetime
from typing import NamedTuple

from graph.verdict import Audit, Earlier, EarlierAnswer, JudgeInputs
from probes import Answer


class Rerun(NamedTuple):
    """What to do again."""

    audit: Audit
    pack: str
    """The digest of the pack that holds it."""

    @property
    def basis(self) -> JudgeInputs:
        """What the judge is told besides the fresh findings; nobody has reviewed or worded those."""
        before = self.audit
        answers = tuple(
            EarlierAnswer(finding=finding.id, answer=finding.valid_answer, at=finding.started)
            for finding in before.findings
        )
        earlier = Earlier(pack=self.pack, status=before.verdict.status, score=before.verdict.score, answers=answers)
        cleared = {"review": None, "assistance": None, "wording": None, "readings": (), "earlier": earlier}
        return before.basis.model_copy(update=cleared)


class Agreement(NamedTuple):
    """One finding, then and now."""

    finding: str
    then: Answer | None
    """None where it was not asked then."""
    then_at: datetime | None
    now: Answer | None
    """None where it was not asked now."""
    now_at: datetime | None

    @property
    def agrees(self) -> bool:
        """Whether both gave the same answer."""
        return self.then is not None and self.then == self.now


def agreement(audit: Audit) -> tuple[Agreement, ...]:
    """The findings of an audit beside those of the pack that it repeats; none where it repeats nothing."""
    if audit.basis.earlier is None:
        return ()
    then = {answer.finding: answer for answer in audit.basis.earlier.answers}
    now = {finding.id: finding for finding in audit.findings}
    return tuple(
        Agreement(
            name,
            then[name].answer if name in then else None,
            then[name].at if name in then else None,
            now[name].valid_answer if name in now else None,
            now[name].started if name in now else None,
        )
        for name in sorted({*then, *now})
    )
