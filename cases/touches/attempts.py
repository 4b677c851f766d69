"""What one event touched, and how that went."""

import ast
import posixpath
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from cases import patterns as re
from cases.failing import Failed, step_failures
from cases.failing.commands import IDLE
from cases.failing.forms import errors_in, said
from cases.hosts import failed_in
from cases.model import CommandRun, FileWrite, PageVisit, ToolCall
from cases.shell import Command, Step, looks, steps_of
from cases.touches.calls import nodes_of
from cases.touches.names import Thing, inquires, installs, named_in, plain_words, things

_OF_A_REVISION = re.compile(r"[\w.@^~/-]+:([\w.][\w./-]*)")
"""A path as git shows it of a revision."""
_OF_HISTORY = frozenset({"log", "ls-files", "rev-list", "shortlog", "status", "whatchanged", "check-ignore"})
"""Commands of git's that end well whether or not there is a file of the paths that they are given (gitglossary(7))."""
_URL = re.compile(r"""https?://[^\s"'`<>)\]}|;]*[^\s"'`<>)\]}|;.,:]""")
_FILE = re.compile(r"[\w@%+~./-]*\w[\w@%+~./-]*")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_MISSING = (126, 127)
_CALLING = frozenset({"run", "Popen", "call", "check_call", "check_output", "system", "popen"})
"""Functions of Python that run a command."""
_STARTING = frozenset({"os", "subprocess"})
"""Modules of Python that have them."""


_SPELLED = re.Whole(r"[\w./-]", r"[\w./-]|:\d")
_HOST = re.Whole(r"[\w.-]", r"[\w-]|\.\w")
MOST_BLAMED = 200
"""Things that one failure is about: the first and the last that its words name."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One event's word about one thing."""

    thing: Thing
    failed: Failed
    blamed: bool = False
    """Whether the failure itself names it."""


def attempts_of(event: object) -> tuple[Attempt, ...]:
    """Of one event, each thing once, what its failure names first."""
    if isinstance(event, CommandRun):
        found = list(_of_command(event))
    elif isinstance(event, PageVisit):
        found = [Attempt(thing, event.failed) for thing in _address(event.url)]
    elif isinstance(event, FileWrite):
        found = [Attempt(Thing("file", posixpath.normpath(event.path)), event.failed)]
    elif isinstance(event, ToolCall):
        found = list(_of_call(event))
    else:
        found = []
    by_thing: dict[Thing, Attempt] = {}
    for attempt in found:
        known = by_thing.get(attempt.thing)
        if known is None or (known.failed == "unknown" and attempt.failed != "unknown"):
            by_thing[attempt.thing] = attempt
    return tuple(by_thing.values())


def with_hosts(event: object, found: tuple[Attempt, ...], hosts: Iterable[str]) -> tuple[Attempt, ...]:
    """The same with hosts that a command spells like any other word: `hosts` are known to be some."""
    if not isinstance(event, CommandRun):
        return found
    known = {one.thing.name for one in found if one.thing.kind == "host"}
    for host in hosts:
        if host in known or not _HOST.within(host, event.command):
            continue
        rest = tuple(one for one in found if one.thing.kind != "file" or host not in one.thing.name)
        if event.only_looks and not any(one.blamed for one in set(found) - set(rest)):
            continue
        failed: Failed = "unknown" if event.failed == "yes" and any(one.blamed for one in rest) else event.failed
        told = failed == "yes" and host in (event.output or "")
        mine = Attempt(Thing("host", host), failed, told)
        found = (mine, *rest) if told else (*rest, mine)
    return found


def _of_call(event: ToolCall) -> Iterator[Attempt]:
    """A failed call says of the tool that it failed, and nothing of what it was called with."""
    if event.tool:
        yield Attempt(Thing("tool", event.tool), event.failed)
    given = [value for value in event.arguments.values() if isinstance(value, str)]
    for url in (url for value in given for url in _URL.findall(value)):
        yield from (Attempt(thing, "unknown" if event.failed == "yes" else event.failed) for thing in _address(url))


def _of_command(event: CommandRun) -> Iterator[Attempt]:
    shell = event.kind == "shell"
    came = step_failures(event.command, event.output, event.exit_code) if shell else (event.failed,)
    worked = bool(came) and set(came) == {"no"}
    blamed = [] if worked else _ends(list(dict.fromkeys(_blamed(event)))) or list(_not_started(event))
    if shell and event.failed == "yes":
        blamed = blamed or list(dict.fromkeys(_spelled_again(event)))
    for thing in blamed:
        yield Attempt(thing, "yes", blamed=True)
    if not shell:
        if event.command.strip():
            yield Attempt(Thing("command", " ".join(event.command.split())), event.failed)
        for thing in _in_code(event.command):
            yield _fate(thing, event.failed, blamed)
        return
    for step, failed in zip(event.steps, came, strict=True):
        fetches = _fetches(step.command)
        if failed == "yes" and not blamed and looks(step.command) and not inquires(step.command):
            yield Attempt(Thing("command", canonical(step.command)), failed)
        tells = not _asks_of_history(step.command)
        for thing in _in_step(step, event.cwd or ""):
            told = failed if tells or failed == "yes" or thing.kind != "file" else "unknown"
            yield _fate(thing, told, blamed, fetches=fetches)


