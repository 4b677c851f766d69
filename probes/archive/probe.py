"""The archive probe: the expected answer on the task's own pages, then (a web archive) and now (the browser)."""

import difflib
import textwrap
from dataclasses import replace
from datetime import date
from time import monotonic

from cases import Outcome, Run
from cases.answers.presence import presence
from cases.benchmarks import published
from cases.sentences import Sentences
from probes.archive import ArchiveProbe
from probes.archive.copies import Captures, captures_of
from probes.archive.judge import (
    Facts,
    caused,
    contradiction,
    present,
    readable_copies,
    same_subject,
    successor,
)
from probes.archive.live import Visitor
from probes.archive.passing import passing
from probes.contract import FindingMaker, ProbeContext
from probes.model import Answer, Barrier, Control, Finding, Hypothesis, Question, Tier
from probes.web.base import VisitingProbe
from probes.web.captures import archive_control
from probes.web.controls import offline_control, positive_control, shared_web
from probes.web.observe import get
from probes.web.plain import Plain
from probes.web.politeness import gold_pages
from probes.web.record import Record
from probes.web.web import Web
from probes.web.words import sentence

say = Sentences(__name__)

_LIMITS = (
    say("probe.seen_machine_network"),
    say("probe.web_archive_keeps"),
)
_QUESTIONS = (Question.PRESENT, Question.PASSABLE, Question.CAUSED)


class Working(VisitingProbe, ArchiveProbe):
    """What does the work."""

    async def __call__(self, hypothesis: Hypothesis, context: ProbeContext) -> list[Finding]:
        """Findings for PRESENT, PASSABLE and CAUSED; unknown without an expected answer and pages that go with it.

        Raises:
            ProbeUnavailableError: Chromium is missing or does not start, or a setting cannot be used.
        """
        make = FindingMaker(self, hypothesis, lab=context.settings.web.lab)
        caps, task = context.settings.web.caps, context.case.task
        pages, left_out = gold_pages(context.case, caps)
        if not (task.gold or "").strip() or not pages:
            lacking = say("probe.expected_answer") if pages else say("probe.page_goes_expected")
            told = say("probe.there_nothing_look", lacking=lacking)
            return [make(Question.PRESENT, Answer.UNKNOWN, sentence(told), observations=left_out)]
        if context.settings.offline:
            words = say("probe.offline_you_asked")
            return [
                make(question, Answer.UNKNOWN, sentence(words), controls=(offline_control(words),))
                for question in _QUESTIONS
            ]
        web = await shared_web(context, self._resolvers)
        record = Record(context.store)
        record.observations += left_out
        visitor = self._visitor(context, web, record, monotonic() + caps.audit_seconds)
        return await _Audit(hypothesis, context, make, visitor).findings(pages, tuple(one.value for one in left_out))

    def _visitor(self, context: ProbeContext, web: Web, record: Record, deadline: float) -> Visitor:
        async def control(url: str) -> Control:
            urls, lab = context.settings.web.controls, web.is_mapped(url)
            found, seen = await positive_control(web, urls, context.store, lab=lab)
            record.observations += [one for one in seen if one not in record.observations]
            return found

        return Visitor(web, context.case.task, record, deadline, control, context.say, self._backoff, self._patience)


