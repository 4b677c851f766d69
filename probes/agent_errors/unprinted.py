"""The agent's code ended in a value that was never printed, nothing came back, and the agent went on."""

import ast

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_HEADER = re.compile(r"^(?:exitcode|Exit Code):.*$|^Code output:", re.MULTILINE)
_VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.JoinedStr, ast.Compare, ast.BinOp)
_LONGEST = 100_000


def find(record: Record) -> Seen | None:
    """Calls do not count: they may have been made for what they do."""
    python = [step for step in record.steps if isinstance(step.event, CommandRun) and step.event.kind == "python"]
    silent = [step for step in python if step.output is not None and _nothing(step.output) and _value(step.text)]
    if len(silent) < data.patterns()["unprinted"].least or not record.complete:
        return None
    value = _value(silent[-1].text) or ""
    told = say("unprinted.agent_code_ended", value=shortened(value))
    times = f" ({len(silent)} times)"
    return Seen(told + times, record.cite(silent[-1].blocks, value), {"what": f"`{shortened(value)}`"})


def _nothing(output: str) -> bool:
    return not _HEADER.sub("", output).strip()


def _value(code: str) -> str | None:
    """The source of the last line where it is a value that nothing prints."""
    try:
        body = ast.parse(code[:_LONGEST]).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, _VALUES):
        return None
    return ast.get_source_segment(code, last)
