"""What the report's templates ask of an audit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from cases import Citation, Outcome, Run
from cases.secrets import MASK
from cases.sentences import Sentences
from evidence.artifacts import EvidenceFile
from evidence.proof import Proof
from evidence.report.comparison import LOGGED, Comparison, Pair, compare, pictured, text_of_now
from evidence.report.excerpts import Excerpt, excerpt_of, excerpts
from evidence.report.graders import MarkTable, mark_tables
from evidence.report.logs import numbered
from evidence.report.pictures import Picture, pictures
from evidence.report.transcript import Fold, Timeline, timeline, transcript
from evidence.report.words import (
    ANSWERS,
    BY_PERSON,
    ENVELOPE,
    LOCI,
    ORIGINS,
    PROPOSERS,
    QUESTIONS,
    REJECTED,
    RESULTS,
    RUBRIC,
    SECTIONS,
    SIGNS,
    TIERS,
    VERDICTS,
    VerdictWords,
    envelope_value,
)
from evidence.ruled_out import ruled_out
from graph.verdict import Audit
from probes import Control, Finding, Ground, Hypothesis, Question, Route, Value

say = Sentences(__name__)

_RUN_ORDER = (Outcome.PASSED, Outcome.FAILED, Outcome.UNKNOWN)


@dataclass(frozen=True)
class Row:
    """One line of the envelope."""

    label: str
    value: str
    origin: str
    origin_words: str
    excerpts: list[Excerpt]


class View:
    """An audit as the report tells it."""

    answers = ANSWERS
    questions = QUESTIONS
    results = RESULTS
    rubric = RUBRIC
    tiers = TIERS
    proposers = PROPOSERS
    signs = SIGNS

    def __init__(
        self,
        audit: Audit,
        evidence: tuple[EvidenceFile, ...],
        masked: Mapping[str, int],
        digests: Mapping[str, str],
        documents: Mapping[str, str],
    ) -> None:
        self.audit = audit
        self.case = audit.case
        self.verdict = audit.verdict
        self.evidence = evidence
        self.masked = masked
        self.digests = digests
        self.documents = documents
        self._files = {file.artifact.sha256: file for file in evidence}
        self.proof = Proof(audit, evidence)
        self._pictures = pictures(evidence, audit.findings)

    @property
    def words(self) -> VerdictWords:
        """How the status is said."""
        review = self.audit.basis.review
        if review and review.decision == "reject":
            return REJECTED
        return (BY_PERSON if self.verdict.by_person else VERDICTS)[self.verdict.status]

    @property
    def locus_label(self) -> str:
        """How the place of the fault is called; empty where the benchmark has none."""
        return LOCI.get(self.verdict.status, "")

    @property
    def capable_head(self) -> str:
        """What the verdict's last words are: others' doing, or what could have been done."""
        decided = [finding for finding in self.audit.findings if finding.id in self.verdict.decisive]
        others = any(finding.ground is Ground.RUNS and finding.routes for finding in decided)
        return say("capable.others" if others else "capable.agent")

    @property
    def sections(self) -> dict[str, str]:
        """The labels of the sections that are there, by anchor."""
        missing = {*([] if self.marks else ["graders"]), *([] if "issue.md" in self.documents else ["issue"])}
        missing |= set() if self.audit.hypotheses else {"hypotheses"}
        return {anchor: label for anchor, label in SECTIONS.items() if anchor not in missing}

    @property
    def leading(self) -> Hypothesis | None:
        """The hypothesis that the verdict speaks about."""
        return next((entry for entry in self.audit.hypotheses if entry.id == self.verdict.leading), None)

    @property
    def audited(self) -> date | None:
        """The day of the newest measurement, UTC."""
        return max((finding.started.date() for finding in self.audit.findings), default=None)

    @cached_property
    def failed_run(self) -> Run | None:
        """The run whose failure is explained."""
        named = self.leading.run_id if self.leading else None
        failed = [run for run in self.case.runs if run.outcome is not Outcome.PASSED and run.transcript]
        return next((run for run in failed if run.run_id == named), failed[0] if failed else None)

    @cached_property
    def _quoted(self) -> list[Citation]:
        """Everything that is quoted from the run in question, each once."""
        told = [*self.verdict.citations]
        told += [citation for entry in self.audit.hypotheses for citation in entry.citations]
        told += [citation for finding in self.audit.findings for citation in finding.citations]
        run = self.failed_run
        return [one for one in dict.fromkeys(told) if run and one.run_id == run.run_id]

    @cached_property
    def transcript(self) -> list[Fold]:
        """The whole log of the run in question."""
        run = self.failed_run
        return transcript(run.transcript.blocks, self._quoted) if run and run.transcript else []

    @property
    def timeline(self) -> Timeline | None:
        """How that run went."""
        run = self.failed_run
        if run is None or run.transcript is None:
            return None
        cited = self.leading.citations if self.leading else ()
        own = (one for item in self.audit.basis.exclusions for one in item.citations)
        stood, wrong = ([one.block for one in some if one.run_id == run.run_id] for some in (cited, own))
        return timeline(run.transcript.blocks, stood, wrong)

    def anchor(self, entry: Excerpt) -> str:
        """Where the log below shows a quotation; empty where it is another run's."""
        run = self.failed_run
        return f"block-{entry.place[1]}" if run and entry.place and entry.place[0] == run.run_id else ""

    def tried(self, finding: Finding) -> list[Route]:
        """The routes that were or could have been tried, those that ran first."""
        order = ("passed", "failed", "not_tried", "not_permitted")
        return sorted(
            (route for route in finding.routes if route.result in order), key=lambda route: order.index(route.result)
        )

    def useless(self, finding: Finding) -> list[Route]:
        """The routes that do not apply to what failed."""
        return [route for route in finding.routes if route.result == "not_applicable"]

    @staticmethod
    def seconds(finding: Finding, route: Route) -> str:
        """How long a route took; empty where nobody measured it."""
        took = [one.seconds for one in finding.observations if one.name == f"route: {route.id}" and one.seconds]
        return f"{took[0]:.1f}" if took else ""

    @property
    def repeat(self) -> str:
        """The one line that repeats what decided."""
        return "bash reproduce.sh"

    @property
    def repeats(self) -> str:
        """What that does."""
        return say("repeat.machine" if self.proof.recipe else "repeat.visit")

    @property
    def gold_masked(self) -> bool:
        """Whether the expected answer is not in the pack either."""
        return MASK in (self.case.task.gold or "")

    @property
    def outcomes(self) -> dict[str, int]:
        """How many runs ended how."""
        return {outcome.value: sum(run.outcome is outcome for run in self.case.runs) for outcome in Outcome}

    @property
    def runs(self) -> list[Run]:
        """Every run: the one in question first, then those that passed."""
        mine = self.failed_run
        return sorted(self.case.runs, key=lambda run: (run is not mine, _RUN_ORDER.index(run.outcome)))

    @property
    def controls(self) -> dict[Control, list[Finding]]:
        """Every control with the findings that it guards, failed ones first."""
        guarded: dict[Control, list[Finding]] = {}
        for finding in self.audit.findings:
            for control in finding.controls:
                guarded.setdefault(control, []).append(finding)
        return dict(sorted(guarded.items(), key=lambda item: item[0].passed))

    @property
    def ladders(self) -> list[Finding]:
        """Findings that tried routes."""
        return [finding for finding in self.audit.findings if finding.routes]

    def barred(self, finding: Finding) -> dict[str, list[str]]:
        """Names of routes that the agent was not allowed to take, by the reason."""
        return ruled_out([finding], self.audit.envelope)

    @staticmethod
    def barred_told(names: list[str], reason: str) -> str:
        """What the agent was not allowed to do, in a sentence."""
        return say("ruled_out.told", names=", ".join(names), reason=reason)

    @property
    def limits(self) -> list[str]:
        """Every limit once, the verdict's first."""
        spoken = [*self.verdict.limits, *(limit for finding in self.audit.findings for limit in finding.limits)]
        if self.masked:
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.masked.items()))
            spoken.append(say("limit.masked", kinds=kinds))
        spoken.append(say("limit.digests"))
        return list(dict.fromkeys(spoken))

    @property
    def then(self) -> Run | None:
        """The run that the records of the leading hypothesis come from."""
        named = self.leading.run_id if self.leading else None
        return next((run for run in self.case.runs if run.run_id == named), None)

    @property
    def measured(self) -> list[Finding]:
        """What this audit measured of the barrier's presence."""
        return [
            finding
            for finding in self.audit.findings
            if finding.question is Question.PRESENT and finding.hypothesis == self.verdict.leading
        ]

    def findings(self, hypothesis: str, question: str | None = None) -> list[Finding]:
        """The findings about one hypothesis, or its findings for one question."""
        return [
            finding
            for finding in self.audit.findings
            if finding.hypothesis == hypothesis and question in (None, finding.question.value)
        ]

    def orphans(self) -> list[Finding]:
        """Findings about no listed hypothesis."""
        listed = {entry.id for entry in self.audit.hypotheses}
        return [finding for finding in self.audit.findings if finding.hypothesis not in listed]

    def number(self, finding: Finding) -> int:
        """The finding's place in the report, from 1."""
        return self.audit.findings.index(finding) + 1

    def statement(self, finding: Finding) -> str | None:
        """What the finding is about, where several hypotheses were put to the test."""
        if len(self.audit.hypotheses) < 2:
            return None
        return next((entry.statement for entry in self.audit.hypotheses if entry.id == finding.hypothesis), None)

    def excerpts(self, citations: Iterable[Citation]) -> list[Excerpt]:
        """The quotations inside their blocks; neighbours share an excerpt."""
        return excerpts(self.case, citations)

    def file(self, sha256: str | None) -> EvidenceFile | None:
        """The artifact of a digest."""
        return self._files.get(sha256) if sha256 else None

    @property
    def now(self) -> Excerpt | None:
        """What this audit read in the barrier's place, the record's own words marked where they stand there too."""
        found = text_of_now(self.leading, self.audit.findings, self.file)
        if self.leading is None or found is None or not found.text:
            return None
        return excerpt_of(found.artifact.name, found.text, (citation.quote for citation in self.leading.citations))

    @property
    def comparison(self) -> Comparison | None:
        """The text of then beside the text of now."""
        return compare(self.case, self.leading, self.audit.findings, self.file)

    @property
    def pictured(self) -> tuple[Pair, Picture, Picture | None] | None:
        """One page then and now: from the log or an archived copy, and as our browser sees it."""
        found = pictured(self.audit.findings, self.leading)
        then = self._pictures.get(found.then) if found else None
        now = self._pictures.get(found.now) if found and found.now else None
        return (found, then, now) if found and then and (now or found.logged) else None

    @property
    def marks(self) -> list[MarkTable]:
        """The graders' marks."""
        return list(mark_tables(self.audit, self.evidence))

    @property
    def seen_now(self) -> Picture | None:
        """What a browser saw of the barrier in this audit: a framed picture before any other."""
        logged = {one.artifact for finding in self.measured for one in finding.observations if one.name == LOGGED}
        named = [one.sha256 for finding in self.measured for one in finding.artifacts if one.sha256 not in logged]
        shots = [self._pictures[digest] for digest in dict.fromkeys(named) if digest in self._pictures]
        return next((shot for shot in shots if shot.box), shots[0] if shots else None)

    def picture(self, file: EvidenceFile) -> Picture | None:
        """A file as an inlined picture."""
        return self._pictures.get(file.artifact.sha256)

    def log(self, file: EvidenceFile) -> list[tuple[int, str]] | None:
        """The numbered lines of a text artifact, its middle left out when it is long; number 0 is our own note."""
        return None if file.text is None else numbered(file.data.decode("utf-8", "replace"))

    def envelope(self) -> Iterator[Row]:
        """What the agent was allowed to do, line by line."""
        for name, label in ENVELOPE.items():
            value: Value[object] = getattr(self.audit.envelope, name)
            cited = [value.citation] if value.citation else []
            words = envelope_value(name, value.value, self.audit.envelope.interpreter.value)
            chosen = value.origin == "profile" and self.audit.envelope.chosen
            origin = ORIGINS["chosen" if chosen else value.origin]
            yield Row(label, words, value.origin, origin, self.excerpts(cited))
