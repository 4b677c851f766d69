"""What transcripts show of the machine they ran on, each value with the words that show it.

A wrong observation is worse than none: outputs of commands that show files or run elsewhere show nothing, nor do words
that stand in the command itself, nor an output that shows two values where there can be one.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from cases import Case, Citation, CommandRun, Events, Outcome, Run
from cases import patterns as re
from cases.failing import exception_in, failed_to_run
from cases.touches import program_call
from probes.envelope.mounts import combined, listed_mount
from probes.envelope.patterns import Pattern, patterns
from probes.model import Mount

AGENT_ROLES = {"assistant", "agent"}
TYPED = {"workdir"}
"""Values that the agent may have typed itself: then they show its choice, not the machine."""
_SEVERAL = {"tools", "mounts", "read_only"}
"""Fields of which every sighting adds something."""
_POWERS = {"B": -2, "K": -1, "M": 0, "G": 1, "T": 2}
_PSEUDO = re.compile(r"/(?:proc|sys|dev)(?:/|$)")
"""The kernel's own file systems, where errors tell nothing of a restriction."""
Sighting = tuple[Any, Citation]
"""A value and the quotation that shows it."""


class _Match(NamedTuple):
    value: Any
    citation: Citation
    group: int
    """Sightings of one output or block belong together."""
    subject: str
    """The command, or nothing."""


def observe(case: Case, events: Mapping[str, Events]) -> dict[str, Sighting]:
    """Field of the envelope to what was seen; failed runs speak before others."""
    seen: dict[str, Sighting] = {}
    for run in sorted(case.runs, key=lambda run: run.outcome is Outcome.PASSED):
        if run.transcript:
            for field, sighting in _of_run(run, events.get(run.run_id, Events())).items():
                seen.setdefault(field, sighting)
    return seen


def _of_run(run: Run, events: Events) -> dict[str, Sighting]:
    seen: dict[str, Sighting] = {}
    outputs = _telling(events)
    for pattern in patterns().observation:
        if pattern.field in seen and pattern.field not in _SEVERAL:
            continue
        matches = list(_matches(run, events, pattern, outputs))
        if len({match.subject for match in matches}) < pattern.times:
            continue
        if pattern.field in _SEVERAL:
            _add(seen, pattern.field, matches)
        elif sighting := _single(matches):
            seen[pattern.field] = sighting
    if "network" in seen and seen["network"][0] == "none" and _reached(run, events):
        del seen["network"]
    _structured_tools(run, seen)
    _shell(run, events, seen)
    return seen


def _reached(run: Run, events: Events) -> bool:
    blocks = run.transcript.blocks if run.transcript else ()
    visited = any(not visit.error for visit in events.visits)
    return visited or any(re.search(patterns().reached, block.text) for block in blocks)


def _add(seen: dict[str, Sighting], field: str, matches: list[_Match]) -> None:
    """Add to a field that takes several values; a mount that is read-only is a read-only path too."""
    if not matches:
        return
    telling = [match for match in matches if field == "mounts" and match.value.noexec]
    before, citation = seen.get(field, ((), (telling or matches)[0].citation))
    seen[field] = (_merged(field, before, [match.value for match in matches]), citation)
    if field == "mounts":
        fixed = [match._replace(value=match.value.path) for match in matches if "ro" in match.value.flags]
        _add(seen, "read_only", fixed)


def _single(matches: list[_Match]) -> Sighting | None:
    """The first output that shows exactly one value."""
    for group in dict.fromkeys(match.group for match in matches):
        of_group = [match for match in matches if match.group == group]
        if all(match.value == of_group[0].value for match in of_group):
            return of_group[0].value, of_group[0].citation
    return None


def _telling(events: Events) -> list[int]:
    """The commands of which the outputs hold what any pattern looks for, but for those that ran elsewhere."""
    known = patterns()
    return [
        number
        for number, event in enumerate(events.commands)
        if event.output and _looked_for().opens(event.output) and not re.search(known.elsewhere, event.command)
    ]


@cache
def _looked_for() -> re.Gate:
    return re.Gate(re.compile(one.pattern) for one in patterns().observation if one.where == "output")


def _matches(run: Run, events: Events, pattern: Pattern, outputs: list[int]) -> Iterator[_Match]:
    if pattern.where == "output":
        yield from _in_outputs(run, events, pattern, outputs)
        return
    for block in run.transcript.blocks if run.transcript else ():
        if block.role in AGENT_ROLES and block.kind != "result":
            continue
        for match in re.finditer(pattern.pattern, block.text):
            value = _converted(pattern, match, block.text)
            if value is not None:
                yield _Match(value, _citation(run, block.index, match.start(), match[0]), block.index, "")


def _in_outputs(run: Run, events: Events, pattern: Pattern, outputs: list[int]) -> Iterator[_Match]:
    until = pattern.until if outputs else None
    commands = enumerate(events.commands)
    stop = next((number for number, event in commands if until and re.search(until, event.command)), None)
    for number in outputs:
        event = events.commands[number]
        if stop is not None and number >= stop:
            return
        matches = list(re.finditer(pattern.pattern, event.output or ""))
        if not matches or not _speaks(event, pattern):
            continue
        for match in matches:
            value = _converted(pattern, match, event.output or "")
            typed = match[0] in event.command or (pattern.field in TYPED and str(value) in event.command)
            citation = None if value is None or typed else _cite(run, event, match[0])
            if citation:
                yield _Match(value, citation, number, event.command)


