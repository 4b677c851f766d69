"""Calls and code of the agent that went wrong by its own hand."""

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from cases import CommandRun, PageVisit
from cases import patterns as re
from cases.events.toolcalls import pairs
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, shortened

say = Sentences(__name__)

_WITHOUT_ERROR = 2
"""How many more times it must be, where the result is no error."""
_SHORT = 4_000
"""Characters of a refusal at most; what is longer shows something."""
_FULL_PAGE = 500
"""Characters of a page below which it may have changed unseen."""

_Key = tuple[str, str]


def looped(record: Record) -> Seen | None:
    """The agent did the same again and again, with the same result.

    The most frequent repetition; in a record that may show steps twice only structured calls count.
    """
    done: list[tuple[_Key, bool, tuple[int, ...]]] = [*_calls(record), *(_steps(record) if record.complete else ())]
    times = Counter(key for key, _, _ in done)
    failed = {key for key, wrong, _ in done if wrong}
    least = data.patterns()["looped"].least
    often = [key for key in times if times[key] >= least + (0 if key in failed else _WITHOUT_ERROR)]
    if not often:
        return None
    worst = max(often, key=lambda key: (key in failed, times[key], key))
    blocks = [shown for key, _, shown in done if key == worst]
    what = f"`{shortened(worst[0])}`"
    told = say("looped.done_times_same", what=what, times=times[worst], first=blocks[0][0], last=blocks[-1][-1])
    last = blocks[-1][-1]
    return Seen(told, record.cite((last,), record.blocks[last].text.strip().split("\n")[0]), {"what": what})


def _calls(record: Record) -> Iterator[tuple[_Key, bool, tuple[int, ...]]]:
    """Structured calls that the tool refused; what a browser answers to a click says too little otherwise."""
    for call, result in pairs(record.blocks):
        text = result.text if result and len(result.text) <= _SHORT else ""
        if result and (data.search("missed_element", text) or data.search("misused_tool", text)):
            yield (call.text, text), True, (call.index, result.index)


def _steps(record: Record) -> Iterator[tuple[_Key, bool, tuple[int, ...]]]:
    for step in record.steps:
        page = isinstance(step.event, PageVisit)
        if (
            step.text.strip()
            and step.output.strip()
            and not (page and len(step.output) < _FULL_PAGE and not step.failed)
        ):
            yield (" ".join(step.text.split()), step.output), step.failed, step.blocks


def missed_element(record: Record) -> Seen | None:
    """An action named an element that the page does not have."""
    return _refused(record, "missed_element", say("refused.page_no_such"))


def misused_tool(record: Record) -> Seen | None:
    """A tool refused a call for its form."""
    return _refused(record, "misused_tool", say("refused.tool_refused_call"))


def _refused(record: Record, kind: Literal["missed_element", "misused_tool"], meaning: str) -> Seen | None:
    """Short results of structured calls only: a page or a file that is shown may hold such words too."""
    shown = {block for step in record.steps for block in step.blocks}
    found = [
        (call, result, match)
        for call, result in pairs(record.blocks)
        if result and result.index not in shown and len(result.text) <= _SHORT
        if (match := data.search(kind, result.text))
    ]
    if len(found) < data.patterns()[kind].least:
        return None
    call, result, match = found[0]
    tool = call.tool or say("refused.tool")
    times = say("refused.times_first", found=len(found)) if len(found) > 1 else "once,"
    told = f"{meaning} {times} in block {result.index}: “{shortened(match[0])}” from {tool}"
    return Seen(told, record.cite((result.index,), match[0]), {"what": tool})


def placeholder(record: Record) -> Seen | None:
    """The agent ran a command with a placeholder where a value belongs.

    The last such command that failed.
    """
    for step in reversed(record.steps):
        match = data.search("placeholder", step.text) if step.failed else None
        if match:
            told = say("placeholder.agent_ran_command", match=match[0])
            return Seen(told, record.cite(step.blocks, match[0]), {"what": match[0]})
    return None


def own_code(record: Record) -> Seen | None:
    """The agent's own code had errors in its text, again and again or to the end.

    One error that was corrected is ordinary work; several, or the last thing of all, are not.
    """
    found = [(step, match) for step in record.steps if (match := data.search("own_code", step.output)) and step.failed]
    if not found:
        return None
    step, match = found[-1]
    to_the_end = step is record.steps[-1]
    if len(found) < data.patterns()["own_code"].least and not to_the_end:
        return None
    times = f"{len(found)} times" if len(found) > 1 else say("own_code.end")
    told = say("own_code.agent_own_code", times=times, match=shortened(match[0]))
    return Seen(told, record.cite(reversed(step.blocks), match[0]), {"what": shortened(match[0])})


_HEADER = re.compile(r"^(?:exitcode|Exit Code):.*$|^Code output:", re.MULTILINE)
_VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.JoinedStr, ast.Compare, ast.BinOp)
_LONGEST = 100_000


def unprinted(record: Record) -> Seen | None:
    """The agent's code ended in a value that was never printed, nothing came back, and the agent went on.

    Calls do not count: they may have been made for what they do.
    """
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
