"""The proposer: a model reads what fits of the records and names barriers that rules have missed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from cases import Case, Citation, CommandRun, Events, Model, PageVisit, Run
from cases.hosts import host_of, hosts_of, urls_of
from cases.touches import Trouble, troubles_of
from graph.llm.client import Client, UnansweredError, size_of
from graph.llm.prompt_guard import Shown, fenced, shown
from graph.llm.transport import Message
from graph.llm.window import Window, observed, shown_runs, window
from graph.proposal import MOST_FROM_A_MODEL, Proposal
from graph.rubric import rubrics
from graph.signature import causes, scan
from probes import Barrier, Finding, Hypothesis, Targets
from probes.barriers import Trait, entry, having

LEAST_QUOTED = 8
"""Characters, besides blanks, below which a quotation says nothing."""
MOST_QUOTED = 1_000
_MOST_TARGETS = 3
"""Of one suggestion."""
_TROUBLES = 8
"""Of one run."""
_LONGEST = 4_000
"""Characters of each text."""
_MEASURED = frozenset({"facts", "next steps"})
"""Observations that say what a failure is."""


def _categories() -> dict[str, frozenset[Barrier]]:
    """Both rubrics' categories with the barriers that belong to them."""
    return {
        f"{rubric.name}: {category.title}": frozenset(
            barrier for barrier in Barrier if rubric.category_of(barrier) is category
        )
        for rubric in rubrics().values()
        for category in rubric.category
    }


def _category(text: str) -> str:
    if text not in _categories():
        raise ValueError("no category of the rubrics")
    return text


def _barrier(text: str) -> Barrier:
    if Barrier(text) is Barrier.UNSPECIFIED:
        raise ValueError("names no barrier")
    return Barrier(text)


_NAMED = [barrier.value for barrier in Barrier if barrier not in {Barrier.UNSPECIFIED, *having(Trait.REFERENCE)}]
Category = Annotated[str, AfterValidator(_category), WithJsonSchema({"type": "string", "enum": list(_categories())})]
Named = Annotated[str, AfterValidator(_barrier), WithJsonSchema({"type": "string", "enum": _NAMED})]


class Quotation(Model):
    """Words of a record, letter by letter."""

    run: int
    block: int
    quote: str


class Suggestion(Model):
    """One barrier that a record shows."""

    category: Category
    barrier: Named
    subjects: list[str]
    quotations: list[Quotation]


class Suggestions(Model):
    """Barriers that the records show, the likeliest cause first."""

    hypotheses: list[Suggestion]


@dataclass(frozen=True)
class Proposed:
    """What came of asking; empty when the model was of no help."""

    proposals: tuple[Proposal, ...] = ()
    rejected: int = 0
    unread: tuple[str, ...] = ()


async def propose(
    case: Case,
    events: Mapping[str, Events],
    client: Client,
    ranked: Sequence[Hypothesis] = (),
    findings: Sequence[Finding] = (),
) -> Proposed:
    """Ask for hypotheses besides those `ranked` already, once more where quotations are wrong.

    Never raises for anything that a model or its server says.
    """
    stated = _known_already(case, shown_runs(case), events, ranked, findings, client.masked)
    known = window(
        case,
        events,
        client.masked,
        client.room - size_of(Suggestions) - len(_instructions().encode()) - sum(one.size for one in stated) - 2_000,
    )
    texts = fenced((*stated, *known.texts))
    prompt = (
        Message(role="system", text=_instructions()),
        Message(role="user", text=f"{texts}\n\nWhich barriers do these records show?"),
    )
    try:
        first = await client.ask("propose causes", prompt, Suggestions)
    except UnansweredError:
        return Proposed(unread=known.unread)
    reading = _Reading(case, events, known)
    wrong = reading.wrong(first)
    if wrong and client.calls_left > 0:
        first = await _repaired(client, prompt, first, wrong)
    read = [reading.proposal(one) for one in first.hypotheses[:MOST_FROM_A_MODEL]]
    kept = tuple(proposal for proposal in read if proposal)
    rejected = len(first.hypotheses) - len(kept)
    client.note(proposed=len(kept), rejected=rejected, unread=known.unread)
    return Proposed(kept, rejected, known.unread)


