"""What an issue says, part by part; pure."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cases import Case, Outcome, Run
from cases.sentences import Sentences, counted
from evidence.artifacts import EvidenceFile
from evidence.bag import version
from evidence.issue.grading import Grading
from evidence.issue.markdown import Ready, code, named, prose
from evidence.issue.trials import trials
from evidence.issue.ways import Way, barred, ways
from evidence.issue.where import caveat, where
from evidence.proof import Proof
from evidence.text import dumps
from graph.render import locus_of
from graph.verdict import Audit, Locus, Status
from probes import Barrier, Control, Finding, Ground, Hypothesis, Question
from probes.barriers import Advice, about, entry, titled

say = Sentences(__name__)

STEPS = 5
"""Lines that a reproduction may have."""
_SOUND = {Locus.EXTERNAL_SITE: "site", Locus.GRADER: "grader", Locus.TASK_TEXT: "text"}
"""Faults for which a sound benchmark is told in words of their own."""
_ORDER = list(Question)


class Compared(NamedTuple):
    """One line of observed against expected."""

    question: str
    observed: str
    expected: str


@dataclass(frozen=True)
class Issue:
    """The parts of one issue text."""

    audit: Audit
    shown_steps: tuple[str, ...]
    evidence: tuple[EvidenceFile, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether there is something to file."""
        return self.audit.verdict.status is Status.SUPPORTED

    @property
    def of_reference(self) -> bool:
        """Whether it is about the benchmark's own solution, which was run."""
        return any(finding.ground is Ground.REFERENCE for finding in self._decisive)

    @property
    def by_person(self) -> bool:
        """Whether a person's answer settled it, and no finding."""
        return self.audit.verdict.by_person

    @property
    def status(self) -> str:
        """In words."""
        return self.audit.verdict.status.value.replace("_", " ")

    @cached_property
    def leading(self) -> Hypothesis | None:
        """The one root cause."""
        wanted = self.audit.verdict.leading
        return next((entry for entry in self.audit.hypotheses if entry.id == wanted), None)

    @property
    def title(self) -> Ready:
        """Item and barrier, in words and code spans alone, as a tracker's title shows no other Markdown."""
        item = f"{named(self.audit.case.benchmark)} {named(self.audit.case.task_id)}"
        if self.leading is None or not self.supported:
            return Ready(item)
        return Ready(f"{item}: {prose(titled(self.leading))}")

    @property
    def about(self) -> str:
        """What the barrier is about; empty when its targets do not name it."""
        targets = self.leading.targets if self.leading else None
        if self.leading is None or targets is None:
            return ""
        others = (targets.modules, targets.programs, targets.headers, targets.packages, targets.paths, targets.hosts)
        return about(self.leading) or next((names[0] for names in (*others, targets.urls) if names), "")

    @property
    def claim(self) -> str:
        """One sentence."""
        return self.audit.verdict.reason

    @property
    def caveat(self) -> str:
        """What the claim rests on that is not the benchmark's own."""
        return caveat(self.audit, self._decisive)

    @property
    def where(self) -> list[tuple[str, str]]:
        """Benchmark, item and versions."""
        return list(where(self.audit, self._decisive, self._run(), self.evidence))

    @cached_property
    def grading(self) -> Grading | None:
        """What the graders made of it, where the fault is theirs."""
        return Grading(self.audit, self._decisive, self.evidence) if self._locus is Locus.GRADER else None

    @cached_property
    def proof(self) -> Proof:
        """What convinces."""
        return Proof(self.audit, self.evidence)

    @property
    def strength(self) -> str:
        """How firm it is, in a sentence."""
        return self.proof.told

    @property
    def trials(self) -> list[tuple[str, str]]:
        """The agent, the benchmark's own solution, an empty run and this audit, in one table."""
        return list(trials(self.audit, self._decisive, self.proof, self._run()))

    @property
    def repair(self) -> str:
        """The commands that removed the barrier as root, where it was removed that way."""
        arm = next((arm for arm in self.proof.recipe.arms if arm.kind == "lifted"), None) if self.proof.recipe else None
        if arm is None or not self.proof.lifted_with:
            return ""
        return "\n".join(step.command for step in arm.steps[:-1] if step.do == "run")

    @staticmethod
    def fold(title: str) -> Ready:
        """The beginning of a part that a tracker shows folded."""
        return Ready(f"<details><summary>{title}</summary>")

    @property
    def unfold(self) -> Ready:
        """Its end."""
        return Ready("</details>")

    @property
    def steps(self) -> str:
        """Shell lines, at most `STEPS`."""
        if self.shown_steps:
            return "\n".join(self.shown_steps[:STEPS])
        if self.grading and self.grading.steps:
            return self.grading.steps
        if self.of_reference:
            return "\n".join(line for one in self._decisive for route in one.routes[-1:] for line in route.commands)
        if self.by_person:
            return say("steps.person")
        return say("steps.quotes" if self.quotes else "steps.findings")

    @property
    def compared(self) -> list[Compared]:
        """The decisive findings against what a sound benchmark would show."""
        sound = dict(say.table("sound"))
        if self.of_reference:
            sound = dict(say.table("sound_reference"))
        elif self._locus in _SOUND:
            sound |= say.table(f"sound_{_SOUND[self._locus]}")
        asked = ((one.question.value, one.summary) for one in self._decisive)
        return [Compared(question, summary, sound[question]) for question, summary in asked]

    @property
    def quotes(self) -> str:
        """What the records say, with its places."""
        told = self.audit.verdict.citations
        errors = {one for found in self.audit.basis.exclusions for one in found.citations}
        errors -= set(self.leading.citations) if self.leading else set()
        kept = [one for one in told if one not in errors]
        return "\n".join(say("issue.quote", run=one.run_id, block=one.block, quote=one.quote) for one in kept)

    @property
    def answered(self) -> list[tuple[str, str]]:
        """The question that a person answered, what rules saw of it, and the answer."""
        review, leading = self.audit.basis.review, self.leading
        if review is None or leading is None:
            return []
        seen = [
            one.summary for one in self.audit.findings if one.hypothesis == leading.id and one.ground is Ground.TEXT
        ]
        day = review.at.date().isoformat()
        who = say("answered.who", said=review.decision, who=review.reviewer, day=day)
        rows = [
            (say("answered.question"), entry(leading.barrier).asks),
            (say("answered.found"), " ".join(seen)),
            (say("answered.answer"), who),
            (say("answered.reason"), review.reason),
        ]
        return [(name, words) for name, words in rows if words]

    @property
    def prompt(self) -> str:
        """The task's text, where what it says is the question."""
        asked = self._locus in {Locus.GRADER, Locus.TASK_TEXT}
        return (self.audit.case.task.prompt or "") if asked else ""

    @property
    def untried(self) -> str:
        """Why no route stands here."""
        return say("issue.untried_text" if self.by_person else "issue.untried")

    @property
    def ways(self) -> list[Way]:
        """The routes of the decisive findings."""
        return list(ways(self._decisive))

    @property
    def barred(self) -> list[Ready]:
        """What the agent was not allowed to do."""
        return list(barred(self._decisive, self.audit.envelope))

    @property
    def controls(self) -> list[Control]:
        """Of the decisive findings, or of all when none is; each once."""
        findings = self._decisive or list(self.audit.findings)
        return list(dict.fromkeys(control for finding in findings for control in finding.controls))

    @property
    def intended(self) -> Ready:
        """Why a maintainer may have meant it so."""
        return Ready(self._filled(self._kind().intended))

    @property
    def fix(self) -> Ready:
        """The smallest change that would remove the barrier."""
        named = say("issue.repair", thing=self.proof.lifted_with) if self.proof.lifted_with else ""
        return Ready(f"{self._filled(self._kind().fix)} {named}".strip())

    @property
    def against(self) -> str:
        """The strongest case against it."""
        return self.audit.verdict.against

    @property
    def refuted_by(self) -> str:
        """What would change the verdict."""
        return self.audit.verdict.would_change

    @property
    def capable(self) -> str:
        """What a capable agent could have done."""
        return self.audit.verdict.capable_agent

    @property
    def capable_head(self) -> str:
        """What that is: others' doing, or what could have been done."""
        others = any(finding.ground is Ground.RUNS and finding.routes for finding in self._decisive)
        return say("capable.others" if others else "capable.agent")

    @property
    def impact(self) -> str:
        """How many of the known runs of this task it bears on."""
        case = self.audit.case
        known = [run for run in case.runs if run.outcome is not Outcome.UNKNOWN]
        failed = sum(run.outcome is Outcome.FAILED for run in known)
        recorded = [run for run in case.runs if run.transcript]
        quoted = {entry.quote for entry in self.leading.citations} if self.leading else set()
        met = sum(_says(case, run, quoted) for run in recorded)
        told = [say("issue.scores", failed=failed, known=counted(len(known), "known run"))]
        if met and not self.prompt:
            told += [say("issue.only_log" if len(recorded) == 1 else "issue.logs", met=met, logs=len(recorded))]
        return " ".join((f"{'; '.join(told)}.", say("issue.again")))

    @property
    def limits(self) -> tuple[str, ...]:
        """Of the verdict."""
        lab = (say("limit.lab"),)
        return self.audit.verdict.limits + (lab if self.audit.verdict.lab else ())

    @property
    def digests(self) -> list[tuple[str, str]]:
        """SHA-256 of the records that the verdict is computed from, as they lie in the pack."""
        parts = {"findings.json": self.audit.findings, "verdict.json": self.audit.verdict}
        return [(f"SHA-256 of {name}", sha256(dumps(part).encode()).hexdigest()) for name, part in parts.items()]

    @property
    def disclosure(self) -> str:
        """What a language model had to do with it."""
        helped = self.audit.verdict.assistance
        if helped or any(entry.proposer == "model" for entry in self.audit.hypotheses):
            named = say("use_of_ai.named", model=helped.model) if helped else say("use_of_ai.unnamed")
            return say("use_of_ai.helped", model=named)
        return say("use_of_ai.claim" if self.leading and self.leading.proposer == "claim" else "use_of_ai.none")

    @property
    def sign_off(self) -> Ready:
        """Whether a person has looked at it."""
        review = self.audit.basis.review
        if review is None:
            return Ready(say("issue.unsigned"))
        told = say("issue.signed", who=prose(review.reviewer), day=review.at.date().isoformat(), said=review.decision)
        reason = f": {prose(review.reason)}" if review.reason else ""
        return Ready(f"{told}{reason}.")

    @property
    def version(self) -> str:
        """Of this program."""
        return version("impassable")

    @property
    def _locus(self) -> Locus | None:
        return locus_of(self.leading) if self.leading else None

    @cached_property
    def _decisive(self) -> list[Finding]:
        wanted = set(self.audit.verdict.decisive)
        found = [finding for finding in self.audit.findings if finding.id in wanted]
        return sorted(found, key=lambda finding: (_ORDER.index(finding.question), finding.id))

    def _run(self) -> Run | None:
        wanted = self.leading.run_id if self.leading else None
        return next((run for run in self.audit.case.runs if run.run_id == wanted), None)

    def _kind(self) -> Advice:
        return entry(self.leading.barrier if self.leading else Barrier.UNSPECIFIED).issue

    def _filled(self, text: str) -> str:
        return text.replace("{about}", code(self.about) if self.about else say("issue.unnamed"))


def _says(case: Case, run: Run, quoted: set[str]) -> bool:
    blocks = range(len(run.transcript.blocks) if run.transcript else 0)
    texts = [case.text_of(run.run_id, block) or "" for block in blocks]
    return any(quote in text for quote in quoted for text in texts)
