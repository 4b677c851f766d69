"""What the machine tells of other ways: documents, the program's own help and texts, and what is installed."""

import posixpath
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import PROMPT, texts_of
from cases.touches.promises import made_by_run
from probes.replay.arms.documented.asking import Own, inputs, own_program, put_for
from probes.replay.arms.documented.words import table
from probes.replay.handlers.offers import INTERPRETER
from probes.replay.handlers.sources import in_program, sources
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.run import ReplayRun
from probes.replay.target.manuals import readable
from probes.replay.target.needs import gone_to

MOST = 240_000
"""Bytes of documents."""
SBIN = ":/usr/local/sbin:/usr/sbin:/sbin"
"""Where programs lie that an ordinary user can run by their place only."""
MARK = "-*- document -*-"
PROGRAM = re.compile(r"/\w[\w/.+-]*|\w[\w.+-]*")
"""As a line names one that is found on the path, or by its whole place."""
BROUGHT = """for n in {names}; do f="$(command -v -- "$n")" && test -f "$f" && r="$(readlink -f "$f")" || continue
for p in "$f" "$r" "${{r#/usr}}" "/usr$r"; do
    {{ dpkg -S "$p" || rpm -qf "$p" || apk info -W "$p"; }} >/dev/null 2>&1 && continue 2
done; printf '%s\\t%s\\n' "$n" "$r"; done"""
"""Prints the programs of these names that no package of the system brought, with their places."""
MODULE = """import importlib.util, os, sys, sysconfig
found = importlib.util.find_spec(sys.argv[1])
if found and found.submodule_search_locations:
    found = importlib.util.find_spec(sys.argv[1] + ".__main__")
place = found and found.origin and os.path.realpath(found.origin) or ""
theirs = {os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
if os.path.isfile(place) and not any(place.startswith(one + os.sep) for one in theirs) and "-packages/" not in place:
    print(place)"""
"""Prints where a module begins that neither Python nor one of its packages brought."""
NO_DOCUMENTS = (
    "-path '*/.*' -o -name node_modules -o -name site-packages -o -name '*.dist-info' "
    "-o -path /proc -o -path /sys -o -path /usr"
)


@dataclass(frozen=True)
class Survey:
    """All that the ways are made of."""

    trial: ContainerContext
    command: str
    own: Own | None
    documents: tuple[tuple[str, str], ...] = ()
    """Paths, absolute, and texts; the task's own text first, under an empty path."""
    source: str = ""
    """The texts of the program and of those beside it; variables among a compiled one's texts are lines of it."""
    help: str = ""
    folder: str = ""
    """Where the command goes before it does anything else, absolute."""

    @property
    def prompt(self) -> str:
        """The task's own text; empty where it is not known."""
        return next((text for path, text in self.documents if not path), "")

    @property
    def texts(self) -> tuple[str, ...]:
        """Of the documents."""
        return tuple(text for _, text in self.documents)

    def ask(self, name: str, question: str, seconds: float = 20) -> list[str]:
        """The lines that a command prints, whatever it ends with."""
        done, *_ = self.trial.run(f"replay-documented-{name}", question, seconds=seconds)
        return [line for line in done.output.splitlines() if line.strip()]

    def holds(self, condition: str, seconds: float = 20) -> bool:
        """Whether a command that only looks succeeds where the failing one begins."""
        asked = f"cd {shlex.quote(self.folder)} && {{ {condition}; }} >/dev/null 2>&1"
        return condition == "true" or self.trial.run("replay-documented-given", asked, seconds=seconds)[0].ok

    def blind(self) -> str | None:
        """The failing command with files that do not exist in place of its own; None where it reads none."""
        read = inputs(self.own.step) if self.own else []
        there = set(self.existing(place for _, place in read)) if read else set()
        words = [word for word, place in read if place in there]
        return put_for(self.command, words) if words else None

    def existing(self, paths: Iterable[str]) -> list[str]:
        """Those of the paths that are there, in their order."""
        asked = list(dict.fromkeys(paths))[:60]
        if not asked:
            return []
        found = set(self.ask("paths", f'for p in {shlex.join(asked)}; do test -e "$p" && echo "$p"; done'))
        return [path for path in asked if path in found]

    def programs(self, names: Iterable[str]) -> dict[str, str]:
        """Where those of the programs are that can be run."""
        asked = [name for name in dict.fromkeys(names) if re.fullmatch(r"[\w.+/~-]+", name)]
        begin = f'cd {shlex.quote(self.folder)} && PATH="$PATH{SBIN}"'
        each = f'for p in {shlex.join(asked)}; do f="$(command -v -- "$p")" && printf "%s\\t%s\\n" "$p" "$f"; done'
        lines = self.ask("programs", f"{begin}; {each}") if asked else []
        return {name: place for name, _, place in (line.partition("\t") for line in lines) if place}

    def of_the_run(self, path: str) -> bool:
        """Whether the run may have made it."""
        events = self.trial.subject.events
        return made_by_run(path, "", events.commands, events.writes)


