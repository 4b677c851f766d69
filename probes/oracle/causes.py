"""Why a reference solution failed, as measured: what it lacked, or that its own checks refuse what it leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cases.sentences import Sentences
from probes.barriers.measured import named_by
from probes.model import Barrier
from probes.oracle.machine import Box
from probes.oracle.trial import Stage, Trial
from sandboxes.tracing import Fact

say = Sentences(__name__)

Kind = Literal["lacks", "unreached", "refused", "unmarked", "unnamed"]
NETWORK = frozenset({"host unresolved", "refused", "unreachable", "timed out"})


@dataclass(frozen=True)
class Cause:
    """What the trials have in common."""

    kind: Kind
    where: Literal["solution", "checks"]
    fact: Fact | None = None
    """Of the likeliest reason; None where nothing names it."""
    barrier: Barrier | None = None
    about: str = ""
    went_on: bool = False
    """Whether the solution ended well all the same."""
    measured: bool = True
    """Whether it is known what failed inside the solution, if anything."""


def cause_of(trials: Sequence[Trial]) -> Cause:
    """The cause that all traced trials agree on; `unnamed` where they do not."""
    last = trials[-1]
    solved = last.solution is not None and last.solution.done.ok
    in_solution = [trial.solution for trial in trials if trial.solution]
    found = _named(in_solution)
    if found and (not solved or last.mark.passed is None or found[0].kind in NETWORK or _lacking(found[0])):
        return _because(found, "solution", went_on=solved)
    if not solved:
        return Cause("unnamed", "solution")
    if last.mark.passed is None:
        found = _named([trial.checks for trial in trials if trial.checks])
        return _because(found, "checks", went_on=True) if found else Cause("unmarked", "checks")
    inside = _inside_of(in_solution)
    measured = any(stage.traced for stage in in_solution)
    return Cause("refused", "checks", fact=inside, went_on=inside is not None, measured=measured)


def _inside_of(stages: Sequence[Stage]) -> Fact | None:
    """The first fact of any traced stage that names a failure, though others may name another."""
    facts = (fact for stage in stages if stage.traced for fact in stage.facts)
    return next((fact for fact in facts if named_by([fact])), None)


def _lacking(fact: Fact) -> bool:
    """Whether it is something without which a script that goes on can hardly have done its work."""
    return fact.kind in {"program missing", "module missing", "library missing", "package missing", "no space"}


def _named(stages: Sequence[Stage]) -> tuple[Fact, Barrier, str] | None:
    """The fact that names the failure in each of the traced stages, where it is the same one."""
    traced = [stage for stage in stages if stage.traced]
    named = [named_by(stage.facts) for stage in traced]
    if not named or named[0] is None or len(set(named)) > 1:
        return None
    barrier, about = named[0]
    fact = next((one for one in traced[0].facts if named_by([one]) == named[0]), None)
    return (fact, barrier, about) if fact else None


def _because(found: tuple[Fact, Barrier, str], where: Literal["solution", "checks"], *, went_on: bool) -> Cause:
    fact, barrier, about = found
    return Cause("unreached" if fact.kind in NETWORK else "lacks", where, fact, barrier, about, went_on)


def obstacles(box: Box, trials: Sequence[Trial]) -> list[str]:
    """What of ours may have been the reason; clauses. None of it is ever evidence against a benchmark."""
    told = []
    denied = dict.fromkeys(denial for trial in trials for denial in trial.denials)
    if denied:
        told.append(say("causes.our_own_proxy", denied=", ".join(denied)))
    stages = [stage for trial in trials for stage in trial.stages]
    if not box.closed:
        hosts = dict.fromkeys(fact.subject for stage in stages for fact in stage.facts if fact.kind in NETWORK)
        outside = [host for host in hosts if not _local(host)]
        if outside:
            told.append(say("causes.container_here_not", outside=", ".join(outside)))
    told_memory = box.context.envelope.memory_mb.origin != "assumed" and not box.limits
    own = {"memory"} if told_memory else set[str]()
    limits = dict.fromkeys(stage.done.limit for stage in stages if stage.done.limit not in {None, *own})
    told += [say("causes.met_our_own", limit=limit) for limit in limits]
    return told


def _local(subject: str) -> bool:
    return subject.startswith(("127.", "localhost", "::1"))
