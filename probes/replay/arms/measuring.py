"""Facts of the failing command: once more under the tracer, in a container of its own.

And whether a command without one of them got past its failure: the fact is gone, and so is what it then said.
"""

import json
import posixpath
from collections.abc import Sequence

from cases import patterns as re
from cases.failing import errors_in, root_in
from cases.sentences import Sentences
from probes.replay.resources.outcome import Outcome
from probes.replay.resources.run import COMMAND_SECONDS, ReplayRun
from probes.replay.routes.judging import short
from probes.replay.target.symptom import without_changes
from sandboxes import Executed, SandboxError, Session
from sandboxes.tracing import Fact, Traced, trace

say = Sentences(__name__)

NAME = "replay-trace.txt"
MEASURED = ("facts", "opened", "said", "ended", "loaded", "beside", "called")
"""What the outcome holds of a trace."""
AT_LEAST = 30
"""Seconds for any command under the tracer."""
SLOWER = 30
"""How many times as long as without the tracer a command may take."""


def measure(work: ReplayRun, command: str) -> None:
    """Leave the facts of the failing command in the outcome; where nothing can be traced, say so and go on."""
    try:
        with work.containers.start(work.spec) as session:
            traced = traced_in(work, session, command, _longest(work))
    except SandboxError as error:
        work.outcome.limits.append(say("measuring.facts_failure_could", error=error))
        return
    for name in MEASURED:
        setattr(work.outcome, name, getattr(traced, name))
    log = f"$ {command}\n{json.dumps([fact.model_dump() for fact in traced.facts], indent=1)}\n{traced.log}"
    artifact = work.context.store.put(log, NAME, "text/plain")
    work.outcome.artifacts.append(artifact)
    told = "; ".join(str(fact) for fact in traced.facts if fact.named) or "no name that anybody printed"
    work.observe("facts", f"`{short(command)}`: {told}", traced.done.seconds, artifact.sha256)


def _longest(work: ReplayRun) -> float:
    """Seconds for the failing command under the tracer, which ends only with the last process that is left behind."""
    decisive = work.outcome.decisive
    return min(COMMAND_SECONDS, AT_LEAST + SLOWER * decisive.done.seconds) if decisive else COMMAND_SECONDS


def traced_in(
    work: ReplayRun,
    session: Session,
    command: str,
    most: float = COMMAND_SECONDS,
    *,
    refused: bool = False,
    granted: str = "",
) -> Traced:
    """One command under the tracer, for so many seconds at most; what is `refused` or `granted`, see `trace`.

    Raises:
        SandboxError: there is no tracer, or it cannot trace in this container.
    """
    tracer = work.shop.tracer(work.context.say, offline=work.context.settings.offline)
    seconds, shell = work.seconds(most), work.subject.shell
    return trace(session, tracer, command, seconds=seconds, shell=shell, refused=refused, granted=granted)


def refused_calls(work: ReplayRun, command: str) -> tuple[Fact, ...]:
    """The system calls of the failing command that the container's policy refuses; none where it cannot be traced."""
    try:
        with work.containers.start(work.spec) as session:
            traced = traced_in(work, session, command, AT_LEAST, refused=True)
    except SandboxError:
        return ()
    return tuple(fact for fact in traced.facts if fact.kind == "not permitted")


def gone(fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether a fact is none any more."""
    return fact.key not in {one.key for one in facts}


def past(outcome: Outcome, traced: Traced) -> bool:
    """Whether a command traced elsewhere gets past its failure: it works, ends otherwise, fails in new words, or begins
    to fail in another program, which the one that failed before has run.
    """
    decisive = outcome.decisive
    if decisive is None:
        return False
    further = bool(outcome.ended and traced.ended) and set(outcome.ended).isdisjoint(traced.ended)
    further = further and set(outcome.ended) <= {posixpath.basename(one.words[0]) for one in traced.called if one.words}
    return ends_otherwise(decisive.done, traced) or speaks_otherwise(outcome, traced) or further


def ends_otherwise(before: Executed, traced: Traced) -> bool:
    """Whether it ends with another exit code, or nothing fails any more behind one that is 0 all the same."""
    return traced.done.exit_code != before.exit_code or (before.ok and not traced.said)


def speaks_otherwise(outcome: Outcome, traced: Traced) -> bool:
    """Whether what fails says a line that was not there before, what led to its exception is another one, or none of
    the system's errors that it said then and something else at its end: a warning that is gone is no step further.
    """
    shown = outcome.decisive.done.output if outcome.decisive else ""
    known = {_plain(line) for line in (*outcome.said, *shown.splitlines())}
    before = errors_in(shown)
    other = (
        bool(before) and before.isdisjoint(errors_in(traced.done.output)) and _end(shown) != _end(traced.done.output)
    )
    led, leads = root_in(shown), root_in(traced.done.output)
    return other or _others(led, leads) or any(_plain(line) not in known for line in traced.said)


def _others(before: str | None, now: str | None) -> bool:
    return before is not None and now is not None and _plain(before) != _plain(now)


def _end(output: str) -> str:
    return next((_plain(line) for line in reversed(output.splitlines()) if line.strip()), "")


def _plain(line: str) -> str:
    """Without what changes from run to run, names of temporary files too."""
    return without_changes(re.sub(r"/tmp/[\w.-]+", "/tmp/#", line))  # noqa: S108
