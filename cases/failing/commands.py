"""What the simple commands of a line of shell came to, and the line as a whole."""

import ast
import posixpath
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from cases import patterns as re
from cases.failing.forms import done, proves_nothing, refused, said, spoken_by
from cases.remembered import remembered
from cases.shell import Command, Group, Step, looks, parse, steps_of
from cases.shell.tree import Node

Failed = Literal["yes", "no", "unknown"]

_SILENT = (0, None, -1)
"""Exit codes that do not tell of a failure; -1 is OpenHands' for one that is not known."""
TIMED_OUT = 124
"""timeout(1)'s exit code, which harnesses give what they end themselves."""
IDLE = frozenset(
    {"echo", "printf", "true", ":", "sleep", "cd", "pushd", "popd", "exit", "export", "set", "source", "."}
)
"""Programs that do not even look."""
_VARIABLE = re.compile(r"\\\$(?:\w+|\\\{[^}]*\\\})")


@remembered(1024)
def command_failed(command: str, output: str | None, exit_code: int | None) -> Failed:
    """A line of shell: its exit code where that tells, else what came of the last in it that does more than look."""
    if exit_code not in _SILENT:
        return "yes"
    body = parse(command).body
    if body is None:
        told = exit_code != 0 and any(said(output or "", "shell", "tool", "harness"))
        return "yes" if told else "unknown"
    steps = (step.command for step in steps_of(command))
    return _whole(body, dict(zip(steps, step_failures(command, output, exit_code), strict=True)))


def ended_by_time(command: str, output: str | None, exit_code: int | None) -> bool:
    """Whether the tool that ran a line of shell ended it after its time; a `timeout` of the line's own is none."""
    own = any("timeout" in step.command.wrappers for step in steps_of(command))
    told = any(one.form.id == "time" for one in said(output or "", "harness"))
    return not own and (exit_code == TIMED_OUT or told)


@remembered(1024)
def step_failures(command: str, output: str | None, exit_code: int | None) -> tuple[Failed, ...]:
    """What each simple command of the line came to, in the order of `CommandRun.steps`."""
    steps = steps_of(command)
    text = _without_echoes(steps, output or "")
    codes = _printed_codes(steps, output or "")
    came = [codes.get(place) or _of_step(step, text, exit_code) for place, step in enumerate(steps)]
    for place in [place for place, failed in enumerate(came) if failed == "yes" and place not in codes]:
        others = [other for at, other in enumerate(steps) if at != place and came[at] == "yes"]
        came[place] = "unknown" if _said_of(steps[place], others, text) else "yes"
    if "yes" not in came and (exit_code not in _SILENT or _anybody(steps, text)):
        undecided = [place for place, failed in enumerate(came) if failed == "unknown"]
        acting = [place for place in undecided if not looks(steps[place].command) and not _only_passes(steps[place])]
        blamed = [place for place in undecided if _complains_of(steps[place].command, text)]
        for place in (blamed or acting or undecided)[-1:]:
            came[place] = "yes"
    first = next((place for place, step in enumerate(steps) if step.command.program not in IDLE), None)
    if first is not None and steps[first].command.program == "git" and text.lstrip().startswith(_GIT):
        came[first] = "yes"
    if _chained(parse(command).body) and "yes" in came:
        last = max(place for place, failed in enumerate(came) if failed == "yes")
        came[:last] = ["no"] * last
    if exit_code not in _SILENT and _ended_the_line(command, steps, came):
        came[-1] = "yes"
    return tuple(came)


def _said_of(step: Step, others: Sequence[Step], text: str) -> bool:
    """Whether all that a program of two steps complains of is named by the other one alone."""
    program = step.command.program
    told = [line for line in text.splitlines() if line.partition(":")[0].rpartition("/")[2] == program]
    mine = set(step.command.arguments)
    theirs = {word for one in others if one.command.program == program for word in one.command.arguments} - mine

    def named(words: set[str], line: str) -> bool:
        return any(len(word) > _LETTER and word in line for word in words)

    return bool(told) and all(named(theirs, line) and not named(mine, line) for line in told)


def _only_passes(step: Step) -> bool:
    """Whether it hands on what another step says: a failure of its own it tells under its name."""
    return step.fed and step.command.program == "tee"


def _ended_the_line(command: str, steps: Sequence[Step], came: Sequence[Failed]) -> bool:
    """Whether the line's exit code is that of its last step, at the end of a pipe that ran, and that step does work."""
    if not steps or not steps[-1].fed or steps[-1].feeds or "pipefail" in command:
        return False
    last = steps[-1].command
    ran = len(steps) > 1 and steps[-2].feeds and came[-2] == "yes"
    return ran and (last.file is not None or not looks(last))


def call_failed(answer: str | None, exit_code: int | None) -> Failed:
    """A call of a tool that runs no commands: it worked where it answered and did not refuse."""
    if exit_code not in _SILENT or refused(answer or ""):
        return "yes"
    return "no" if answer else "unknown"


