"""Who speaks in each text of a record: the task, one of its programs, the agent, the machine, or what was displayed."""

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Literal

from cases import patterns as re
from cases.failing import errors_in
from cases.failing.forms import said
from cases.model import Block, Case, CommandRun, Events, Run
from cases.shell import Command, looks
from cases.touches.calls import files_shown
from cases.touches.names import SOURCE, of_the_system, shows_text, things

Speaker = Literal["task", "program", "environment", "agent", "displayed"]
"""`program` is the text of one of the task's, which speaks for the task, but of hosts asks for none."""
OF_THE_TASK = ("task", "program")

_LISTS = frozenset({"ls", "find", "tree", "which", "type", "whereis", "locate", "fd", "pwd", "env", "printenv"})
"""Programs that only look, and print names of the machine's own rather than what stands in files."""
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
_HEADING = re.compile(r" {0,3}(?P<signs>#{1,6})\s+(?P<title>.*?)\s*#*\s*")
_WHOLE = frozenset({"cat", "tac", "nl", "head", "tail", "less", "more", "bat"})
"""Programs that print the files that they are given."""
_BARE = re.compile(r"[A-Z][A-Za-z]{3,}")
"""A document's name without an ending: README, INSTALL, Makefile."""
_SHORTEST_RULE = 3
"""Signs of the rule under a heading of Markdown's or of reStructuredText's."""


def spoken(run: Run, events: Events) -> Iterator[tuple[Speaker, str]]:
    """Every text of the record in order, with who speaks in it."""
    blocks = run.transcript.blocks if run.transcript else ()
    results: dict[int, list[CommandRun]] = defaultdict(list)
    for event in events.commands:
        if len(event.blocks) > 1 and event.output:
            results[event.blocks[-1]].append(event)
    pages = {block for visit in events.visits for block in visit.blocks[-1:]}
    shown = {call.blocks[-1] for call in events.calls if shows_text(call.tool)}
    written = {posixpath.basename(write.path) for write in events.writes}
    agents = run.transcript.agents if run.transcript else frozenset()
    began = False
    for block in blocks:
        if block.role in agents or block.kind == "call":
            began = True
            written |= _written(block)
            yield "agent", block.text
        elif not began and block.kind == "message":
            yield ("environment" if block.role in ("system", "developer") else "task"), block.text
        elif block.index in pages:
            yield "displayed", block.text
        elif block.index in results:
            for event in results[block.index]:
                speaker = _speaker(event, written)
                yield speaker, for_users(_shown(event)) if speaker in OF_THE_TASK else event.output or ""
        else:
            yield ("displayed" if block.index in shown or shows_text(block.tool or "") else "environment"), block.text


def asked(case: Case, run: Run, events: Events, files: Mapping[str, str]) -> Iterator[str]:
    """The prompt, what a user says before the agent begins, and each document that they name, as given or as shown."""
    blocks = run.transcript.blocks if run.transcript else ()
    agents = run.transcript.agents if run.transcript else frozenset()
    before = takewhile(lambda block: block.role not in agents and block.kind != "call", blocks)
    said = [block.text for block in before if block.kind == "message" and block.role not in ("system", "developer")]
    prompt = "\n".join((case.task.prompt or "", *said))
    yield prompt
    yield from (for_users(text) for path, text in files.items() if posixpath.basename(path) in prompt)
    own = written_by(run, events)
    for event in events.commands:
        words = [word for step in event.steps if looks(step.command) for word in step.command.arguments]
        shown = [posixpath.basename(word) for word in words]
        ran = {posixpath.basename(step.command.file.text) for step in event.steps if step.command.file}
        told = event.output and event.failed != "yes" and ran.isdisjoint(shown)
        if told and _speaks_for(prompt, shown, own):
            yield for_users(_shown(event))


def _shown(event: CommandRun) -> str:
    """What a command printed, without what the programs of its line complain of themselves."""
    output = event.output or ""
    names = {word.text for step in event.steps for word in step.command.words[:1]}
    complaints = {one.line.strip() for one in said(output, "program", "shell") if one.about in names}
    return "".join(line for line in output.splitlines(keepends=True) if line.strip() not in complaints)


def _speaks_for(prompt: str, shown: Sequence[str], own: frozenset[str]) -> bool:
    """Whether files of these names, shown together, hold a document that the prompt names: what stands beside a source
    that it names may be another's.
    """
    tell = [name for name in shown if _may_tell(name) and name not in own]
    named = [name for name in tell if name in prompt]
    documents = [name for name in shown if _BARE.fullmatch(name) or (name in tell and not SOURCE.search(name))]
    beside = any(name not in named for name in documents)
    return bool(named) and not (beside and all(map(SOURCE.search, named)))


