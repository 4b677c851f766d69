"""Whether a job that was too large could have been done in smaller pieces by the agent itself."""

from cases import patterns as re
from cases.shell import Command, Step, looks, only_looks, steps_of
from cases.touches.installing import installs_by_pip
from probes.replay.resources.outcome import Outcome
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
    written = {_name(write.path) for write in subject.events.writes}
    shell = [one.command for one in subject.events.commands if one.kind == "shell"]
    touched = {name for name in run if any(_works_on(name, line) for line in shell)}
    given = {_name(path) for path in outcome.given}
    return not run or not run <= given - written - touched


def _whole(command: Command) -> bool:
    if command.program in WHOLE or (command.program == "R" and command.arguments[:1] == ("CMD",)):
        return True
    built = command.file is not None and _name(command.file.text) == "setup.py"
    return built or installs_by_pip(command) or (command.code is not None and "install.packages" in command.code.text)


def _is_path(step: Step) -> bool:
    return bool(step.command.words) and "/" in step.command.words[0].text


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _works_on(name: str, line: str) -> bool:
    """Whether a line does more with a file than to look at it or to run it."""
    spoken = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    if only_looks(line) or not spoken.search(line):
        return False
    steps = steps_of(line)
    return not steps or any(spoken.search(_without_its_file(step.command)) for step in steps if not looks(step.command))


def _without_its_file(command: Command) -> str:
    words = (*command.words, *(one.target for one in command.redirects if one.target))
    documents = (one.heredoc.text for one in command.redirects if one.heredoc)
    return " ".join((*(word.text for word in words if word is not command.file), *documents))
