"""The classifier by rules: proposes barriers from what transcripts and claims show."""

from collections import Counter
from collections.abc import Iterator, Mapping

from cases import Case, Citation, Claim, CommandRun, Events, Outcome, Run
from cases import patterns as re
from cases.hosts import host_of, is_neutral, own_machine, urls_of
from cases.sentences import Sentences
from graph.answers import from_answers, from_pages
from graph.met import Met
from graph.pages import from_sites
from graph.proposal import Proposal, rank
from graph.rubric import RubricChoice
from graph.run_termination import ending
from graph.signature import Match, causes, scan
from graph.structure import from_troubles
from probes import Barrier, Hypothesis, Targets
from probes.barriers import Trait, having
from probes.specification import Reading, read

say = Sentences(__name__)

MOST_IN_ONE = 200
"""Failures of one output that are asked about: its first and its last."""
_TRACEBACK = "Traceback (most recent call last)"
_KILLED = (137, -9)
_EXIT_CODE = re.compile(r"(?i)(?:exit|return)[ _]?code>?[:=]? *(-?\d{1,9})\b")


def classify(
    case: Case, events: Mapping[str, Events], choice: RubricChoice, files: Mapping[str, str] | None = None
) -> tuple[tuple[Hypothesis, ...], tuple[str, ...]]:
    """Ranked hypotheses about why the case's failed runs failed, and notes on what was left out.

    `files` are the task's, where they are at hand, by their path below its directory.
    """
    left: list[int] = []
    proposals = [
        *from_troubles(case, events, tuple(_from_runs(case, events, files, left)), files),
        *from_answers(case),
        *from_pages(case, events),
        *from_sites(case, events),
        *_from_specification(case),
        *_from_reference(case),
        *_from_claims(case),
    ]
    recorded = any(run.transcript for run in case.runs)
    failed = any(run.outcome is not Outcome.PASSED for run in case.runs)
    named = [one for one in proposals if one.barrier is not Barrier.REFERENCE_FAILS]
    if not named and not recorded and (failed or not (case.runs or proposals)):
        proposals = [*proposals, Proposal(Barrier.UNSPECIFIED, Targets(), (), "rules")]
    ranked, notes = rank(proposals, case, choice)
    return ranked, (*notes, *([say("hypothesis.too_many_in_one", number=sum(left))] if left else []))


def _from_specification(case: Case) -> Iterator[Proposal]:
    """One proposal where independent runs agree on another answer; what the text leaves open only names it."""
    reading = read(case)
    if reading.suspect and case.task.prompt:
        run = reading.convergence.groups[0].runs[0]
        citations = Reading.citations(case, reading.about(reading.barrier))
        yield Proposal(reading.barrier, Targets(), citations, "rules", run.run_id)


def _from_reference(case: Case) -> Iterator[Proposal]:
    """One proposal where a solution is at hand and some run failed, or where there is no run at all.

    It may fail its own checks, and then nobody was to pass them.
    """
    failed = [run for run in case.runs if run.outcome is not Outcome.PASSED]
    if case.task.reference and (failed or not case.runs):
        ranked = sorted(failed, key=lambda run: (run.outcome is not Outcome.FAILED, run.transcript is None))
        run_id = ranked[0].run_id if ranked else None
        yield Proposal(Barrier.REFERENCE_FAILS, Targets(), (), "task", run_id)


def _from_runs(
    case: Case, events: Mapping[str, Events], files: Mapping[str, str] | None, left: list[int]
) -> Iterator[Proposal]:
    for run in case.runs:
        if run.transcript and run.outcome is not Outcome.PASSED:
            yield from _from_run(run, events[run.run_id], Met(case, run, events[run.run_id], files), left)


def _from_run(run: Run, events: Events, met: Met, left: list[int]) -> Iterator[Proposal]:
    seen: set[tuple[int, int, Barrier]] = set()
    order = sorted(range(len(events.commands)), key=lambda index: events.commands[index].kind != "shell")
    last = ending(events.commands)
    for index in order:
        event = events.commands[index]
        for match in _first_and_last(causes(event.output or "", "output"), left):
            if (match.signature.at_end and index not in last) or _in_prose(match, event):
                continue
            citation = _locate(run, event.blocks, match.quote, event.output or "", match.start)
            targets = met.by_command(match, event)
            if targets and citation and (citation.block, citation.start, match.barrier) not in seen:
                seen.add((citation.block, citation.start, match.barrier))
                replayable = index if event.command.strip() else None
                yield _proposal(run, match.barrier, targets, citation, replayable)
        yield from _from_exit_code(run, event, index)
    yield from _from_visits(run, events)
    yield from _from_tracebacks(run, events)
    yield from _from_other_results(run, events, met, left)


