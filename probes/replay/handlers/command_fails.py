"""A command of the task that fails, whatever it says: the same command, the same exit code, and then the facts."""

import posixpath
from dataclasses import dataclass, replace
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches.names import installs, tests, things
from probes.model import Barrier, Envelope, Hypothesis, Targets
from probes.replay.handlers import interpreter
from probes.replay.handlers.base import BarrierHandler, sparing, without_report
from probes.replay.handlers.failing_part import to_its_failure
from probes.replay.handlers.own_services import minding_answers
from probes.replay.handlers.plain import alone
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.symptom import ANY, EXIT, Symptom
from sandboxes import Executed

say = Sentences(__name__)

KILLED = 137
"""A shell's exit code for SIGKILL."""


_FILE = re.compile(r"[\w./-]+\.[A-Za-z]\w{0,7}")


@dataclass(frozen=True)
class CommandDetails(Details):
    """What the record names."""

    names: frozenset[str] = frozenset()
    """Files, programs and packages, without their folders."""
    only: bool = False
    """Whether nothing else may name the failure: what code of the run's own lacks besides is its own."""


def _whole(event: CommandRun) -> bool:
    """Whether the exit code of the line is that of what is repeated of it."""
    return without_report(to_its_failure(event)) == event.command


def _own_work(line: str) -> bool:
    """Whether a command runs a file, a suite or a recipe of the task's own or works on a file, and installs nothing."""
    commands = [step.command for step in steps_of(line)]
    return any(
        (
            command.file is not None
            or tests(command)
            or command.program in things().builders.programs
            or any(_FILE.fullmatch(word) for word in command.arguments)
        )
        and installs(command) is None
        and "install" not in command.arguments
        for command in commands
    )


class CommandFails(BarrierHandler):
    """Known by its exit code alone until it was measured."""

    barriers = (Barrier.COMMAND_FAILS, Barrier.OWN_CODE_FAILS)
    noun = "command"
    failure: ClassVar = dict.fromkeys(barriers, EXIT)
    details = CommandDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The command itself."""
        return tuple(" ".join(command.split()) for command in targets.commands)

    def candidates(self, hypothesis: Hypothesis, event: CommandRun | None) -> tuple[str, ...]:
        """The code that was run."""
        del hypothesis
        return (" ".join(event.command.split()),) if event else ()

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """The run's own command; where its exit code was another's, so that it tells how the failing part ended."""
        if event is not None and event.kind == "shell":
            event = event.model_copy(update={"command": minding_answers(to_its_failure(event))})
        found = super().attempts(hypothesis, event, about, envelope)
        if event is not None and event.kind == "python" and interpreter.adding(event.command):
            return tuple(replace(one, command=interpreter.with_libraries(one.command)) for one in found)
        if event is None or event.kind != "shell" or event.exit_code or "|" not in event.command:
            return found
        return tuple(replace(one, command=f"set -o pipefail; {sparing(one.command)}") for one in found)

    def plainly(self, subject: ReplayTarget) -> ReplayTarget:
        """The task's own command alone, where the run put nothing before it that changes anything."""
        plain = alone(subject)
        same = plain.attempts[:1] == subject.attempts[:1]
        return subject if same else replace(plain, expected=Symptom(EXIT, ANY))

    def expected_of(self, event: CommandRun | None) -> Symptom:
        """How the run's own ended."""
        told = event is not None and (event.kind != "shell" or _whole(event))
        code = event.exit_code if event and told else None
        return Symptom(EXIT, str(code) if code else ANY)

    def known(self, subject: ReplayTarget) -> CommandDetails:
        """What its failure is about by the run's own output, in whatever words."""
        targets = subject.targets
        names = (*targets.paths, *targets.libraries, *targets.headers, *targets.programs, *targets.packages)
        own = subject.barrier is Barrier.OWN_CODE_FAILS
        return CommandDetails(frozenset(posixpath.basename(name) for name in names), only=own)

    def extras(self, subject: ReplayTarget, envelope: Envelope) -> tuple[str, ...]:
        """Libraries that code of the run's own uses, beside the system's own Python."""
        del envelope
        event = subject.events.commands[subject.event] if subject.event is not None else None
        return interpreter.adding(event.command) if event and event.kind == "python" else ()

    def met(self, subject: ReplayTarget, done: Executed) -> bool:
        """A kill for want of memory too: whether it is the run's own memory is asked once the failure has that name."""
        kills = subject.expected.kind == EXIT and subject.expected.subject in (ANY, str(KILLED))
        return (done.oom and kills) or super().met(subject, done)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """A failure that no fact names has no routes either, unless what the task's own files are asked to do works for
        root alone, or on a display; what only prepares the machine may be done otherwise.
        """
        if (
            subject.asked
            and subject.asked.spelled
            and _own_work(subject.asked.command)
            and outcome.lifted
            and outcome.lifted.worked
        ):
            return None
        return say("command_fails.no_measured_fact")
