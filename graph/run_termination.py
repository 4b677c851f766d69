"""How a run ended: in failures that nothing passed afterwards, whatever it said of them."""

import builtins
import errno
import os
import posixpath
from collections.abc import Mapping, Sequence

from cases import Case, CommandRun, Events, HarnessError, Outcome, PageVisit, Run
from cases import patterns as re
from cases.answers.asked import question
from cases.events.terminal import FRAME
from cases.failing.commands import IDLE
from cases.failing.forms import said
from cases.model import ToolCall
from cases.sentences import Sentences
from cases.shell import Command, looks, seconds_waited
from cases.touches import inquires, touches_of
from probes.agent_errors.effort import budget_error

say = Sentences(__name__)

_LONGEST = 160
_LONG_WAIT = 30
"""Seconds."""
_NAMED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
_HANDS_IN = frozenset({"submit", "exit"})
"""SWE-agent's command, and the shell's."""
_ERRORS = tuple(map(os.strerror, errno.errorcode))


def unexplained(case: Case, events: Mapping[str, Events]) -> str:
    """The failure that ended a run; a clause, empty when there is none.

    It is asked for where no record shows a barrier that a rule or the structure proposes.
    """
    for run in case.runs:
        if run.outcome is Outcome.PASSED or not run.transcript:
            continue
        error = run.environment.get("error", "")
        if error and not budget_error(error):
            return say("run_termination.harness", run=run.run_id, said=_said(error))
        if told := _ended_on(case, run, events[run.run_id]) or _waited(run, events[run.run_id]):
            return told
    return ""


def ending(commands: Sequence[CommandRun]) -> frozenset[int]:
    """The places of the failed commands after which nothing that does more than look succeeded."""
    found = set[int]()
    for index in range(len(commands) - 1, -1, -1):
        if commands[index].failed == "yes":
            found.add(index)
        elif not commands[index].only_looks:
            break
    return frozenset(found)


def _ended_on(case: Case, run: Run, events: Events) -> str:
    """The last thing that happened in the run but for looking around, where that is an error of a tool, a site or the
    harness.
    """
    happened = [event for event in events.in_order if not (isinstance(event, CommandRun) and _looks(event))]
    while happened and _hands_in(happened[-1]):
        happened.pop()
    last = max(happened, key=lambda event: (max(event.blocks, default=-1), event.failed == "yes"), default=None)
    if last is None or last.failed != "yes":
        return ""
    match last:
        case HarnessError():
            return (
                "" if budget_error(last.text) else say("run_termination.harness", run=run.run_id, said=_said(last.text))
            )
        case PageVisit():
            return say("run_termination.page", run=run.run_id, url=last.url[:_LONGEST], said=_said(last.error or ""))
        case ToolCall():
            told = say("run_termination.call", run=run.run_id, tool=last.tool)
        case CommandRun() if (last.output or "").strip() and not _own_doing(case, run, events, last):
            told = say("run_termination.command", run=run.run_id, command=_lines(last.command)[0][:_LONGEST])
        case _:
            return ""
    return say("run_termination.final", told=told, said=_said(last.output or ""))


def _waited(run: Run, events: Events) -> str:
    """The wait in which the run ended, for something that it had asked for before."""
    asked = [
        {step.command.program for step in event.steps if not looks(step.command)} - IDLE - _HANDS_IN
        for event in events.commands
    ]
    last = max((place for place, programs in enumerate(asked) if programs), default=0)
    again = asked[last] & set[str]().union(*asked[:last]) if asked else set[str]()
    waits = again and sum(seconds_waited(step.command) for step in events.commands[last].steps) >= _LONG_WAIT
    if not waits:
        return ""
    return say("run_termination.waited", run=run.run_id, command=_lines(events.commands[last].command)[0][:_LONGEST])


def _looks(event: CommandRun) -> bool:
    """Whether it only looks, asks about the machine or says something, and could."""
    steps = [step.command for step in event.steps if step.command.words]
    asks = bool(steps) and all(looks(one) or inquires(one) or one.program in IDLE for one in steps)
    return (event.only_looks or asks) and event.failed != "yes"


def _hands_in(event: object) -> bool:
    """Whether it is a bare word with which a harness has the agent hand in its work: nothing tells how that went."""
    return isinstance(event, CommandRun) and not event.output and event.command.strip() in _HANDS_IN


def _own_doing(case: Case, run: Run, events: Events, event: CommandRun) -> bool:
    """An error that names no machine, raised where the agent wrote the code, an option that nobody but the agent chose,
    or a file that it has yet to make.
    """
    output = event.output or ""
    error, frames = _said(output), list(FRAME.finditer(output))
    if os.strerror(errno.ENOENT) in error:
        touched = touches_of(case, run, events)
        return any(one.kind == "file" and one.origin == "agent" and _names(error, one.name) for one in touched)
    if any(_refuses_an_option(step.command, output, question(case, run)) for step in event.steps):
        return True
    raised = getattr(builtins, error.partition(":")[0], None)
    of_code = isinstance(raised, type) and issubclass(raised, (SyntaxError, NameError))
    return of_code and not (frames and not _wrote(run, frames[-1]["code"].strip(), event))


def _wrote(run: Run, code: str, event: CommandRun) -> bool:
    record = run.transcript
    before = record.blocks[: event.blocks[0] + 1] if record and event.blocks else ()
    said = (block.text for block in before if record and block.role in record.agents)
    return code in event.command or any(code in text for text in said)


def _refuses_an_option(command: Command, output: str, asked: str) -> bool:
    """Whether the program itself speaks of a long option that it was given and that the task does not spell, and of
    nothing that a system refused it.
    """
    speakers = tuple(f"{posixpath.basename(word)}:" for word in (command.program, *command.arguments[:1]))
    own = [line for line in _lines(output) if line.startswith(speakers) and not any(map(line.__contains__, _ERRORS))]
    options = {word.partition("=")[0] for word in command.arguments if word[:2] == "--" and len(word) > 2}
    return any(_names(line, option) and option not in asked for option in options for line in own)


def _names(error: str, name: str) -> bool:
    """Whether it names an option, or a file by its own name."""
    return _NAMED.within(posixpath.basename(name), error)


def _said(output: str) -> str:
    """The last line that is a tool's own word for a failure, or else the last one that is no heading."""
    lines = [line for line in _lines(output) if not line.endswith(":")] or _lines(output)
    telling = [one.line.strip() for one in said(output, "program", "shell", "tool", "harness")]
    return (telling or lines)[-1][:_LONGEST]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()] or [""]
