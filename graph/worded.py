"""A verdict in a model's words, where these rest on what decided it; its own fields stay as they are."""

from collections.abc import Iterable, Sequence

from graph.verdict import Basis, Sentence, Verdict
from graph.words import say
from probes import Finding, Question


def worded(verdict: Verdict, findings: Sequence[Finding], basis: Basis) -> Verdict:
    """The verdict with the basis' wording in place of the templates' reasoning, and its dissent beside theirs.

    A reasoning is taken only when findings decide its questions, and only those of its sentences that name one of them,
    because their answers are the verdict's; together they must name all. Quotations alone replace nothing.
    """
    if basis.wording is None:
        return verdict
    questions = {finding.id: finding.question for finding in findings if finding.id in verdict.decisive}
    caused = {name for name, question in questions.items() if question is Question.CAUSED}
    changes: dict[str, object] = {}
    for field, sentences, needed in (
        ("existence_reasoning", basis.wording.existence, questions.keys() - caused),
        ("causation_reasoning", basis.wording.causation, caused),
    ):
        firm = [sentence for sentence in sentences if needed.intersection(sentence.sources)]
        if needed and needed <= {source for sentence in firm for source in sentence.sources}:
            changes[field] = _told(firm)
    model = basis.assistance.model if basis.assistance else "a model"
    if changes:
        note = say("limit.worded", model=model)
        changes["limits"] = (*verdict.limits, note)
    if basis.wording.dissent:
        changes["against"] = f"{verdict.against} A model ({model}) argues: {_told(basis.wording.dissent)}"
    return verdict.model_copy(update=changes)


def _told(sentences: Iterable[Sentence]) -> str:
    return " ".join(f"{sentence.text} [{'; '.join(sentence.sources)}]" for sentence in sentences)