def code_failed(code: str, output: str | None, exit_code: int | None) -> Failed:
    """A piece of Python."""
    if exit_code not in _SILENT:
        return "yes"
    proves = not catches(code)
    if exit_code == 0 and proves:
        return "no"
    if any(said(output or "", "tool", "harness")):
        return "yes"
    return "no" if proves and done(output or "", {"python"}) else "unknown"


def _of_step(step: Step, text: str, exit_code: int | None) -> Failed:
    command = step.command
    if exit_code == 0 and step.must and not proves_nothing(command.program, command.text):
        return "no"
    words = {posixpath.basename(word.text) for word in command.words[: 1 if looks(command) else None]}
    names = {name for word in words for name in spoken_by(word)}
    if command.file and not looks(command):
        names.add(posixpath.splitext(posixpath.basename(command.file.text))[0])
    if any(posixpath.basename(one.about) in names for one in said(text, "program")):
        return "yes"
    spelled = {word.text for word in command.spelled}
    if any(one.about in spelled for one in said(text, "shell")):
        return "yes"
    return "no" if done(text, {command.program, command.module.text if command.module else ""}) else "unknown"


def _anybody(steps: Sequence[Step], text: str) -> bool:
    """Whether some tool, or who runs the commands, says that something failed; what is displayed says nothing."""
    displayed = all(looks(step.command) for step in steps)
    return any(said(text, "harness")) if displayed else any(said(text, "harness", "tool", "shell"))


def _complains_of(command: Command, text: str) -> bool:
    """Whether a line begins as git's complaints do, or with a place in a file that was given, as compilers write it."""
    if command.program == "git" and any(line.startswith(_GIT) for line in text.splitlines()):
        return True
    files = {f"{word}:" for word in command.arguments if "." in word}
    return any(
        line.startswith(file) and line[len(file) : len(file) + 1].isdigit()
        for line in text.splitlines()
        for file in files
    )


_LETTER = 2
"""Letters of an option, which any line may hold."""
_GIT = "fatal: "
"""git's usage.c: with what a failure begins."""


def _printed_codes(steps: Sequence[Step], output: str) -> dict[int, Failed]:
    """What a command like `echo "rc $?"` printed of the one before it, by that one's place."""
    found: dict[int, Failed] = {}
    lines = [line.strip() for line in output.splitlines()]
    for place, step in enumerate(steps):
        told = " ".join(step.command.arguments)
        if place == 0 or step.command.program != "echo" or "$?" not in told:
            continue
        before, _, behind = (_VARIABLE.sub(".*?", re.escape(piece)) for piece in told.partition("$?"))
        printed = re.compile(rf"{before}(\d{{1,3}}){behind}")
        match = next((match for line in lines if (match := printed.fullmatch(line))), None)
        if match:
            found[place - 1] = "yes" if int(match[1]) else "no"
    return found


def _without_echoes(steps: Sequence[Step], output: str) -> str:
    """What stands in the command itself is nobody's last word."""
    echoes = (step.command for step in steps if step.command.program == "echo")
    echoed = {" ".join(command.arguments).strip() for command in echoes} - {""}
    return "\n".join(line for line in output.splitlines() if line.strip() not in echoed)


def _chained(node: Node | None) -> bool:
    """Whether it is nothing but commands joined by `&&`, of which one runs only where those before it worked."""
    while isinstance(node, Group) and node.kind == "list" and len(node.parts) == 1:
        node = node.parts[0]
    if not isinstance(node, Group) or node.kind != "chain" or set(node.joints) != {"&&"}:
        return False
    return all(isinstance(part, Command) and not part.inner for part in node.parts)


def _whole(node: Node, came: Mapping[Command, Failed]) -> Failed:
    """From what its commands came to, to what a node did; those that do more count before those that do less."""
    if isinstance(node, Command):
        inner = [script.body for script in node.inner if script.body and node.program != "find"]
        return _whole(inner[-1], came) if inner else came[node]
    most = _work(node)
    parts = [_whole(part, came) for part in node.parts if _work(part) == most]
    if node.kind == "list" or (node.kind == "chain" and "||" in node.joints):
        return parts[-1] if parts else "unknown"
    if "yes" in parts:
        return "unknown" if node.kind == "not" else "yes"
    settled = node.kind in ("chain", "pipeline", "subshell", "braces") and set(parts if most > 1 else parts[-1:]) == {
        "no"
    }
    return "no" if settled else "unknown"


def _work(node: Node) -> int:
    """2 for what does something, 1 for what only looks, 0 for what does not even that."""
    if isinstance(node, Command):
        inner = [_work(script.body) for script in node.inner if script.body]
        idle = node.program in IDLE and not any(redirect.writes for redirect in node.redirects)
        return max([0 if idle or not node.words else 1 if looks(node) else 2, *inner])
    return max((_work(part) for part in node.parts), default=0)


@lru_cache(maxsize=1024)
def catches(code: str) -> bool:
    """Whether a failure in it need not show."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return re.search(r"\bexcept\b|\bsuppress\(", code) is not None
    nodes = list(ast.walk(tree))
    suppresses = any(isinstance(node, ast.Name | ast.Attribute) and _name(node) == "suppress" for node in nodes)
    return suppresses or any(isinstance(node, ast.Try | ast.TryStar) and node.handlers for node in nodes)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
