"""A command that fails without a name gets that of its measured facts, or of the pointer that it opened."""

import posixpath
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import prompt_of, texts_of
from cases.touches import POINTER
from cases.touches.names import SOURCE
from cases.touches.origins import sentences
from cases.touches.promises import made_by_run
from probes.barriers import Trait, having
from probes.barriers.measured import in_a_library, licences, names, telling, unnamed
from probes.model import Barrier
from probes.replay.arms.like_named import try_kin
from probes.replay.arms.measuring import refused_calls
from probes.replay.arms.settling import settle
from probes.replay.handlers import handler_of
from probes.replay.handlers.command_fails import CommandDetails
from probes.replay.resources.outcome import Replayed
from probes.replay.resources.run import ReplayRun
from probes.replay.target.blank_columns import blank_columns
from probes.replay.target.contradictions import contradictions
from probes.replay.target.data_parts import own_parts, parts
from probes.replay.target.data_state import EMPTY, foreign, stand_in, states, unopened
from probes.replay.target.needs import gone_to
from probes.replay.target.symptom import last_line, symptoms
from sandboxes import Session
from sandboxes.tracing import Fact

_TESTS_CHANGED = re.compile(
    r"(?i)^(?!.*(?:\b(?:not|never|no|neither|nor|without|unchanged)\b|n['’]t\b)).*(?:"
    r"\b(?:updat|adapt|adjust|rewrit|remov|delet|drop|correct|revis|fix|chang|modif|edit)\w*\s+(?:[\w./-]+\s+){0,2}tests?\b"
    r"|\b(?:outdated|obsolete|stale|old)\s+(?:[\w./-]+\s+){0,2}tests?\b"
    r"|\btests?\b(?:\s+[\w./-]+){0,5}\s+(?:outdated|obsolete|stale|up to date|out of date)\b)"
)
"""A sentence that tells to change tests, or says that they may be out of date."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def _pointer(work: ReplayRun) -> tuple[Barrier, str] | None:
    """A file that the command opened and that is but a pointer to where large files are stored."""
    opened = work.outcome.opened
    if not opened:
        return None
    each = f'for f in {shlex.join(opened)}; do head -c 60 "$f" | grep -q \'^{POINTER}\' && echo "$f"; done 2>/dev/null'
    with work.containers.start(work.spec) as session:
        done = session.run(f"{each}; true", seconds=30)
    found = next((line for line in done.output.splitlines() if line in opened), None)
    return (Barrier.MISSING_DATA, found) if found else None


def rename(work: ReplayRun, decisive: Replayed) -> None:
    """A command that fails without a name gets that of its facts, and with it routes and lifts."""
    if work.subject.barrier in having(Trait.INDIRECT) and (header := _header(work.outcome.facts)):
        _take(work, decisive, *header)
        return
    if work.subject.barrier is Barrier.MISSING_DATA and (sealed := _sealed_before(work, decisive)):
        barrier, expected = work.subject.barrier, work.subject.expected
        _take(work, decisive, *sealed)
        work.subject = replace(work.subject, expected=expected, told_as=barrier)
        return
    if work.subject.barrier not in having(Trait.UNNAMED):
        about = work.subject.handler.measured(work.subject, work.outcome.facts)
        work.subject = replace(work.subject, about=about)
        if work.outcome.facts and work.subject.handler.learns_by_facts(work.subject):
            _learn(work)
        try_kin(work, decisive)
        return
    settled, named = _settled(work, decisive)
    if settled and named and named[0] is Barrier.MISSING_DATA:
        if (module := in_a_library(settled)) and _searched(work, settled):
            named = Barrier.SUPPORT_FILE, module
        elif _looked_for_alone(work, settled):
            named = Barrier.SUPPORT_FILE, posixpath.basename(settled.subject)
    if named:
        _take(work, decisive, *named)
        try_kin(work, decisive)


def _settled(work: ReplayRun, decisive: Replayed) -> tuple[Fact | None, tuple[Barrier, str] | None]:
    """The fact that made a difference, if any did, and the name that it or a pointer gives."""
    details = work.subject.told(CommandDetails)
    wanted = details.names
    facts, pointer = work.outcome.facts, _pointer(work)
    if details.only:
        facts = tuple(fact for fact in facts if posixpath.basename(fact.subject) in wanted)
    opened, called = ((), ()) if pointer else (work.outcome.opened, work.outcome.called)
    with work.containers.start(work.spec) if opened or called else nullcontext() as session:
        series = not _is_the_runs_own(work, decisive.command, opened)
        data = states(session, opened, called, decisive.done.output, series=series) if session else []
        strange = foreign(session, opened, decisive.done.output) if session else []
        lacking = _lacking(work, session, decisive, opened) if session else []
        spoilt = _spoilt(work, session, decisive.command, opened) if session and not details.only else []
    work.outcome.emptied = tuple(fact.subject for fact in data if fact.process == EMPTY)
    data = [fact for fact in data if stand_in(fact)]
    sealed = [fact for fact in data if fact.subject in unopened(called)]
    told = [
        *sealed,
        *telling(facts, wanted),
        *licences(facts, decisive.done.output),
        *strange,
        *(fact for fact in data if fact not in sealed),
        *spoilt,
        *lacking,
    ]
    settled = settle(work, decisive.command, told, unnamed(facts, work.spec.workdir))
    settled = settled or (None if pointer or details.only else _by_a_refusal(work, decisive.command))
    work.outcome.settled = settled
    if settled and settled not in facts:
        work.outcome.facts = (settled, *facts)
    return settled, names(settled) if settled else pointer


def _sealed_before(work: ReplayRun, decisive: Replayed) -> tuple[Barrier, str] | None:
    """The sealed file of which the missing one was to be made by a program that failed in the same command, though its
    words were kept from being seen.
    """
    outcome, name = work.outcome, posixpath.basename(work.subject.about)
    made_by = [one for one in outcome.called if any(posixpath.basename(word) == name for word in one.words[1:])]
    sealed = unopened(made_by)
    if not sealed:
        return None
    with work.containers.start(work.spec) as session:
        found = [one for one in states(session, sealed, made_by, "", series=False) if one.kind == "data sealed"]
    settled = settle(work, decisive.command, found, ())
    if settled:
        outcome.settled, outcome.facts = settled, (settled, *outcome.facts)
    return names(settled) if settled else None


def _is_the_runs_own(work: ReplayRun, command: str, opened: Sequence[str]) -> bool:
    """Whether the run wrote or changed what failed: how that takes what it reads is its own affair."""
    events = work.subject.events
    changed = any(SOURCE.search(path) and made_by_run(path, "", events.commands, events.writes) for path in opened)
    return changed or any(step.command.code for step in steps_of(command))


def _by_a_refusal(work: ReplayRun, command: str) -> Fact | None:
    """The system call that made the difference, where nothing else that was measured did."""
    return settle(work, command, (), refused_calls(work, command))


def _lacking(work: ReplayRun, session: Session, decisive: Replayed, opened: Sequence[str]) -> list[Fact]:
    """What the failing program, or code of the run's own, asked a file of the task's for in vain."""
    said, output = work.outcome.said, decisive.done.output
    if work.subject.told(CommandDetails).only:
        return own_parts(session, decisive.command, opened, said, output, prompt_of(work.context.case))
    return parts(session, decisive.command, opened, said, output, work.subject.events)


def _spoilt(work: ReplayRun, session: Session, command: str, opened: Sequence[str]) -> list[Fact]:
    """Of what the failing program opened, tables without a column's values, and checks that contradict each other."""
    events = work.subject.events
    blank = blank_columns(session, command, opened, events, prompt_of(work.context.case))
    if any(map(_TESTS_CHANGED.search, sentences(prompt_of(work.context.case)))):
        return blank
    return [*blank, *contradictions(session, command, opened, events, work.subject.cwd or work.spec.workdir)]


