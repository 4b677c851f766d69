"""A file that lacks what a program of the task's asks it for: by name, searched for, and nothing read into words."""

import posixpath
import shlex
from collections.abc import Sequence
from difflib import SequenceMatcher

from cases import Events
from cases import patterns as re
from cases.shell import steps_of
from cases.touches.names import SOURCE, tests
from cases.touches.promises import made_by_run
from sandboxes import Executed, Session
from sandboxes.tracing import Fact
from sandboxes.tracing.used import OF_LIBRARIES

SETTINGS = re.compile(r"(?i)\.(?:json|ya?ml|toml|ini|cfg|conf|env|properties|lock|md|rst)$")
"""Of what an agent may complete by hand."""
PLAIN = ("53514c69746520666f726d6174203300", "894844460d0a1a0a", "43444601", "43444602", "43444605", "50415231")
"""First bytes of forms in which names stand as they are, though the rest is binary: SQLite, HDF5, NetCDF, Parquet."""
LAST = 3
"""Lines of what failed, from the last one up."""
SECONDS = 60
_WORD = re.compile(r"[^\W\d][\w-]+")
_PATH = re.compile(r"[\w.-]*/[\w./-]*[\w-]")
_QUOTED = re.compile(r"[\"'`‘’“”]([^\"'`‘’“”\n]{2,60})[\"'`‘’“”]")
_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|(?<=[\w\])])\$\w+")
_MAKES = re.compile(r"(?:^|/)(?:(?:GNU)?[Mm]akefile|Dockerfile|Containerfile|Jenkinsfile|S[Cc]onstruct)$|\.mk$")
"""Files that say how something is built."""
USED = 5
"""Other names that a program asks a file for."""
_ASKED = re.compile(r"[^\W\d][\w.-]+(?:/[\w.-]+)*")
MOST = 4
"""Names that are tried."""
ALIKE = 0.7
"""As `difflib` has it: names that are that much alike may be meant by one another."""
NAMES = (
    "n=1; [ $(head -c 100000 {path} | tr -dc '\\000' | wc -c) = 0 ] || n=3; "
    'gzip -cdfq < {path} 2>/dev/null | head -c 200000 | LC_ALL=C grep -aoE "[[:alpha:]_][[:alnum:]_-]{{$n,}}" | '
    "awk '!seen[$0]++' | head -{most}; true"
)
"""Of what is no text only longer words are names: bytes that look like a short one are everywhere."""


def parts(
    session: Session, command: str, opened: Sequence[str], said: Sequence[str], output: str, events: Events
) -> list[Fact]:
    """A fact for the name that the failing program asked a file for: its own text spells it, it says another name where
    that is changed there, and no file that it opened has it, in large letters or small, though names can be seen in it.
    Where the failure names nothing, it is what the line of the program that it shows asks for.

    `opened` are absolute paths, the last one first, `said` the last lines of what failed. What the run wrote itself
    or changed counts neither as the program nor as the file, and a suite of tests makes its own.
    """
    given = [path for path in opened if not made_by_run(path, "", events.commands, events.writes)]
    given = [path for path in given if not OF_LIBRARIES.search(path)]
    sources = programs(given)
    data = [path for path in given if path not in sources and not (SETTINGS.search(path) or _MAKES.search(path))]
    if not sources or not data or any(tests(step.command) for step in steps_of(command)):
        return []
    text = session.run(f"cat {shlex.join(sources)} | head -c 500000", seconds=SECONDS, looks=True).output
    echoed = {line.strip() for line in text.splitlines()}
    lines = [line.strip() for line in said or output.splitlines() if line.strip()]
    told = [_PATH.sub(lambda match: _unless_of(match[0], opened), line) for line in lines if line not in echoed]
    names = [*(_names(told[-1]) if told else ()), *(name for line in told[-LAST:-1] for name in _quoted(line))]
    files = {command, *(posixpath.basename(path) for path in opened)}
    names = [name for name in dict.fromkeys(names) if not any(name in one for one in files)]
    asked = [name for name in names if _spelled(name, text, told)][:MOST]
    shown = next((line for line in reversed(output.splitlines()) if line.strip() in echoed), "")
    readable = next((path for path in data if _readable(session, path)), None)
    if readable is None:
        return []
    for name in (*asked, *(part for literal in _quoted(shown) for part in literal.split("/"))):
        if not name or any(name in one for one in files) or any(holds(session, path, name) for path in data):
            continue
        by_name = name in asked and _named_otherwise(session, command, sources, name)
        if by_name or (name not in asked and _gets_further(session, command, sources, name, text, readable, lines)):
            return [Fact(kind="part missing", subject=readable, process=name, named=True)]
    return []


def own_parts(
    session: Session, command: str, opened: Sequence[str], said: Sequence[str], output: str, prompt: str
) -> list[Fact]:
    """The same for a name that code of the run's own asks a file of the task's for, where the task's text spells it."""
    data = [path for path in opened if not (SOURCE.search(path) or OF_LIBRARIES.search(path) or SETTINGS.search(path))]
    lines = [line.strip() for line in said or output.splitlines() if line.strip()]
    readable = next((path for path in data if _readable(session, path)), None)
    if readable is None or not lines:
        return []
    for name in [one for one in dict.fromkeys(_names(lines[-1])) if _spelled(one, command, lines)][:MOST]:
        if not re.search(_whole(name), prompt) or any(holds(session, path, name) for path in data):
            continue
        other = f"{name[:2]}zqx{name[2:]}"
        done = session.run(replaced(command, name, other), seconds=SECONDS)
        if not done.ok and other in done.output:
            return [Fact(kind="part missing", subject=readable, process=name, named=True)]
    return []


