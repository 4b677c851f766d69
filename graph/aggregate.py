"""From findings to the three answers about one hypothesis: rules 8 and 10."""

from collections.abc import Iterable, Sequence

from graph.rubric import rubrics
from graph.rules import Settled, counted
from probes import Answer, Barrier, Finding, Ground, Hypothesis, Question
from probes.barriers import Trait, entry


def settle(hypothesis: Hypothesis, findings: Iterable[Finding]) -> Settled:
    """The three answers that the findings about `hypothesis` allow."""
    mine = tuple(sorted((item for item in findings if item.hypothesis == hypothesis.id), key=lambda item: item.id))
    hypothesis = _named(hypothesis, mine)
    return Settled(
        hypothesis=hypothesis,
        present=_present([item for item in mine if item.question is Question.PRESENT]),
        passable=_passable(hypothesis, [item for item in mine if item.question is Question.PASSABLE]),
        caused=_caused([item for item in mine if item.question is Question.CAUSED]),
        findings=mine,
    )


def _named(hypothesis: Hypothesis, findings: Sequence[Finding]) -> Hypothesis:
    """What a measurement names otherwise has that name; a reference solution's failure its line of the rubric."""
    traits = entry(hypothesis.barrier).traits
    measured = {(item.barrier, item.about) for item in findings if item.barrier and counted(item) is Answer.YES}
    if len(measured) != 1:
        return hypothesis
    if not traits & {Trait.UNNAMED, Trait.REFERENCE, Trait.INDIRECT} and not _is_no_path(hypothesis, measured):
        return hypothesis
    barrier, about = measured.pop()
    category = rubrics()[hypothesis.rubric].category_of(barrier)
    title = category.title if category else hypothesis.category
    if Trait.REFERENCE in traits:
        return hypothesis.model_copy(update={"category": title})
    targets = hypothesis.targets
    if about and (field := entry(barrier).about):
        targets = targets.model_copy(update={field: (about,)})
    return hypothesis.model_copy(update={"barrier": barrier, "category": title, "targets": targets})


def _is_no_path(hypothesis: Hypothesis, measured: Iterable[tuple[Barrier, str]]) -> bool:
    """Whether the words of its failure named something else where a path was measured to be refused."""
    named = hypothesis.targets.paths
    return bool(named) and all(
        barrier is hypothesis.barrier
        and "/" in about
        and not any("/" in path or about.endswith(path) for path in named)
        for barrier, about in measured
    )


def _present(findings: Sequence[Finding]) -> Answer:
    """As what was looked at now agrees: a record tells what was there then."""
    return _agreed([finding for finding in findings if finding.ground is not Ground.RECORD])


def _agreed(findings: Sequence[Finding]) -> Answer:
    """Yes or no where all that answer agree; disagreement is unknown (rule 10)."""
    answers = {counted(finding) for finding in findings} - {Answer.UNKNOWN}
    return answers.pop() if len(answers) == 1 else Answer.UNKNOWN


def _caused(findings: Sequence[Finding]) -> Answer:
    """As they agree; that a machine saw the run bring it about outweighs what only the record says."""
    own = any(finding.locus == "agent run" and counted(finding) is Answer.NO for finding in findings)
    return _agreed([finding for finding in findings if not (own and finding.ground is Ground.RECORD)])


def _passable(hypothesis: Hypothesis, findings: Sequence[Finding]) -> Answer:
    """Yes where any route worked; no only where every probe that owns routes says no, and nothing is unknown.

    What only the run's record shows to work counts as long as no machine was seen to refuse it.
    """
    measured = any(finding.ground is Ground.MACHINE and counted(finding) is Answer.NO for finding in findings)
    heard = [finding for finding in findings if not (measured and finding.ground is Ground.RECORD)]
    answers = [(finding.probe, counted(finding)) for finding in heard]
    if any(answer is Answer.YES for _, answer in answers):
        return Answer.YES
    needed = set(entry(hypothesis.barrier).passable)
    refused = {probe for probe, answer in answers if answer is Answer.NO}
    open_ones = any(answer is Answer.UNKNOWN for _, answer in answers)
    return Answer.NO if needed and needed <= refused and not open_ones else Answer.UNKNOWN
