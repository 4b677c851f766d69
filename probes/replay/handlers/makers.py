"""Scripts that came with a task and may bring a missing file about, and files that may be it under another name."""

import posixpath
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from cases import patterns as re
from cases.shell import Redirect, looks, steps_of
from cases.touches.promises import WRITING, another_of_them, made_by_run, said
from probes.replay.handlers.searching import NOT_LOOKED_INTO, PACKED, roots_of
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to, scripts_of
from sandboxes import SandboxError, Session

MOST = 12
LONGEST = 200_000
"""Bytes of one script."""
SHELL = (".sh", ".bash")
MAKEFILE = re.compile(r"(?i)(?:^|/)\w*makefile$")
RECIPES = re.compile(r"(?i)(?:^|/)(?:\w*makefile|snakefile|justfile|dvc\.ya?ml|[^/]+\.(?:sh|bash|mk|smk))$")
"""Whose business is to make files: naming one is enough."""
PREPARES = re.compile(
    r"(?i)(?:^|/)[^/]*(?:prepar|download|fetch|generat|unpack|extract|get_?data|make_?data|create_)[^/]*$"
)
BRINGS = re.compile(
    rf"{WRITING.pattern}|\bwget\b|\bcurl\b|urlretrieve|urlopen|requests\.get|\bdownload|copyfile|shutil\.|extractall"
    r"|unpack_archive|savetxt|write\(|fwrite|write\.(?:csv|table)|saveRDS|sink\("
)
HANDED = re.compile(
    r"(?i)\b\w*(?:prepar|download|fetch|generat|unpack|extract|get_?data|make_?data|creat|build|simulat)\w*\("
)
SCRIPTS = (
    "*.py",
    "*.sh",
    "*.bash",
    "*.mk",
    "*.smk",
    "*.R",
    "*.r",
    "*.jl",
    "*.pl",
    "*.js",
    "*.ipynb",
    "*akefile",
    "dvc.y*ml",
)
FIND = (
    "find {roots} {pruned} -type f -size -{longest}c \\( {names} \\) -print 2>/dev/null | head -2000 "
    "| xargs -r -d '\\n' grep -lF -e {name} -e {stem} 2>/dev/null | head -{most}; true"
)
BESIDE = "find {roots} {pruned} -type f -not -empty {tests} -printf '%s %p\\n' 2>/dev/null | sort -u | head -500"
_JOINED = r"(?:(?:pathlib\.)?Path\(|os\.path\.join\(|path\.join\(|file\.path\()?"
TOKEN = 4
"""Letters that a word of a name must have to tell anything."""


def scripts_that_name(trial: ContainerContext, place: str) -> dict[str, str]:
    """Scripts in and around the task's files that speak of the file or its stem, but are not the run's own: texts."""
    name, failing = posixpath.basename(place), trial.subject.attempts[0].command
    ran = (posixpath.dirname(posixpath.join(gone_to(failing) or ".", path)) or "." for path in scripts_of(failing))
    command = FIND.format(
        roots=" ".join(map(shlex.quote, dict.fromkeys((*roots_of(trial, place), *ran)))),
        pruned=NOT_LOOKED_INTO,
        longest=LONGEST,
        names=" -o ".join(f"-name '{pattern}'" for pattern in SCRIPTS),
        name=shlex.quote(name),
        stem=shlex.quote(posixpath.splitext(name)[0]),
        most=MOST,
    )
    done, *_ = trial.run("replay-scripts", command)
    own = {posixpath.basename(write.path) for write in trial.subject.events.writes}
    texts = {}
    for path in done.output.splitlines():
        events = trial.subject.events
        if not path.startswith("/") or posixpath.basename(path) in own or made_by_run(path, "", events.commands, ()):
            continue
        if text := text_at(trial.session, path):
            texts[path] = text
    return texts


def text_at(session: Session, path: str) -> str:
    """The beginning of a file in the container; empty where it cannot be read."""
    try:
        return session.get(path, limit=LONGEST).decode("utf-8", "replace")
    except SandboxError:
        return ""


def without_rule(trial: ContainerContext, place: str, scripts: Mapping[str, str], reader: str) -> list[str]:
    """Makefiles among the scripts that only read the file: make knows no rule for it, and no recipe but the one that
    failed speaks of it.
    """
    found = []
    for path in scripts:
        if MAKEFILE.search(path) and not others_speak(scripts[path], place, reader):
            folders = dict.fromkeys((posixpath.dirname(path), trial.session.spec.workdir))
            if all(_no_rule(trial, path, posixpath.relpath(place, folder), folder) for folder in folders):
                found.append(path)
    return found


def _no_rule(trial: ContainerContext, makefile: str, target: str, folder: str) -> bool:
    """By make's own word, and for the file itself: a rule may lack what it starts from."""
    ask = f"cd {shlex.quote(folder)} && LC_ALL=C make -n -f {shlex.quote(makefile)} {shlex.quote(target)} 2>&1"
    done, *_ = trial.run("replay-make-rules", ask, seconds=20)
    return re.search(rf"\*\*\* No rule to make target '{re.escape(target)}'\.\s+Stop", done.output) is not None


def others_speak(makefile: str, place: str, reader: str) -> bool:
    """Whether a recipe speaks of the file, or of its variable, that the failing command, as it is told, did not run."""
    named = _by_name(makefile, posixpath.basename(place))
    for line in makefile.splitlines():
        if line.startswith("\t") and named.search(line):
            words = [posixpath.basename(word) for word in re.split(r"[\s'\"@;&|<>()]+", line)]
            if not any(_speaks(reader, word) for word in words if "." in word and not named.search(word)):
                return True
    return False


