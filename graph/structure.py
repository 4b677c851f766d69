"""From what failed in a run and never worked later to hypotheses, whatever its words and language."""

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from cases import Case, Citation, CommandRun, Events, Outcome, Run
from cases.failing.commands import IDLE
from cases.shell import Step, looks
from cases.touches import (
    Touch,
    Trouble,
    canonical,
    goals_of,
    head,
    idle,
    installs,
    looks_complained,
    touches_of,
    troubles_of,
)
from cases.touches.likeness import alike
from graph.proposal import Proposal
from probes import Barrier, Targets

TROUBLES = 3
"""Of one run, the likeliest first."""
_FIELDS = {"file": "paths", "program": "programs", "module": "modules", "package": "packages", "host": "hosts"}
_QUOTED = 200


def from_troubles(
    case: Case, events: Mapping[str, Events], named: Sequence[Proposal], files: Mapping[str, str] | None = None
) -> list[Proposal]:
    """What signatures named, and what they have no name for, one cause once.

    A failure that only met somebody's attempt to get past an earlier one is evidence about that one: its quotations go
    there, and it is no proposal of its own. A trouble that no signature names becomes one without a name.
    """
    kept = [proposal for proposal in named if proposal.run_id is None or proposal.event is None]
    for run in case.runs:
        mine = [one for one in named if one.run_id == run.run_id and one.event is not None]
        if run.transcript is None or run.outcome is Outcome.PASSED:
            kept += mine
        else:
            kept += _of_run(case, run, events[run.run_id], files, mine)
    return kept


def _of_run(
    case: Case, run: Run, events: Events, files: Mapping[str, str] | None, named: list[Proposal]
) -> Iterator[Proposal]:
    troubles = troubles_of(case, run, events, files)
    open_ones = [one for one in troubles if not one.resolved and one.cause.origin != "displayed"]
    leading = [one for one in open_ones if one.goal] or open_ones
    ordered = events.in_order
    place_of = {id(event): place for place, event in enumerate(ordered)}
    told = set[int]()
    best = {place: number for one in leading for number, place in enumerate(_plainest(ordered, one))}
    at = {index: place_of[id(event)] for index, event in enumerate(events.commands)}
    leads = {id(one) for one in leading}
    given = [touch for touch in touches_of(case, run, events, files) if _given(touch)]
    before = [one for one in open_ones if id(one) not in leads and _forerunner(events, one, leading, given)]
    kept = {*leads, *map(id, before)}
    others = (one for one in open_ones if id(one) not in kept and one.cause.origin == "agent")
    complained = cache(lambda index: looks_complained(events.commands[index]))
    past_it = {place for one in others for place in (*one.events, *one.attempts)}
    past_it |= {place for one in leading for place in set(one.attempts).difference(one.events)}
    tried = {place for one in troubles if one.resolved for place in one.attempts}
    past_it |= {place for place in tried if _installs(ordered[place])}
    met = defaultdict[int, list[Trouble]](list)
    for one in leading:
        for place in one.events:
            met[place].append(one)
    for proposal in sorted(named, key=lambda one: best.get(at[one.event] if one.event is not None else -1, len(best))):
        place = place_of[id(events.commands[proposal.event])] if proposal.event is not None else -1
        looked = proposal.event is not None and _only_looked(proposal, complained(proposal.event))
        if place in past_it or looked or any(_is_other_name(proposal, one) for one in met.get(place, ())):
            continue
        told.add(place)
        yield proposal
    unnamed = [one for one in leading if not _says_it_all(ordered, one, told.intersection(one.events))]
    covered = defaultdict[str, set[int]](set)
    for one in leading:
        for touch in one.with_it if one not in unnamed else ():
            covered[touch.name if touch.kind == "command" else ""].update(told.intersection(one.events))
    passed = {touch for one in troubles if one.resolved for touch in _told(one)}
    heads = {head(touch.name) for touch in passed} - {head(touch.name) for one in open_ones for touch in _told(one)}
    asked = [
        one
        for one in unnamed
        if not _says_it_all(ordered, one, covered[one.cause.name]) and (_asked_for(one) or _calls(one, heads))
    ]
    asked = _one_a_goal(events, asked)
    asked = [*asked, *(one for one in before if asked and not told.intersection(one.events))][:TROUBLES]
    past = {place for one in troubles if one.resolved for place in one.events}
    if not asked and told <= past:
        last = _last_doing(events)
        ways = (_ended_on(events, last, one, given) or _only_failed(events, one, given) for one in open_ones)
        asked = [one for one, so in zip(open_ones, ways, strict=True) if so or _lies_where_told(one, given)][:1]
    for trouble in asked:
        yield from _unnamed(run, events, trouble)
    if not asked and not any(one.goal and told.intersection(one.events) for one in leading):
        yield from _untold(case, run, events, files)


