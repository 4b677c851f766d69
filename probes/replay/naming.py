"""A command that fails without a name gets that of its measured facts, or of the pointer that it opened."""

import posixpath
import shlex
from dataclasses import replace

from cases import patterns as re
from probes.barriers.measured import names, telling, unnamed
from probes.model import Barrier
from probes.replay.bookkeeping import Work
from probes.replay.data_state import stand_in, states
from probes.replay.kinds import kind_of
from probes.replay.kinds.command_fails import CommandDetails
from probes.replay.needs import gone_to
from probes.replay.outcome import Replayed
from probes.replay.settling import settle
from probes.replay.signature import last_line, signatures

POINTER = "version https://git-lfs.github.com/spec"


def _pointer(work: Work) -> tuple[Barrier, str] | None:
    """A file that the command opened and that is but a pointer to where large files are stored."""
    opened = work.outcome.opened
    if not opened:
        return None
    each = f'for f in {shlex.join(opened)}; do head -c 60 "$f" | grep -q \'^{POINTER}\' && echo "$f"; done 2>/dev/null'
    with work.bench.start(work.spec) as session:
        done = session.run(f"{each}; true", seconds=30)
    found = next((line for line in done.output.splitlines() if line in opened), None)
    return (Barrier.MISSING_DATA, found) if found else None


def rename(work: Work, decisive: Replayed) -> None:
    """A command that fails without a name gets that of its facts, and with it routes and lifts."""
    if work.subject.barrier is not Barrier.COMMAND_FAILS:
        about = work.subject.kind.measured(work.subject, work.outcome.facts)
        work.subject = replace(work.subject, about=about)
        if work.subject.kind.by_facts and work.outcome.facts:
            _learn(work)
        return
    wanted = work.subject.told(CommandDetails).names
    facts, data = work.outcome.facts, states(work)
    told = [*telling(facts, wanted), *(fact for fact in data if stand_in(fact, decisive.command))]
    settled = settle(work, decisive.command, told, unnamed(facts, work.spec.workdir))
    work.outcome.settled = settled
    if settled and settled not in facts:
        work.outcome.facts = (settled, *facts)
    named = names(settled) if settled else _pointer(work)
    if named:
        _take(work, decisive, *named)


def _take(work: Work, decisive: Replayed, barrier: Barrier, about: str) -> None:
    kind, output = kind_of(barrier), decisive.done.output
    about = _spelled(about, decisive.command, work.spec.workdir)
    if kind is None or (kind.valid and not kind.valid.fullmatch(about)):
        return
    found = signatures(barrier, output)
    expected = next((one for one in found if kind.same(one.subject, about)), None) or last_line(output)
    subject = replace(work.subject, kind=kind, barrier=barrier, about=about, expected=expected or work.subject.expected)
    work.subject = replace(subject, details=kind.details())
    _learn(work)


def _learn(work: Work) -> None:
    kind = work.subject.kind
    with work.bench.start(work.spec) as session:
        work.outcome.lacking = work.outcome.lacking or kind.lacking(work.trial(session))
        work.subject = replace(work.subject, details=kind.learn(work.trial(session)))


def _spelled(about: str, command: str, workdir: str) -> str:
    """A path as the command spells it, where it does so from where it begins."""
    if not about.startswith("/") or about in command:
        return about
    below = posixpath.relpath(about, posixpath.join(workdir, gone_to(command)))
    return below if re.search(rf"(?<![\w./-]){re.escape(below)}(?![\w.-])", command) else about