def _by_name(text: str, name: str) -> re.Pattern[str]:
    """The file's name, or a variable to which a line of the text gives it."""
    there = rf"{re.escape(name)}(?![\w-])"
    before = r"(?:[^()\n=][^()\n]*[^()\n\w-]|[^()\n\w=-])?"
    given = re.findall(rf"(?m)^\s*(?:export\s+)?(\w+)\s*(?::\s*\w+\s*)?[:?+]?=\s*{_JOINED}{before}{there}", text)
    return re.compile("|".join((rf"(?<![\w-]){there}", *(rf"\b{re.escape(one)}\b" for one in given))))


def may_make(place: str, scripts: Mapping[str, str], reader: str, process: str = "") -> str:
    """Which of the scripts may bring the file about; `reader` is the failing command with what it printed, and
    `process` the program that was seen to miss the file.

    A script that the failing command itself ran does so only where a line of it writes the file, or hands it to
    something that prepares; one of the shell's where it gives the file to any other program than that one.
    """
    name = posixpath.basename(place)
    there = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    stem = re.compile(rf"(?<![A-Za-z0-9]){re.escape(posixpath.splitext(name)[0])}(?![A-Za-z0-9])")
    for path, text in scripts.items():
        ran = _speaks(reader, posixpath.basename(path))
        if ran and process and path.endswith(SHELL) and _only_reads(text, name, process):
            continue
        if ran and not RECIPES.search(path):
            named = _by_name(text, name)
            if any(named.search(line) and (BRINGS.search(line) or HANDED.search(line)) for line in text.splitlines()):
                return path
        elif (there.search(text) and (RECIPES.search(path) or BRINGS.search(text))) or (
            PREPARES.search(path) and stem.search(text)
        ):
            return path
    return ""


def _only_reads(script: str, name: str, process: str) -> bool:
    """Whether a script of the shell's names the file in calls of that program alone, and of such as only look."""
    steps = [step for step in steps_of(script) if name in step.command.text]
    return bool(steps) and all(
        (step.command.program == process or looks(step.command))
        and not step.command.assignments
        and not any(_places(redirect, name) for redirect in step.command.redirects)
        for step in steps
    )


def _places(redirect: Redirect, name: str) -> bool:
    return redirect.writes and redirect.target is not None and name in redirect.target.text


_WORDS = re.compile(r"[a-z]+|[0-9]+")
_IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}")
"""A UUID, or a digest's hexadecimal digits."""


def like_it(
    trial: ContainerContext, place: str, sizes: Iterable[int], texts: Sequence[tuple[str, str]], known: Collection[str]
) -> tuple[str, ...]:
    """Files that may be it under another name and are none of the `known`."""
    stem, suffix = posixpath.splitext(posixpath.basename(place))
    patterns = [f"{start}{end}" for start in (f"*{suffix}", f"{stem}*") for end in ("", *PACKED)]
    roots = " ".join(map(shlex.quote, roots_of(trial, place)))
    tests = " -o ".join(f"-iname {shlex.quote(pattern)}" for pattern in patterns)
    tests = f"\\( {tests} \\)" if suffix else ""
    done, *_ = trial.run("replay-beside", BESIDE.format(roots=roots, pruned=NOT_LOOKED_INTO, tests=tests))
    events = trial.subject.events
    files = []
    for line in done.output.splitlines():
        size, _, path = line.partition(" ")
        if size.isdigit() and path not in known and not made_by_run(path, "", events.commands, events.writes):
            files.append((path, int(size)))
    return tuple(alike(place, files, set(sizes), texts))


def alike(
    place: str, files: Iterable[tuple[str, int]], sizes: set[int], texts: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """Of the same suffix, packed or not, in its folder, or elsewhere with a name that resembles it.

    Of a told size, in bytes, where one is told; and no other file that the texts name.
    """
    folder, name = posixpath.split(place.lower())
    stem, suffix = posixpath.splitext(name)
    for path, size in sorted(files):
        other = posixpath.basename(path)
        plain = other.lower()
        while plain.endswith(PACKED):
            plain = posixpath.splitext(plain)[0]
        packed = plain != other.lower()
        ending = posixpath.splitext(plain)[1]
        kin = (packed if not suffix else ending == suffix) or (packed and not ending)
        near = posixpath.dirname(path).lower() == folder or resembles(stem, posixpath.splitext(plain)[0])
        fits = packed or not sizes or size in sizes
        apart = said(other, _not_for(stem, plain, name, texts)).promised or another_of_them(name, plain, texts)
        if path != place and kin and near and fits and not apart and not _of_another(stem, plain):
            yield path


def _not_for(stem: str, plain: str, name: str, texts: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The texts by which a file that they name is another one: those that name both, where its name only says more."""
    says_more = set(_WORDS.findall(stem)) <= set(_WORDS.findall(plain.rpartition(".")[0]))
    return [one for one in texts if name in one[1].lower()] if says_more else texts


def resembles(stem: str, other: str) -> bool:
    """Whether two names without suffixes share most letters, or one has a word that begins with a word of the other."""
    if SequenceMatcher(None, stem, other).ratio() >= 0.6:
        return True
    mine, others = ([word for word in re.split(r"[^a-z]+", text) if len(word) >= TOKEN] for text in (stem, other))
    return any(one.startswith(two) or two.startswith(one) for one in mine for two in others)


def _of_another(stem: str, other: str) -> bool:
    """Whether both names hold identifiers, and none in common: each is then of a thing of its own."""
    mine, others = (set(_IDENTIFIER.findall(name)) for name in (stem, other))
    return bool(mine and others and mine.isdisjoint(others))


def _speaks(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None