def _forerunner(events: Events, trouble: Trouble, leading: Sequence[Trouble], given: Sequence[Touch]) -> bool:
    """Whether it failed at work on a file of the task's before what the task asks for failed: nothing was to be passed
    then, and that may have lacked what this was to make.
    """
    first = min((one.events[0] for one in leading if one.goal), default=-1)
    place = trouble.events[0]
    if place > first or trouble.looked or not any(place in touch.events for touch in given if touch.kind == "file"):
        return False
    commands = [one.name for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    return any(
        canonical(step.command) in commands and not idle(step.command) for step in _steps(events.in_order[place])
    )


def _one_a_goal(events: Events, troubles: Sequence[Trouble]) -> list[Trouble]:
    """Of several nameless failures of the same told command the last one: what failed before it was got past.

    Called plainly where it ever was, not as another user, under another program or with settings of the run's own.
    """
    last: dict[tuple[str, ...], Trouble] = {}
    for one in troubles:
        goals = tuple(
            touch.name for touch in (one.cause, *one.with_it) if touch.kind == "command" and touch.origin == "task"
        ) or (one.cause.kind, one.cause.name)
        known = last.get(goals)
        if known is None or _latest(events, one, goals) > _latest(events, known, goals):
            last[goals] = one
    return [one for one in troubles if one in last.values()]


def _latest(events: Events, trouble: Trouble, goals: Collection[str]) -> tuple[bool, int]:
    ordered = events.in_order
    steps = ((place, step) for place in trouble.events for step in _steps(ordered[place]))
    asked = ((place, step.command) for place, step in steps if canonical(step.command) in goals)
    plain = [place for place, command in asked if not command.wrappers and not command.assignments]
    return bool(plain), max(plain or trouble.events)


def _steps(event: object) -> tuple[Step, ...]:
    return event.steps if isinstance(event, CommandRun) else ()


def _untold(case: Case, run: Run, events: Events, files: Mapping[str, str] | None) -> Iterator[Proposal]:
    """A command that the task spells and of which the record does not tell how it ended: the machine will."""
    goals = [one for one in goals_of(case, run, events, files) if one.origin == "task" and one.outcome == "never"]
    for goal in goals[:1]:
        event = events.in_order[goal.events[-1]]
        if isinstance(event, CommandRun) and event.kind == "shell" and not event.only_looks:
            index = next(index for index, command in enumerate(events.commands) if command is event)
            targets, said = Targets(commands=(event.command,)), _last_line(run, event) if event.output else None
            citations = (said,) if said else ()
            yield Proposal(Barrier.COMMAND_FAILS, targets, citations, "structure", run.run_id, index, 0.0)


def _given(touch: Touch) -> bool:
    return touch.origin == "task" and touch.kind in ("file", "host", "page")


def _last_doing(events: Events) -> int:
    """The last event in which the run did something; -1 where there is none."""
    ordered = events.in_order
    for place in range(len(ordered) - 1, -1, -1):
        event = ordered[place]
        if not (isinstance(event, CommandRun) and event.kind == "shell" and all(map(_idle, event.steps))):
            return place
    return -1


def _ended_on(events: Events, last: int, trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether the last thing that the run did is this failing command, on something of the task's, not in own code."""
    ended = last in trouble.events and any(last in touch.events for touch in given)
    return ended and _not_of_its_own(events, last)


def _only_failed(events: Events, trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether a goal's failing command is about a file of the task's with which nothing worked, not in own code."""
    failed = [touch for touch in given if touch.kind == "file" and touch.outcome != "worked"]
    places = {place for touch in failed for place in touch.events}.intersection(trouble.events)
    return trouble.goal and bool(places) and _not_of_its_own(events, max(places))


def _lies_where_told(trouble: Trouble, given: Sequence[Touch]) -> bool:
    """Whether it is about a file that the machine showed in a folder of the task's; whether it is needed is open."""
    folders = {touch.name for touch in given if touch.kind == "file"}
    shown = trouble.cause.kind == "file" and trouble.cause.origin == "environment" and not trouble.looked
    return shown and posixpath.dirname(trouble.cause.name) in folders


def _not_of_its_own(events: Events, place: int) -> bool:
    """Whether it is a command of the shell that runs no code of the run's own."""
    last = events.in_order[place]
    if not isinstance(last, CommandRun) or last.kind != "shell":
        return False
    wrote = {posixpath.basename(write.path) for write in events.writes}
    codes = (
        step.command.code or (step.command.file and posixpath.basename(step.command.file.text) in wrote)
        for step in last.steps
    )
    return not any(codes)


def _idle(step: Step) -> bool:
    return looks(step.command) or step.command.program in IDLE


def _installs(event: object) -> bool:
    """Whether it does nothing but install something."""
    acting = [step.command for step in _steps(event) if not looks(step.command) and step.command.program not in IDLE]
    return bool(acting) and all(installs(command) for command in acting)


def _told(trouble: Trouble) -> list[Touch]:
    """Commands of it that the task spells or is about."""
    touches = (trouble.cause, *trouble.with_it)
    return [touch for touch in touches if touch.kind == "command" and touch.origin == "task"]


def _calls(trouble: Trouble, heads: Collection[tuple[str, ...]]) -> bool:
    """Whether it is another call of what the task tells to run, with which the run got past what had stopped that."""
    commands = (one for one in (trouble.cause, *trouble.with_it) if one.kind == "command")
    return trouble.goal and any(head(one.name) in heads for one in commands)


def _asked_for(trouble: Trouble) -> bool:
    """Whether the task itself tells to run the command, or names the thing."""
    commands = [one for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    if (
        trouble.looked
        and trouble.cause.kind not in ("file", "program")
        and not any(one.origin == "task" for one in commands)
    ):
        return False
    told = trouble.goal and (any(one.origin == "task" for one in commands) or _never_reached(trouble))
    return told or (trouble.cause.kind != "command" and trouble.cause.origin == "task")


def _never_reached(trouble: Trouble) -> bool:
    """Whether it is about a host that the task names and that never answered."""
    return any(one.kind == "host" and one.origin == "task" and one.outcome == "failed" for one in trouble.with_it)


def _plainest(ordered: Sequence[object], trouble: Trouble, *, last: bool = False) -> list[int]:
    """The failures of a trouble, that of the command with the fewest acting steps first, of equals one that was called
    plainly and surely failed, the first or the `last` of these.
    """

    return sorted(trouble.events, key=lambda place: (*_effort(ordered[place]), -place if last else place))


def _effort(event: object) -> tuple[int, bool, bool]:
    """Its acting steps, whether it gives one settings of the run's own, and whether the record leaves its end open."""
    acting = [step.command for step in _steps(event) if not looks(step.command)]
    wrapped = any(command.wrappers or command.assignments for command in acting)
    return len(acting), wrapped, isinstance(event, CommandRun) and event.failed != "yes"


def _says_it_all(ordered: Sequence[object], trouble: Trouble, told: Collection[int]) -> bool:
    """Whether what is told of these places tells what stopped a trouble's plainest call, too: not where the run had put
    more into each of them, and they failed in other words.
    """
    first = _plainest(ordered, trouble)[0]
    plain = _effort(ordered[first])[:2]
    more = trouble.goal and first not in told and all(_effort(ordered[place])[:2] > plain for place in told)
    return bool(told) and not (more and not any(alike(ordered[first], ordered[place]) for place in told))


def _is_other_name(proposal: Proposal, trouble: Trouble) -> bool:
    """Whether what failed there has only another name in a proposal: told of that trouble, then."""
    if trouble.cause.kind not in _FIELDS:
        return False
    names = getattr(proposal.targets, _FIELDS[trouble.cause.kind])
    if not names or trouble.cause.name in names:
        return False
    return {touch.name for touch in trouble.with_it if touch.kind == trouble.cause.kind}.issuperset(names)


def _only_looked(proposal: Proposal, lines: frozenset[str]) -> bool:
    """Whether all that it quotes is what somebody missed who looked at what became of work that had failed."""
    return bool(lines and proposal.citations) and all(
        any(citation.quote in line for line in lines) for citation in proposal.citations
    )


def _unnamed(run: Run, events: Events, trouble: Trouble) -> Iterator[Proposal]:
    """The last failing command of a trouble, with what its failure names."""
    ordered = events.in_order
    failing = [ordered[place] for place in _plainest(ordered, trouble, last=True)]
    command = next((event for event in failing if isinstance(event, CommandRun) and event.command.strip()), None)
    if command is None:
        return
    field = _FIELDS.get(trouble.cause.kind)
    targets = Targets(commands=(command.command,) if command.kind == "shell" else ())
    if field:
        targets = targets.model_copy(update={field: (trouble.cause.name,)})
    citation = _last_line(run, command)
    index = next(index for index, event in enumerate(events.commands) if event is command)
    blocks = len(run.transcript.blocks) if run.transcript else 1
    position = (command.blocks[-1] + 1) / blocks
    citations = (citation,) if citation else ()
    yield Proposal(Barrier.COMMAND_FAILS, targets, citations, "structure", run.run_id, index, position)


def _last_line(run: Run, command: CommandRun) -> Citation | None:
    """The last thing that a failing command printed, or else the command itself."""
    blocks = run.transcript.blocks if run.transcript else ()
    lines = [line.strip() for line in (command.output or "").splitlines() if line.strip()]
    for quote in (*(line[:_QUOTED] for line in reversed(lines)), command.command.strip()[:_QUOTED]):
        for index in reversed(command.blocks):
            start = blocks[index].text.rfind(quote)
            if start >= 0:
                return Citation(run_id=run.run_id, block=index, start=start, end=start + len(quote), quote=quote)
    return None
