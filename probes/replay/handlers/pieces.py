"""Whether a job that was too large could have been done in smaller pieces by the agent itself."""

from cases.shell import Command, Step, steps_of
from cases.touches.installing import installs_by_pip
from probes.replay.resources.outcome import Outcome
from probes.replay.target.changes import changed, works_on
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of

WHOLE = {"make", "cmake", "ninja", "cargo", "npm", "mvn", "conda", "mamba", "docker"}
"""Programs whose jobs a user cannot cut into pieces."""


def divisible(subject: ReplayTarget, outcome: Outcome) -> bool:
    """True unless the command is a whole job by nature, or runs a script that was there and never changed."""
    decisive = outcome.decisive
    line = decisive.command if decisive else ""
    commands = [step.command for step in steps_of(line)]
    if any(_whole(command) for command in commands):
        return False
    if any(command.code or any(one.heredoc for one in command.redirects) for command in commands):
        return True
    run = {_name(path) for path in scripts_of(line)}
    run |= {_name(step.command.words[0].text) for step in steps_of(line) if _is_path(step)}
    touched = changed(run, subject.events)
    touched |= {name for name in run if any(works_on(name, step.command) for step in outcome.prior)}
    given = {_name(path) for path in outcome.given}
    return not run or not run <= given - touched


def _whole(command: Command) -> bool:
    if command.program in WHOLE or (command.program == "R" and command.arguments[:1] == ("CMD",)):
        return True
    built = command.file is not None and _name(command.file.text) == "setup.py"
    return built or installs_by_pip(command) or (command.code is not None and "install.packages" in command.code.text)


def _is_path(step: Step) -> bool:
    return bool(step.command.words) and "/" in step.command.words[0].text


def _name(path: str) -> str:
    return path.rpartition("/")[2]
