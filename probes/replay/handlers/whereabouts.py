"""Where in the container what a command did not find may lie, or what may make it."""

import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import PROMPT
from cases.touches.names import SOURCE
from cases.touches.promises import WRITING, made_by_run
from probes.model import Barrier
from probes.replay.handlers.archives import Holding, doubtful, holding, list_archives
from probes.replay.handlers.file_details import RUNNERS, agreeing, folders_of
from probes.replay.handlers.makers import BRINGS, HANDED, like_it, may_make, scripts_that_name, text_at, without_rule
from probes.replay.handlers.searching import (
    NOT_LOOKED_INTO,
    PACKED,
    Search,
    in_the_system,
    of_another_number,
    roots_of,
)
from probes.replay.handlers.settings import ARGUMENTS, QUOTED_OPTION, READ, SETTINGS_FILE
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.log import Log, run
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import paths_of, scripts_of
from probes.replay.target.symptom import symptoms

say = Sentences(__name__)

ABOUT_IT = (".dvc", ".md5", ".sha1", ".sha256", ".sha512", ".sum", ".sig", ".minisig", ".lock", ".license", ".meta")
"""Endings of what tells of a file and does not hold it."""
_PATH = re.compile(r"[\w./-]+")
LONGEST = 30
"""Seconds for a script that may make what is missing."""
_ENVIRONMENT = re.compile(r"\benviron\b|getenv|\binput\(|\bstdin\b")
_WORDS = re.compile(r"\$\{?[1-9@*#]")
"""How a shell's script takes the words that it is given."""
_DEMANDED = re.compile(r"\$\{(\w+):?\?")
"""Variables without which a shell's script ends at once."""
_TRACED = """import runpy, sys
path, *wanted = sys.argv[1:]
ran, sys.argv = set(), [path]
def tracer(frame, event, arg):
    if frame.f_code.co_filename == path:
        ran.add(str(frame.f_lineno))
        return tracer
sys.settrace(tracer)
try:
    runpy.run_path(path, run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
sys.exit(not set(wanted) <= ran)
"""
"""Runs a script of Python's; ends with 0 only where that came to its end, and each of some lines was run."""
MOST = 3
"""Files of a folder that may be meant by a name that the run itself gave."""


@dataclass(frozen=True)
class Elsewhere:
    """What may hold, make or be it, where nothing of its name lies there."""

    held: Holding | None = None
    maker: str = ""
    """A script of the task's."""
    kin: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    reader: str = ""
    """A script that reads it, or a file of the task's that names it and was read, where no script makes it and the
    failing command was seen to need it.
    """


def nearest(about: str, paths: Sequence[str]) -> str | None:
    """The one whose end agrees most with the path, plain ones before packed ones."""
    return min(paths, key=lambda path: (path.endswith(PACKED), -agreeing(about, path), path), default=None)


def elsewhere(
    trial: ContainerContext, search: Search, sizes: dict[int, str], texts: Sequence[tuple[str, str]]
) -> Elsewhere:
    subject, place = trial.subject, search.place
    archives = tuple(one for one in list_archives(trial, posixpath.basename(place)) if one.path != place)
    held = holding(place, archives)
    reader = "\n".join((subject.attempts[0].command, subject.output, *trial.outcome.opened))
    scripts = scripts_that_name(trial, place)
    readers = without_rule(trial, place, scripts, reader)
    settled = trial.outcome.settled
    needed = settled is not None and posixpath.normpath(settled.subject) == place
    sought = needed or any(one.subject == place for one in trial.outcome.facts if one.kind == "file missing")
    needed = needed or (sought and _ends_on(trial, place))
    others = {path: text for path, text in scripts.items() if path not in readers}
    name = posixpath.basename(place)
    process = settled.process if settled and needed else _refused_by(trial, name)
    maker = _maker(trial, place, others, reader, process) or _told_beside(trial, name, texts)
    namers = [path for path, text in scripts.items() if name in text] if needed and not maker else []
    reader = next(iter(namers), "") or (_listed_in(trial, name) if sought and not (maker or namers) else "")
    named = ((reader, scripts.get(reader) or text_at(trial.session, reader)),) if reader else ()
    kin = like_it(trial, place, sizes, (*texts, *named), search.named)
    unseen = doubtful(posixpath.basename(place), archives)
    system = in_the_system(trial, place)
    trial.observe("search in archives", f"{len(archives)}{f', found in {held.path}' if held else ''}", None, None)
    other = _in_another_form(trial, place)
    doubts = (
        unseen,
        say("whereabouts.name", system=system[0]) if system else "",
        say("whereabouts.another_form", path=other) if other else "",
    )
    return Elsewhere(held, maker, kin, tuple(doubt for doubt in doubts if doubt), reader)


