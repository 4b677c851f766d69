"""What the task's words and the run's record say of a file that a command did not find."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command
from cases.task_words import LONGEST, ORDINARY, SENTENCE, text_in, texts_of
from cases.touches.promises import listed_at, listed_without, made_by_run, said
from probes.replay.handlers.file_details import Told
from probes.replay.handlers.searching import Search
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

LINK = say("promised.link_machine_own")
POINTER = say("promised.pointer_git_lfs")
_MANIFEST = re.compile(r"(?i)(?:^|/)[^/]*(?:manifest|inventory|checksums?|filelist|file[_-]?sizes)[^/]*$")
_BYTES = {"wc": "-c|--bytes", "du": r"-\w*b|--bytes"}
"""Options with which programs count bytes."""
_COUNTED = re.compile(r"(?<![\w.,/:#$€£-])(\d{1,3}(?:,\d{3})+|\d{3,7})(?= [a-z]{3,})")
_YEARS = (1800, 2100)
_NUMBER = r"(?P<bytes>\d{1,3}(?:,\d{3})+|\d+)"


def texts_about(trial: ContainerContext) -> Iterator[tuple[str, str]]:
    yield from texts_of(trial.context.case, trial.context.settings.workspace, trial.outcome.task_files or ())
    yield from trial.outcome.documents


def told_of(
    trial: ContainerContext, texts: Sequence[tuple[str, str]], search: Search, reader: str, *, machines_own: bool
) -> Told:
    subject, about = trial.subject, trial.subject.about
    told = said(about, texts)
    if not told.spoken and _folder_lacks(search.place, trial):
        told = said(posixpath.dirname(about), texts)
    failing = subject.event if subject.event is not None else 0
    writes = [write for write in subject.events.writes if write.after <= failing]
    own = made_by_run(about, subject.output, subject.prior, writes)
    sign = POINTER if search.place in search.pointers and not own else LINK if _dangling(search.place, trial) else ""
    lies_there = search.place in search.pointers and search.place in trial.outcome.given
    meant = not machines_own or any(search.place in text for _, text in texts)  # a name alone may be another file's
    to_make = (told.to_make and meant) or (not machines_own and own)
    return Told(
        promised=told.promised or sign or ("" if told.spoken and meant else reader),
        to_make=not lies_there and to_make,
        to_fetch=told.to_fetch,
        listed=listed_at(about, subject.prior),
        absent_there=_listed_without(subject, search.place, trial),
        taken=""
        if search.named or search.pointers
        else _given(posixpath.basename(search.place), search.place, trial.outcome),
    )


def sizes_told(trial: ContainerContext, texts: Sequence[tuple[str, str]]) -> dict[int, str]:
    """By the task's texts, the run's earlier listings, and those of other runs that did not make it themselves."""
    subject, workspace = trial.subject, trial.context.settings.workspace
    about, listed = subject.about, _manifests(workspace, trial.outcome.task_files or ())
    shown = list(subject.prior)
    for events in trial.context.events.values():
        if events is not subject.events and not made_by_run(about, "", events.commands, events.writes):
            shown += events.commands
    return told_sizes(about, (*texts, *listed), shown)


def count_told(path: str, texts: Iterable[tuple[str, str]]) -> int:
    """The largest number that stands before a word in a sentence that names the file or its folder: of what there are
    so many, each takes a byte or more. Numbers of less than three figures and years tell nothing; 0 where none does.
    """
    folder, name = posixpath.split(path.rstrip("/"))
    around = folder if "/" in folder.strip("/.") or folder.startswith("/") else f"{folder}/"
    places = "|".join(re.escape(one) for one in (name, around) if len(one) > 1)
    named = re.compile(rf"(?<![\w.-])(?:{places})(?:(?<=/)|(?![\w-]))")
    sentences = (one for _, text in texts for one in SENTENCE.split(text[:LONGEST]) if named.search(one))
    counts = (int(match[1].replace(",", "")) for one in sentences for match in _COUNTED.finditer(one))
    return max((one for one in counts if not _YEARS[0] <= one < _YEARS[1]), default=0)


def told_sizes(path: str, texts: Iterable[tuple[str, str]], commands: Iterable[CommandRun]) -> dict[int, str]:
    """Sizes in bytes, each with where it is told; rounded ones, as of `ls -h`, do not count, and neither does 0."""
    name = re.escape(path.rstrip("/").rpartition("/")[2])
    found: dict[int, str] = {}
    for title, text in texts:
        patterns = (*_spoken(name), *_tabled(name)) if _MANIFEST.search(title) else _spoken(name)
        for size in _matches(patterns, text[:LONGEST]):
            found.setdefault(size, title)
    for command in commands:
        for size in _matches(_as_listed(name, (step.command for step in command.steps)), command.output or ""):
            found.setdefault(size, f"the output of `{_first_line(command.command)}`")
    found.pop(0, None)
    return found


def _manifests(workspace: Path | None, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Files of the task that list others, each with its text."""
    for name in files if workspace else ():
        if _MANIFEST.search(name) and name.count("/") < 4:
            yield name, text_in(workspace, name)