def _first_and_last(found: list[Match], left: list[int]) -> list[Match]:
    """What is asked about of all that one text says; how many are `left` out is noted."""
    if len(found) <= MOST_IN_ONE:
        return found
    left.append(len(found) - MOST_IN_ONE)
    placed = sorted(range(len(found)), key=lambda number: found[number].start)
    kept = {*placed[: MOST_IN_ONE // 2], *placed[-MOST_IN_ONE // 2 :]}
    return [match for number, match in enumerate(found) if number in kept]


def _in_prose(match: Match, event: CommandRun) -> bool:
    """Whether only backticks in a text that the run wrote made the shell look for the program."""
    called = [step for step in event.steps if step.command.program in match.targets.programs]
    written = (step.inside == "document" and f"`{step.command.text}`" in event.command for step in called)
    return bool(called) and all(written)


def _from_exit_code(run: Run, event: CommandRun, index: int) -> Iterator[Proposal]:
    """A kill that printed nothing: only the exit code tells of it."""
    if event.exit_code not in _KILLED or not event.command.strip():
        return
    blocks = run.transcript.blocks if run.transcript else ()
    for block in event.blocks:
        for match in _EXIT_CODE.finditer(blocks[block].text):
            if int(match[1]) == event.exit_code:
                start, end = match.span()
                citation = Citation(run_id=run.run_id, block=block, start=start, end=end, quote=match[0])
                commands = (event.command,) if event.kind == "shell" else ()
                yield _proposal(run, Barrier.CRASH, Targets(commands=commands), citation, index)
                return


def _from_visits(run: Run, events: Events) -> Iterator[Proposal]:
    for visit in events.visits:
        host = host_of(visit.url)
        if host and own_machine(host):
            continue
        text = "\n".join(part for part in (visit.title, visit.error, (visit.text or "")[:3000]) if part)
        for match in scan(text, "page"):
            citation = _locate(run, visit.blocks, match.quote)
            if citation:
                targets = match.targets.model_copy(update={"urls": (visit.url,), "hosts": (host,) if host else ()})
                yield _proposal(run, match.barrier, targets, citation, None)


def _from_tracebacks(run: Run, events: Events) -> Iterator[Proposal]:
    """What follows a page in its own block: the harness's last words, which no page shows."""
    blocks = run.transcript.blocks if run.transcript else ()
    for index in dict.fromkeys(block for visit in events.visits for block in visit.blocks):
        text = blocks[index].text
        at = text.find(_TRACEBACK)
        for match in scan(text[at:], "output") if at >= 0 else ():
            if match.barrier is Barrier.HARNESS:
                start, end = at + match.start, at + match.end
                citation = Citation(run_id=run.run_id, block=index, start=start, end=end, quote=match.quote)
                yield _proposal(run, Barrier.HARNESS, match.targets, citation, None)


def _from_other_results(run: Run, events: Events, met: Met, left: list[int]) -> Iterator[Proposal]:
    """Results that belong to no event: nothing that a tool said goes unread.

    What the harness could not run itself was not the agent's to pass: only the harness's own faults count there.
    """
    covered = {block for event in events.commands for block in event.blocks}
    covered |= {block for visit in events.visits for block in visit.blocks}
    for block in run.transcript.blocks if run.transcript else ():
        told = block.role != "assistant" and block.text.startswith(("Observation", "Error", "exitcode"))
        observed = block.kind == "result" or told
        if block.index in covered or not observed:
            continue
        for match in _first_and_last(causes(block.text, "output"), left):
            targets = met.by_result(match, block)
            foreign = block.role == "harness" and match.barrier is not Barrier.HARNESS
            if match.signature.at_end or targets is None or foreign:
                continue
            citation = Citation(
                run_id=run.run_id, block=block.index, start=match.start, end=match.end, quote=match.quote
            )
            yield _proposal(run, match.barrier, targets, citation, None)


def _proposal(run: Run, barrier: Barrier, targets: Targets, citation: Citation, event: int | None) -> Proposal:
    blocks = len(run.transcript.blocks) if run.transcript else 1
    return Proposal(barrier, targets, (citation,), "rules", run.run_id, event, (citation.block + 1) / blocks)


def _locate(run: Run, blocks: tuple[int, ...], quote: str, output: str = "", start: int = 0) -> Citation | None:
    """The quotation's place in one of the blocks, results first."""
    texts = run.transcript.blocks if run.transcript else ()
    for index in reversed(blocks):
        text = texts[index].text
        base = text.find(output) if output else -1
        place = base + start if base >= 0 else text.find(quote)
        if place >= 0 and text[place : place + len(quote)] == quote:
            return Citation(run_id=run.run_id, block=index, start=place, end=place + len(quote), quote=quote)
    return None


def _from_claims(case: Case) -> Iterator[Proposal]:
    for claim in case.claims:
        if claim.score == 1:
            yield from _from_claim(claim)


def _from_claim(claim: Claim) -> Iterator[Proposal]:
    """What a claim of 1 quotes; where it quotes nothing that is known, the bare claim."""
    site = _main_host(claim.text)
    found: dict[tuple[Barrier, Targets], Citation] = {}
    for match in scan(claim.text, "claim"):
        targets = match.targets
        if match.barrier in having(Trait.WEB) | having(Trait.SITED):
            urls = tuple(url for url in urls_of(claim.text) if host_of(url) == site)
            targets = targets.model_copy(update={"urls": urls, "hosts": (site,) if site else ()})
        citation = Citation(run_id=claim.claim_id, block=0, start=match.start, end=match.end, quote=match.quote)
        found.setdefault((match.barrier, targets), citation)
    for (barrier, targets), citation in found.items():
        yield Proposal(barrier, targets, (citation,), "claim", claim.run_id)
    if not found:
        sentence = re.match(r"\s*(.{1,200}?)(?:[.!?]\s|\n|$)", claim.text, re.DOTALL)
        quote = sentence.group(1) if sentence else claim.text[:200]
        start = claim.text.find(quote)
        citation = Citation(run_id=claim.claim_id, block=0, start=start, end=start + len(quote), quote=quote)
        yield Proposal(Barrier.UNSPECIFIED, Targets(), (citation,), "claim", claim.run_id)


def _main_host(text: str) -> str:
    """The host that a claim names most often; archives and search engines only when nothing else is named."""
    hosts = Counter(host_of(url) for url in re.findall(r"https?://[^\s\"'<>)]+", text))
    hosts.pop("", None)
    named = [host for host, _ in hosts.most_common() if not is_neutral(host)]
    return (named or [host for host, _ in hosts.most_common()] or [""])[0]