def _header(facts: Sequence[Fact]) -> tuple[Barrier, str] | None:
    """What a build lacked, in whatever words, where the installer only says that it failed."""
    return next((named for fact in telling(facts) if (named := names(fact)) and named[0] is Barrier.HEADER), None)


def _looked_for_alone(work: ReplayRun, fact: Fact) -> bool:
    """Whether a program looks for a file that neither the task nor the run names: not even a word of it.

    What lies open in the task's own folder may be what some step makes, under a name that code puts together: there it
    is a program's own only where that searched several places elsewhere as well, and said so.
    """
    folder, name = work.spec.workdir.rstrip("/"), posixpath.basename(fact.subject)
    path = fact.subject if fact.subject.startswith("/") else next(iter(fact.places), "")
    inside = f"{path}/".startswith(f"{folder}/") and "/." not in path.removeprefix(folder)
    if not inside:
        return not _named(work, name)
    return any(other.named and _searched(work, other) for other in work.outcome.facts if other.kind == "file missing")


def _searched(work: ReplayRun, fact: Fact) -> bool:
    """Whether a file was looked for in several places outside the task's own folder."""
    folder = work.spec.workdir.rstrip("/")
    return sum(not f"{place}/".startswith(f"{folder}/") for place in fact.places) > 1


def _named(work: ReplayRun, name: str) -> bool:
    """Whether a text, a command or a file of the task's holds a file's name, or a word of it."""
    subject, words = work.subject, _WORD.findall(posixpath.splitext(name)[0])
    texts = [text for _, text in texts_of(work.context.case, None, ())]
    texts += [command.command for command in subject.events.commands]
    texts += [write.content for write in subject.events.writes]
    spelled = [one.lower() for one in (name, *words)]
    if any(one in text.lower() for text in texts for one in spelled):
        return True
    wanted = " ".join(f"-e {shlex.quote(one)}" for one in spelled)
    find = f"timeout 40 grep -rIiqF --exclude-dir=.git {wanted} {shlex.quote(work.spec.workdir)} 2>/dev/null"
    with work.containers.start(work.spec) as session:
        return session.run(f"{find}; test $? != 1", seconds=60).ok


def _take(work: ReplayRun, decisive: Replayed, barrier: Barrier, about: str) -> None:
    handler, output = handler_of(barrier), decisive.done.output
    about = _spelled(about, decisive.command, work.spec.workdir)
    if handler is None or (handler.valid and not handler.valid.fullmatch(about)):
        return
    found = symptoms(barrier, output)
    expected = next((one for one in found if handler.same(one.subject, about)), None) or last_line(output)
    subject = replace(
        work.subject, handler=handler, barrier=barrier, about=about, expected=expected or work.subject.expected
    )
    work.subject = replace(subject, details=handler.known(subject))
    _learn(work)


def _learn(work: ReplayRun) -> None:
    handler = work.subject.handler
    with work.containers.start(work.spec) as session:
        work.outcome.lacking = work.outcome.lacking or handler.lacking(work.trial(session))
        work.subject = replace(work.subject, details=handler.learn(work.trial(session)))


def _spelled(about: str, command: str, workdir: str) -> str:
    """A path as the command spells it, where it does so from where it begins."""
    if not about.startswith("/") or about in command:
        return about
    below = posixpath.relpath(about, posixpath.join(workdir, gone_to(command)))
    return below if re.search(rf"(?<![\w./-]){re.escape(below)}(?![\w.-])", command) else about
