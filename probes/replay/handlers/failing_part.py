"""The part of a line of shell that failed."""

from collections.abc import Iterator, Sequence

from cases import CommandRun
from cases import patterns as re
from cases.failing import step_failures
from cases.failing.commands import IDLE
from cases.shell import Command, Node, looks, parse, steps_of
from probes.replay.handlers.own_services import asks_own

_CLOSES = re.compile(r"[)}]|\b(?:fi|done|esac)\b")


def to_its_failure(event: CommandRun) -> str:
    """A line up to the last of its parts that failed by its own account, or else that may have: what comes after hides
    how that ended.
    """
    line = event.command
    came = step_failures(line, event.output, event.exit_code)
    acting = [
        (step.command.end, how)
        for step, how in zip(steps_of(line), came, strict=True)
        if how != "no" and step.inside == "line" and not looks(step.command) and step.command.program not in IDLE
    ]
    asking = [step.command.end for step in steps_of(line) if step.inside == "line" and asks_own(step.command)]
    return _up_to(line, [end for end, how in acting if how == "yes"] or asking or [end for end, _ in acting])


def to_what_names(event: CommandRun, about: str) -> str:
    """A line up to the last of its parts that failed and whose program names a thing in what it says; the whole line
    where none does.
    """
    told = {text.partition(":")[0].rpartition("/")[2] for text in (event.output or "").splitlines() if about in text}
    came = step_failures(event.command, event.output, event.exit_code)
    steps = zip(steps_of(event.command), came, strict=True)
    named = [step for step, how in steps if how == "yes" and step.inside == "line" and step.command.program in told]
    return _up_to(event.command, [step.command.end for step in named if about in step.command.text])


def _up_to(line: str, ends: Sequence[int]) -> str:
    """The line up to the end of the part that holds the last of these ends; all of it where it is no list."""
    body = parse(line).body
    if body is None or body.kind != "list" or len(body.parts) < 2 or "<<" in line:
        return line
    parts = [max(command.end for command in _commands(part)) for part in body.parts]
    cut = next((end for end in parts if ends and ends[-1] <= end), None)
    return line if cut is None or cut == parts[-1] else _closed(line, cut)


def _closed(line: str, cut: int) -> str:
    """The line up to there, and on to where what is open ends."""
    places = (cut, *(match.end() for match in _CLOSES.finditer(line, cut)))
    return next((line[:place] for place in places if parse(line[:place]).body is not None), line)


def _commands(node: Node) -> Iterator[Command]:
    if isinstance(node, Command):
        yield node
    else:
        for part in node.parts:
            yield from _commands(part)
