"""The answer says the same as the expected one, in another form than the task asks for."""

from cases.answers.words import asked_forms
from cases.sentences import Sentences
from probes.agent_errors.record import Record, Seen

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """Only where the task's own words settle a form in which the two differ."""
    comparison = record.comparison
    if comparison is None or comparison.likeness != "same" or not comparison.differences:
        return None
    for asked in asked_forms(record.asked):
        missed = sorted(comparison.differences & asked.settles)
        if missed:
            form = f"its {' and its '.join(missed)}"
            told = say("wrong_form.answer_says_what", words=asked.words, form=form)
            blocks = [block.index for block in record.blocks]
            return Seen(told, record.cite(blocks, asked.words), {"asked": asked.words})
    return None
