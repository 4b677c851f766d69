"""Was the barrier passed in the same run? The same target must be seen to succeed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from cases import CommandRun, Events
from probes.model import Barrier, Hypothesis
from probes.transcript import phrases
from probes.transcript.hosts import host_of, hosts_of

_WEB = frozenset(
    {
        Barrier.SITE_GONE,
        Barrier.PAGE_GONE,
        Barrier.REFUSED,
        Barrier.SERVER_ERROR,
        Barrier.TIMEOUT,
        Barrier.GEO_BLOCK,
        Barrier.NETWORK,
    }
)
ELSEWHERE = frozenset({Barrier.PERMISSION, Barrier.READ_ONLY})
"""Barriers that are passed by going elsewhere, so that the order of events does not matter."""
_FAILED = re.compile(r"Traceback \(most recent call last\)|\b(?:ERROR|Error|error|fatal):|not found|Permission denied")


@dataclass(frozen=True)
class Passage:
    """How the run itself got past the barrier."""

    sentence: str
    commands: tuple[str, ...]
    blocks: tuple[int, ...]


def passage(hypothesis: Hypothesis, events: Events) -> Passage | None:
    """The first event of the run that shows the hypothesis's target succeeding, if any."""
    if hypothesis.barrier in _WEB:
        return _host_answered(hypothesis, events)
    finder = _FINDERS.get(hypothesis.barrier, _same_command)
    anywhere = hypothesis.barrier in ELSEWHERE or hypothesis.event is None
    start = 0 if anywhere else (hypothesis.event or 0) + 1
    for event in events.commands[start:]:
        sentence = finder(hypothesis, event)
        if sentence:
            return _passage(sentence, event)
    return None


def _passage(sentence: str, event: CommandRun) -> Passage:
    repeatable = "\n" not in event.command.strip()
    return Passage(sentence, (event.command.strip(),) if repeatable else (), event.blocks)


def _succeeded(event: CommandRun) -> bool:
    return event.exit_code == 0 and not (event.output and _FAILED.search(event.output))


def _installed(names: tuple[str, ...], event: CommandRun) -> str | None:
    if not _succeeded(event) or not phrases.search("installs", event.command):
        return None
    spelled = {name: re.sub(r"[-_]", "[-_]", re.escape(name).replace(r"\-", "-")) for name in names}
    named = next((name for name in names if re.search(rf"(?<![\w-]){spelled[name]}(?![\w-])", event.command)), None)
    return f"`{_short(event.command)}` succeeded later in the same run" if named else None


def _module(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    for module in hypothesis.targets.modules:
        imported = re.search(rf"^\s*(?:import|from)\s+{re.escape(module)}\b", event.command, re.MULTILINE)
        if imported and event.exit_code is not None and f"No module named '{module}" not in (event.output or ""):
            return f"module {module} was imported later in the same run"
    return _installed(hypothesis.targets.modules, event)


def _program(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    for program in hypothesis.targets.programs:
        called = event.kind == "shell" and re.search(rf"(?:^|[;&|]\s*){re.escape(program)}\b", event.command)
        if called and _succeeded(event):
            return f"program {program} ran later in the same run"
    return _installed(hypothesis.targets.programs, event)


def _path(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    if not _succeeded(event) or not phrases.search("writes", event.command):
        return None
    for path in hypothesis.targets.paths:
        name = PurePosixPath(path).name
        written = name and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", event.command)
        if written and not re.search(rf"(?<![\w.~}}-]){re.escape(path)}(?![\w-])", event.command):
            return f"`{_short(event.command)}` wrote to another path in the same run"
    return None


def _file(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    names = [PurePosixPath(path).name for path in hypothesis.targets.paths]
    if _succeeded(event) and event.output and any(name and name in event.output for name in names):
        return f"`{_short(event.command)}` showed the file later in the same run"
    return None


def _package(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    names = tuple(re.split(r"[\[=<>!~]", package, maxsplit=1)[0] for package in hypothesis.targets.packages)
    return _installed(names, event) or _same_command(hypothesis, event)


def _same_command(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    wanted = {" ".join(command.split()) for command in hypothesis.targets.commands}
    if _succeeded(event) and " ".join(event.command.split()) in wanted - {""}:
        return f"the same command `{_short(event.command)}` succeeded later in the same run"
    return None


def _next_step(_: Hypothesis, event: CommandRun) -> str | None:
    return "the run went on and later commands were executed" if _succeeded(event) else None


_FINDERS: dict[Barrier, Callable[[Hypothesis, CommandRun], str | None]] = {
    Barrier.MODULE: _module,
    Barrier.COMMAND: _program,
    Barrier.PERMISSION: _path,
    Barrier.READ_ONLY: _path,
    Barrier.MISSING_DATA: _file,
    Barrier.PIP: _package,
    Barrier.CONDA: _package,
    Barrier.APT: _package,
    Barrier.R_PACKAGE: _package,
    Barrier.HARNESS: _next_step,
}


def _host_answered(hypothesis: Hypothesis, events: Events) -> Passage | None:
    """Any other request of the run to the same host that brought data: then a retry was enough."""
    wanted = set(hypothesis.targets.hosts) | {host_of(url) for url in hypothesis.targets.urls} - {""}
    for index, event in enumerate(events.commands):
        text = f"{event.command}\n{event.output or ''}"
        if index != hypothesis.event and wanted & set(hosts_of(text)) and _brought_data(event):
            host = min(wanted & set(hosts_of(text)))
            return _passage(f"host {host} answered another request of the same run", event)
    for visit in events.visits:
        if host_of(visit.url) in wanted and not visit.error and visit.text and len(visit.text) > 500:
            return Passage(f"host {host_of(visit.url)} showed a page in the same run", (visit.url,), visit.blocks)
    return None


def _brought_data(event: CommandRun) -> bool:
    """Exit code 0 and output that the command's own text does not already contain."""
    if event.exit_code != 0 or not event.output or _FAILED.search(event.output):
        return False
    empty = {"none", "null", "nan", "true", "false", "exit", "code", "stdout", "stderr"}
    words = {word.lower() for word in re.findall(r"[\w.]{3,}", event.output)}
    return bool(words - {word.lower() for word in re.findall(r"[\w.]{3,}", event.command)} - empty)


def _short(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 100 else line[:97] + "…"
