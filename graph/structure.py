"""From what failed in a run and never worked later to hypotheses, whatever its words and language."""

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from cases import Case, Citation, CommandRun, Events, Outcome, Run
from cases.touches import (
    POINTER,
    Touch,
    Trouble,
    goals_of,
    head,
    looks_complained,
    own_code,
    shows_pointer,
    touches_of,
    troubles_of,
)
from graph.proposal import Proposal
from graph.steps import last_doing, only_asks, only_installs, plainest, says_it_all
from graph.wanted import (
    calls_asked,
    ended_on,
    failed_on,
    is_asked_for,
    is_at_work,
    is_forerunner,
    is_given,
    lies_where_told,
    one_a_goal,
    only_failed,
    told_commands,
    untold_at_work,
)
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
            kept += _FailedRun(case, run, events[run.run_id], files).proposals(mine)
    return kept


@dataclass(frozen=True)
class _FailedRun:
    """One failed run with what failed in it."""

    case: Case
    run: Run
    events: Events
    files: Mapping[str, str] | None

    def proposals(self, named: Sequence[Proposal]) -> Iterator[Proposal]:
        """What of the `named` is no mere attempt to get past something, then what nothing of it tells."""
        yield from _pointers(self.run, self.events, self.given)
        told = defaultdict[int, list[str]](list)
        for place, proposal in self._leading(named):
            told[place] += [citation.quote for citation in proposal.citations]
            yield proposal
        nameless = self._nameless(told)
        for trouble in nameless:
            yield from _unnamed(self.run, self.events, trouble)
        if not nameless and not any(one.goal and not told.keys().isdisjoint(one.events) for one in self.leading):
            untold = list(_untold(self.case, self.run, self.events, self.files, self.given))
            yield from untold
            if not untold:
                yield from list(self._at_work(looks=not told)) or self._on_a_given_file(told)

    def _on_a_given_file(self, told: Collection[int]) -> Iterator[Proposal]:
        """The run's own code or command that failed on a file of the task's: asked for what is measured of that, also
        where the run read some of it later.
        """
        if told and any(one.cause.origin != "agent" for one in self.leading):
            return
        read = [one for one in self.troubles if one.resolved and one.cause.kind == "file"]
        blamed = [one for one in (*self.stayed, *read) if one.cause.kind == "file" and is_given(one.cause)]
        others = [one for one in self.stayed if one.cause.kind != "program" and one not in blamed]
        asked = [*blamed, *(one for one in others if set(told).isdisjoint(one.events))]
        files = ((one, file) for one in asked for file in failed_on(self.events, one, self.given))
        found = [(one, file, self._spelling(one, file)) for one, file in files]
        for one, file, places in sorted(found, key=lambda each: not each[2])[:1]:
            about = one.model_copy(update={"events": places or one.events})
            yield from (
                replace(each, barrier=Barrier.OWN_CODE_FAILS, targets=Targets(paths=(file,)))
                for each in _unnamed(self.run, self.events, about)
            )

    def _spelling(self, trouble: Trouble, path: str) -> tuple[int, ...]:
        """Where of it the file is named by its whole path: not a copy in another place."""
        events = ((place, self.ordered[place]) for place in trouble.events)
        return tuple(place for place, event in events if isinstance(event, CommandRun) and path in event.command)

    def _at_work(self, *, looks: bool) -> Iterator[Proposal]:
        """The first command that failed at work on a file of the task's with which nothing else worked: what is told
        only stood in the way of the run's attempts to do without. Where nothing is told, one that `looks`.
        """
        if any(one.cause.origin in ("task", "displayed") for one in self.leading):
            return
        for one in sorted(self.stayed, key=lambda one: one.events[0]):
            only_looked = all(only_asks(self.ordered[place]) for place in one.events)
            if (only_looked or not looks) and one.cause.kind == "command" and is_at_work(self.events, one, self.given):
                yield from _unnamed(self.run, self.events, one)
                return

    @cached_property
    def ordered(self) -> Sequence[object]:
        """All that happened."""
        return self.events.in_order

    @cached_property
    def troubles(self) -> Sequence[Trouble]:
        """All that failed, whether it worked later or not."""
        return troubles_of(self.case, self.run, self.events, self.files)

    @cached_property
    def stayed(self) -> list[Trouble]:
        """What never worked later."""
        return [one for one in self.troubles if not one.resolved and one.cause.origin != "displayed"]

    @cached_property
    def leading(self) -> list[Trouble]:
        """What failed of what the task asks for; where nothing did, all but what only asked about the machine."""
        acting = [one for one in self.stayed if not all(only_asks(self.ordered[place]) for place in one.events)]
        return [one for one in self.stayed if one.goal] or acting or self.stayed

    @cached_property
    def given(self) -> list[Touch]:
        """What the task gave."""
        return [one for one in touches_of(self.case, self.run, self.events, self.files) if is_given(one)]

    @cached_property
    def before(self) -> list[Trouble]:
        """What came before, and may have made what lacked there."""
        leads = {id(one) for one in self.leading}
        return [
            one
            for one in self.stayed
            if id(one) not in leads and is_forerunner(self.events, one, self.leading, self.given)
        ]

    @cached_property
    def past_it(self) -> set[int]:
        """Places where the run only tried to get past something."""
        kept = {id(one) for one in (*self.leading, *self.before)}
        others = [one for one in self.stayed if id(one) not in kept and one.cause.origin == "agent"]
        tried = {place for one in self.troubles if one.resolved for place in one.attempts}
        return {
            *(place for one in others for place in (*one.events, *one.attempts)),
            *(place for one in self.leading for place in set(one.attempts).difference(one.events)),
            *(place for place in tried if only_installs(self.ordered[place])),
        }

    def _leading(self, named: Sequence[Proposal]) -> Iterator[tuple[int, Proposal]]:
        """The named ones with their places, those about the likeliest trouble's plainest call first."""
        place_of = {id(event): place for place, event in enumerate(self.ordered)}
        at = [place_of[id(event)] for event in self.events.commands]
        best = {place: number for one in self.leading for number, place in enumerate(plainest(self.ordered, one))}
        complained = cache(lambda index: looks_complained(self.events.commands[index]))
        met = defaultdict[int, list[Trouble]](list)
        for one in self.leading:
            for place in one.events:
                met[place].append(one)
        placed = [(one.event, one) for one in named if one.event is not None]
        for index, proposal in sorted(placed, key=lambda each: best.get(at[each[0]], len(best))):
            place = at[index]
            other_name = any(_is_other_name(proposal, one) for one in met.get(place, ()))
            if not (place in self.past_it or other_name or _only_looked(proposal, complained(index))):
                yield place, proposal

    def _nameless(self, told: Mapping[int, Sequence[str]]) -> list[Trouble]:
        """The troubles that are worth asking and of which nothing is told yet."""
        asked = one_a_goal(self.events, self._unspoken(told))
        asked = [*asked, *(one for one in self.before if asked and not set(told).intersection(one.events))][:TROUBLES]
        past = {place for one in self.troubles if one.resolved for place in one.events}
        if asked or not past.issuperset(told):
            return asked
        last = last_doing(self.events)
        return [
            one
            for one in self.stayed
            if ended_on(self.events, last, one, self.given)
            or only_failed(self.events, one, self.given)
            or lies_where_told(one, self.given)
        ][:1]

    def _unspoken(self, told: Mapping[int, Sequence[str]]) -> list[Trouble]:
        """Those that the task asks for and that none of what is told covers: what is told of a line that did more than
        one thing must stand in what such a call printed alone, too.
        """
        places = set(told)
        unnamed = [one for one in self.leading if not says_it_all(self.ordered, one, places.intersection(one.events))]
        covered = defaultdict[str, set[int]](set)
        for one in self.leading:
            for touch in one.with_it if one not in unnamed else ():
                covered[touch.name if touch.kind == "command" else ""].update(places.intersection(one.events))
        passed = {touch for one in self.troubles if one.resolved for touch in told_commands(one)}
        stayed = {head(touch.name) for one in self.stayed for touch in told_commands(one)}
        heads = {head(touch.name) for touch in passed} - stayed

        def covering(one: Trouble) -> set[int]:
            event = self.ordered[plainest(self.ordered, one)[0]]
            alone = (event.output or "") if isinstance(event, CommandRun) else ""
            here = covered[one.cause.name]
            return {place for place in here if place in one.events or not told[place] or _stands(told[place], alone)}

        return [
            one
            for one in unnamed
            if not says_it_all(self.ordered, one, covering(one)) and (is_asked_for(one) or calls_asked(one, heads))
        ]