def survey(work: ReplayRun, trial: ContainerContext, command: str) -> Survey:
    """Read them."""
    here = posixpath.normpath(posixpath.join(trial.session.spec.workdir, gone_to(command)))
    bare = Survey(trial, command, None, folder=here)
    brought = _brought(bare) | _modules(bare)
    own = own_program(command, brought)
    first = Survey(trial, command, own, folder=here)
    text, compiled = sources(trial, command, [*brought.values()]), in_program(trial, command, [*brought.values()])
    prompt = [("", text) for title, text in texts_of(work.context.case, None, ()) if title == PROMPT]
    return Survey(
        trial=trial,
        command=command,
        own=own,
        documents=(*prompt[:1], *_documents(first)),
        source="\n".join((text or "", *(compiled or ()))),
        help=_help(first),
        folder=here,
    )


def _brought(first: Survey) -> dict[str, str]:
    """Programs of the command's own that are no file of the task's and that the system's packages did not bring."""
    words = (step.command.words[0] for step in steps_of(first.command) if step.inside == "line" and step.command.words)
    names = dict.fromkeys(word.text for word in words if word.literal and PROGRAM.fullmatch(word.text))
    asked = [name for name in names if not INTERPRETER.fullmatch(posixpath.basename(name))]
    if not asked:
        return {}
    lines = first.ask("brought", f"cd {shlex.quote(first.folder)}; {BROUGHT.format(names=shlex.join(asked))}")
    found = {name: place for name, _, place in (line.partition("\t") for line in lines)}
    return {name: place for name, place in found.items() if place and not first.of_the_run(place)}


def _modules(first: Survey) -> dict[str, str]:
    """Modules of the task's own that the command runs (`python3 -m`), with the files they begin with."""
    found = {}
    for step in steps_of(first.command):
        module = step.command.module
        if step.inside != "line" or module is None or not module.literal or step.folder is None:
            continue
        python = first.command[step.command.start : step.command.words[0].end]
        asked = f"{python} -c {shlex.quote(MODULE)} {shlex.quote(module.text)} 2>/dev/null"
        places = first.ask("module", f"cd {shlex.quote(step.folder or '.')} && {asked}")[:1]
        if places and not first.of_the_run(places[0]):
            found[module.text] = places[0]
    return found


def _documents(first: Survey) -> list[tuple[str, str]]:
    names = " -o ".join(f"-iname {shlex.quote(name)}" for name in sorted(table().documents.words))
    find = f'find "$PWD" -maxdepth 3 \\( {NO_DOCUMENTS} \\) -prune -o -type f -size -100k \\( {names} \\) -print0'
    read = (
        f"{find} 2>/dev/null | sort -z | head -z -n 40 | "
        f"while IFS= read -r -d '' f; do printf '\\n%s %s\\n' '{MARK}' \"$f\"; head -c 40000 \"$f\"; done "
        f"| head -c {MOST}"
    )
    folder = "." if first.folder in {"/", "/root", "/home"} else first.folder
    done = first.trial.run("replay-documents", f"cd {shlex.quote(folder)} && {read}", seconds=30)[0]
    found = []
    for part in done.output.split(f"\n{MARK} ")[1:]:
        path, _, text = part.partition("\n")
        if not first.of_the_run(path):
            found.append((path, readable(path, text)))
    return found


def _help(first: Survey) -> str:
    own = first.own
    if own is None:
        return ""
    name = shlex.quote(own.script.text)
    there = "true" if own.step.command.module else f"{{ test -e {name} || command -v {name} >/dev/null; }}"
    called = f"cd {shlex.quote(own.folder)} && {there} && {own.called} --help"
    ask = f"timeout 15 bash -c {shlex.quote(called)} < /dev/null 2>&1 | head -c 100000"
    return first.trial.run("replay-help", ask, seconds=25)[0].output
