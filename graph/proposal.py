"""From single matches to ranked hypotheses: merged by what they are about, in the order to be questioned."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cases import Case, Citation
from cases.sentences import Sentences
from graph.rubric import RubricChoice, place
from graph.words import statement
from probes import Barrier, Hypothesis, Targets
from probes.barriers import Trait, entries, entry, having

say = Sentences(__name__)

MOST_HYPOTHESES = 12
MOST_FROM_A_MODEL = 3
_PROPOSERS = ("rules", "structure", "task", "claim", "model")
"""Who is named where several proposed the same: records before words about them."""
_TARGETS_KEPT = 6
_CITATIONS_KEPT = 8
_SAME_SUBJECT = ("packages", "modules", "headers", "programs", "paths")


@dataclass(frozen=True)
class Proposal:
    """One match of one signature in one place."""

    barrier: Barrier
    targets: Targets
    citations: tuple[Citation, ...]
    proposer: Literal["structure", "rules", "claim", "model", "task"]
    run_id: str | None = None
    event: int | None = None
    position: float = 0.0
    """Where in its run it stands, from 0 (start) to 1 (end)."""


def rank(
    proposals: Iterable[Proposal], case: Case, choice: RubricChoice
) -> tuple[tuple[Hypothesis, ...], tuple[str, ...]]:
    """Hypotheses, most likely cause first, and notes on what was left out."""
    groups = _grouped(proposals)
    notes: list[str] = []
    placed: list[tuple[tuple[float, ...], Hypothesis]] = []
    for group in groups:
        hypothesis = _merged(group, case, choice)
        if hypothesis is None:
            notes.append(say("hypothesis.other_rubric", rubric=choice, title=entry(group[0].barrier).title))
        else:
            placed.append((_weight(group), hypothesis))
    placed.sort(key=lambda item: (*item[0], item[1].id))
    if len(placed) > MOST_HYPOTHESES:
        notes.append(say("hypothesis.too_many", number=len(placed) - MOST_HYPOTHESES))
    return tuple(hypothesis for _, hypothesis in placed[:MOST_HYPOTHESES]), tuple(dict.fromkeys(notes))


def rank_more(
    proposals: Iterable[Proposal], ranked: Sequence[Hypothesis], case: Case, choice: RubricChoice
) -> tuple[tuple[Hypothesis, ...], tuple[str, ...]]:
    """Hypotheses of a model, to stand after those that rules have `ranked`, without what these are about already."""
    more, notes = rank(proposals, case, choice)
    ids = {hypothesis.id for hypothesis in ranked}
    walls = {host for hypothesis in ranked if entry(hypothesis.barrier).wall for host in hypothesis.targets.hosts}
    fresh = [
        hypothesis
        for hypothesis in more
        if hypothesis.id not in ids
        and not (entry(hypothesis.barrier).wall and walls.intersection(hypothesis.targets.hosts))
    ]
    return tuple(fresh[:MOST_FROM_A_MODEL]), notes


def _weight(group: list[Proposal]) -> tuple[float, ...]:
    """Smaller is more likely: named by a record and a claim alike, by many, and late in the run."""
    sources = {citation.run_id for proposal in group for citation in proposal.citations}
    both = len({proposal.proposer for proposal in group}) > 1
    asserted = group[0].barrier in having(Trait.ASSERTED)
    return (float(asserted), -float(both), -float(len(sources)), -max(proposal.position for proposal in group))


def _grouped(proposals: Iterable[Proposal]) -> list[list[Proposal]]:
    groups: dict[tuple[str, ...], list[Proposal]] = defaultdict(list)
    for proposal in proposals:
        groups[_subject(proposal)].append(proposal)
    return list(_walls_joined(groups).values())


def _subject(proposal: Proposal) -> tuple[str, ...]:
    """What the proposal is about: barrier and main targets; the command that met it where nothing else names it."""
    targets = proposal.targets
    main = next((getattr(targets, field) for field in _SAME_SUBJECT if getattr(targets, field)), None)
    command = targets.commands[:1] if entry(proposal.barrier).about == "commands" else ()
    return (proposal.barrier.value, *(main or targets.hosts[:1] or command))


def _walls_joined(groups: dict[tuple[str, ...], list[Proposal]]) -> dict[tuple[str, ...], list[Proposal]]:
    """A 403, a time-out and a bot wall of one host are one barrier: the most telling name wins."""
    joined = dict(groups)
    ranks = {barrier.value: kind.wall for barrier, kind in entries().items() if kind.wall}
    walls = sorted(ranks, key=ranks.__getitem__)
    hosts = {key[1] for key in groups if len(key) > 1 and key[0] in ranks}
    for host in hosts:
        keys = [(wall, host) for wall in walls if (wall, host) in joined]
        for other in keys[1:]:
            joined[keys[0]] = joined[keys[0]] + joined.pop(other)
    return _pages_joined(joined)


def _pages_joined(groups: dict[tuple[str, ...], list[Proposal]]) -> dict[tuple[str, ...], list[Proposal]]:
    """A page that a run could not use belongs to what words name on the same host, where any do."""
    joined, web = dict(groups), {barrier.value for barrier in having(Trait.WEB)}
    for key in [key for key in groups if key[0] == Barrier.PAGE_UNUSABLE.value]:
        named = next((other for other in joined if other != key and other[0] in web and other[1:] == key[1:]), None)
        if named:
            joined[named] = joined[named] + joined.pop(key)
    return joined


def _merged(group: list[Proposal], case: Case, choice: RubricChoice) -> Hypothesis | None:
    first = next((proposal for proposal in group if proposal.event is not None), group[0])
    barrier = group[0].barrier
    placed = place(barrier, choice, case.benchmark)
    if placed is None:
        return None
    targets = _targets(group)
    rubric, category = placed
    proposer = min((proposal.proposer for proposal in group), key=_PROPOSERS.index)
    found = Hypothesis(
        id=f"{barrier.value}-{_digest([barrier.value, *_subject(group[0])[1:]])}",
        rubric=rubric,
        category=category,
        barrier=barrier,
        statement="",
        targets=targets,
        citations=tuple(dict.fromkeys(citation for proposal in group for citation in proposal.citations))[
            :_CITATIONS_KEPT
        ],
        proposer=proposer,
        run_id=first.run_id,
        event=first.event,
    )
    return found.model_copy(update={"statement": statement(found)})


def _targets(group: list[Proposal]) -> Targets:
    merged = {
        field: tuple(dict.fromkeys(value for proposal in group for value in getattr(proposal.targets, field)))
        for field in Targets.model_fields
    }
    return Targets(**{field: values[:_TARGETS_KEPT] for field, values in merged.items()})


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:8]