def _may_tell(name: str) -> bool:
    """Whether a file of that name may be a document: it has an ending, which is none of data."""
    _, dot, ending = name.strip(".").rpartition(".")
    return bool(dot) and ending.lower() not in things().open_forms.endings


def written_by(run: Run, events: Events) -> frozenset[str]:
    """Names of files that the run wrote whole, by a tool, by a redirection or in its own words."""
    names = {posixpath.basename(write.path) for write in events.writes if write.how == "whole"}
    steps = (step for event in events.commands for step in event.steps)
    return frozenset(names.union(posixpath.basename(file) for step in steps for file in step.command.outputs))


def _written(block: Block) -> set[str]:
    """Names of files that the agent's own words put something into."""
    return {posixpath.basename(name) for name in re.findall(r"(?:>|\btee)\s*['\"]?([\w./-]+)", block.text)}


def _speaker(event: CommandRun, written: set[str]) -> Speaker:
    """Of what a command printed: a task's file that is shown speaks for the task, other files for nobody."""
    shown = (list(files_shown(event.command)) or None) if event.kind == "python" else _shown_by_shell(event)
    if event.failed == "yes" or shown is None or (event.failed == "unknown" and errors_in(event.output or "")):
        return "environment"
    if not shown or any(posixpath.basename(word) in written or of_the_system(word) for word in shown):
        return "displayed"
    return "program" if any(SOURCE.search(word) for word in shown) else "task"


def _shown_by_shell(event: CommandRun) -> list[str] | None:
    """The paths that a line only shows; None where it does more than that, or prints names of the machine's own."""
    steps = [step for step in event.steps if step.command.program not in ("cd", "echo", "")]
    if not event.only_looks or not steps or all(step.command.program in _LISTS for step in steps):
        return None
    by_name = any("xargs" in step.command.wrappers and not _names_only(step.command) for step in steps)
    lists = [] if by_name else [step.command for step in steps if _only_lists(step.command)]
    if lists and all(_filters(step.command) or step.command in lists for step in steps):
        return None
    shown = [
        word
        for step in steps
        for word in step.command.arguments
        if looks(step.command)
        and step.command not in lists
        and ("/" in word or "." in word or (step.command.program in _WHOLE and _BARE.fullmatch(word)))
    ]
    return None if lists and not shown else shown


def _names_only(command: Command) -> bool:
    """Whether it prints names of files that hold something, and nothing of what they hold."""
    options = "".join(word[1:] for word in command.arguments if re.fullmatch(r"-[A-Za-z]+", word))
    return command.program in _SEARCHES and ("l" in options.lower() or "--files-with-matches" in command.arguments)


def _filters(command: Command) -> bool:
    """Whether it only chooses among the lines that another prints, or names what fits."""
    words = [word for word in command.arguments if not word.startswith("-")]
    return _names_only(command) or (command.program in _SEARCHES and len(words) == 1 and not command.redirects)


def _only_lists(command: Command) -> bool:
    """Whether it prints names alone, and has no other program print what stands in files."""
    return command.program in _LISTS and not {"-exec", "-execdir"}.intersection(command.arguments)


def for_users(text: str) -> str:
    """A document without the sections that speak to those who work on the project itself."""
    told = _developers()
    kept, skipped = list[str](), 0
    for line, level, title in _headed(text):
        if level and (not skipped or level <= skipped):
            skipped = level if told.search(title) else 0
        if not skipped:
            kept.append(line)
    return "\n".join(kept)


def _headed(text: str) -> Iterator[tuple[str, int, str]]:
    """Each line with the level and the title of the heading that it is; 0 for none. What is fenced has no headings."""
    fenced, lines = False, text.splitlines()
    for place, line in enumerate(lines):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        under = lines[place + 1].strip() if place + 1 < len(lines) else ""
        if not fenced and (match := _HEADING.fullmatch(line)):
            yield line, len(match["signs"]), match["title"]
        elif not fenced and line.strip() and len(under) >= _SHORTEST_RULE and set(under) in ({"="}, {"-"}):
            yield line, 1 if under[0] == "=" else 2, line.strip()
        else:
            yield line, 0, ""


@cache
def _developers() -> re.Pattern[str]:
    return re.compile("|".join(things().developers.patterns), re.IGNORECASE)