def _ends_on(trial: ContainerContext, place: str) -> bool:
    """Whether the last line that the failing command prints names the whole path."""
    decisive = trial.outcome.decisive
    lines = [line for line in decisive.done.output.splitlines() if line.strip()] if decisive else []
    return bool(lines) and place in lines[-1]


def _maker(trial: ContainerContext, place: str, scripts: Mapping[str, str], reader: str, process: str) -> str:
    """The first of the scripts that may bring the file about, but for those that were seen not to."""
    left = dict(scripts)
    while maker := may_make(place, left, reader, process):
        text = left.pop(maker)
        if not (_in_vain(trial, maker, text, place) or _fetches_in_vain(trial, maker, text, place)):
            return maker
    return ""


def _in_vain(trial: ContainerContext, maker: str, text: str, place: str) -> bool:
    """Whether a script of Python's that takes no arguments, variables or settings ran to its end, with each line that
    writes or fetches, and left the place as it was.
    """
    told = (line for line in text.splitlines() if SETTINGS_FILE.search(line) and not WRITING.search(line))
    asks = any(pattern.search(text) for pattern in (ARGUMENTS, QUOTED_OPTION, READ, _ENVIRONMENT))
    if trial.outcome.decisive is None or not maker.endswith(".py") or asks or any(told):
        return False
    wanted = [number for number, line in enumerate(text.splitlines(), 1) if BRINGS.search(line) or HANDED.search(line)]
    if not wanted:  # what it calls may write, and whether that did we could not tell
        return False
    kept, log = f"cksum {shlex.quote(place)} 2>&1", Log("replay-maker-in-vain")
    call = f"timeout {LONGEST} python3 -c {shlex.quote(_TRACED)} {shlex.quote(maker)} {' '.join(map(str, wanted))}"
    ask = f"""was="$({kept})"; ended=1
for d in {shlex.join(_begins(trial, maker))}; do (cd "$d" && {call} < /dev/null) > /dev/null 2>&1 && ended=0; done
[ "$ended" = 0 ] && [ "$({kept})" = "$was" ]"""
    with trial.containers.start(trial.spec) as session:
        done = run(session, log, ask, 3 * LONGEST)
    trial.observe("a script that may make it", f"{maker}: {done.how}", done.seconds, trial.keep(log))
    return done.ok


def _fetches_in_vain(trial: ContainerContext, maker: str, text: str, place: str) -> bool:
    """Whether a script that takes no words, with whatever variables it asks for, fails wherever it is begun, for want
    of a host where there is no network, and brings nothing.
    """
    runner = RUNNERS.get(posixpath.splitext(maker)[1])
    takes = ARGUMENTS.search(text) or _WORDS.search(text)
    if trial.outcome.decisive is None or trial.spec.network != "none" or not runner or takes:
        return False
    given = "".join(f"export {name}=${{{name}:-given}}; " for name in dict.fromkeys(_DEMANDED.findall(text)))
    with trial.containers.start(trial.spec) as session:
        log, there = Log("replay-maker-without-network"), f"test -e {shlex.quote(place)}"
        call = f"{given}timeout {LONGEST} {runner} {shlex.quote(maker)} < /dev/null 2>&1"
        ends = [
            run(session, log, f"cd {shlex.quote(folder)} && {call}", LONGEST + 5) for folder in _begins(trial, maker)
        ]
        made = run(session, log, there, 10, looks=True).ok
    alone = not any(one.ok for one in ends) and any(symptoms(Barrier.NETWORK, one.output) for one in ends)
    trial.observe("a script that may fetch it", f"{maker}: {ends[-1].how}", ends[-1].seconds, trial.keep(log))
    return alone and not made


def _begins(trial: ContainerContext, maker: str) -> list[str]:
    """Folders from which a script may be meant to be run."""
    return list(dict.fromkeys((trial.session.spec.workdir, *folders_of(maker, trial.subject.attempts[0].command))))


def _told_beside(trial: ContainerContext, name: str, texts: Sequence[tuple[str, str]]) -> str:
    """A script that a document names in the line that speaks of the file, but for what the failing command runs."""
    lines = (line for title, text in texts if title != PROMPT for line in text.splitlines() if name in line)
    named = {str(word).strip(".") for line in lines for word in _PATH.findall(line)}
    run = {posixpath.basename(path) for path in scripts_of(trial.subject.attempts[0].command)}
    for word in sorted(filter(SOURCE.search, named)):
        if posixpath.basename(word) not in run and trial.session.run(f"test -s {shlex.quote(word)}", seconds=20).ok:
            return word
    return ""


