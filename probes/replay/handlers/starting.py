"""What on a machine may start the service that is asked for: its units, the task's own servers, its own program."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence

from cases import patterns as re
from cases.shell import steps_of
from cases.touches.promises import made_by_run
from probes.replay.handlers.composed import FILES, settings_given
from probes.replay.resources.context import ContainerContext
from probes.replay.target.data import Anew, servers
from probes.replay.target.needs import paths_of, scripts_of
from sandboxes.tracing.listening import port_of

MOST = 24
"""Commands that are started side by side."""
IDLE = frozenset({"sleep", "tail", "cat"})
"""Programs that only keep a container alive."""
UNITS = (
    "/etc/systemd /lib/systemd /usr/lib/systemd /usr/local/lib/systemd /etc/init.d /etc/xinetd.d /etc/supervisor "
    "/etc/supervisord.conf /etc/runit /etc/sv /etc/s6 /etc/cont-init.d /etc/services.d $HOME/.config/systemd"
)
INSTALLED = "/opt /srv /usr/local /home"
"""Where what no package of the system brought lies."""
SPEAKING = "timeout 30 grep -rIlwsF {also} -- {word} {places} 2>/dev/null | head -40; true"
OTHER = "--exclude-dir=.git --exclude-dir=node_modules --exclude-dir=site-packages"
LIBRARIES = f"{OTHER} --exclude-dir=dist-packages --exclude-dir=impassable"
SCRIPTS = (
    "find . -maxdepth 6 \\( -name .git -o -name node_modules -o -name site-packages \\) -prune -o -type f "
    "-size -500k -print 2>/dev/null | head -2000 | while IFS= read -r f; do "
    'case "$(head -c 2 "$f" 2>/dev/null | tr -d "\\0")" in "#!") echo "$f";; *) case "$f" in {endings}) echo "$f";; '
    "esac;; esac; done | head -200; true"
)
SHOW = 'for f in {files}; do echo "== $f"; head -c 60000 "$f" | tr -d "\\0"; echo; done'
PROGRAMS = (
    "IFS=:; for d in $PATH /usr/local/sbin:/usr/sbin:/sbin; do ls -d $d/* 2>/dev/null; done; "
    "ls -d /usr/lib/postgresql/*/bin/* /usr/lib/*/bin/* /opt/*/bin/* /opt/*/sbin/* 2>/dev/null; true"
)
THERE = 'for c in {programs}; do command -v "$c"; done; true'
_STARTED = re.compile(r"^\s*(?:ExecStart|command)\s*=\s*[-@+!:]*(?P<command>\S.*)$", re.MULTILINE)
_MARKS = re.compile(r"""^[\s>$#*+-]*(?:["']?[\w-]+["']?\s*:\s*)?["']?""")
_SPAN = re.compile(r"`([^`\n]+)`")


def unit_starts(trial: ContainerContext) -> tuple[str, ...]:
    """By units and init scripts that speak of the place, the task's own too, and by what the image itself starts."""
    found = []
    places = (*_speaking(trial, INSTALLED, LIBRARIES), *_speaking(trial, ".", OTHER))
    brought = [path for path in places if not _of_the_run(trial, path)]
    for path, text in _shown(trial, [*_speaking(trial, UNITS), *brought]):
        found += [f"{path} start"] if "/init.d/" in path else _of_unit(text)
    return (*dict.fromkeys((*found, *_of_image(trial))),)[:MOST]


def there(trial: ContainerContext, commands: Sequence[str]) -> str:
    """The first program of these commands that is on the machine; empty where none is."""
    programs = shlex.join(word for command in commands for word in command.split()[:1])
    [done] = trial.run("replay-startable", THERE.format(programs=programs)) if programs else [None]
    return next(iter(done.output.splitlines()), "") if done else ""


def task_starts(trial: ContainerContext) -> tuple[str, ...]:
    """By the task's own files: lines that name the place, scripts that do, and scripts whose code serves."""
    subject = trial.subject
    asking = {posixpath.basename(path) for path in scripts_of(subject.attempts[0].command)}
    speaking = [path for path in _speaking(trial, ".", OTHER) if not _of_the_run(trial, path)]
    found = list[str]()
    for _, text in _shown(trial, speaking):
        found += [line for line in _lines(text, _word(subject.about)) if not _STARTED.match(line)]
    [listed] = trial.run("replay-scripts", SCRIPTS.format(endings="|".join(f"*{end}" for end in servers().runs)))
    scripts = [path for path in listed.output.splitlines() if path.startswith("./") and not _of_the_run(trial, path)]
    others = [path for path in scripts if path not in speaking]
    serving = [path for path, text in _shown(trial, others) if re.search(servers().serves, text)]
    plain = [path for path in (*speaking, *serving) if path in scripts and posixpath.basename(path) not in asking]
    starts = dict.fromkeys((*found, *map(_run, plain)))
    [listed] = trial.run("replay-composed", FILES)
    composed = _shown(trial, listed.output.splitlines())
    folder = trial.session.spec.workdir
    given = [words for path, text in composed for words in settings_given(path, text, folder)]
    return (*dict.fromkeys(f"env {words} {_run(path)}" for words in given for path in plain), *starts)


def own_server(trial: ContainerContext) -> str:
    """A script among the task's own files whose code opens a place to be called at; empty where there is none."""
    [listed] = trial.run("replay-scripts", SCRIPTS.format(endings="|".join(f"*{end}" for end in servers().runs)))
    asking = {posixpath.basename(path) for path in scripts_of(trial.subject.attempts[0].command)}
    scripts = [path for path in listed.output.splitlines() if path.startswith("./") and not _of_the_run(trial, path)]
    shown = _shown(trial, [path for path in scripts if posixpath.basename(path) not in asking or _starts(trial, path)])
    return next((path for path, text in shown if re.search(servers().opens, text)), "")


def _starts(trial: ContainerContext, path: str) -> bool:
    """Whether the failing line starts it on the side, and then asks it."""
    steps = steps_of(trial.subject.attempts[0].command)
    name = posixpath.basename(path)
    return any(step.background and any(name in word for word in step.command.arguments) for step in steps)


def machine_starts(trial: ContainerContext) -> tuple[str, ...]:
    """By programs that bear the name of a configuration that speaks of the place, or of its socket."""
    about, asking = trial.subject.about, {step.command.program for step in steps_of(trial.subject.attempts[0].command)}
    asking |= {fact.process for fact in trial.outcome.facts}
    files = _speaking(trial, "/etc /usr/local/etc", "--exclude=services --exclude-dir=ssl")
    words = {word: path for path in files for word in _names(path.removeprefix("/etc/"))}
    if port_of(about) is None:
        words |= dict.fromkeys(_names(about.lstrip("@/")), "")
    programs = {name: path for name, path in _programs(trial).items() if name not in asking}
    found = [
        f"{programs[words[0]]} {' '.join(words[1:])}".strip()
        for known in servers().known
        if (match := re.search(known.place, about))
        for words in (match.expand(start).split() for start in known.starts)
        if words[0] in programs
    ]
    for word, path in words.items():
        for name in sorted(programs.keys() & {word, f"{word}d", f"{word}-server"}):
            found += [programs[name], *([f"{programs[name]} {shlex.quote(path)}"] if path else [])]
    return tuple(dict.fromkeys((*found, *_installed(trial))))[:MOST]


def starts_anew(trial: ContainerContext) -> Anew | None:
    """How the known server of the place, where it is installed, is started with data of its own."""
    about = trial.subject.about
    ways = [one.anew for one in servers().known if one.anew and re.search(one.place, about)]
    programs = _programs(trial) if ways else {}
    for way in ways:
        if path := programs.get(way.program):
            program, folder = shlex.quote(path), shlex.quote(posixpath.dirname(path))
            spelt = [
                text.strip().replace("PROGRAM", program).replace("FOLDER", folder).replace("AT_PORT", asked_port(about))
                for text in (way.commands, way.answers)
            ]
            return way.model_copy(update={"commands": spelt[0], "answers": spelt[1]})
    return None


def asked_port(about: str) -> str:
    """The port of a place, or the number with which its socket's name ends; PostgreSQL's own where there is none."""
    numbered = re.search(r"\.(\d{1,5})$", about)
    return port_of(about) or (numbered[1] if numbered else "5432")


def _programs(trial: ContainerContext) -> dict[str, str]:
    """Every program of the machine by its name, the first on the path."""
    [listed] = trial.run("replay-programs", PROGRAMS)
    return {posixpath.basename(path): path for path in reversed(listed.output.splitlines())}


def _installed(trial: ContainerContext) -> Iterator[str]:
    """Programs in plain text, of neither the task's nor a package, that speak of the place."""
    folder = trial.session.spec.workdir.rstrip("/")
    paths = [path for path in _speaking(trial, INSTALLED, LIBRARIES) if not path.startswith(f"{folder}/")]
    for path, text in _shown(trial, [path for path in paths if not _of_the_run(trial, path)]):
        if text.startswith("#!"):
            yield path


def _word(about: str) -> str:
    """What a file that speaks of the place has in it."""
    return port_of(about) or posixpath.basename(about)


def _speaking(trial: ContainerContext, places: str, also: str = "") -> list[str]:
    command = SPEAKING.format(word=shlex.quote(_word(trial.subject.about)), places=places, also=also)
    [done] = trial.run("replay-speaking", command)
    return done.output.splitlines()


def _shown(trial: ContainerContext, files: Iterable[str]) -> list[tuple[str, str]]:
    names = list(files)
    if not names:
        return []
    [done] = trial.run("replay-shown", SHOW.format(files=shlex.join(names)))
    parts = re.split(r"^== (.*)\n", done.output, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=False))


