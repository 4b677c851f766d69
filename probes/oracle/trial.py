"""One trial: a fresh machine, the solution or nothing in it, then the checks, as the harness does it."""

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cases.folders import Part
from cases.sentences import Sentences
from probes.oracle.machine import Box
from probes.oracle.marks import REWARDS, Mark, mark_of
from sandboxes import Executed, SandboxError, Session, Spec
from sandboxes.spec import HELD
from sandboxes.tracing import Fact, trace

say = Sentences(__name__)

PLACE = f"{HELD}/oracle"
SAID = f"{PLACE}/said"
KEPT = 200_000
"""Bytes of what one part printed."""
STEP_SECONDS = 300
SLOWER = 5
"""How many times as long something may take under the tracer."""


@dataclass(frozen=True)
class Stage:
    """The solution or the checks, once run."""

    done: Executed
    output: str
    facts: tuple[Fact, ...] = ()
    traced: bool = False

    @property
    def ended(self) -> str:
        """How, in words."""
        return self.done.how


@dataclass(frozen=True)
class Trial:
    """What became of one machine."""

    name: str
    mark: Mark
    solution: Stage | None = None
    checks: Stage | None = None
    denials: tuple[str, ...] = ()
    """What our own proxy refused."""
    before: str = ""
    """What was to be done before and failed; a clause."""
    log: str = ""
    profile: Mapping[str, Any] = field(default_factory=dict)
    """What the container was in effect."""
    alive: Executed | None = None
    """A trivial command, where nothing else was done before the checks."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Those that were run."""
        return tuple(stage for stage in (self.solution, self.checks) if stage)

    @property
    def hung(self) -> bool:
        """Whether the tracer itself kept it from ending."""
        return any(stage.traced and stage.done.timed_out for stage in self.stages)


def trial(
    box: Box,
    name: str,
    *,
    solution: Part | None,
    traced: bool = False,
    before: tuple[str, ...] = (),
    by: str | None = None,
    spec: Spec | None = None,
    seconds: float | None = None,
) -> Trial:
    """Run it; `before` are commands that come first, `by` the machine's user where nobody else is named.

    `seconds` is what it took untraced.

    Raises:
        SandboxError: the engine failed.
    """
    task, lines = box.task, [f"# {name}"]
    assert task.checks
    with box.containers.start(spec or box.spec) as session:
        session.run(f"mkdir -p {PLACE} && chmod 1777 {PLACE}", user="root", cwd="/", looks=True, seconds=30)
        for command in before:
            done = session.run(command, user=by, seconds=_time(box, STEP_SECONDS))
            lines += [f"$ {command}", done.output[-2000:].rstrip(), f"[{done.how}]"]
            if not done.ok:
                said = say("trial.ended", command=command[:120], how=done.how)
                return Trial(name, Mark(None, said), denials=session.denials(), before=said, log=_log(lines))
        alive = None if solution else session.run("echo works", looks=True, seconds=30)
        solved = _run(box, session, solution, lines, traced=traced, seconds=seconds) if solution else None
        checks = _run(box, session, task.checks, lines, traced=traced, seconds=seconds)
        rewards = _rewards(session) if task.marks == "reward" else {}
        mark = mark_of(task, checks.output, checks.done.exit_code, rewards)
        lines.append(f"# {mark.told}")
        return Trial(name, mark, solved, checks, session.denials(), "", _log(lines), session.profile(), alive)


def placed(session: Session, part: Part) -> None:
    """Put a part's files where it wants them.

    Raises:
        SandboxError: they cannot be read or written, or are links that lead elsewhere.
    """
    for source, target in part.places:
        if not source.resolve().is_relative_to(source.parent.resolve()):
            raise SandboxError(say("trial.task_link_leads_out", name=source.name))
        if source.is_dir():
            session.put_tree(target, source)
        else:
            session.put(target, _bytes(source), mode=0o755)
    for target, text in part.texts:
        session.put(target, text.encode("utf-8", "surrogateescape"), mode=0o755)


def _run(box: Box, session: Session, part: Part, lines: list[str], *, traced: bool, seconds: float | None) -> Stage:
    placed(session, part)
    command = f"{{ {part.command}\n}} >{SAID} 2>&1 </dev/null"
    most = _time(box, part.seconds)
    facts: tuple[Fact, ...] = ()
    if traced and box.tracer:
        most = most if seconds is None else min(most, seconds * SLOWER + 30)
        found = trace(session, box.tracer, command, seconds=most, env=part.env, within=True)
        done, facts = found.done, found.facts
    else:
        done = session.run(command, seconds=most, env=part.env)
    output = session.run(f"tail -c {KEPT} {SAID} 2>/dev/null", user="root", cwd="/", looks=True, seconds=30).output
    lines += [f"$ {part.command}", output[-20_000:].rstrip(), f"[{done.how}]", *(f"# {fact}" for fact in facts)]
    return Stage(replace(done, output=""), output, facts, traced=traced and box.tracer is not None)


def _rewards(session: Session) -> dict[str, str]:
    def text(path: str) -> str:
        return session.run(f"head -c 100000 {shlex.quote(path)} 2>/dev/null", user="root", cwd="/", looks=True).output

    return {path: text(path) for path in REWARDS}


def _time(box: Box, most: float) -> float:
    return max(5.0, min(most, box.end - time.monotonic()))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SandboxError(say("trial.cannot_read", name=path.name, strerror=error.strerror)) from error


def _log(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