def _matches(patterns: Iterable[str], text: str) -> Iterator[int]:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.MULTILINE):
            yield int(match["bytes"].replace(",", ""))


def _spoken(name: str) -> tuple[str, ...]:
    """Prose, and JSON with a key that says what the number is."""
    there = rf"(?<![\w.-]){name}(?![\w-])(?!\.\w)"
    return (
        rf"{there}[^\n.;\d]{{0,40}}?(?<![\w.,]){_NUMBER} ?[Bb]ytes\b",
        rf"(?<![\w.,]){_NUMBER} ?[Bb]ytes\b[^\n.;\d]{{0,20}}?{there}",
        rf"{there}[\"'][^{{}}]{{0,120}}?[\"'](?:size|bytes|length|size_?(?:in_?)?bytes)[\"']\s*:\s*{_NUMBER}\b",
    )


def _tabled(name: str) -> tuple[str, ...]:
    """A line of a list of files with one whole number beside the name."""
    there = rf"[\"']?(?:[\w.-]*/)*{name}[\"']?"
    return (
        rf"^(?:[0-9a-f]{{32,}}[\s,;|]+)?{there}[\s,;|:]+(?P<bytes>\d+)(?:[\s,;|]+[0-9a-f]{{32,}})?\s*$",
        rf"^(?:[0-9a-f]{{32,}}[\s,;|]+)?(?P<bytes>\d+)[\s,;|]+{there}\s*$",
    )


def _as_listed(name: str, commands: Iterable[Command]) -> Iterator[str]:
    """What listings print of a plain file."""
    for command in commands:
        options = [word for word in command.arguments if word.startswith("-")]
        if command.program in {"ls", "tar"} or (command.program == "find" and "-ls" in options):
            mode = r"^\s*(?:\d+\s+){0,2}-[rwxsStT-]{9}[+.@]?\s+(?:\d+\s+)?\S+(?:\s+\S+)?"
            yield rf"{mode}\s+{_NUMBER}\s.*?(?<=[\s/]){name}$"
        if command.program == "unzip" and "-l" in options:
            yield rf"^\s*{_NUMBER}\s+\d{{4}}-\d\d-\d\d \d\d:\d\d\s+(?:\S*/)?{name}$"
        if any(re.fullmatch(_BYTES.get(command.program, "x"), option) for option in options):
            yield rf"^\s*{_NUMBER}\s+(?:\S*/)?{name}$"
        if command.program == "stat":
            yield rf"^\s*File: [‘'\"]?(?:\S*/)?{name}[’'\"]?\s+Size: {_NUMBER}\b"


def _first_line(command: str) -> str:
    return command.strip().split("\n", 1)[0][:80]


def _listed_without(subject: ReplayTarget, place: str, trial: ContainerContext) -> str | None:
    """The run's own listing of the directory in which the file should be, where the container has it too."""
    folder, name = posixpath.split(place)
    plain = {*ORDINARY, trial.session.spec.workdir, subject.home}
    if folder in plain or folder not in trial.outcome.given:
        return None
    return listed_without(folder, name, subject.events.commands)


def _given(name: str, place: str, outcome: Outcome) -> str:
    """Where it was before the run's first step."""
    if place in outcome.given:
        return place
    files = outcome.task_files or ()
    return next((path for path in files if f"/{path}".endswith(f"/{name}") or f"/{name}/" in f"/{path}"), "")


def _folder_lacks(place: str, trial: ContainerContext) -> bool:
    """Whether its folder lacks too, where the run could not have made it: what is said of that is said of the file."""
    folder = posixpath.dirname(place)
    shut = (
        f'd={shlex.quote(folder)}; test ! -e "$d" && until test -e "$d"; do d="$(dirname "$d")"; done; test ! -w "$d"'
    )
    own = posixpath.dirname(folder) != "/" and folder not in ORDINARY
    return own and trial.session.run(shut, seconds=10, looks=True).ok


def _dangling(place: str, trial: ContainerContext) -> bool:
    """Whether it, or a directory on the way to it, is a link that leads nowhere and that the run did not make."""
    nearest = f'd={shlex.quote(place)}; until [ -L "$d" ] || [ "$d" = / ]; do d="$(dirname "$d")"; done'
    done = trial.session.run(f'{nearest}; [ ! -e "$d" ] && echo "$d"', seconds=10, looks=True)
    name = posixpath.basename(done.output.strip())
    made = any(may_link(command, name) for command in trial.subject.prior)
    return done.ok and bool(name) and not made


def may_link(command: CommandRun, name: str) -> bool:
    """Whether a command may have made a link of the name, also where it does not spell it."""
    for step in command.steps:
        words = step.command.words[1:]
        if step.command.program == "ln" and any(
            not word.literal or posixpath.basename(word.text.rstrip("/")) == name for word in words
        ):
            return True
    return "symlink" in command.command