def _of_unit(text: str) -> list[str]:
    return [match["command"] for match in _STARTED.finditer(text)]


def _of_image(trial: ContainerContext) -> Iterator[str]:
    """What the image runs when nobody says otherwise, which the replay does not; a shell or a wait is nothing."""
    image = trial.outcome.profile.get("image", {}).get("identity", {}).get("image")
    words = trial.shop.engine.starts(image) if image else ()
    if len(words) > 1 and words[0] not in IDLE:
        yield shlex.join(words)


def _lines(text: str, word: str) -> Iterator[str]:
    """Lines that name it, and what stands in backticks there, as commands."""
    spoken = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for line in text.splitlines():
        for part in (*_SPAN.findall(line), line) if spoken.search(line) else ():
            command = _MARKS.sub("", part).strip().rstrip("`\"',&; ")
            if spoken.search(command) and paths_of(command) and len(command) < 400:
                yield command


def _of_the_run(trial: ContainerContext, path: str) -> bool:
    """Whether the run wrote it: a stand-in of its own making is no service."""
    subject = trial.subject
    writes = [write for write in subject.events.writes if write.after <= (subject.event or 0)]
    return made_by_run(path, "", subject.prior, writes)


def _run(path: str) -> str:
    program = servers().runs.get(posixpath.splitext(path)[1])
    return f"{program} {shlex.quote(path)}" if program else shlex.quote(path)


def _names(path: str) -> list[str]:
    """The names in a path, without their endings."""
    parts = [part.partition(".")[0] for part in path.split("/")]
    return [part for part in parts if re.fullmatch(r"[A-Za-z][\w-]{2,30}", part)]
