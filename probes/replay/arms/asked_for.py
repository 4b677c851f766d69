"""A build that fails at something else than what it is asked for: the files that the task names, as its targets."""

import posixpath
import shlex

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, Step, steps_of
from cases.task_words import prompt_of, texts_of
from cases.touches import canonical
from cases.touches.names import things
from cases.touches.origins import code_in
from probes.barriers import RoutePlan
from probes.model import Barrier, Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.run import ReplayRun
from sandboxes import Session

say = Sentences(__name__)

PLAN = RoutePlan(
    id="only-what-is-asked",
    tier=Tier.T2,
    commands=(),
    source="the build's own targets: GNU make manual, Goals; ninja manual, Running; Snakemake, Target files",
)
IDLE = RoutePlan(
    id="nothing-in-its-place",
    tier=Tier.T2,
    commands=(),
    source="GNU make manual, Overriding Variables: `make MAKEINFO=true` runs a program that does nothing",
)
KEPT_GOING = RoutePlan(
    id="all-but-what-fails",
    tier=Tier.T2,
    commands=(),
    source="GNU make manual, Options Summary: --keep-going",
)
_MARK = "/tmp/.all-but-what-fails"  # noqa: S108 - in a container
_FOLDER = "$HOME/.nothing-in-its-place"
_APART = f"! sed 's#.*[/=]##' {_FOLDER}/given | grep -qxF {{name}}"
_PROGRAM = "head -c 4 {path} | grep -q ELF"
MOST = 5
"""Files that the task names."""
SECONDS = 120
_WORD = re.compile(r"[\w~./-]+")
_NAME = re.compile(r"[\w-]+\.[A-Za-z][A-Za-z0-9]{0,7}")
_TARGET = re.compile(r"[\w.-]+")
_TAG = re.compile(r"</?[a-z_]+>")


def build_only_what_is_asked(work: ReplayRun, command: str) -> None:
    """Where the files that the task names can be built without the rest, that is a way past, unless it asks for all."""
    step, files = _asked(work, command)
    if step is None:
        return
    folder = step.at(".", work.subject.cwd or "") or "."
    build = f"cd {shlex.quote(folder)} && {_without_targets(step.command)}" if folder != "." else ""
    build = build or _without_targets(step.command)
    log = Log(f"replay-route-{PLAN.id}")
    with work.containers.start(work.spec) as session:
        if len(steps_of(command)) > 1 and _builds(work, session, log, step):
            return
        place = posixpath.normpath(posixpath.join(session.spec.workdir, folder))
        targets = [one for file in files if (one := _below(file, place, work.subject.home))]
        known = [one for one in targets if run(session, log, _asks(build, place, one), 20, shell=work.subject.shell).ok]
        if not known:
            return
        line = f"{build} {shlex.join(known)}"
        done = run(session, log, line, work.seconds(SECONDS), shell=work.subject.shell)
        there = " && ".join(f"test -s {shlex.quote(posixpath.join(place, one))}" for one in known)
        made = done.ok and run(session, log, there, 20, looks=True).ok
        others = [goal for goal in work.subject.goals if not goal.prepares]
        behind = reached(work, session, log) if made and others else ()
    digest, note = work.keep(log), say("asked_for.built", files=", ".join(known))
    if not made:
        work.observe(PLAN.id, done.how, done.seconds, digest)
        return
    route = Route(id=PLAN.id, tier=PLAN.tier, commands=(line,), result="passed", note=note, artifact=digest)
    work.outcome.tried.append(Tried(PLAN, route, done.seconds, reached=(line, *behind) if behind or not others else ()))
    work.observe(f"route: {PLAN.id}", f"passed: {note}", done.seconds, digest)


def build_all_but_what_fails(work: ReplayRun, command: str) -> None:
    """Where a build makes programs that the task's documents call beside what it fails at, whether those will do is
    open, unless the prompt spells the build.
    """
    steps = [step for step in steps_of(command) if step.command.program in {"make", "gmake"}]
    spelled = map(str.strip, code_in(prompt_of(work.context.case)))
    if len(steps) != 1 or work.outcome.passed or canonical(steps[0].command) in spelled:
        return
    at = steps[0].command.words[0].end
    line = f"{command[:at]} --keep-going{command[at:]}"
    log = Log(f"replay-route-{KEPT_GOING.id}")
    with work.containers.start(work.spec) as session:
        run(session, log, f"touch {_MARK}; sleep 1", 20, looks=True)
        if _builds(work, session, log, steps[0]):
            return
        done = run(session, log, line, work.seconds(SECONDS), shell=work.subject.shell)
        new = f"find . -xdev -newer {_MARK} -type f -perm -u+x -size +0 -printf '%f\\n' 2>/dev/null | head -50"
        made = run(session, log, new, 20, looks=True).output.splitlines()
    given = texts_of(work.context.case, work.context.settings.workspace, work.outcome.task_files or ())
    words = {
        word for _, text in (*given, *work.outcome.documents) for code in code_in(text) for word in _WORD.findall(code)
    }
    called = [name for name in dict.fromkeys(made) if words & {f"./{name}", f"bin/{name}", f"./bin/{name}"}]
    digest, note = work.keep(log), say("asked_for.kept_going", files=", ".join(called))
    if called:
        route = Route(
            id=KEPT_GOING.id, tier=KEPT_GOING.tier, commands=(line,), result="not_tried", note=note, artifact=digest
        )
        work.settle(Tried(KEPT_GOING, route, done.seconds))


