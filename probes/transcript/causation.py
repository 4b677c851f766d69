"""What the record says about cause: did this barrier, and nothing else, stop the run?"""

from collections.abc import Sequence
from dataclasses import dataclass

from cases import Case, Citation, Events, Outcome, Run, Transcript
from cases import patterns as re
from cases.answers.asked import question
from cases.answers.equivalence import compare
from cases.endings import patched
from cases.sentences import Sentences
from cases.touches import Trouble, computed_without, left_open, means_to
from probes.barriers import Trait, having
from probes.model import Answer, Barrier, Exclusion, Hypothesis
from probes.transcript.needed import (
    asked_for,
    goal_beside,
    never_read,
    only_files_name,
    only_files_spell,
    only_tests_it,
    shown_as_pointer,
    trouble_of,
    worked_without,
)

say = Sentences(__name__)
_QUOTED = re.compile(r"""[“"`]([^“”"`]{12,400})[”"`]|(?<!\w)'([^']{16,400})'(?!\w)""")


@dataclass(frozen=True)
class Cause:
    """An answer to CAUSED with its reason."""

    answer: Answer
    sentence: str
    citations: tuple[Citation, ...] = ()
    by_need: bool = False
    """Whether it rests on how commands ended, whatever they printed."""


def cause(hypothesis: Hypothesis, case: Case, run: Run, events: Events, exclusions: Sequence[Exclusion] = ()) -> Cause:
    """The record's answer to CAUSED, checked from the cheapest refutation to the only way to a yes."""
    return (
        _placeholder(hypothesis, run, events, exclusions)
        or _answered(hypothesis, case, run, exclusions)
        or _claim_invented(hypothesis, case, run)
        or _stopped(hypothesis, case, run, events)
    )


def _placeholder(hypothesis: Hypothesis, run: Run, events: Events, exclusions: Sequence[Exclusion]) -> Cause | None:
    """A refusal of what the agent never filled in."""
    if hypothesis.barrier not in having(Trait.TYPED) or hypothesis.event is None or hypothesis.run_id != run.run_id:
        return None
    command = events.commands[hypothesis.event].command if hypothesis.event < len(events.commands) else ""
    left = (quoted for item in exclusions if item.pattern == "placeholder" for quoted in item.citations)
    citation = next((quoted for quoted in left if quoted.quote in command), None)
    if citation is None:
        return None
    told = say("causation.agent_typed_placeholder", quote=citation.quote)
    return Cause(Answer.NO, told, (citation,))


def _answered(hypothesis: Hypothesis, case: Case, run: Run, exclusions: Sequence[Exclusion]) -> Cause | None:
    """A run that had the expected answer before it, or gave it, was not stopped by anything that hid it."""
    if hypothesis.barrier in having(Trait.ABOUT_ANSWERS):
        return None
    seen = next((item for item in exclusions if item.decisive), None)
    if seen:
        return Cause(Answer.NO, seen.sentence[:1].lower() + seen.sentence[1:].rstrip("."), seen.citations)
    answer, gold = run.answer, case.task.gold
    if (
        answer
        and answer.strip()
        and gold
        and gold.strip()
        and compare(answer, gold, question(case, run)).likeness == "same"
    ):
        return Cause(Answer.NO, say("causation.run_gave_expected"))
    return None


def _claim_invented(hypothesis: Hypothesis, case: Case, run: Run) -> Cause | None:
    """A claim's evidence that a complete record does not hold is refuted (verdict rule 6)."""
    transcript = run.transcript
    cited = {citation.run_id for citation in hypothesis.citations}
    claims = [claim for claim in case.claims if claim.claim_id in cited and claim.run_id in (None, run.run_id)]
    if hypothesis.proposer != "claim" or run.run_id in cited or not transcript or not transcript.complete:
        return None
    quotes = [quote for claim in claims for quote in _quotations(claim.text)]
    places = {place for quote in quotes if (place := _block_of(quote, transcript)) is not None}
    if not quotes or any(not _spoken_by_agent(transcript, place) for place in places):
        return None
    if places:
        return Cause(Answer.NO, say("causation.what_claim_quotes"))
    return Cause(Answer.NO, say("causation.none_passages_claim", quotes=len(quotes)))


def _quotations(text: str) -> tuple[str, ...]:
    """Spans that a claim puts in quotation marks, at least 12 characters long, each once."""
    spans = (first or second for first, second in _QUOTED.findall(text))
    return tuple(dict.fromkeys(span.strip() for span in spans if " " in span.strip() or ":" in span))


def _plain(text: str) -> str:
    """Text for comparison: escapes undone, quotes and white space alike, lower case."""
    plain = text.replace("\\n", " ").replace("\\t", " ").replace('\\"', '"').replace("\\'", "'")
    return " ".join(re.sub(r"[‘’“”\"'`*]", "", plain).lower().split())