def _known_already(
    case: Case,
    runs: Sequence[Run],
    events: Mapping[str, Events],
    hypotheses: Sequence[Hypothesis],
    findings: Sequence[Finding],
    masked: Callable[[str], str],
) -> tuple[Shown, ...]:
    """What rules and probes know, in three texts; `runs` are numbered from 1 as the model is shown them."""
    stated = [f"- {one.id}: {one.barrier.value}: {one.statement}" for one in hypotheses]
    touched = [
        f"- run {number}: {line}"
        for number, run in enumerate(runs, 1)
        for line in _troubles(troubles_of(case, run, events[run.run_id]), events[run.run_id])
    ]
    measured = [f"- {line}" for one in findings for line in _measured(one)]
    texts = (
        ("what is known already", stated),
        ("what failed in the runs, and whether it worked later", touched),
        ("what was measured", measured),
    )
    return tuple(shown(label, "\n".join(lines) or "nothing", masked, _LONGEST) for label, lines in texts)


def _troubles(troubles: Sequence[Trouble], events: Events) -> Iterator[str]:
    order = events.in_order
    for one in troubles[:_TROUBLES]:
        blocks = sorted({block for place in one.events for block in order[place].blocks})
        later = "worked later" if one.resolved else "never worked later"
        with_it = ", ".join(f"{touch.kind} {touch.name}" for touch in one.with_it[:3])
        beside = f", with {with_it}" if with_it else ""
        where = f"blocks {', '.join(map(str, blocks))}"
        yield f"{one.cause.kind} {one.cause.name} (named by: {one.cause.origin}){beside}: {where}; {later}"


def _measured(finding: Finding) -> Iterator[str]:
    yield f"{finding.hypothesis}: {finding.question.value}={finding.valid_answer.value}: {finding.summary}"
    yield from (f"{one.name}: {one.value}" for one in finding.observations if one.name in _MEASURED)


async def _repaired(
    client: Client, prompt: tuple[Message, ...], first: Suggestions, wrong: Sequence[Quotation]
) -> Suggestions:
    told = "\n".join(f"- run {one.run}, block {one.block}: {one.quote[:300]!r}" for one in wrong[:6])
    again = (
        *prompt,
        Message(role="assistant", text=first.model_dump_json()),
        Message(
            role="user",
            text=f"These quotations do not stand there letter by letter:\n{told}\n"
            "Give the whole answer once more, with quotations as they stand, and without what cannot be quoted.",
        ),
    )
    try:
        return await client.ask("repair quotations", again, Suggestions)
    except UnansweredError:
        return first


