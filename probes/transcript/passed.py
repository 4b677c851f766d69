"""Was the barrier passed in the same run? The same target must be seen to succeed."""

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from cases import CommandRun, Events, FileWrite
from cases import patterns as re
from cases.hosts import host_of, page_key
from cases.sentences import Sentences
from cases.shell import Step
from cases.touches import attempts_of
from cases.touches.installing import bare, installs
from cases.touches.making import PLACING, made
from cases.touches.promises import WRITING, made_by_run
from probes.barriers import Trait, having
from probes.model import Barrier, Hypothesis
from probes.transcript.opened import listed, opened

say = Sentences(__name__)

_CAUGHT = re.compile(r"(?i)error|exception|fail|refused|timed? ?out|max retries|unreachable|forbidden|denied|not found")
_NO_IMPORT = re.compile(r"ImportError|ModuleNotFoundError|No module named|SyntaxError|IndentationError|not allowed")
_INSTALLED = (
    r"Successfully installed[^\n]*?\sNAME(?:-\d|\s|$)|already satisfied: NAME(?![\w-])"
    r"|\bSetting up NAME(?::\w+)? |\bNAME is already the newest"
)
_ENDS = {"exit", "quit", "sys.exit", "os._exit"}
_COME_AS_PAGES = frozenset({Barrier.REFUSED, Barrier.GEO_BLOCK, Barrier.PAGE_GONE, Barrier.SERVER_ERROR})
_TRIED = frozenset({"--dry-run", "--help", "--download-only", "--simulate", "-s"})


@dataclass(frozen=True)
class Passage:
    """How the run itself got past the barrier."""

    sentence: str
    commands: tuple[str, ...]
    blocks: tuple[int, ...]


def passage(hypothesis: Hypothesis, events: Events) -> Passage | None:
    """The first event of the run that shows the hypothesis's target succeeding, if any."""
    if hypothesis.barrier is Barrier.PAGE_UNUSABLE:
        return None  # that a page opened, and with how much on it, does not say that it was of use
    if hypothesis.barrier in having(Trait.RETRIED):
        return _host_answered(hypothesis, events)
    elsewhere = hypothesis.barrier in having(Trait.ELSEWHERE)
    if elsewhere and _only_read(hypothesis, events):
        return None
    finder = _FINDERS.get(hypothesis.barrier, _same_command)
    anywhere = elsewhere or hypothesis.event is None
    start = 0 if anywhere else (hypothesis.event or 0) + 1
    for index, event in enumerate(events.commands[start:], start):
        sentence = finder(hypothesis, event)
        if sentence and not (hypothesis.barrier is Barrier.MISSING_DATA and _made(hypothesis, events, index)):
            return _passage(sentence, event)
    return None


def _passage(sentence: str, event: CommandRun) -> Passage:
    repeatable = "\n" not in event.command.strip()
    return Passage(sentence, (event.command.strip(),) if repeatable else (), event.blocks)


def _only_read(hypothesis: Hypothesis, events: Events) -> bool:
    """Whether the failing command names the path and writes nothing: then writing elsewhere passes nothing."""
    if hypothesis.event is None or hypothesis.event >= len(events.commands):
        return False
    event = events.commands[hypothesis.event]
    named = any(path in event.command for path in hypothesis.targets.paths)
    writes = any(True for step in event.steps for _ in made(step.command, PLACING))
    return named and not (writes or WRITING.search(event.command))


def _made(hypothesis: Hypothesis, events: Events, index: int) -> bool:
    """Whether the run itself had made a file of that name."""
    writes, commands = [write for write in events.writes if write.after <= index], events.commands[: index + 1]
    return any(
        made_by_run(path, "", commands, writes) or _named_to_own_code(PurePosixPath(path).name, commands, writes)
        for path in hypothesis.targets.paths
    )


def _named_to_own_code(name: str, commands: Sequence[CommandRun], writes: Sequence[FileWrite]) -> bool:
    """Whether a program that the run wrote was called with a file of that name, which it may have made."""
    steps = [step.command for command in commands for step in command.steps]
    codes = [command for command in steps if name in {PurePosixPath(word).name for word in command.arguments}]
    called = {PurePosixPath(command.file.text).name for command in codes if command.file}
    return any(made_by_run(code, "", commands, writes) for code in called)


def _installed(names: tuple[str, ...], event: CommandRun) -> str | None:
    if event.failed != "no":
        return None
    really = (step.command for step in event.proven if not _TRIED & set(step.command.arguments))
    asked = [word for command in really if installs(command) for word in command.arguments]
    said = (event.output or "") if _may_install(event) else ""
    for name in names:
        spelled = re.sub(r"(?:\\?[-_])+", "[-_]", re.escape(name))
        told = re.search(_INSTALLED.replace("NAME", spelled), said, re.IGNORECASE)
        if told or any(re.search(rf"(?<![\w-]){spelled}(?![\w-]|\.\w)", text) for text in asked):
            return say("passed.succeeded_later_same", command=_short(event.command))
    return None


