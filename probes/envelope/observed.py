"""What transcripts show of the machine they ran on, each value with the words that show it."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from cases import Case, Citation, CommandRun, Events, Model, Outcome, Run

AGENT_ROLES = {"assistant", "agent"}
Sighting = tuple[Any, Citation]
"""A value and the quotation that shows it."""


class Pattern(Model):
    """One entry of observations.toml."""

    field: Literal["sudo", "python", "workdir", "user", "tools", "allowed_imports", "network"]
    where: Literal["output", "text"]
    pattern: str
    command: str | None = None
    value: str | None = None
    source: str


class Patterns(Model):
    """observations.toml."""

    shell_tools: tuple[str, ...]
    observation: tuple[Pattern, ...]


@cache
def patterns() -> Patterns:
    """The shipped patterns."""
    text = files("probes.envelope").joinpath("observations.toml").read_text(encoding="utf-8")
    return Patterns.model_validate(tomllib.loads(text))


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
    for pattern in patterns().observation:
        sightings = list(_matches(run, events, pattern))
        if not sightings or pattern.field in seen:
            continue
        if pattern.field == "tools":
            seen["tools"] = (tuple(dict.fromkeys(value for value, _ in sightings)), sightings[0][1])
        else:
            value, citation = sightings[0]
            converted = _convert(pattern.field, value)
            if converted is not None:
                seen[pattern.field] = (converted, citation)
    _structured_tools(run, seen)
    _shell(run, events, seen)
    return seen


def _convert(field: str, value: str) -> Any:  # noqa: ANN401 - each field has its own type
    if field == "sudo":
        return value == "yes"
    if field == "allowed_imports":
        try:
            return tuple(str(name) for name in ast.literal_eval(value))
        except (ValueError, SyntaxError):
            return None
    return value


def _matches(run: Run, events: Events, pattern: Pattern) -> Iterator[tuple[str, Citation]]:
    expression = re.compile(pattern.pattern)
    if pattern.where == "output":
        for event in events.commands:
            if event.output and (pattern.command is None or re.search(pattern.command, event.command)):
                for match in expression.finditer(event.output):
                    citation = _cite(run, event, match[0])
                    if citation:
                        yield pattern.value or match["value"], citation
        return
    for block in run.transcript.blocks if run.transcript else ():
        if block.role not in AGENT_ROLES or block.kind == "result":
            for match in expression.finditer(block.text):
                yield pattern.value or match["value"], _citation(run, block.index, match.start(), match[0])


def _cite(run: Run, event: CommandRun, quote: str) -> Citation | None:
    blocks = run.transcript.blocks if run.transcript else ()
    for index in (*event.blocks[1:], *event.blocks[:1]):
        start = blocks[index].text.find(quote)
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
    """A shell tool in the list, or a shell command that was run; a full list without one shows that there was none."""
    tools, citation = seen.get("tools", ((), None))
    ran = next((event for event in events.commands if event.kind == "shell"), None)
    if citation and set(tools) & set(patterns().shell_tools):
        name = next(tool for tool in tools if tool in patterns().shell_tools)
        seen["shell"] = (True, _find(run, rf"def {name}\([^\n]*") or citation)
    elif ran and (shown := _cite(run, ran, ran.command.strip().partition("\n")[0])):
        seen["shell"] = (True, shown)
    elif citation and citation.quote.startswith("def ") and not ran:
        seen["shell"] = (False, citation)


def _find(run: Run, expression: str) -> Citation | None:
    for block in run.transcript.blocks if run.transcript else ():
        match = re.search(expression, block.text)
        if match:
            return _citation(run, block.index, match.start(), match[0])
    return None
