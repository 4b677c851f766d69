"""Files that a failing command opened and that are not whole, or that nobody reads without a key: measured."""

import posixpath
import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files as files_of
from typing import Literal

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load
from probes.replay.target.blank_columns import BLANK, filled
from sandboxes import Session
from sandboxes.tracing import Called, Fact
from sandboxes.tracing.minimal import MinimalLift

EMPTY = "empty"
"""What stands for the form of a file with nothing in it."""
FULL = (
    'd="$(dirname {path})"; for f in "$d"/*{suffix} "$d"/../*/*{suffix}; do [ -s "$f" ] && cp "$f" {path} && break; '
    "done; test -s {path}"
)
"""Puts a like file into an empty one's place."""
MAGIC = (
    'for f in {files}; do printf \'%s %s\\n\' "$(head -c 32 "$f" 2>/dev/null | od -An -v -tx1 | tr -d \' \\n\')" "$f"; '
    "done; true"
)
FOREIGN = (
    'own="$(od -An -j18 -N2 -tx1 /proc/self/exe)"; for f in {files}; do '
    'o="$(LC_ALL=C grep -obUaP \'\\x7fELF\' "$f" 2>/dev/null | head -n 1 | cut -d: -f1)"; '
    '[ -z "$o" ] || [ "$(od -An -j$((o + 18)) -N2 -tx1 "$f")" = "$own" ] || echo "$f"; done; true'
)
"""Prints those whose first machine code is another processor's than that of the machine's own programs."""
MEMBERS = (
    "{ $P -cdq < $F 2> /dev/null | tar -t 2> /dev/null && echo; } | grep -v '/$' | "
    """awk 'NR > 1 { print "whole " last } { last = $0 } END { if (last) print "cut " last }'"""
)
"""Prints the members of a tar that is packed by the program $P: all are whole where tar(1) comes to its end."""
_CODE = re.compile(r".+\.(?:a|o|so(?:\.\d+)*)")
_DIGITS = re.compile(r"\d+")
SECONDS = 60


class Form(Model):
    """One form of file."""

    name: str
    endings: tuple[str, ...] = ()
    """Of names that are a file's of this form."""
    state: Literal["damaged", "sealed"]
    magic: Expression | None = None
    """None where only its endings and what stands for one are known."""
    by: str = ""
    given: str = ""
    test: str = ""
    stream: bool = False
    """Whether its program reads it from the beginning, up to where it breaks off."""
    parts: str = ""
    """What prints each part of a damaged one, behind `whole` or `cut`, where parts of it may be whole."""
    recovers: str = ""
    """What writes all that a damaged one holds to a whole one at $O, and fails where something of it is lost."""
    keeps: str = ""
    """What writes those parts to a whole one at $O that are whole."""
    script: str = ""
    """The file of `hooks/` whose text stands at $S in these."""
    empty: str = ""
    opens: str = ""
    variants: tuple[str, ...] = ()
    """Words at $V with which `opens` is tried in turn, behind none at all."""
    may_err: bool = False
    keyed: str = ""
    hook: str = ""
    """What in the place of its program opens a thing without content, sealed anew, instead of the file."""
    source: str


@cache
def forms() -> tuple[Form, ...]:
    """In their order."""
    return load(tuple[Form, ...], __package__, "forms.toml", "form")


def form_named(name: str) -> Form | None:
    """The one of this name; None for a file with nothing in it, which has none."""
    return next((form for form in forms() if form.name == name), None)


def states(
    session: Session, opened: Sequence[str], called: Sequence[Called], output: str, *, series: bool
) -> list[Fact]:
    """A fact for each of the `opened` files that is damaged by its own form's test, or sealed; what OpenSSL
    sealed counts where it was `called` to open it in vain.

    An empty file counts only where the failing command's `output` names it, or, with `series`, where it is one of a
    numbered series of which it opened others.
    """
    sealed = unopened(called)
    files = tuple(dict.fromkeys((*opened, *sealed)))
    if not files:
        return []
    found = []
    listed = session.run(MAGIC.format(files=shlex.join(files)), seconds=SECONDS, looks=True)
    named = [path for path in opened if _named(path, output) or (series and _of_a_series(path, opened))]
    if named:
        ask = f'for f in {shlex.join(named)}; do [ -f "$f" ] && [ ! -s "$f" ] && echo "$f"; done; true'
        empty = set(session.run(ask, seconds=SECONDS, looks=True).output.splitlines())
        found += [Fact(kind="data damaged", subject=one, process=EMPTY, named=True) for one in named if one in empty]
    for line in listed.output.splitlines():
        magic, _, path = line.partition(" ")
        form = _form_of(session, magic, path) if path in files else None
        if form is None or (form.hook and path not in sealed):
            continue
        if form.state == "sealed":
            found.append(Fact(kind="data sealed", subject=path, process=form.name, named=True))
            continue
        done = session.run(f"! command -v {form.by} || {tested(form, path)}", seconds=SECONDS, looks=True)
        if not done.ok and done.limit is None:
            found.append(Fact(kind="data damaged", subject=path, process=form.name, named=True))
    return found


def _named(path: str, output: str) -> bool:
    """Whether the output names the file, with as much of its path as it tells."""
    told = re.findall(rf"[\w./+-]*{re.escape(posixpath.basename(path))}", output)
    return any(f"/{path}".endswith(f"/{posixpath.normpath(one).lstrip('./')}") for one in told)


def _of_a_series(path: str, opened: Sequence[str]) -> bool:
    shape = _DIGITS.sub("#", path)
    return shape != path and any(other != path and _DIGITS.sub("#", other) == shape for other in opened)


