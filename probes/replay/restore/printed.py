"""Files whose whole content a command printed: what `cat` showed can be put back."""

from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import join

from cases import CommandRun, FileWrite
from cases import patterns as re
from cases.shell import looks
from cases.touches.making import PLACING, made
from cases.touches.promises import WRITING

HAL = re.compile(r"\AStdout:\n(?P<out>.*?)\n*^Stderr:\s*\Z", re.DOTALL | re.MULTILINE)
HAL_OPEN = re.compile(r"\AStdout:\n")
FOOTER = re.compile(
    r"(?:\n\[(?:The command completed|Current working directory|Python interpreter|Command finished)[^\n]*)+\Z"
)
CUT = re.compile(
    r"(?i)truncated|clipped|omitted|output (?:limit|too long|is too)|\.\.\. ?\[|\[\.\.\.|more (?:lines|characters)"
)
MAKERS = PLACING | {"wget", "curl", "git", "gunzip", "patch", "truncate"}
"""Programs that may have made a file which they name."""
LONGEST = 100_000
"""Characters; more than that is no small file."""


@dataclass(frozen=True)
class Printed:
    """One file as a command showed it."""

    path: str
    content: str
    cwd: str | None
    before: int
    """It was there before the command of this index."""


def printed(commands: Sequence[CommandRun], writes: Sequence[FileWrite], failing: int) -> list[Printed]:
    """The files that were there before the command `failing`, as far as `cat` showed them."""
    found: dict[str, Printed] = {}
    for index, command in enumerate(commands):
        path, content = _shown(command)
        if path is None or content is None or path in found or index == failing:
            continue
        name = path.rpartition("/")[2]
        before = _since(commands[: min(index, failing)], name, index)
        if index > failing:
            between = commands[failing + 1 : index]
            changed = any(name in other.command and not other.only_looks for other in between)
            edited = any(failing < write.after <= index and write.path.endswith(name) for write in writes)
            if changed or edited or name not in commands[failing].command:
                continue
            before = min(before, failing)
        found[path] = Printed(path, content, command.cwd, before)
    return sorted(found.values(), key=lambda file: file.before)


def _since(earlier: Sequence[CommandRun], name: str, index: int) -> int:
    """From when on it must have been there: its first use, unless that may have made it."""
    for place, command in enumerate(earlier):
        if name in command.command:
            return index if _may_make(command) else place
    return index


def _may_make(command: CommandRun) -> bool:
    commands = [step.command for step in command.steps]
    edits = any(one.program in MAKERS or (one.program == "sed" and not looks(one)) for one in commands)
    return edits or any(True for one in commands for _ in made(one)) or WRITING.search(command.command) is not None


def _shown(command: CommandRun) -> tuple[str | None, str | None]:
    *before, last = command.steps or (None,)
    cat = last.command if last and last.command.program == "cat" else None
    if cat is None or last is None or any(step.command.program != "cd" for step in before if step):
        return None, None
    if len(cat.arguments) != 1 or not cat.words[1].literal or cat.redirects or last.fed or last.folder is None:
        return None, None
    if command.exit_code != 0 or command.output is None:
        return None, None
    path = join(last.folder, cat.arguments[0])
    output = FOOTER.sub("", command.output)
    if hal := HAL.match(output):
        output = hal["out"]
    elif HAL_OPEN.match(output):
        return None, None
    if not output.strip() or len(output) > LONGEST or CUT.search(output[-2000:]) or CUT.search(output[:200]):
        return None, None
    return path, output.rstrip("\n") + "\n"