def _speaks(event: CommandRun, pattern: Pattern) -> bool:
    """Whether the output of this command can show what the pattern is about."""
    known = patterns()
    if pattern.kind and event.kind != pattern.kind:
        return False
    if pattern.unless and re.search(pattern.unless, event.command):
        return False
    if pattern.command:
        return re.search(pattern.command, event.command) is not None
    return re.search(known.readers, event.command) is None


def _cite(run: Run, event: CommandRun, quote: str) -> Citation | None:
    blocks = run.transcript.blocks if run.transcript else ()
    for index in (*event.blocks[1:], *event.blocks[:1]):
        start = blocks[index].text.find(quote) if quote else -1
        if start >= 0:
            return _citation(run, index, start, quote)
    return None


def _citation(run: Run, block: int, start: int, quote: str) -> Citation:
    return Citation(run_id=run.run_id, block=block, start=start, end=start + len(quote), quote=quote)


def _structured_tools(run: Run, seen: dict[str, Sighting]) -> None:
    """Add the tools of structured calls to those that a prompt lists."""
    listed, citation = seen.get("tools", ((), None))
    called: list[str] = []
    for block in run.transcript.blocks if run.transcript else ():
        if block.kind == "call" and block.tool and block.tool not in (*listed, *called):
            called.append(block.tool)
            line = block.text.strip().partition("\n")[0][:80]
            if citation is None and line:
                citation = _citation(run, block.index, block.text.find(line), line)
    if called and citation:
        seen["tools"] = ((*listed, *called), citation)


def _shell(run: Run, events: Events, seen: dict[str, Sighting]) -> None:
    """A shell tool in the list, or a program that was run; a full list without one, and no such program, shows none."""
    tools, citation = seen.get("tools", ((), None))
    ran = next((event for event in events.commands if event.kind == "shell" and event.command.strip()), None)
    if citation and set(tools) & set(patterns().shell_tools):
        name = next(tool for tool in tools if tool in patterns().shell_tools)
        seen["shell"] = (True, _find(run, rf"def {name}\([^\n]*") or citation)
    elif ran and (shown := _cite(run, ran, ran.command.strip().partition("\n")[0])):
        seen["shell"] = (True, shown)
    elif by_code := next(_by_code(run, events), None):
        seen["shell"] = (True, by_code)
    elif citation and citation.quote.startswith("def ") and not ran:
        seen["shell"] = (False, citation)


def _by_code(run: Run, events: Events) -> Iterator[Citation]:
    """Pieces of Python that started a program and printed what came of it."""
    for event in events.commands:
        if event.kind != "python" or not event.output or failed_to_run(event.output) or exception_in(event.output):
            continue
        line = program_call(event.command)
        if line and (shown := _cite(run, event, line)):
            yield shown


def _find(run: Run, expression: str) -> Citation | None:
    for block in run.transcript.blocks if run.transcript else ():
        match = re.search(expression, block.text)
        if match:
            return _citation(run, block.index, match.start(), match[0])
    return None


def _converted(pattern: Pattern, match: re.Match[str], text: str) -> Any:  # noqa: ANN401 - each field has its own type
    """The value that a match shows, None when it shows none; `text` is the whole output or block."""
    taken = re.search(pattern.beside, text) if pattern.beside else match
    if taken is None:
        return None
    groups = taken.groupdict()
    if pattern.field == "mounts":
        return _mount(pattern, groups)
    value = pattern.value or groups["value"]
    return (
        _CONVERSIONS[pattern.field](value, groups.get("unit") or pattern.unit)
        if pattern.field in _CONVERSIONS
        else value
    )


def _merged(field: str, before: tuple[Any, ...], more: Iterable[Any]) -> tuple[Any, ...]:
    """Earlier sightings and more, without repeats."""
    if field == "mounts":
        return combined(before, more)
    return tuple(dict.fromkeys((*before, *more)))


def _mount(pattern: Pattern, groups: dict[str, str | None]) -> Mount | None:
    path = groups["path"] or ""
    if patterns().of_engine(path):
        return None
    if pattern.value:
        return Mount(path=path, flags=(pattern.value,))
    return listed_mount(path, groups.get("type") or "", groups.get("options") or "")


def _names(text: str, _: str | None) -> tuple[str, ...] | None:
    try:
        return tuple(str(name) for name in ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return None


def _mebibytes(number: str, unit: str | None) -> int:
    return int(float(number) * 1024.0 ** _POWERS[(unit or "B")[0].upper()])


_CONVERSIONS: dict[str, Callable[[str, str | None], Any]] = {
    "sudo": lambda word, _: word == "yes",
    "allowed_imports": _names,
    "cpus": lambda number, _: float(number),
    "memory_mb": _mebibytes,
    "disk_mb": _mebibytes,
    "read_only": lambda path, _: None if _PSEUDO.match(path) else path,
}