def programs(opened: Sequence[str]) -> list[str]:
    """Which files are programs' text, those of installed packages left out."""
    return [path for path in opened if SOURCE.search(path) and not OF_LIBRARIES.search(path)]


def _unless_of(spelled: str, opened: Sequence[str]) -> str:
    """What a line spells, or nothing where that leads to a file that was opened: its folders are no names in it."""
    below = posixpath.normpath(spelled).removeprefix("./").lstrip("/")
    return "" if any(f"{path}/".endswith(f"/{below}/") for path in opened) else spelled


def _quoted(line: str) -> list[str]:
    return [match[1].strip() for match in _QUOTED.finditer(line)]


def _names(line: str) -> list[str]:
    """What a line may name: what it quotes first, and then each of its words."""
    return [*_quoted(line), *_WORD.findall(line)]


def _spelled(name: str, text: str, told: Sequence[str]) -> bool:
    """Whether a program spells the name within a text of its own, as what it asks a file for, or as R's column: not as
    a variable of a shell's.

    A text most of whose other words were told as well is what the program says, and no name that it asks for.
    """
    said = {word for line in told for word in _WORD.findall(line)}
    for match in _TEXT.finditer(text):
        others = {word for word in _WORD.findall(match[0]) if word != name}
        spelled = re.search(rf"(?<![${{]){_whole(name)}", match[0].lstrip("$"))
        if spelled and not 2 * len(said & others) > len(others):
            return True
    return False


def _whole(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?![\w-])"


def _named_otherwise(session: Session, command: str, sources: Sequence[str], name: str) -> bool:
    """Whether it is the name that the program asks for which the failure names: another one there, another one here."""
    other = f"{name[:2]}zqx{name[2:]}"
    done = _with(session, command, sources, name, other)
    return not done.ok and other in done.output


def _gets_further(
    session: Session,
    command: str,
    sources: Sequence[str],
    name: str,
    text: str,
    place: str,
    said: Sequence[str],
) -> bool:
    """Whether the program works, or ends with other words, where it asks for something that the file has instead."""
    for other in used(session, text, place, name)[:1]:
        done = _with(session, command, sources, name, other)
        last = next((line.strip() for line in reversed(done.output.splitlines()) if line.strip()), "")
        if done.ok or (bool(said) and last != said[-1]):
            return True
    return False


def _with(session: Session, command: str, sources: Sequence[str], name: str, other: str) -> Executed:
    """The command where its programs have another name in the place of one; they are put back as they were."""
    files = shlex.join(sources)
    session.run(f'chmod a+rw {files}; for f in {files}; do cp -p "$f" "$f.before"; done', seconds=SECONDS, user="root")
    session.run(f'for f in {files}; do {renamed(name, other)} "$f.before" > "$f"; done', seconds=SECONDS, user="root")
    done = session.run(command, seconds=SECONDS)
    session.run(f'for f in {files}; do cat "$f.before" > "$f"; done', seconds=SECONDS, user="root")
    return done


def used(session: Session, text: str, place: str, part: str) -> list[str]:
    """What else a program's text asks a file for by a name, or a path of names, that stands in it; paths first."""
    asked = [one for one in _quoted(text) if _ASKED.fullmatch(one) and part not in one.split("/")]
    found = [one for one in dict.fromkeys(asked) if all(holds(session, place, word) for word in one.split("/"))]
    return sorted(found, key=lambda one: -one.count("/"))[:USED]


def renamed(name: str, other: str) -> str:
    """A command that puts another name in the place of each whole one, and of what is below it."""
    edge, below = "[^[:alnum:]_-]", r"(\/[[:alnum:]_.-]+)*"
    return "sed -E " + shlex.quote(rf"s/(^|{edge}){_for_sed(name)}{below}({edge}|$)/\1{_for_sed(other)}\3/g")


def replaced(command: str, name: str, other: str) -> str:
    """A command with another name in the place of each whole one."""
    return re.sub(_whole(name), lambda _: other, command)


def _for_sed(name: str) -> str:
    return re.sub(r"([\\/.\[\]*^$+?(){}|])", r"\\\1", name)


def holds(session: Session, path: str, name: str) -> bool:
    """Whether a file has the name anywhere in it."""
    ask = f"gzip -cdfq < {shlex.quote(path)} | LC_ALL=C grep -aiqF -- {shlex.quote(name)}"
    return session.run(ask, seconds=SECONDS, looks=True).ok


def _readable(session: Session, path: str) -> bool:
    """Whether names can be seen in a file: it is text, or of a form that keeps them as they are."""
    quoted = shlex.quote(path)
    ask = (
        f"[ -f {quoted} ] && [ -s {quoted} ] && head -c 16 {quoted} | od -An -v -tx1 | tr -d ' \\n' && echo && "
        f"gzip -cdfq < {quoted} | head -c 100000 | tr -d '\\000' | wc -c && "
        f"gzip -cdfq < {quoted} | head -c 100000 | wc -c"
    )
    lines = session.run(ask, seconds=SECONDS, looks=True).output.split()
    return len(lines) == 3 and (lines[0].startswith(PLAIN) or (lines[1] == lines[2] != "0"))


def alike(name: str, others: Sequence[str]) -> str:
    """Which of the others may be meant by the name: one within the other, or much like it; empty when none is."""
    low = name.lower()
    return next((one for one in others if len(one) > 2 and _alike(low, one.lower())), "")


def _alike(name: str, other: str) -> bool:
    return name in other or other in name or SequenceMatcher(None, name, other).ratio() >= ALIKE


def names_in(session: Session, path: str, most: int) -> list[str]:
    """Different words of a file that may be names, in their order, `most` of them."""
    command = NAMES.format(path=shlex.quote(path), most=most)
    return session.run(command, seconds=SECONDS, looks=True).output.splitlines()