def _block_of(quotation: str, transcript: Transcript) -> int | None:
    """A block that holds the quotation, those of tools first; an ellipsis stands for anything."""
    pieces = [piece for piece in re.split(r"…|\.\.\.", _plain(quotation)) if len(piece.strip()) >= 8]
    for block in sorted(transcript.blocks, key=lambda block: _spoken_by_agent(transcript, block.index)):
        text = _plain(block.text)
        if pieces and all(piece.strip() in text for piece in pieces):
            return block.index
    return None


def _spoken_by_agent(transcript: Transcript, index: int) -> bool:
    """Whether a block is the agent talking, in a record that keeps its tools' results apart."""
    block = transcript.blocks[index]
    return (
        block.role == "assistant"
        and block.kind == "message"
        and any(other.kind == "result" for other in transcript.blocks)
    )


def _stopped(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> Cause:
    cited = {citation.block for citation in hypothesis.citations if citation.run_id == run.run_id}
    if not cited:
        return Cause(Answer.UNKNOWN, say("causation.record_not_show"))
    if run.outcome is not Outcome.FAILED:
        return Cause(Answer.UNKNOWN, say("causation.benchmark_own_score"))
    if hypothesis.barrier in having(Trait.WEB):
        return Cause(Answer.UNKNOWN, say("causation.whether_task_needs"))
    if hypothesis.barrier is Barrier.HARNESS:
        return _ended(run, cited)
    return _needed(hypothesis, case, run, events)


def _needed(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> Cause:
    """Needed by the task and never resolved, whatever the run said or tried afterwards."""
    trouble = trouble_of(hypothesis, case, run, events)
    if trouble is None and (told := _never_had(hypothesis, case, run, events)):
        return Cause(Answer.YES, told, by_need=True)
    if trouble is None or trouble.resolved:
        return Cause(Answer.UNKNOWN, say("causation.what_failed_worked" if trouble else "causation.no_command_failed"))
    asked = asked_for(hypothesis, trouble, case, run, events)
    if asked is None and (changed := only_tests_it(trouble, case, run, events)):
        return Cause(Answer.NO, say("causation.only_tests", lacking=trouble.cause.name[:120], changed=changed[:120]))
    if asked is None:
        name = trouble.cause.name[:120]
        return Cause(Answer.UNKNOWN, say("causation.nothing_agent_told", name=name))
    if doubt := _doubt(asked, trouble, case, run, events):
        return Cause(Answer.UNKNOWN, doubt)
    told = say("causation.task_itself_asks", asked=asked[:120])
    return Cause(Answer.YES, told, by_need=True)


def _never_had(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> str:
    """The file of the task's that the run never read; ends a sentence, empty where there is none."""
    if file := shown_as_pointer(hypothesis, case, run, events):
        return say("causation.only_a_pointer", file=file[:120])
    file = never_read(hypothesis, case, run, events)
    return say("causation.never_read", file=file[:120]) if file else ""


def _doubt(asked: str, trouble: Trouble, case: Case, run: Run, events: Events) -> str | None:
    """Why the task may not need what of it failed; ends a sentence."""
    if spared := _spared(trouble, case, run, events):
        return spared
    command = next(
        (one for one in (trouble.cause, *trouble.with_it) if (one.kind, one.name) == ("command", asked)), None
    )
    if only_files_name(asked, trouble, case) or (command and only_files_spell(command, trouble, case, run, events)):
        return say("causation.only_files_name", asked=asked[:120])
    if command and (data := means_to(command, case, run, events, trouble.cause)):
        return say("causation.one_means", asked=asked[:120], data=data)
    if other := goal_beside(asked, trouble, case, run, events):
        return say("causation.task_asks_failed", other=other[:120], asked=asked[:120])
    if other := worked_without(asked, trouble, case, run, events):
        return say("causation.worked_all_same", other=other[:120], asked=asked[:120])
    return None


def _spared(trouble: Trouble, case: Case, run: Run, events: Events) -> str | None:
    """Why the software that lacked may be needless, by the prompt or by what the run did without it."""
    lacking = trouble.cause.name[:120]
    if words := left_open(case, trouble.cause):
        return say("causation.left_open", words=words[:120], lacking=lacking)
    if own := computed_without(case, run, events, trouble.cause):
        return say("causation.computed_without", own=own[:120], lacking=lacking)
    return None


def _ended(run: Run, cited: set[int]) -> Cause:
    """What the harness met: it stopped a run in which it spoke last, and that gave no answer."""
    blocks = run.transcript.blocks if run.transcript else ()
    agents = run.transcript.agents if run.transcript else frozenset()
    last = max((block.index for block in blocks if block.role in agents or block.kind == "call"), default=-1)
    if last > max(cited):
        return Cause(Answer.UNKNOWN, say("causation.agent_went_after"))
    if run.answer:
        told = say("causation.handed_patch") if patched(run.answer) else say("causation.gave_answer")
        return Cause(Answer.UNKNOWN, say("causation.agent_all_same", told=told))
    return Cause(Answer.YES, say("causation.run_ended_agent"))