@dataclass(frozen=True)
class _Reading:
    """Checks what a model says against what it was shown."""

    case: Case
    events: Mapping[str, Events]
    known: Window

    def wrong(self, answer: Suggestions) -> list[Quotation]:
        """Quotations that do not stand where they should."""
        return [
            one for item in answer.hypotheses for one in item.quotations if len(one.quote) > 0 and not self._cited(one)
        ]

    def proposal(self, item: Suggestion) -> Proposal | None:
        """What is left of a suggestion; None when it does not stand on what a tool said, or says what rules know."""
        barrier = Barrier(item.barrier)
        if barrier not in _categories()[item.category]:
            return None
        cited = [(one, citation) for one in item.quotations if (citation := self._cited(one))]
        firm = next((pair for pair in cited if self._firm(*pair)), None)
        if firm is None or self._read_by_rules(firm[1]):
            return None
        return self._made(barrier, item, firm[1], tuple(citation for _, citation in cited))

    def _made(
        self, barrier: Barrier, item: Suggestion, firm: Citation, citations: tuple[Citation, ...]
    ) -> Proposal | None:
        run = next((run for run in self.known.runs if run.run_id == firm.run_id), None)
        events = self.events.get(run.run_id, Events()) if run else Events()
        index = next((n for n, event in enumerate(events.commands) if firm.block in event.blocks), None)
        visit = next((visit for visit in events.visits if firm.block in visit.blocks), None)
        event = None if index is None else events.commands[index]
        text = self.case.text_of(firm.run_id, firm.block) or ""
        targets = _targets_of(barrier, item.subjects, text, event, visit)
        if targets is None:
            return None
        blocks = len(run.transcript.blocks) if run and run.transcript else 1
        replayable = index if event and event.command.strip() else None
        ordered = tuple(dict.fromkeys((firm, *citations)))
        owner = run.run_id if run else next((c.run_id for c in self.case.claims if c.claim_id == firm.run_id), None)
        return Proposal(barrier, targets, ordered, "model", owner, replayable, (firm.block + 1) / blocks)

    def _cited(self, one: Quotation) -> Citation | None:
        quote = one.quote.strip("\n")
        if not LEAST_QUOTED <= len("".join(quote.split())) <= MOST_QUOTED:
            return None
        if one.run == 0:
            claim = next((c for n, c in enumerate(self.case.claims, 1) if n == one.block), None)
            text = next((t for t in self.known.claims if t.label == f"claim {one.block}"), None)
            owner, block = (claim.claim_id if claim else ""), 0
        else:
            text = self.known.blocks.get((one.run, one.block))
            owner, block = (self.known.runs[one.run - 1].run_id if text else ""), one.block
        place = text.place(quote) if text else None
        if place is None:
            return None
        original = (self.case.text_of(owner, block) or "")[place[0] : place[1]]
        citation = Citation(run_id=owner, block=block, start=place[0], end=place[1], quote=original)
        return citation if self.case.cites(citation) else None

    def _firm(self, one: Quotation, citation: Citation) -> bool:
        """Whether it shows what a tool said, or what an earlier verdict says."""
        if one.run == 0:
            return True
        run: Run = self.known.runs[one.run - 1]
        return citation.block in observed(run, self.events.get(run.run_id, Events()))

    def _read_by_rules(self, citation: Citation) -> bool:
        """Whether a signature speaks of that text: what rules have read is theirs."""
        text = self.case.text_of(citation.run_id, citation.block) or ""
        claim = citation.run_id in {claim.claim_id for claim in self.case.claims}
        if claim:
            return any(True for _ in scan(text, "claim"))
        return bool(causes(text, "output")) or any(True for _ in scan(text, "page"))


def _targets_of(
    barrier: Barrier, names: Sequence[str], cited: str, event: CommandRun | None, visit: PageVisit | None
) -> Targets | None:
    """Targets of a hypothesis that rests on the text `cited`; None when it names nothing that stands there.

    Nothing in them is the model's own invention.
    """
    commands = (event.command,) if event and event.kind == "shell" and event.command.strip() else ()
    if barrier in having(Trait.WEB):
        return _web_targets(cited, event, visit, commands)
    kind = entry(barrier)
    if kind.name is None:
        return Targets(commands=commands)
    said = f"{cited}\n{event.command if event else ''}"
    usable = [name.strip() for name in names if kind.name.pattern.fullmatch(name.strip()) and name.strip() in said]
    if not usable:
        return None
    return Targets(commands=commands).model_copy(update={kind.about: tuple(dict.fromkeys(usable))[:_MOST_TARGETS]})


def _web_targets(
    cited: str, event: CommandRun | None, visit: PageVisit | None, commands: tuple[str, ...]
) -> Targets | None:
    if visit:
        host = host_of(visit.url)
        return Targets(urls=(visit.url,), hosts=(host,) if host else ())
    text = f"{cited}\n{event.command if event else ''}"
    urls, hosts = urls_of(text), hosts_of(text)
    return Targets(urls=urls[:3], hosts=hosts[:1], commands=commands) if urls or hosts else None


@cache
def _instructions() -> str:
    told = files("graph.llm").joinpath("proposer.md").read_text("utf-8")
    lines = [
        f"- {category}\n" + "\n".join(f"  - {one.value}: {entry(one).title}" for one in sorted(barriers))
        for category, barriers in _categories().items()
    ]
    return f"{told}\nCategories with their barriers:\n" + "\n".join(lines)