def _asks_of_history(command: Command) -> bool:
    words = (word for word in command.arguments if not word.startswith("-"))
    return command.program == "git" and next(words, "") in _OF_HISTORY


def _ends(things: list[Thing]) -> list[Thing]:
    return things if len(things) <= MOST_BLAMED else [*things[: MOST_BLAMED // 2], *things[-MOST_BLAMED // 2 :]]


def _fate(thing: Thing, failed: Failed, blamed: list[Thing], *, fetches: bool = False) -> Attempt:
    """What the outcome of a step says of a thing in its words."""
    if thing in blamed or (thing.kind == "program" and any(_is(thing, other) for other in blamed)):
        return Attempt(thing, "yes", blamed=True)
    if failed != "yes" or thing.kind == "command":
        return Attempt(thing, failed)
    if thing.kind == "program":
        return Attempt(thing, "no")  # it ran, whatever became of its work
    fetched = fetches and thing.kind in ("host", "page", "package")
    return Attempt(thing, "yes" if fetched and not any(other.kind == thing.kind for other in blamed) else "unknown")


def _is(program: Thing, blamed: Thing) -> bool:
    return blamed.kind in ("file", "program") and posixpath.basename(blamed.name) == program.name


def _blamed(event: CommandRun) -> Iterator[Thing]:
    """Everything that the words of a failure are about, in their order; what is displayed is about nothing."""
    output = event.output or ""
    if event.only_looks:
        programs = {step.command.program for step in event.steps}
        lines = [one.line for one in said(output, "program") if posixpath.basename(one.about) in programs]
        lines += [one.line for one in said(output, "shell") if one.about in programs]
    else:
        aside = looks_complained(event)
        lines = [line for line in output.splitlines() if line.strip() not in aside]
    for line in dict.fromkeys(line.strip() for line in lines):
        for thing in named_in(line) or tuple(Thing("host", host) for host in failed_in(line)):
            yield _placed(thing, event)
            yield from _address(thing.name) if thing.kind == "page" else ()


def looks_complained(event: CommandRun) -> frozenset[str]:
    """Lines in which a program that only looked at what became of the work misses something, where the work failed, or
    may have and something else is missed as well.
    """
    if event.kind != "shell" or event.only_looks:
        return frozenset()
    steps, came, output = event.steps, step_failures(event.command, event.output, event.exit_code), event.output or ""
    worked = [
        (place, failed)
        for place, (step, failed) in enumerate(zip(steps, came, strict=True))
        if failed != "no" and not (looks(step.command) or inquires(step.command) or step.command.program in IDLE)
    ]
    if not worked:
        return frozenset()
    first = next((place for place, failed in worked if failed == "yes"), worked[0][0])
    after = {step.command.program for step in steps[first:] if looks(step.command)}
    before = {step.command.program for step in steps[:first]}
    told = [one for one in said(output, "program") if posixpath.basename(one.about) in after - before]
    lines = frozenset(one.line.strip() for one in told)
    rest = [line for line in output.splitlines() if line.strip() not in lines]
    missed = "yes" in dict(worked).values() or any(map(named_in, rest)) or errors_in("\n".join(rest))
    return lines if missed else frozenset()


def _spelled_again(event: CommandRun) -> Iterator[Thing]:
    """Files of its own words that a shell or a tool of the system spells in its word for a failure, in any language."""
    tools = {step.command.program for step in event.steps if step.command.file is None}
    output = event.output or ""
    lines = [one.line for one in said(output, "program") if posixpath.basename(one.about) in tools]
    lines += [one.line for one in said(output, "shell")]
    for step in event.steps if lines else ():
        for word in _operands(step.command):
            if any(_SPELLED.within(word, line) for line in lines):
                yield from _in_word(word, step, event.cwd or "", files=True)


def _not_started(event: CommandRun) -> Iterator[Thing]:
    """The program of which the exit code says that it could not be run, or the shell itself, in whatever language."""
    acting = [step.command for step in event.steps if step.command.program]
    if event.exit_code in _MISSING and acting:
        if not _speaks(acting[-1], event.output or ""):
            yield Thing("program", acting[-1].program)
    elif event.kind == "shell" and event.failed == "yes":
        programs = {command.program for command in acting if "/" not in command.words[0].text}
        yield from (Thing("program", one.about) for one in said(event.output or "", "shell") if one.about in programs)


def _speaks(command: Command, output: str) -> bool:
    """Whether a program, or the script that it runs, says itself what was not found: then it was started."""
    names = {command.program, *([posixpath.basename(command.file.text)] if command.file else [])}
    return any(one.about in names for one in said(output, "program"))


def _placed(thing: Thing, event: CommandRun) -> Thing:
    """Files as seen from where the line ran, libraries and headers without a place, hosts spelled one way."""
    if thing.kind == "host":
        return Thing("host", thing.name.lower().removeprefix("www."))
    if thing.kind != "file" or thing.name.startswith("-l") or re.search(r"\.(?:h\w*|so[.\d]*)$", thing.name):
        return thing
    folder = next((step.folder for step in reversed(event.steps) if not looks(step.command)), "")
    return Thing("file", posixpath.normpath(posixpath.join(event.cwd or "", folder or "", thing.name)))


def _in_step(step: Step, cwd: str) -> Iterator[Thing]:
    command = step.command
    if not command.program or command.program in IDLE:
        return
    if not looks(command) and not inquires(command):
        yield Thing("command", canonical(command))
    yield Thing("program", command.program)
    if "/" in command.words[0].text:
        yield from _in_word(command.words[0].text, step, cwd, files=True)
    installer = installs(command)
    if installer:
        names = list(plain_words(command, installer.values))[1:]
        packages = (word for word in names if word not in installer.verbs and not _URL.match(word) and "/" not in word)
        yield from (Thing("package", re.split(r"[\[<>=!~@;]", word)[0]) for word in packages if word[:1].isalnum())
    if command.code and command.code.language == "python":
        yield from _in_code(command.code.text)
    elif command.arguments[:1] == ("-m",) and len(command.arguments) > 1:
        yield Thing("module", command.arguments[1])
    for word in _operands(command):
        files = installer is None or word.startswith((".", "/"))
        yield from _in_word(word.partition("=")[2] or word, step, cwd, files=files)


def _operands(command: Command) -> Iterator[str]:
    """Words that may be files or addresses: no source code, and no text that is looked for."""
    words = [word.text for word in command.words[1:]] if not command.code else []
    if command.program in things().texts.programs:
        first = next((place for place, word in enumerate(words) if not word.startswith("-")), 0)
        words = words[:first] + words[first + 1 :]
    if command.program == "git" and command.arguments[:1] in (("show",), ("cat-file",), ("diff",)):
        words = [match[1] if (match := _OF_A_REVISION.fullmatch(word)) else word for word in words]
    yield from words
    yield from (one.target.text for one in command.redirects if one.target and one.target.text != "/dev/null")


def _in_word(word: str, step: Step, cwd: str, *, files: bool) -> Iterator[Thing]:
    if urls := _URL.findall(word):
        for url in urls:
            yield from _address(url)
    elif files and not word.startswith("-") and _is_file(word) and not _NUMBER.fullmatch(word):
        place = step.at(word, cwd)
        yield Thing("file", place if place is not None else posixpath.normpath(word))


def _is_file(word: str) -> bool:
    return ("/" in word or "." in word) and _FILE.fullmatch(word) is not None


def program_call(code: str) -> str | None:
    """The line in which a piece of Python first starts a program, or imports what can, as whoever has a shell can."""
    nodes = (node for node in nodes_of(code) if isinstance(node, ast.Import | ast.Call))
    found = (node.lineno for node in nodes if _starts_program(node))
    line = min(found, default=None)
    return code.splitlines()[line - 1].strip() if line else None


def _starts_program(node: ast.Import | ast.Call) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name == "subprocess" for alias in node.names)
    called = node.func
    of = called.value if isinstance(called, ast.Attribute) else None
    return isinstance(of, ast.Name) and of.id in _STARTING and getattr(called, "attr", "") in _CALLING


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _in_code(code: str) -> Iterator[Thing]:
    """What a piece of Python imports, and the files and addresses that it spells."""
    for node in nodes_of(code):
        if isinstance(node, ast.Import):
            yield from (Thing("module", name) for alias in node.names for name in _modules(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (Thing("module", name) for name in _modules(node.module))
        elif isinstance(node, ast.Call) and (words := _spelled(node)):
            yield Thing("command", shlex.join(words))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 300:
            if url := _URL.fullmatch(node.value):
                yield from _address(url[0])
            elif _is_file(node.value) and not _NUMBER.fullmatch(node.value):
                yield Thing("file", posixpath.normpath(node.value))


def _spelled(call: ast.Call) -> list[str]:
    """The words of a command that a call of `subprocess` is given, where it spells them all."""
    given = call.args[0] if _name(call) in _CALLING and call.args else None
    words = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
    found = [one.value for one in words if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if len(found) != len(words):
        return []
    if isinstance(given, ast.Constant):
        steps = steps_of(found[0])
        return [word.text for word in steps[0].command.words] if len(steps) == 1 else []
    return found


def _modules(name: str) -> Iterator[str]:
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names:
        yield from dict.fromkeys((top, name))


def _address(url: str) -> Iterator[Thing]:
    try:
        host = (urlsplit(url).hostname or "").lower().removeprefix("www.")
    except ValueError:
        return
    if host:
        yield Thing("page", url.partition("#")[0])
        yield Thing("host", host)


def _fetches(command: Command) -> bool:
    return installs(command) is not None or command.program in things().fetchers.programs


def canonical(command: Command) -> str:
    """A command's words without wrappers, assignments and redirections, spelled one way."""
    return shlex.join(word.text for word in command.words)