def _builds(work: ReplayRun, session: Session, log: Log, step: Step) -> bool:
    """Whether the build itself ends well, and what failed stands behind it."""
    alone = f"cd {shlex.quote(step.folder or '.')} && {step.command.text}"
    return run(session, log, alone, work.seconds(SECONDS), shell=work.subject.shell).ok


def build_with_nothing_in_its_place(work: ReplayRun, command: str) -> None:
    """Where the build makes the programs that the task names though nothing stands in for the one that is missing, that
    one made something else, which the task does not ask for.
    """
    step, files = _asked(work, command)
    missing = work.subject.about
    if step is None or work.subject.barrier is not Barrier.COMMAND or step.command.program == missing:
        return
    stub = shlex.quote(f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{_FOLDER}/given"\n')
    name = shlex.quote(missing)
    setup = f"mkdir -p {_FOLDER} && printf %s {stub} > {_FOLDER}/{name} && chmod +x {_FOLDER}/{name}"
    line = f'PATH="{_FOLDER}:$PATH"; {command}'
    log = Log(f"replay-route-{IDLE.id}")
    with work.containers.start(work.spec) as session:
        place = posixpath.normpath(posixpath.join(session.spec.workdir, step.at(".", work.subject.cwd or "") or "."))
        paths = [posixpath.join(place, _at_home(one, work.subject.home)) for one in files]
        new = [one for one in paths if not run(session, log, f"test -e {shlex.quote(one)}", 20, looks=True).ok]
        if not new or not run(session, log, setup, 20, shell=work.subject.shell).ok:
            return
        done = run(session, log, line, work.seconds(SECONDS), shell=work.subject.shell)
        apart = " && ".join(_APART.format(name=shlex.quote(posixpath.basename(one))) for one in new)
        made = " && ".join(_PROGRAM.format(path=shlex.quote(one)) for one in new)
        passed = done.ok and run(session, log, f"{made} && {apart}", 20, looks=True).ok
    made_here = ", ".join(map(posixpath.basename, new))
    digest, note = work.keep(log), say("asked_for.apart", missing=missing, files=made_here)
    if not passed:
        work.observe(IDLE.id, done.how, done.seconds, digest)
        return
    typed = (setup, line)
    route = Route(id=IDLE.id, tier=IDLE.tier, commands=typed, result="passed", note=note, artifact=digest)
    goals = [goal for goal in work.subject.goals if not goal.prepares]
    work.outcome.tried.append(Tried(IDLE, route, done.seconds, reached=() if goals else (command,)))
    work.observe(f"route: {IDLE.id}", f"passed: {note}", done.seconds, digest)


def _asked(work: ReplayRun, command: str) -> tuple[Step | None, list[str]]:
    """The one step of it that builds, and the files that the task names; no step where the task itself spells it."""
    prompt = _TAG.sub(" ", prompt_of(work.context.case))
    words = dict.fromkeys(match[0].rstrip("./-") for match in _WORD.finditer(prompt))
    files = [word for word in words if "/" in word or _NAME.fullmatch(word)][:MOST]
    steps = [step for step in steps_of(command) if step.command.program in things().builders.programs]
    if len(steps) != 1 or not files or canonical(steps[0].command) in map(str.strip, code_in(prompt)):
        return None, files
    return steps[0], files


def _asks(build: str, place: str, target: str) -> str:
    """Whether it is not there yet, and the build knows how to make it."""
    return f"test ! -e {shlex.quote(posixpath.join(place, target))} && {build} -n {shlex.quote(target)}"


def _below(file: str, place: str, home: str) -> str:
    """The file as the build in that folder names it; empty where it lies elsewhere."""
    path = _at_home(file, home)
    inside = posixpath.relpath(path, place) if path.startswith("/") else path
    return "" if inside.startswith("..") else inside.removeprefix(f"{posixpath.basename(place)}/")


def _at_home(file: str, home: str) -> str:
    return file.replace("~", home, 1) if file.startswith("~/") else file


def _without_targets(command: Command) -> str:
    """The builder with its options and variables, and none of what it was told to build."""
    words = [word.text for word in command.words]
    kept = [
        word
        for before, word in zip(["", *words], words, strict=False)
        if word == words[0] or before.startswith("-") or not _TARGET.fullmatch(word)
    ]
    return shlex.join(kept)
