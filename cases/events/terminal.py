"""What terminals show: which of several pieces of code failed, what each typed line printed, and what a prompt is."""

from collections.abc import Sequence

from cases import patterns as re
from cases.events.data import kind_of, unwrapped
from cases.events.prose import Call

FRAME = re.compile(
    r'^  File "[^"]*[/\\]?(?P<file>[^"/\\]+)", line (?P<line>\d{1,6}), in .*\n    (?P<code>.+)$', re.MULTILINE
)
PROMPT = re.compile(r"\A[^\n]{0,120}[$#%>] ?\Z")
FILE_NAME = re.compile(r"\A\s*# filename: *(\S+)")


def failed(calls: Sequence[Call], output: str) -> int:
    """The index of the call that failed: whose lines the traceback quotes, else the first of the kind that fails so."""
    frames = [(frame["file"], int(frame["line"]), frame["code"].strip()) for frame in FRAME.finditer(output)]
    for number, call in enumerate(calls):
        code = _code(call)
        lines = code.split("\n")
        named = FILE_NAME.match(code)
        for file, line, quoted in frames:
            stands = line <= len(lines) and lines[line - 1].strip() == quoted
            if kind_of(call.tool) == "python" and stands and (named is None or named[1] == file):
                return number
    kind = "python" if "Traceback (most recent call last)" in output or "SyntaxError" in output else "shell"
    same = [number for number, call in enumerate(calls) if kind_of(call.tool) == kind]
    return same[0] if same else len(calls) - 1


def _code(call: Call) -> str:
    return next((value for value in call.arguments.values() if isinstance(value, str)), "")


def screens(typed: Sequence[str], screen: str) -> list[str | None]:
    """What each typed text printed: what stands between its echo and that of the next one that the screen shows.

    None where the screen does not show it; a single one, or the last where none is echoed, has the whole screen.
    """
    starts: list[int | None] = []
    at = 0
    for keys in typed:
        line = keys.strip().split("\n")[0]
        found = screen.find(line, at) if line else -1
        starts.append(found if found >= 0 else None)
        at = found + len(line) if found >= 0 else at
    shown: list[str | None] = [None] * len(typed)
    if all(start is None for start in starts):
        return [*shown[:-1], screen] if typed else []
    ends = [start for start in starts if start is not None][1:]
    for number, start in enumerate(starts):
        if start is not None:
            body = start + len(typed[number].strip().split("\n")[0])
            shown[number] = screen[body : ends.pop(0) if ends else len(screen)].lstrip("\n")
    return shown


def printed(command: str, output: str) -> str:
    """What the command printed: without what its tool wrote around it, and without a prompt and what was typed."""
    screen = unwrapped(output)
    prompt, typed, shown = screen.partition(command.strip() or "\n")
    if not typed.strip() or not PROMPT.match(prompt) or (shown and not shown.startswith("\n")):
        return screen
    before, _, last = shown.rstrip().rpartition("\n")
    return (before if last.strip() == prompt.strip() else shown).removeprefix("\n")
