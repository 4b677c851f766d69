"""What a run's commands end with where its record does not tell: they are run again, in order, in one container."""

import time
from collections import Counter
from collections.abc import Mapping

from cases import CommandRun, Events, Run
from cases import patterns as re
from cases.readers.screen import plain
from cases.shell import looks
from cases.touches import canonical, found_at_first
from probes.contract import ProbeContext
from probes.model import Barrier, Retraced
from probes.replay.arms.machine import machine
from probes.replay.handlers import handler_of
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun
from probes.replay.resources.shared import ReplayResources
from probes.replay.restore.workspace_restore import Furnishing
from probes.replay.target.model import Attempt, ReplayTarget, home_of
from probes.replay.target.script import MOST, in_its_place
from probes.replay.target.symptom import Symptom
from sandboxes import ContainerPool, Executed

SECONDS = 90.0
"""For all of the commands together."""
_ONE = 30.0
"""For one of them."""
_VARIES = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+[.:]\d+(?:[.:]\d+)*|\d{5,}|(?<=/)[\w.-]*tmp[\w.-]*(?:/[\w.-]+)*")
"""What changes from run to run: addresses, digests, times, measured amounts, places of temporary files."""
_OF_A_SHELL = frozenset({"export", "source", ".", "alias", "set", "unset", "ulimit", "umask", "shopt", "eval"})
"""Commands that change the shell in which they run."""
_ASTRAY = 4
"""Commands one after another that print something else, after which the machine is not the run's."""


def retrace(context: ProbeContext, shop: ReplayResources, containers: ContainerPool, ran: Run) -> Retraced:
    """The exit codes of those that print the same as in the run.

    Raises:
        SandboxError: the engine failed in the middle.
    """
    events = context.events[ran.run_id]
    work = ReplayRun(context, shop, containers, _target(context, ran, events), time.monotonic() + SECONDS)
    machine(work)
    codes, astray, kept = dict[int, int](), 0, True
    with containers.start(work.spec) as stage:
        furnishing, log = Furnishing(work, stage), Log("retraced")
        furnishing.begin()
        for index, command in [(index, one) for index, one in enumerate(events.commands) if one.acts][:MOST]:
            if work.left() < _ONE / 2 or astray == _ASTRAY:
                break
            furnishing.up_to(index)
            done = run(stage, log, in_its_place(command), work.seconds(_ONE))
            if done.exit_code is None:
                break
            same = prints_the_same(command, done.output)
            astray = 0 if same else astray + 1
            kept = kept and (same or _both_fail(command, done)) and not _leaves_more(events, index)
            told = bool((command.output or "").strip()) or done.exit_code == 0 or kept
            if same and told and command.exit_code is None:
                codes[index] = done.exit_code
        work.keep(log)
    return Retraced(run_id=ran.run_id, codes=tuple(sure(codes, events).items()), untold=len(events.untold))


def sure(codes: Mapping[int, int], events: Events) -> dict[int, int]:
    """Without failures of commands that were run again later, with an end that is not known even so."""
    after = events.ended(codes)
    left = {index: _acts(events.commands[index]) for index in after.untold}

    def again(index: int) -> bool:
        return any(later > index and acts & _acts(events.commands[index]) for later, acts in left.items())

    return {index: code for index, code in codes.items() if code == 0 or not again(index)}


def _acts(command: CommandRun) -> set[str]:
    return {
        canonical(step.command) for step in command.steps if not looks(step.command) and step.command.program != "cd"
    }


def prints_the_same(command: CommandRun, output: str) -> bool:
    """Whether a command printed now what the record shows, whatever changes from run to run and in whatever order the
    two streams were written down.
    """
    return command.output is not None and _lines(command.output) == _lines(output)


def _lines(text: str) -> Counter[str]:
    return Counter(_VARIES.sub("#", line.strip()) for line in plain(text).splitlines() if line.strip())


def _both_fail(command: CommandRun, done: Executed) -> bool:
    """Whether a command failed then and now, in whatever words, and so left nothing behind."""
    now = command.model_copy(update={"output": done.output, "exit_code": done.exit_code})
    return command.failed == now.failed == "yes"


def _leaves_more(events: Events, index: int) -> bool:
    """Whether up to here something was done of which a shell of its own for each command knows nothing: a failure that
    says nothing may then be this machine's alone.
    """
    ran = events.commands[: index + 1]
    steps = [step.command for one in ran for step in one.steps]
    return any(one.kind != "shell" for one in ran) or any(
        step.program in _OF_A_SHELL or (not step.program and step.assignments) for step in steps
    )


def _target(context: ProbeContext, ran: Run, events: Events) -> ReplayTarget:
    """All of the run's commands as what comes before a failing one."""
    handler = handler_of(Barrier.COMMAND_FAILS)
    assert handler is not None
    return ReplayTarget(
        handler=handler,
        barrier=Barrier.COMMAND_FAILS,
        attempts=(Attempt("true", reconstructed=True),),
        expected=Symptom("", ""),
        about="",
        prior=events.commands,
        events=events,
        event=len(events.commands) - 1,
        seen=found_at_first(context.case, ran, events),
        home=home_of(context.envelope),
    )
