"""A path that a command only reads or runs, and where on the machine the same can be had."""

import posixpath
import re
import shlex

from cases import CommandRun
from probes.replay.kinds.archives import holding, list_archives
from probes.replay.kinds.searching import NOT_LOOKED_INTO, in_the_system
from probes.replay.needs import gone_to
from probes.replay.promises import WRITING, made_by_run
from probes.replay.subject import Subject
from probes.replay.trial import Trial

WRITES = re.compile(
    rf"{WRITING.pattern}|(?<![0-9&=-])>{{1,2}}(?!\s*(?:/dev/null|&))|\bwrite|mkdir|touch|unlink|rmtree|rename|shutil"
    r"|remove|\bsed\s+-\w*i|\s-[oO]\s|\b(?:cp|mv|rm|tee|install|ln|rsync|dd|tar|unzip|gunzip|git|pip3?|conda|make|chmod|chown|truncate)\b"
)
REFUSED = re.compile(
    r"cannot (?:create|touch|remove|unlink|overwrite|make|move|rename|change|set|preserve)|for writing"
)
FACTS = (
    "p={path}; if test -d $p; then test -r $p -a -x $p && echo readable || echo closed; "
    "elif test -r $p; then test -x $p && echo readable || {{ echo readable plain; head -1 $p | head -c 200; }}; "
    "else echo closed; fi"
)
FIND = (
    f"find / {NOT_LOOKED_INTO} \\( -iname {{name}} -o -iname {{name}}.gz -o -iname {{name}}.bz2 "
    "-o -iname {name}.xz -o -iname {name}.zip {sized} \\) -readable -not -empty -print 2>/dev/null | head -40"
)
SAME = 'for o in {others}; do diff -rq -- {path} "$o" > /dev/null 2>&1 && echo "$o"; done; true'
LAUNCH = r"(?P<before>^|[;&|(\n]\s*|\b(?:exec|time|env|nohup)\s+)"


def writes(about: str, command: str, output: str) -> bool | None:
    """Whether the failing command was to write to the path; None where it is not plain."""
    name = posixpath.basename(about.rstrip("/"))
    asked = CommandRun(kind="shell", command=command, tool="", output="", exit_code=None, blocks=())
    refused = any(name in line and REFUSED.search(line) for line in output.splitlines())
    if refused or made_by_run(about, "", (asked,), ()):
        return True
    code = [line for line in output.splitlines() if line.startswith("    ")]
    return None if any(WRITES.search(text) for text in (command, *code)) else False


def through(about: str, command: str, interpreter: str) -> str | None:
    """The command with the interpreter before the file that it runs; None where it runs no such file."""
    launched = re.compile(rf"{LAUNCH}{re.escape(about)}(?=$|[\s;&|)])")
    if not launched.search(command) or not re.fullmatch(r"[\w./ +-]+", interpreter):
        return None
    return launched.sub(lambda match: f"{match['before']}{interpreter} {about}", command, count=1)


def with_use(trial: Trial, subject: Subject) -> Subject:
    """The subject with what holds of a path that is there and that the command reads or runs.

    `uses` where it does, `mixed` where that is not plain; `copy` and `command_copy` for a readable file of the same
    name and content, `other` for one of another content, `held` for an archive; `command_run` for a script that can
    be read.
    """
    about, command = subject.about, subject.attempts[0].command
    place = posixpath.normpath(posixpath.join(trial.session.spec.workdir, gone_to(command), about))
    wrote = writes(about, command, subject.output)
    [there] = trial.run("replay-path", f"stat -Lc %s-%F {shlex.quote(place)}", user="root")
    if wrote or not there.ok:
        return subject
    state, _, first = trial.run("replay-path", FACTS.format(path=shlex.quote(place)))[0].output.partition("\n")
    shebang = first.strip().removeprefix("#!").strip() if first.startswith("#!") else "sh"
    run = through(about, command, shebang) if state == "readable plain" else None
    if state != "closed" and run is None:
        return subject
    learnt = {"mixed": "yes"} if wrote is None else {"uses": "yes"}
    learnt |= {"command_run": run} if run else {}
    return subject.with_parameters(**learnt, **_copies(trial, subject, place, there.output.strip()))


def _copies(trial: Trial, subject: Subject, place: str, kind: str) -> dict[str, str]:
    """`kind` is the size in bytes and the type, as stat(1) says them."""
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
    trial.observe("readable copies", f"{len(same)} the same, {len(found) - len(same)} others", None, None)
    spoken = re.compile(rf"(?<![\w./-]){re.escape(subject.about)}(?![\w.-])")
    for path in same:
        if re.fullmatch(r"[\w./-]+", path) and spoken.search(subject.attempts[0].command):
            return {"copy": path, "command_copy": path.join(spoken.split(subject.attempts[0].command))}
    if found:
        return {"other": (same or found)[0]}
    held = holding(place, list_archives(trial, name))
    return {"held": held.path} if held else {}


def open_still(subject: Subject) -> str | None:
    """Why the failure of every route leaves it open, if so; ends a sentence."""
    told, there = subject.parameters, subject.parameters.get("copy") or subject.parameters.get("other")
    if "mixed" in told:
        return f"whether the command reads {subject.about} or writes to it is not plain"
    if "uses" not in told:
        return None
    reasons = (
        (there, f"{there} bears that name and can be read, and whether it would do is not settled"),
        ("held" in told, f"{told.get('held')} holds a file of that name, which was not tried"),
        ("command_run" in told, "the file can be read, and what else would run it is not settled"),
        ("local" not in told, "the command does not name the path, so that its need of it is not settled"),
    )
    return next((why for holds, why in reasons if holds), None)