class _Audit:
    """One hypothesis, all pages of the task."""

    def __init__(self, hypothesis: Hypothesis, context: ProbeContext, make: FindingMaker, visitor: Visitor) -> None:
        self.hypothesis, self.context, self.make, self.visitor = hypothesis, context, make, visitor
        self.record = visitor.record

    async def findings(self, pages: tuple[str, ...], left_out: tuple[str, ...]) -> list[Finding]:
        """Now first: where a page shows the expected answer, nobody has to ask what it said then."""
        lives = tuple([await self.visitor.see(url) for url in pages])
        for live in lives:
            self.record.note("reading", f"{live.url}: {live.state}: {live.detail}")
        controls = [await self.visitor.control(url) for url in pages]
        captures: tuple[Captures, ...] = ()
        day = self._day()
        if day and not any(live.state == "shown" for live in lives):
            known = await archive_control(self._get)
            controls.append(known)
            captures = await self._then(pages, day, known)
        facts = Facts(
            barrier=self.hypothesis.barrier,
            task=self.context.case.task,
            lives=lives,
            captures=captures,
            left_out=left_out,
            runs=self._runs(),
            dated=day is not None,
        )
        self._differences(facts)
        return await self._concluded(facts, tuple(dict.fromkeys(controls)))

    async def _concluded(self, facts: Facts, controls: tuple[Control, ...]) -> list[Finding]:
        answer, words = present(facts)
        way = await passing(facts, self.visitor)
        said = contradiction(facts) if facts.barrier is Barrier.WRONG_GOLD else successor(facts)
        cause, why = caused(facts, said)
        pages = tuple(control for live in facts.lives for control in live.controls)
        sure, gone = (*controls, same_subject(facts)), all(live.state == "gone" for live in facts.lives)
        found = [
            self.make(
                Question.PRESENT,
                answer,
                sentence(words),
                observations=tuple(self.record.observations),
                controls=(*(controls if gone else sure), *pages) if answer is Answer.YES else controls,
                citations=self.hypothesis.citations,
                artifacts=tuple(self.record.artifacts),
                limits=_LIMITS,
            ),
            self.make(
                Question.PASSABLE,
                way.answer,
                sentence(way.words),
                tier=Tier.T2 if way.answer is Answer.YES else None,
                routes=way.routes,
                controls=sure if way.answer is Answer.NO else controls,
                limits=way.limits,
            ),
        ]
        if answer is Answer.NO:
            return found
        return [*found, self.make(Question.CAUSED, cause, sentence(why), controls=sure)]

    async def _then(self, pages: tuple[str, ...], day: date, known: Control) -> tuple[Captures, ...]:
        """The copies of all pages, each read for the expected answer."""
        task, found = self.context.case.task, []
        for url in pages:
            self.context.say(say("probe.archived_copies", url=url))
            captures = await captures_of(url, day, self._get)
            copies = tuple(
                replace(copy, shows=presence((copy.text, copy.main), task, url) if copy.readable else "absent")
                for copy in captures.copies
            )
            found.append(replace(captures, copies=copies))
            if captures.problem:
                self.record.note("archive", f"{url}: {captures.problem}")
            for copy in copies:
                told = copy.walled or copy.problem or say("probe.expected_answer_2", shows=copy.shows)
                kept = self.record.keep(copy.text, f"copy-{copy.day}.text.txt")
                self.record.note("archived copy", f"{copy.address}: {told}", artifact=kept)
        return tuple(found)

    async def _get(self, url: str) -> Plain:
        if monotonic() > self.visitor.deadline:
            return Plain(url, error=say("probe.time_probe_used"), denied=True)
        if not (await self.visitor.control(url)).passed:
            return Plain(url, error=say("probe.no_control_page"), denied=True)
        return await get(self.visitor.web, url, self.record, "archive")

    def _day(self) -> date | None:
        """The task's own day, else its benchmark's, else the run's."""
        case = self.context.case
        dates = [case.task.created, published(case.benchmark), *(run.date for run in self._runs())]
        return next(filter(None, dates), None)

    def _runs(self) -> tuple[Run, ...]:
        failed = [run for run in self.context.case.runs if run.outcome is Outcome.FAILED]
        mine = [run for run in failed if run.run_id == self.hypothesis.run_id]
        return tuple(mine or ([] if self.hypothesis.run_id else failed))

    def _differences(self, facts: Facts) -> None:
        """What changed on each page between a copy and now."""
        for live in facts.lives:
            copy = next((one for one in readable_copies(facts) if one.url == live.url), None)
            if copy is None or not live.texts:
                continue
            then, now = (textwrap.wrap(text, 100) for text in (copy.text[:50_000], live.texts[-1][:50_000]))
            lines = difflib.unified_diff(then, now, f"copy of {copy.day}", "now", lineterm="", n=1)
            kept = self.record.keep("\n".join(lines), f"then-now-{copy.day}.diff.txt")
            told = say("probe.texts_same") if kept is None else say("probe.texts_differ")
            self.record.note("then and now", f"{live.url}: status 200, now {live.status}; {told}", artifact=kept)