def _refused_by(trial: ContainerContext, name: str) -> str:
    """The only program that was given the file and failed; empty where there is none, or more than one."""
    given = {
        posixpath.basename(one.words[0])
        for one in trial.outcome.called
        if any(posixpath.basename(word) == name for word in one.words[1:])
    }
    return given.pop() if len(given) == 1 else ""


def _in_another_form(trial: ContainerContext, place: str) -> str:
    """A file whose name goes on behind the whole one, as that of a sealed, encoded or divided one does; empty where
    there is none.
    """
    name, events = posixpath.basename(place), trial.subject.events
    roots = " ".join(map(shlex.quote, roots_of(trial, place)))
    found = f"find {roots} {NOT_LOOKED_INTO} -type f -not -empty -iname {shlex.quote(name + '.*')} -print 2>/dev/null"
    [done] = trial.run("replay-other-forms", f"{found} | sort | head -50; true")
    paths = (path for path in done.output.splitlines() if not path.lower().endswith(ABOUT_IT))
    return next((path for path in paths if not made_by_run(path, "", events.commands, events.writes)), "")


def _listed_in(trial: ContainerContext, name: str) -> str:
    """A file of the task's, and no program of its, that names it and that the failing command had read."""
    events = trial.subject.events
    opened = [path for path in trial.outcome.opened if not SOURCE.search(path)]
    given = [path for path in opened if not made_by_run(path, "", events.commands, events.writes)]
    if not given:
        return ""
    listing = f"grep -lIF -- {shlex.quote(name)} {shlex.join(given)} 2>/dev/null | head -1; true"
    return trial.run("replay-listed", listing)[0].output.strip()


def neighbours(trial: ContainerContext, place: str) -> tuple[str, ...]:
    """The only file of its folder, or the only two or three."""
    folder = shlex.quote(posixpath.dirname(place))
    listing = f"find {folder} -maxdepth 1 -type f -not -empty -not -name '.*' 2>/dev/null | head -4"
    [done] = trial.run("replay-neighbours", listing)
    found = done.output.splitlines() if done.ok else []
    return tuple(found) if len(found) <= MOST else ()


def spelled_by_run(subject: ReplayTarget) -> bool:
    return any(word.endswith(subject.about) for word in paths_of(subject.attempts[0].command))


def guessed(subject: ReplayTarget, place: str) -> bool:
    """Whether the run itself gave the path: in the failing command, or in a file that it wrote before."""
    failing = subject.event if subject.event is not None else 0
    written = (write.content for write in subject.events.writes if write.after <= failing)
    return any(posixpath.basename(place) in text for text in (subject.attempts[0].command, *written))


def of_the_machine(place: str, trial: ContainerContext) -> bool:
    """Whether it lies outside the task's directory, where the run's user may write nothing."""
    if trial.session.spec.sudo or f"{place}/".startswith(f"{trial.session.spec.workdir.rstrip('/')}/"):
        return False
    nearest = f'd={shlex.quote(place)}; until [ -e "$d" ]; do d="$(dirname "$d")"; done; ! test -w "$d"'
    return trial.session.run(nearest, seconds=10, looks=True).ok


def without_own(trial: ContainerContext, search: Search) -> Search:
    """A search without what the run itself made: none of it came from where its user may write nothing."""
    events = trial.subject.events
    return replace(
        search, usable=tuple(one for one in search.usable if not made_by_run(one, "", events.commands, events.writes))
    )


def size_doubts(search: Search, sizes: dict[int, str], least: int, sized: str | None, alike: int) -> Iterator[str]:
    """Doubts by name and size."""
    told = " or ".join(say("whereabouts.bytes_says", size=size, where=where) for size, where in sizes.items())
    if sized:
        yield say("whereabouts.only_file_there", sized=sized, told=told)
    if alike > 1:
        yield say("whereabouts.different_files_told", alike=alike, told=told)
    for path in search.kin[:1]:
        number = of_another_number(search.place, path)
        yield say("whereabouts.of_another_number" if number else "whereabouts.beside", path=path)
    for path, size in search.other[:1]:
        if size < least:
            yield say("whereabouts.name_but_too_small", path=path, size=size, least=least)
        else:
            yield say("whereabouts.name_but_bytes", path=path, size=size, told=told)
