"""What of the machine's data a host or a service may have been asked for, and what may serve it."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.shell import steps_of
from cases.task_words import README, prompt_of, spelled_outside
from cases.touches.names import SOURCE, of_the_system
from cases.touches.promises import made_by_run
from probes.replay.handlers.alternatives import OF_THE_MACHINE
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.resources.context import ContainerContext
from probes.replay.target.data import servers
from sandboxes.tracing.used import OF_LIBRARIES

MOST = 6
"""Addresses, names, and folders."""
_STEM = 5
"""Characters of a name that hardly two files share by chance."""
_SUMS = re.compile(r"(?i)\.(?:md5|sha\d+|sum|sums|asc|sig|url|log|lock)$")
_SERVED = f"""
for p in {{programs}}; do command -v $p || ls -d /usr/lib/*/bin/$p /usr/lib/*/*/bin/$p /opt/*/bin/$p; done 2>/dev/null
find / {NOT_LOOKED_INTO} -type f -not -empty \\( -iname '*.dump' -o -iname '*.bak' -o -iname '*.rdb' \
-o -iname '*.bson*' -o -iname '*.sqlite*' -o -iname '*.db' -o -iname '*.sql*' \\) -print 2>/dev/null | head -200 |
while IFS= read -r f; do
case $f in *.sql*) zgrep -qE '^(COPY|INSERT|REPLACE) ' "$f" && echo "$f";; *) echo "$f";; esac; done
find / {NOT_LOOKED_INTO} -name node_modules -prune -o -type f -size -400 \\( -name '*.py' -o -name '*.js' \
-o -name '*.mjs' -o -name '*.ts' -o -name '*.go' -o -name '*.rb' -o -name '*.sh' -o -name '*.rs' \\) \
-exec grep -lE '{{serving}}' {{{{}}}} + 2>/dev/null | head -20; true"""
"""Programs that serve, files that may hold what a service has, and programs of the task's own that serve."""
_SERVING = (
    r"HTTPServer|http\.server|socketserver|create_server|start_server|createServer|\.listen\(|ListenAndServe|app\.run\("
    r"|uvicorn|gunicorn|waitress|Flask\(|FastAPI\(|TcpListener"
)
"""With what programs wait for calls, in the languages that most of them are written in."""
_LAST = re.compile(r"['\"][^'\"\s]*/(?P<stem>[A-Za-z][\w-]{3,})(?:\.\w+)*/?(?:\?[^'\"\s]*)?['\"]")
"""The end of an address or a path that a source quotes."""
_COMPARED = re.compile(r"(?:[=!]=\s*|add_parser\(\s*|\bcase\s+)['\"](?P<word>\w[\w.-]*)['\"]")
_CODE = (".jar", ".whl", ".class", ".pyz", ".phar")
"""Endings of programs that are no text."""
_FIND = (
    "find {roots} -xdev -maxdepth 6 -type f -size +0 -size -50000k -not -path '*/.git/*' -not -path '*/__pycache__/*' "
)


def spells_it(trial: ContainerContext, host: str, source: str) -> str:
    """A file of data that spells an address at the host which sources spell, or bears the name that stands at its end,
    in another form; empty where there is none.
    """
    addresses = re.findall(rf"https?://({re.escape(host)}(?::\d+)?/[\w./%+-]*\w)", source) if host else []
    for address in list(dict.fromkeys(addresses))[:MOST]:
        stem, ending = posixpath.splitext(posixpath.basename(address))
        asks = [f"{_find(trial)} -exec grep -lIF -- {shlex.quote(address)} {{}} +"]
        if len(stem) >= _STEM:
            asks.append(f"{_find(trial)} -name {shlex.quote(f'{stem}.*')} -not -name {shlex.quote(stem + ending)}")
        for path in _data(trial, " ; ".join(asks)):
            return path
    return ""


def called_like(trial: ContainerContext, source: str) -> str:
    """A file of data that is called as the end of an address or a path which sources quote, whatever its own ending;
    empty where none is.
    """
    stems = list(dict.fromkeys(match["stem"] for match in _LAST.finditer(source)))[:MOST]
    names = " -o ".join(f"-name {shlex.quote(name)}" for stem in stems for name in (stem, f"{stem}.*"))
    ask = f"find / {NOT_LOOKED_INTO} -type f -size +0 ! -perm -u+x \\( {names} \\) -print"
    return next(_data(trial, ask), "") if names else ""


def served(trial: ContainerContext) -> str:
    """What may stand in for a service beside the machine: a program that serves, the task's own among them, or a file
    of what a service has; empty where nothing may.
    """
    programs = dict.fromkeys(start.split()[0] for known in servers().known for start in known.starts)
    [done] = trial.run("replay-served", _SERVED.format(programs=" ".join(programs), serving=_SERVING), seconds=120)
    events = trial.subject.events
    found = (path for path in done.output.splitlines() if path.startswith("/"))
    return next((path for path in found if not made_by_run(path, "", events.commands, events.writes)), "")


def holds_what_is_asked(trial: ContainerContext, source: str) -> str:
    """A file of data with a line that holds all that the failing command asks for, but for words that its sources
    compare with one, as the name of what is to be done; empty where there is none.
    """
    commands = [step.command for step in steps_of(trial.subject.attempts[0].command) if step.command.file]
    words = [word for one in commands for word in one.arguments if re.fullmatch(r"\w[\w.-]{2,}", word)]
    known = {match["word"] for match in _COMPARED.finditer(source)}
    words = [shlex.quote(word) for word in words if not SOURCE.search(word) and word not in known]
    if not words:
        return ""
    lines = " | ".join(f"grep -aF -- {word}" for word in words[1:]) or "cat"
    ask = shlex.quote(f'grep -aF -- {words[0]} "$1" | {lines} | grep -q .')
    text = f"-exec grep -qIF -- {words[0]} {{}} ';'"
    return next(_data(trial, f"{_find(trial)} {text} -exec sh -c {ask} _ {{}} ';' -print"), "")


def kept(trial: ContainerContext) -> str:
    """A file that is no text, no program's and not the run's own, and that the failing command had opened; empty where
    there is none.
    """
    events, opened = trial.subject.events, trial.outcome.opened
    data = [path for path in opened if not (SOURCE.search(path) or OF_LIBRARIES.search(path) or of_the_system(path))]
    data = [path for path in data if not path.endswith(_CODE)]
    data = [path for path in data if not made_by_run(path, "", events.commands, events.writes)]
    if not data:
        return ""
    is_data = "[ -f $f ] && [ -s $f ] && ! grep -Iq . $f && ! head -c 4 $f | grep -q ELF"
    ask = f"for f in {shlex.join(data)}; do {is_data} && echo $f && break; done; true"
    return trial.run("replay-kept", ask.replace("$f", '"$f"'))[0].output.strip()


def lies_where_told(trial: ContainerContext) -> str:
    """A file of data, in a folder outside the task's own that the prompt names, which the failing command did not open;
    empty where there is none.
    """
    told = spelled_outside(prompt_of(trial.context.case), trial.session.spec.workdir)
    for folder in [one for one in told if not one.startswith(OF_THE_MACHINE)][:MOST]:
        place = shlex.quote(folder)
        for path in _data(trial, f"[ -d {place} ] && find {place} -xdev -maxdepth 4 -type f -readable -size +0"):
            return path
    return ""


def _find(trial: ContainerContext) -> str:
    return _FIND.format(roots=shlex.quote(trial.session.spec.workdir))


def _data(trial: ContainerContext, ask: str) -> Iterator[str]:
    """Of the files that are found, what is data, was not opened, and was not made by the run."""
    [done] = trial.run("replay-answers-kept", f"{{ {ask}; }} 2>/dev/null | head -40; true", seconds=30)
    events, opened = trial.subject.events, set(trial.outcome.opened)
    for path in done.output.splitlines():
        no_data = SOURCE.search(path) or README.search(path) or _SUMS.search(path)
        fresh = path.startswith("/") and not no_data and path not in opened
        if fresh and not made_by_run(path, "", events.commands, events.writes):
            yield path