def _module(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    for module in hypothesis.targets.modules:
        if _imported(module, event):
            return say("passed.module_imported_later", module=module)
    return _installed(hypothesis.targets.modules, event)


def _may_install(event: CommandRun) -> bool:
    """Whether its own words have something installed, so that what it prints of that is an installer's."""
    codes = [step.command.code.text for step in event.steps if step.command.code]
    codes += [event.command] if event.kind == "python" else []
    return any(installs(step.command) for step in event.steps) or any("install" in code for code in codes)


def _imported(module: str, event: CommandRun) -> bool:
    """Outside of any block, in code that ran to its end, or that failed only after it."""
    if _NO_IMPORT.search(event.output or ""):
        return False
    codes = [node for code in event.code_run for node in _reached(code)]
    if event.kind == "python" and event.exit_code == 1:
        imports = (ast.Import, ast.ImportFrom)
        codes += itertools.takewhile(lambda node: isinstance(node, imports), _reached(event.command))
    return any(name == module or name.startswith(f"{module}.") for node in codes for name in _names(node))


def _reached(code: str) -> Iterator[ast.stmt]:
    """Its statements outside of any block, up to one that ends it; none where it is no Python."""
    shell_lines = re.compile(r"(?m)^[!%].*$")  # of a notebook
    try:
        statements = ast.parse(shell_lines.sub("", code)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for statement in statements:
        called = (
            statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
        )
        if ast.unparse(called) in _ENDS if called else isinstance(statement, ast.Raise):
            return
        yield statement


def _names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        yield statement.module


def _program(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    for program in hypothesis.targets.programs:
        called = any(program in {step.command.program, step.command.words[0].text} for step in _ran(event))
        if event.failed == "no" and called:
            return say("passed.program_ran_later", program=program)
    return _installed(hypothesis.targets.programs, event)


def _ran(event: CommandRun) -> list[Step]:
    return [step for step in event.proven if step.command.words]


def _path(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    if event.failed != "no":
        return None
    for path in hypothesis.targets.paths:
        name = PurePosixPath(path).name
        if not name or re.search(rf"(?<![\w.~}}-]){re.escape(path)}(?![\w-])", event.command):
            continue
        there = rf"(?<![\w.-]){re.escape(name)}(?![\w-])"
        placed = any(re.search(there, word) for step in event.proven for word in made(step.command, PLACING))
        if placed or any(re.search(rf"(?:{WRITING.pattern})[^\n]*?{there}", code) for code in event.code_run):
            return say("passed.wrote_another_path", command=_short(event.command))
    return None


def _file(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    for path in hypothesis.targets.paths:
        if listed(path, event) or (event.failed == "no" and opened(path, event)):
            return say("passed.showed_file_later", command=_short(event.command))
    return None


def _package(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    return _installed(tuple(bare(package) for package in hypothesis.targets.packages), event) or _same_command(
        hypothesis, event
    )


def _same_command(hypothesis: Hypothesis, event: CommandRun) -> str | None:
    wanted = {" ".join(command.split()) for command in hypothesis.targets.commands}
    if event.failed == "no" and " ".join(event.command.split()) in wanted - {""}:
        return say("passed.same_command_succeeded", command=_short(event.command))
    return None


def _next_step(_: Hypothesis, event: CommandRun) -> str | None:
    return say("passed.run_went_later") if event.failed == "no" else None


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


@dataclass(frozen=True, eq=False)
class _Given:
    """What is the same only if it is the very same object: comparing long runs takes longer than reading them."""

    events: Events

    def __hash__(self) -> int:
        return id(self.events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and self.events is other.events


@lru_cache(maxsize=4)
def _hosts_asked(given: _Given) -> tuple[frozenset[str], ...]:
    """The hosts that each command reached, or may have reached."""
    told = ((one for one in attempts_of(event) if one.thing.kind == "host") for event in given.events.commands)
    return tuple(frozenset(one.thing.name for one in hosts if one.failed != "yes") for hosts in told)


def _host_answered(hypothesis: Hypothesis, events: Events) -> Passage | None:
    """Another request of the run to the same host that brought data: then a retry was enough.

    Of pages, the ones that failed must have opened as well.
    """
    wanted = set(hypothesis.targets.hosts) | {host_of(url) for url in hypothesis.targets.urls} - {""}
    for index, (event, asked) in enumerate(zip(events.commands, _hosts_asked(_Given(events)), strict=True)):
        if index != hypothesis.event and wanted & asked and _brought_data(event):
            host = min(wanted & asked)
            return _passage(say("passed.host_answered_another", host=host), event)
    if hypothesis.barrier in _COME_AS_PAGES:
        return None  # whether what was shown is more than the wall itself, only a visit can tell
    visits = [visit for visit in events.visits if host_of(visit.url) in wanted]
    cited = {citation.block for citation in hypothesis.citations if citation.run_id == hypothesis.run_id}
    own = {page_key(url) for url in hypothesis.targets.urls}
    bad = [
        visit
        for visit in visits
        if cited.intersection(visit.blocks) or (visit.error and (not own or page_key(visit.url) in own))
    ]
    shown = [visit for visit in visits if visit not in bad and not visit.error and visit.text and len(visit.text) > 500]
    if shown and {page_key(visit.url) for visit in bad} <= {page_key(visit.url) for visit in shown}:
        return Passage(say("passed.host_showed_page", url=host_of(shown[0].url)), (shown[0].url,), shown[0].blocks)
    return None


def _brought_data(event: CommandRun) -> bool:
    """Exit code 0 and output that the command's own text does not already contain."""
    if event.failed == "yes" or event.exit_code != 0 or not event.output:
        return False
    if event.failed != "no" and _CAUGHT.search(event.output):
        return False
    empty = {"none", "null", "nan", "true", "false", "exit", "code", "stdout", "stderr"}
    words = {word.lower() for word in re.findall(r"[\w.]{3,}", event.output)}
    return bool(words - {word.lower() for word in re.findall(r"[\w.]{3,}", event.command)} - empty)


def _short(command: str) -> str:
    line = " ".join(command.split())
    return line if len(line) <= 100 else line[:97] + "…"
