"""A system call that the machine's policy refuses, whoever makes it."""

from dataclasses import dataclass, field

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Step, steps_of
from cases.touches import names_program
from cases.touches.names import inquires
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.offers import Offers, settings_of
from probes.replay.handlers.promised import texts_about
from probes.replay.handlers.sources import programs_elsewhere
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of

say = Sentences(__name__)


@dataclass(frozen=True)
class SystemCallDetails(Details):
    """Who makes the call."""

    program: str = ""
    """The one that failed, where the task's text names it and no call of it did any work in the run."""
    offered: Offers = field(default_factory=Offers)
    """What may let the command do without the call."""


class SystemCall(BarrierHandler):
    """Named by a measured fact only: the call alone was refused, and the command gets further where it is not."""

    barriers = (Barrier.SYSTEM_CALL,)
    noun = "system call"
    valid = re.compile(r"[a-z][a-z0-9_]{1,40}")
    details = SystemCallDetails

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The call."""
        return targets.calls

    def learn(self, trial: ContainerContext) -> SystemCallDetails:
        """Whether the task names the program that makes it, and what that reads; an interpreter is any script's."""
        texts = [text for _, text in texts_about(trial)]
        steps = steps_of(trial.subject.attempts[0].command)
        own = [step.command for step in steps if not (step.command.file or step.command.code)]  # and no interpreter
        programs = dict.fromkeys(command.program for command in own if command.program)
        named = (one for one in programs if any(names_program(text, one) for text in texts))
        program = next((one for one in named if not _worked(trial.subject, one)), "")
        reads = scripts_of(trial.subject.attempts[0].command) or programs_elsewhere(trial)
        return SystemCallDetails(program, settings_of(trial, but=trial.subject.about) if reads else Offers())

    def needed(self, subject: ReplayTarget) -> str:
        """The program that the task names, all of whose calls failed."""
        return subject.told(SystemCallDetails).program

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Another program may do without the call, where the task names none; so may this one by its settings."""
        del outcome
        offered = subject.told(SystemCallDetails).offered
        if offered.named or offered.unread:
            return say("system_call.offers", named=offered.named or offered.unread, about=subject.about)
        asked = subject.asked is not None and subject.asked.spelled
        return None if asked or self.needed(subject) else say("system_call.another_program", about=subject.about)


def _worked(subject: ReplayTarget, program: str) -> bool:
    """Whether a call of the program that did more than tell of itself worked in the run."""
    return any(
        event.failed == "no" and any(_works(step, program) for step in event.steps) for event in subject.events.commands
    )


def _works(step: Step, program: str) -> bool:
    return step.command.program == program and not inquires(step.command)
