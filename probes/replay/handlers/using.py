"""A path that a command only reads or runs, and where on the machine the same can be had."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, Edit, edited, looks
from cases.touches.making import PLACING, made
from cases.touches.promises import WRITING, made_by_run
from probes.replay.handlers.archives import holding, list_archives
from probes.replay.handlers.searching import NOT_LOOKED_INTO, in_the_system
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to
from sandboxes.tracing import Access

say = Sentences(__name__)

WRITES = re.compile(rf"{WRITING.pattern}|\bwrite|mkdir|touch|unlink|rmtree|rename|shutil|remove")
"""In source code."""
WRITERS = PLACING | {"rm", "rmdir", "rsync", "dd", "gunzip", "git", "truncate", "unlink", "chmod", "chown"}
BUILDERS = {"pip", "pip3", "conda", "make"}
REFUSED = re.compile(
    r"cannot (?:create|touch|remove|unlink|overwrite|make|move|rename|change|set|preserve)|for writing"
)
FACTS = (
    "p={path}; if test -d $p; then test ! -x $p && echo closed || {{ test -r $p && echo readable || echo unlisted; }}; "
    "elif test -r $p; then test -x $p && echo readable || {{ echo readable plain; head -1 $p | head -c 200; }}; "
    "else echo closed; fi"
)
FIND = (
    f"find / {NOT_LOOKED_INTO} \\( -iname {{name}} -o -iname {{name}}.gz -o -iname {{name}}.bz2 "
    "-o -iname {name}.xz -o -iname {name}.zip {sized} \\) -readable -not -empty -print 2>/dev/null | head -40"
)
SAME = 'for o in {others}; do diff -rq -- {path} "$o" > /dev/null 2>&1 && echo "$o"; done; true'


@dataclass(frozen=True)
class Copy:
    """A readable file of the same name and content."""

    path: str
    command: str
    """The failing command with it."""


@dataclass(frozen=True)
class Use:
    """What holds of a path that is there and that the command reads or runs."""

    plain: bool = True
    """Whether it is plain that the command does not write to it."""
    command_run: str | None = None
    """The command with the interpreter of a script that can be read."""
    copy: Copy | None = None
    other: str | None = None
    """A readable file of that name which the command could not be given, or of another content."""
    held: str | None = None
    """An archive with a file of that name."""
    unlisted: bool = False
    """Whether it is a folder whose files open by their names, though it cannot be listed."""


def writes(about: str, command: str, output: str) -> bool | None:
    """Whether the failing command was to write to the path; None where it is not plain."""
    name = posixpath.basename(about.rstrip("/"))
    asked = CommandRun(kind="shell", command=command, tool="", output="", exit_code=None, blocks=())
    refused = any(name in line and REFUSED.search(line) for line in output.splitlines())
    if refused or made_by_run(about, "", (asked,), ()):
        return True
    code = [line for line in output.splitlines() if line.startswith("    ")]
    unclear = any(_may_write(step.command) for step in asked.steps)
    return None if unclear or any(WRITES.search(text) for text in code) else False


def _may_write(command: Command) -> bool:
    """Whether its own words speak of writing anything."""
    if command.program in WRITERS | BUILDERS or (command.program == "sed" and not looks(command)):
        return True
    options = any(word in {"-o", "-O"} for word in command.arguments)
    coded = command.code is not None and WRITES.search(command.code.text) is not None
    return options or coded or any(True for _ in made(command))


def through(about: str, command: str, interpreter: str) -> str | None:
    """The command with the interpreter before the file that it runs; None where it runs no such file."""
    if not re.fullmatch(r"[\w./ +-]+", interpreter):
        return None

    def launched(line: Command) -> Iterator[Edit]:
        if line.words and line.words[0].text == about:
            yield line.words[0].start, line.words[0].start, f"{interpreter} "

    said = edited(command, launched)
    return said if said != command else None


def use_of(trial: ContainerContext, access: Access | None = None) -> Use | None:
    """What holds of the subject's path; None where it is not there, can be read and run, or is written to.

    `access` is what the command was measured to want of it; by its own words where nothing was measured.
    """
    subject = trial.subject
    about, command = subject.about, subject.attempts[0].command
    place = posixpath.normpath(posixpath.join(trial.session.spec.workdir, gone_to(command), about))
    wrote = writes(about, command, subject.output) if access is None else access == "write"
    [there] = trial.run("replay-path", f"stat -Lc %s-%F {shlex.quote(place)}", user="root")
    if wrote or not there.ok:
        return None
    state, _, first = trial.run("replay-path", FACTS.format(path=shlex.quote(place)))[0].output.partition("\n")
    shebang = first.strip().removeprefix("#!").strip() if first.startswith("#!") else "sh"
    run = through(about, command, shebang) if state == "readable plain" else None
    if state not in {"closed", "unlisted"} and run is None:
        return None
    use = Use(plain=wrote is not None, command_run=run, unlisted=state == "unlisted")
    return _with_copies(trial, use, place, there.output.strip())


def _with_copies(trial: ContainerContext, use: Use, place: str, kind: str) -> Use:
    """`kind` is the size in bytes and the type, as stat(1) says them."""
    about, command = trial.subject.about, trial.subject.attempts[0].command
    name, size = posixpath.basename(place), kind.partition("-")[0]
    sized = f"-o -type f -size {size}c" if kind.endswith("-regular file") else ""
    [done] = trial.run("replay-copies", FIND.format(name=shlex.quote(name), sized=sized))
    found = [path for path in done.output.splitlines() if path.startswith("/") and path != place]
    found = [path for path in found if not path.startswith(f"{place}/")]
    found += in_the_system(trial, place) if sized else ()
    same: list[str] = []
    if found:
        others = " ".join(map(shlex.quote, found))
        [compared] = trial.run("replay-same", SAME.format(others=others, path=shlex.quote(place)), user="root")
        same = [path for path in compared.output.splitlines() if path in found]
    found = [path for path in found if path in same or posixpath.basename(path).lower().startswith(name.lower())]
    trial.observe(
        "readable copies", say("using.same_others", same=len(same), number=len(found) - len(same)), None, None
    )
    spoken = re.compile(rf"(?<![\w./-]){re.escape(about)}(?![\w.-])")
    for path in same:
        if re.fullmatch(r"[\w./-]+", path) and spoken.search(command):
            return replace(use, copy=Copy(path, path.join(spoken.split(command))))
    if found:
        return replace(use, other=(same or found)[0])
    held = holding(place, list_archives(trial, name))
    return replace(use, held=held.path if held else _committed(trial, place))


def _committed(trial: ContainerContext, place: str) -> str | None:
    """The repository in one of whose commits the file is; None where none can be read that has it."""
    folder, name = map(shlex.quote, posixpath.split(place))
    ask = f'cd {folder} && test -n "$(git rev-list --all -n 1 -- {name})" && git rev-parse --absolute-git-dir'
    [done] = trial.run("replay-committed", f"{{ {ask}; }} 2>/dev/null", seconds=30)
    return done.output.strip() or None if done.ok else None


def open_still(about: str, use: Use | None, *, named: bool) -> str | None:
    """Why the failure of every route leaves it open, if so; ends a sentence. `named` where it is plain that the command
    needs it.
    """
    if use is None:
        return None
    there = use.copy.path if use.copy else use.other
    reasons = (
        (not use.plain, say("using.whether_command_reads", about=about)),
        (there, say("using.bears_name_can", there=there)),
        (use.held, say("using.holds_file_name", held=use.held)),
        (use.command_run, say("using.file_can_read")),
        (use.unlisted, say("using.opens_by_name")),
        (not named, say("using.command_not_name")),
    )
    return next((why for holds, why in reasons if holds), None)
