"""A verdict in sentences: fixed templates over findings, or a model's words that rest on what decided it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cases import Case, Citation, Outcome
from cases.endings import ended
from cases.sentences import Sentences
from graph import agent_errors
from graph.rules import Settled
from graph.verdict import JudgeInputs, Locus, Sentence, Status, Verdict
from graph.words import not_controlled, past, whether
from probes import Answer, Barrier, Exclusion, Finding, Ground, Hypothesis, Question, Route
from probes.barriers import Trait, entry, titled

say = Sentences(__name__)


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


_QUOTES = 6


@dataclass(frozen=True)
class Words:
    """The texts of one verdict."""

    case: Case
    settled: Sequence[Settled]
    leading: Settled | None
    status: Status
    decisive: Sequence[Finding]
    exclusions: Sequence[Exclusion] = ()
    """What the log shows of agent errors, in the run that the verdict speaks about."""
    rubric: str = "environmental_barrier"
    unexplained: str = ""
    """The failure with which a run ended and that no rule knows."""

    def reason(self) -> str:
        """The decisive reason in one sentence."""
        if not self.case.runs and not self.case.claims:
            return say("reason.state", state=self._state())
        if self.leading is None:
            return self._nothing_met()
        title = titled(self.leading.hypothesis)
        if self.status is Status.SUPPORTED:
            return f"{_upper(title)}: {_words(self.leading).proof}."
        if self.status is Status.NOT_SUPPORTED:
            return self._refuted_reason()
        return f"{self._open_reason(title)}{f' {_upper(self.leading.rival)}.' if self.leading.rival else ''}"

    def _state(self) -> str:
        """What stands on the task's own pages now."""
        told = [one.summary for item in self.settled for one in item.findings if one.question is Question.PRESENT]
        return " ".join(dict.fromkeys(told)) or say("reason.no_page")

    def _refuted_reason(self) -> str:
        refuted = [item for item in self._ordered() if item.status is Status.NOT_SUPPORTED]
        told = list(dict.fromkeys(item.decisive[0].summary.rstrip(".") for item in refuted if item.decisive))
        if len(told) == 1:
            return f"{told[0]}."
        each = "; ".join(_lower(text) for text in told[:3])
        if len(refuted) == 2:
            return say("reason.refuted_both", told=each)
        return say("reason.refuted_all", number=len(refuted), told=each)

    def _open_reason(self, title: str) -> str:
        leading = self.leading
        assert leading is not None
        if leading.hypothesis.barrier is Barrier.UNSPECIFIED:
            known = len([run for run in self.case.runs if run.outcome is not Outcome.UNKNOWN])
            peers = {0: "peers_none", 1: "peers_one"}.get(known, "peers_failed")
            names = "claim_names_nothing" if leading.hypothesis.citations else "nothing_names_error"
            told = say(f"reason.{peers}", number=known), say(f"reason.{names}")
            return say("reason.unspecified", peers=told[0], said=told[1])
        if leading is self._unread() and leading.present is Answer.UNKNOWN:
            return say("reason.human", title=_upper(title))
        failed = [c for f in leading.findings for c in f.controls if not c.passed]
        if leading.present is Answer.NO:
            return say("reason.gone", title=_upper(past(title)))
        if leading.present is Answer.YES:
            open_ones = [
                say(f"reason.{name}")
                for answer, name in ((leading.passable, "open_passable"), (leading.caused, "open_caused"))
                if answer is Answer.UNKNOWN
            ]
            return say("reason.open", title=_upper(title), met=_words(leading).met, open=" or ".join(open_ones))
        asked = whether(leading.hypothesis)
        if failed:
            return say("reason.no_control", title=asked, why=not_controlled(failed[0]))
        return say("reason.unknown", title=asked)

    def _nothing_met(self) -> str:
        if all(run.outcome is Outcome.PASSED for run in self.case.runs) and self.case.runs:
            return say("reason.all_passed")
        if self.status is Status.NOT_SUPPORTED:
            return say("reason.no_barrier", did=self._did())
        if self.unexplained:
            return say("reason.unexplained", told=self.unexplained)
        lacking = (run.transcript.understanding for run in self.case.runs if run.transcript)
        unread = next((found for found in lacking if found and not found.complete), None)
        return say("reason.incomplete", told=unread.told if unread else say("reason.text_missing"))

    def _did(self) -> str:
        """What the agent did instead of meeting a barrier."""
        run = next((r for r in self.case.runs if r.transcript and r.outcome is not Outcome.PASSED), None)
        return ended(run) if run else ""

    def existence(self) -> str:
        """Does the defect exist? One sentence a hypothesis, each with its findings."""
        if self.leading is None:
            return self._nothing_met()
        return " ".join(self._about(item, (Question.PRESENT, Question.PASSABLE)) for item in self._ordered())

    def causation(self) -> str:
        """Did it cause the failure?"""
        lines = [line for item in self._ordered() if (line := self._about(item, (Question.CAUSED,), bare=True))]
        if self.leading is None and self.unexplained:
            lines = [say("causation.unexplained", told=self.unexplained)]
        elif self.leading is None:
            lines = [say("causation.no_barrier")]
        own = agent_errors.told(self.exclusions, self.rubric)
        if own and self.status is not Status.SUPPORTED:
            lines.append(say("causation.own", own=own))
        others, capable = self._others(), self._capable()
        if self.status is Status.NOT_SUPPORTED:
            lines += others
        if self.status is Status.NOT_SUPPORTED and capable:
            done = " | ".join(_line(text.removeprefix("# ")) for part in capable for text in part.splitlines())
            lines.append(say("causation.capable", done=done))
        if self.status is Status.SUPPORTED and self.leading:
            lines.append(_words(self.leading).closed)
        return " ".join(lines) or say("causation.unknown")

    def _ordered(self) -> list[Settled]:
        rest = [item for item in self.settled if item is not self.leading]
        return [self.leading, *rest] if self.leading else rest

    @staticmethod
    def _about(item: Settled, questions: tuple[Question, ...], *, bare: bool = False) -> str:
        found = [finding for finding in item.findings if finding.question in questions]
        sentences = [f"{finding.summary} [{finding.id}]" for finding in found]
        if bare and not sentences:
            return ""
        head = f"{_upper(titled(item.hypothesis))} [{item.hypothesis.id}]: "
        return head + (" ".join(sentences) or say("existence.unanswered"))

    def evidence(self) -> str:
        """Quotations with their places."""
        quotes = [
            say("evidence.quote", quote=" ".join(c.quote.split())[:300], run=c.run_id, block=c.block)
            for c in self.citations()
        ]
        return "; ".join(quotes) or say("evidence.none")

    def citations(self) -> tuple[Citation, ...]:
        """Checked quotations: the hypothesis's own, then those of the decisive findings and of the agent's steps."""
        own = [c for item in self._ordered()[:3] for c in item.hypothesis.citations]
        other = [c for finding in self.decisive for c in finding.citations]
        shown = [c for item in self.exclusions for c in item.citations]
        valid = [c for c in dict.fromkeys((*own, *other, *shown)) if self.case.cites(c)]
        return tuple(c for number, c in enumerate(valid) if not _told_by_another(number, valid))[:_QUOTES]

    def capable_agent(self) -> str:
        """Routes that worked, as commands or URLs; then, behind `#`, what else could have been done."""
        return "\n".join(dict.fromkeys((*(f"# {text}" for text in self._others()), *self._capable())))

    def _capable(self) -> list[str]:
        """What could have been done, each part one or more lines."""
        routes = [route for finding in self.decisive if finding.ground is not Ground.RUNS for route in _worked(finding)]
        lines = ["\n".join(route.commands) for route in routes if route.commands]
        notes = [f"# {route.id}: {route.note}" for route in routes if route.note]
        wiser = [] if self.status is Status.SUPPORTED else agent_errors.remedies(self.exclusions)
        return list(dict.fromkeys((*(lines or notes), *(f"# {text}" for text in wiser))))

    def _others(self) -> list[str]:
        """What others did; nobody can repeat it from here, but it shows that it can be done."""
        found = [finding for finding in self.decisive if finding.ground is Ground.RUNS]
        return list(dict.fromkeys(" ".join(route.note.split()) for one in found for route in _worked(one)))

    def against(self) -> str:
        """The strongest case against this verdict."""
        ones = [claim.source for claim in self.case.claims if claim.score == 1]
        if self.status is Status.SUPPORTED and self.leading:
            own = agent_errors.plainly(self.exclusions)
            untried = _words(self.leading).untried
            return f"{untried} {say('causation.own', own=own)}" if own else untried
        if ones:
            return say("against.claims_one" if len(ones) == 1 else "against.claims", number=len(ones), source=ones[0])
        present = next((item for item in self.settled if item.present is Answer.YES), None)
        if present:
            return say("against.present", title=titled(present.hypothesis))
        if self.status is Status.INCONCLUSIVE:
            return say("against.open")
        return say("against.other")

    def would_change(self) -> str:
        """What would change the verdict."""
        if self.status is Status.SUPPORTED and self.leading:
            return _words(self.leading).refutes
        if self.status is Status.NOT_SUPPORTED:
            return self._would_support()
        item = self.leading
        if item is not None and item is self._unread():
            return say("would_change.human")
        if item is None:
            return say(f"would_change.{'known' if self.unexplained else 'transcript'}")
        if item.present is Answer.NO:
            return say("would_change.gone")
        answers = zip(_words(item).missing, (item.present, item.passable, item.caused), strict=True)
        missing = [question for question, answer in answers if answer is Answer.UNKNOWN]
        return f"{_upper(', and '.join(missing))}."

    def _would_support(self) -> str:
        """What would speak against the agent's own failure."""
        if self.leading is None:
            return say("would_change.barrier")
        worked = [finding for finding in self.decisive if _worked(finding)]
        if any(finding.ground is not Ground.RUNS for finding in worked):
            if locus_of(self.leading.hypothesis) is Locus.GRADER:
                return say("would_change.grader")
            return say("would_change.route")
        if worked:
            return say("would_change.peers")
        return say("would_change.stopped")

    def open_question(self) -> str:
        """What only a person can answer, with what the rules found; empty unless the verdict waits for that."""
        item = self._unread()
        if item is None:
            return ""
        seen = [finding for finding in item.findings if finding.question is Question.PRESENT]
        told = [finding.summary for finding in sorted(seen, key=lambda finding: finding.ground is not Ground.TEXT)]
        return " ".join((entry(item.hypothesis.barrier).asks, *told))

    def _unread(self) -> Settled | None:
        """The likeliest open hypothesis that lies in the task's text."""
        waiting = (item for item in self._ordered() if item.status is Status.INCONCLUSIVE)
        read = (item for item in waiting if any(finding.ground is Ground.TEXT for finding in item.findings))
        named = (item for item in read if entry(item.hypothesis.barrier).asks)
        return next(named, None) if self.status is Status.INCONCLUSIVE else None


def _worked(finding: Finding) -> list[Route]:
    return [route for route in finding.routes if route.result == "passed"]


def _told_by_another(number: int, citations: Sequence[Citation]) -> bool:
    """Whether a longer quotation of the same block, or the same words before it, hold a quotation."""
    mine = citations[number]
    same = [(at, c) for at, c in enumerate(citations) if (c.run_id, c.block) == (mine.run_id, mine.block)]
    return any(mine.quote in c.quote and (mine.quote != c.quote or at < number) for at, c in same)


def _words(item: Settled) -> LocusWords:
    return locus_words(item.hypothesis)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _line(command: str) -> str:
    return " ".join(command.split())[:300]


def worded(verdict: Verdict, findings: Sequence[Finding], basis: JudgeInputs) -> Verdict:
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