def _stands(quotes: Sequence[str], output: str) -> bool:
    return any(quote in output for quote in quotes)


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
    failing = [ordered[place] for place in plainest(ordered, trouble, last=True)]
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


def _pointers(run: Run, events: Events, given: Sequence[Touch]) -> Iterator[Proposal]:
    """Files that the task gives, and commands at work on them that showed a pointer to where large files are kept."""
    ordered, asked = events.in_order, set[str]()
    files = [touch for touch in given if touch.kind == "file" and not set(touch.name) & set("*?[$")]
    for touch in sorted(files, key=lambda one: not one.name.startswith("/")):
        about = [one for place in reversed(touch.events) if isinstance(one := ordered[place], CommandRun)]
        shown = [one for one in about if not one.only_looks and shows_pointer(one)]
        name = posixpath.basename(touch.name)
        if not shown or name in asked:
            continue
        asked.add(name)
        event = next((one for one in about if one.failed == "yes" and not one.only_looks), shown[0])
        index = next(index for index, command in enumerate(events.commands) if command is event)
        quoted = _cited(run, event, (POINTER,))
        yield Proposal(
            Barrier.OWN_CODE_FAILS, Targets(paths=(touch.name,)), quoted, "structure", run.run_id, index, 1.0
        )


def _untold(
    case: Case, run: Run, events: Events, files: Mapping[str, str] | None, given: Sequence[Touch]
) -> Iterator[Proposal]:
    """A command that the task spells, or else one at a file of its own, of which the record does not tell how it ended:
    the machine will.
    """
    never = (one for one in goals_of(case, run, events, files) if one.origin == "task" and one.outcome == "never")
    goals = [one for one in never if not own_code(events, one.events[-1])]
    ends = [events.in_order[goal.events[-1]] for goal in goals[:1]] or untold_at_work(events, given)[:1]
    for event in ends:
        if isinstance(event, CommandRun) and event.kind == "shell" and not event.only_looks:
            index = next(index for index, command in enumerate(events.commands) if command is event)
            targets, said = Targets(commands=(event.command,)), _last_line(run, event) if event.output else None
            citations = (said,) if said else ()
            yield Proposal(Barrier.COMMAND_FAILS, targets, citations, "structure", run.run_id, index, 0.0)


def _last_line(run: Run, command: CommandRun) -> Citation | None:
    """The last thing that a failing command printed, or else the command itself."""
    lines = [line.strip() for line in (command.output or "").splitlines() if line.strip()]
    quotes = (*(line[:_QUOTED] for line in reversed(lines)), command.command.strip()[:_QUOTED])
    return next(iter(_cited(run, command, quotes)), None)


def _cited(run: Run, command: CommandRun, quotes: Sequence[str]) -> tuple[Citation, ...]:
    """The first of some texts that stands in a command's blocks."""
    blocks = run.transcript.blocks if run.transcript else ()
    for quote in quotes:
        for index in reversed(command.blocks):
            start = blocks[index].text.rfind(quote)
            if start >= 0:
                return (Citation(run_id=run.run_id, block=index, start=start, end=start + len(quote), quote=quote),)
    return ()
