"""How many bytes a missing file should have, as far as a task's own words or a listing tell it exactly."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cases import CommandRun
from cases import patterns as re
from cases.shell import Command
from cases.task_words import LONGEST, text_in

MANIFEST = re.compile(r"(?i)(?:^|/)[^/]*(?:manifest|inventory|checksums?|filelist|file[_-]?sizes)[^/]*$")
BYTES = {"wc": "-c|--bytes", "du": r"-\w*b|--bytes"}
"""Options with which programs count bytes."""
NUMBER = r"(?P<bytes>\d{1,3}(?:,\d{3})+|\d+)"


def told_sizes(path: str, texts: Iterable[tuple[str, str]], commands: Iterable[CommandRun]) -> dict[int, str]:
    """Sizes in bytes, each with where it is told; rounded ones, as of `ls -h`, do not count, and neither does 0."""
    name = re.escape(path.rstrip("/").rpartition("/")[2])
    found: dict[int, str] = {}
    for title, text in texts:
        patterns = (*_spoken(name), *_tabled(name)) if MANIFEST.search(title) else _spoken(name)
        for size in _matches(patterns, text[:LONGEST]):
            found.setdefault(size, title)
    for command in commands:
        for size in _matches(_listed(name, (step.command for step in command.steps)), command.output or ""):
            found.setdefault(size, f"the output of `{_first_line(command.command)}`")
    found.pop(0, None)
    return found


def manifests(workspace: Path | None, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Files of the task that list others, each with its text."""
    for name in files if workspace else ():
        if MANIFEST.search(name) and name.count("/") < 4:
            yield name, text_in(workspace, name)


def _matches(patterns: Iterable[str], text: str) -> Iterator[int]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.MULTILINE):
            yield int(match["bytes"].replace(",", ""))


def _spoken(name: str) -> tuple[str, ...]:
    """Prose, and JSON with a key that says what the number is."""
    there = rf"(?<![\w.-]){name}(?![\w-])(?!\.\w)"
    return (
        rf"{there}[^\n.;\d]{{0,40}}?(?<![\w.,]){NUMBER} ?[Bb]ytes\b",
        rf"(?<![\w.,]){NUMBER} ?[Bb]ytes\b[^\n.;\d]{{0,20}}?{there}",
        rf"{there}[\"'][^{{}}]{{0,120}}?[\"'](?:size|bytes|length|size_?(?:in_?)?bytes)[\"']\s*:\s*{NUMBER}\b",
    )


def _tabled(name: str) -> tuple[str, ...]:
    """A line of a list of files with one whole number beside the name."""
    there = rf"[\"']?(?:[\w.-]*/)*{name}[\"']?"
    return (
        rf"^(?:[0-9a-f]{{32,}}[\s,;|]+)?{there}[\s,;|:]+(?P<bytes>\d+)(?:[\s,;|]+[0-9a-f]{{32,}})?\s*$",
        rf"^(?:[0-9a-f]{{32,}}[\s,;|]+)?(?P<bytes>\d+)[\s,;|]+{there}\s*$",
    )


def _listed(name: str, commands: Iterable[Command]) -> Iterator[str]:
    """What listings print of a plain file."""
    for command in commands:
        options = [word for word in command.arguments if word.startswith("-")]
        if command.program in {"ls", "tar"} or (command.program == "find" and "-ls" in options):
            mode = r"^\s*(?:\d+\s+){0,2}-[rwxsStT-]{9}[+.@]?\s+(?:\d+\s+)?\S+(?:\s+\S+)?"
            yield rf"{mode}\s+{NUMBER}\s.*?(?<=[\s/]){name}$"
        if command.program == "unzip" and "-l" in options:
            yield rf"^\s*{NUMBER}\s+\d{{4}}-\d\d-\d\d \d\d:\d\d\s+(?:\S*/)?{name}$"
        if any(re.fullmatch(BYTES.get(command.program, "x"), option) for option in options):
            yield rf"^\s*{NUMBER}\s+(?:\S*/)?{name}$"
        if command.program == "stat":
            yield rf"^\s*File: [‘'\"]?(?:\S*/)?{name}[’'\"]?\s+Size: {NUMBER}\b"


def _first_line(command: str) -> str:
    return command.strip().split("\n", 1)[0][:80]
