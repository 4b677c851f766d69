"""What a run met, and what it only saw in text that was shown, or missed because it has yet to make it itself."""

import posixpath
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from cases import Block, Case, CommandRun, Events, Run
from cases.hosts import hosts_of, own_machine, urls_of
from cases.touches import is_shown, is_test_log, touches_of
from cases.touches.names import shows_text
from cases.touches.promises import said
from graph.signature import Match
from probes import Barrier, Targets
from probes.barriers import Trait, having

_URLS = 3


class Met:
    """One run's record, asked about what a signature found in it."""

    def __init__(self, case: Case, run: Run, events: Events, files: Mapping[str, str] | None = None) -> None:
        """Works out what the run touched; `files` are the task's."""
        self._blocks = run.transcript.blocks if run.transcript else ()
        self._prompt = case.task.prompt or ""
        touched = (touch for touch in touches_of(case, run, events, files) if touch.kind == "file")
        self._own = defaultdict[str, list[str]](list)
        for touch in touched:
            if touch.origin == "agent":
                self._own[posixpath.basename(touch.name)].append(touch.name)
        self._shell = defaultdict[tuple[int, ...], list[str]](list)
        for event in events.commands:
            if event.kind == "shell":
                self._shell[event.blocks].append(event.output or "")
        self._calls = defaultdict[str | None, list[int]](list)
        for block in self._blocks:
            if block.kind == "call":
                self._calls[block.call_id].append(block.index)

    def by_command(self, match: Match, event: CommandRun) -> Targets | None:
        """What to try, or None where the command only showed the words, or missed what nobody but the agent names."""
        output = event.output or ""
        line = _line(output, match)
        if is_shown(event, line) or self._to_be_made(match) or self._of_a_command_inside(match, event):
            return None
        commands = (event.command,) if event.command and event.kind == "shell" else ()
        if match.barrier not in having(Trait.WEB):
            return match.targets.model_copy(update={"commands": commands})
        if is_test_log(event):
            return None
        near = f"{event.command}\n{line}"
        alone = not hosts_of(near) and len(_hosts_of_all(output)) == 1
        return _sited(match.targets.model_copy(update={"commands": commands}), output if alone else near)

    def by_result(self, match: Match, block: Block) -> Targets | None:
        """The same of a result that belongs to no event: a site counts only where the call itself asked for it."""
        if shows_text(block.tool or ""):
            return None
        if match.barrier not in having(Trait.WEB):
            return match.targets
        calls = self._calls.get(block.call_id, [])
        before = bisect_left(calls, block.index)
        return _sited(match.targets, self._blocks[calls[before - 1]].text if before else _line(block.text, match))

    def _of_a_command_inside(self, match: Match, event: CommandRun) -> bool:
        """Whether code called a shell that printed it: that command is an event of its own."""
        inside = self._shell.get(event.blocks, ()) if event.kind == "python" else ()
        return any(match.quote in output for output in inside)

    def _to_be_made(self, match: Match) -> bool:
        """Whether it is about files that only the agent names, none of which the prompt has in another folder."""
        paths = match.targets.paths if match.barrier is Barrier.MISSING_DATA else ()
        return bool(paths) and all(self._is_own(posixpath.normpath(path)) for path in paths)

    def _is_own(self, path: str) -> bool:
        name = posixpath.basename(path)
        told, own = said(name, [("", self._prompt)]), self._own.get(name, ())
        if told.spoken and not told.to_make:
            return False
        return any(one == path or one.endswith(f"/{path}") or path.endswith(f"/{one}") for one in own)


@lru_cache(maxsize=4)
def _hosts_of_all(output: str) -> frozenset[str]:
    return frozenset(hosts_of(output))


def _line(text: str, match: Match) -> str:
    """The whole line, or lines, in which it stands."""
    start = text.rfind("\n", 0, match.start) + 1
    end = text.find("\n", match.end)
    return text[start : end if end >= 0 else len(text)]


def _sited(targets: Targets, text: str) -> Targets | None:
    """With the sites that a text names; None where it names none that anybody could visit."""
    hosts = hosts_of(text)[:1]
    if any(map(own_machine, hosts)):
        return None
    return targets.model_copy(update={"urls": urls_of(text)[:_URLS], "hosts": hosts}) if hosts else None