def foreign(session: Session, opened: Sequence[str], output: str) -> list[Fact]:
    """A fact for each of the `opened` libraries and object files that is built for another processor and that the
    failing command's `output` names.
    """
    files = [path for path in opened if _CODE.fullmatch(path) and posixpath.basename(path) in output]
    if not files:
        return []
    listed = session.run(FOREIGN.format(files=shlex.join(files)), seconds=SECONDS, looks=True).output.splitlines()
    return [Fact(kind="program unfit", subject=path, process="", named=True) for path in files if path in listed]


def _form_of(session: Session, magic: str, path: str) -> Form | None:
    """The first form of such a magic that the file has."""
    for form in forms():
        if form.magic and re.match(form.magic, magic):
            given = form.given.replace("$F", shlex.quote(path))
            if not given or session.run(given, seconds=SECONDS, looks=True).ok:
                return form
    return None


def tested(form: Form, path: str) -> str:
    """The form's own test of a file."""
    return form.test.replace("$F", shlex.quote(path))


def whole_by_name(name: str) -> str:
    """A test of the file at $F, by the compressor that its name tells; one that every file passes where it tells none.

    Other endings are borne by files of several forms.
    """
    packed = (form for form in forms() if form.test and form.by == form.name)
    form = next((form for form in packed if name.lower().endswith(form.endings)), None)
    if form is None:
        return "true"
    tests = form.test.replace("$F", '"$F"')
    return f"{{ ! command -v {form.by} > /dev/null || {tests}; }}"


def parts_of(form: Form, path: str) -> str:
    """A command that prints the parts of a damaged file, or of the tar in a stream; empty where none is known."""
    return _filled(form, MEMBERS.replace("$P", form.by) if form.stream else form.parts, path)


def recovery_of(form: Form, path: str, to: str) -> str:
    """A command that writes all that a damaged file holds to a whole one; empty where none is known."""
    return _filled(form, form.recovers, path, to)


def keeping(form: Form, path: str, to: str) -> str:
    """A command that writes to a whole file what of a damaged one is whole; empty where none is known."""
    return _filled(form, form.keeps, path, to)


def _filled(form: Form, command: str, path: str, to: str = "") -> str:
    script = _hook(form.script) if form.script and "$S" in command else ""
    return command.replace("$F", shlex.quote(path)).replace("$O", to).replace("$S", shlex.quote(script))


def _hook(name: str) -> str:
    return files_of(__package__).joinpath("hooks", name).read_text(encoding="utf-8")


def stand_in(fact: Fact) -> MinimalLift | None:
    """A whole and readable file of the same form, with nothing in it, in the place of a damaged or sealed one."""
    path = shlex.quote(fact.subject)
    if fact.process.startswith(BLANK):
        return filled(fact)
    if fact.process == EMPTY:
        suffix = posixpath.splitext(fact.subject)[1]
        return MinimalLift(fact, (FULL.format(path=path, suffix=shlex.quote(suffix)),)) if suffix else None
    form = form_named(fact.process)
    if form and form.empty:
        return MinimalLift(fact, (form.empty.replace("$F", path),))
    if form and form.state == "damaged":
        return MinimalLift(fact, (f"F={path}; {empty_by_name()}",))
    return MinimalLift(fact, (_in_place_of(form, path),)) if form and form.hook else None


def _in_place_of(form: Form, path: str) -> str:
    """A command that puts a form's hook where its program lies, and the program beside it."""
    text = _hook(form.hook)
    text = text.replace("@PLACE@", path).replace("@CONTENT@", payload(inner(path)))
    placed = f'p="$(realpath "$(command -v {form.by})")" && mv "$p" "$p.real"'
    return f'{placed} && printf %s {shlex.quote(text)} > "$p" && chmod 755 "$p"'


def empty_by_name() -> str:
    """A command that puts a whole thing without content at $F, of the form that its name tells; nothing for others."""
    cases = (f"{'|'.join(f'*{end}' for end in form.endings)}) {form.empty};;" for form in forms() if form.endings)
    return f'case "$F" in {" ".join(cases)} *) : > "$F";; esac'


def unopened(called: Sequence[Called]) -> tuple[str, ...]:
    """The files that OpenSSL was called to open in vain."""
    return tuple(dict.fromkeys(path for one in called if (path := _to_open(one))))


def _to_open(one: Called) -> str:
    """The file that OpenSSL was called to open; empty where it was not."""
    words = one.words
    opens = posixpath.basename(words[0]) == "openssl" and "-d" in words and "-in" in words[:-1] if words else False
    return posixpath.normpath(posixpath.join(one.folder, words[words.index("-in") + 1])) if opens else ""


def enc_words(called: Sequence[Called], path: str) -> str | None:
    """The words with which OpenSSL was called to open a file, without those of the file, of what came of it and of the
    key; None where it was not.
    """
    for one in called:
        if _to_open(one) != path:
            continue
        words, drop = one.words[1:], {"-in", "-out", "-pass", "-k", "-kfile"}
        kept, skip = [], False
        for word in words[1:] if words[0] == "enc" else [f"-{words[0]}", *words[1:]]:
            if not skip and word not in drop and word != "-d":
                kept.append(word)
            skip = not skip and word in drop
        return shlex.join(kept)
    return None


def inner(path: str) -> str:
    """The name of what is sealed in it."""
    return posixpath.splitext(posixpath.basename(path))[0]


def payload(name: str) -> str:
    """A command that prints a whole thing of such a name without content."""
    if re.search(r"\.(tar\.gz|tgz)$", name):
        return "head -c 10240 /dev/zero | gzip -n"
    if name.endswith(".gz"):
        return "gzip -n < /dev/null"
    return "head -c 10240 /dev/zero" if name.endswith(".tar") else "printf '\\n'"
