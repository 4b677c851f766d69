"""CAUSED by need: the task asks for what failed, and it never worked later; no word that anybody said plays a part."""

import posixpath
from collections.abc import Iterator

from cases import Case, CommandRun, Events, Run
from cases import patterns as re
from cases.endings import patched
from cases.shell import steps_of
from cases.task_words import prompt_of
from cases.touches import (
    Thing,
    Touch,
    Trouble,
    canonical,
    idle,
    names_program,
    needed_files,
    origin_of,
    prepares,
    shows_pointer,
    touches_of,
    troubles_of,
)
from cases.touches.names import SOURCE, runs_tests, things
from cases.touches.origins import Origins, sentences
from cases.touches.promises import LISTING
from probes.barriers import Trait, having
from probes.model import Barrier, Hypothesis
from probes.names import conda_packages, modules, programs

_BRINGS = re.compile(r"\blfs\b|\bgit\b|glob|listdir|iterdir|scandir|walk\(|\*")
"""What brings files without their names, or reads them so."""
_WHOLE = re.Whole(r"\w", r"\w")
_WHOLE_NAME = re.Whole(r"[\w-]", r"\w")
"""Of software: a part of an option's name is none."""
_WHOLE_PATH = re.Whole(r"[\w./-]", r"[\w/-]|\.\w")
_SHELLS = frozenset({"bash", "sh", "dash"})
_IN_PLACE = re.compile(r"-\w*i|--in-place")
_WRITES = re.compile(r"\.write|['\"](?:w|a|r\+)['\"]")
TROUBLES = 12
"""Of one run, the likeliest first."""


def trouble_of(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> Trouble | None:
    """The trouble of a run that a hypothesis is about; None where its record shows none such."""
    cited = {citation.block for citation in hypothesis.citations if citation.run_id == run.run_id}
    shown = [place for place, event in enumerate(events.in_order) if cited.intersection(event.blocks)]
    if hypothesis.run_id == run.run_id and hypothesis.event is not None and hypothesis.event < len(events.commands):
        met = events.commands[hypothesis.event]
        shown += [place for place, event in enumerate(events.in_order) if event is met]
    troubles = troubles_of(case, run, events)[:TROUBLES]
    return next((one for one in troubles if not set(shown).isdisjoint(one.events)), None)


def asked_for(hypothesis: Hypothesis, trouble: Trouble, case: Case, run: Run, events: Events) -> str | None:
    """What of it the task itself names: the command that it tells to run, or the thing by one of its names.

    Of several things that failed, only what the hypothesis is about counts, and commands that failed with it. A program
    that the run itself put around such a command is none of the command's.
    """
    touches = (trouble.cause, *trouble.with_it)
    about = {_bare(name) for name in _names_of(hypothesis)}
    mine = [one for one in touches if one.kind != "command" and _bare(one.name) in about] or list(touches)
    places = {place for one in mine for place in one.failed}
    never_ran = _behind_missing(touches, trouble, events)
    for one in touches:
        told = one.kind == "command" and one.origin == "task" and one.name not in never_ran
        if told and not places.isdisjoint(one.failed):
            return one.name
    if trouble.looked:
        mine = [one for one in mine if one.kind == "file"]
    things = [one for one in mine if one.kind not in ("command", "tool") and (one.kind != "program" or one in mine[:1])]
    things = [one for one in things if not _is_there(one, trouble, case, run, events)]
    for one in things:
        if one.origin == "task":
            return one.name
    named = (one for one in things[:1] if one.kind in ("module", "package", "program"))
    others = (Thing("package", name) for one in named for name in also_called(one.name))
    other = next((thing.name for thing in others if origin_of(thing, case, run, events) == "task"), None)
    if other is None and hypothesis.barrier in having(Trait.OF_A_TOOL):
        return next(iter(needed_files(trouble.events, case, run, events)), None)
    return other


def _is_there(thing: Touch, trouble: Trouble, case: Case, run: Run, events: Events) -> bool:
    """Whether it is a package whose module the run had all along, wanted in a version of the agent's own choice."""
    if thing.kind != "package":
        return False
    failed = (events.in_order[place] for place in trouble.events)
    wanted = re.compile(rf"{re.escape(thing.name)}(?:\[[^\]]*\])?\s*[=~<>!]=?=?\s*(?P<version>\d[\w.]*)")
    lines = (event.command for event in failed if isinstance(event, CommandRun))
    versions = [match["version"] for line in lines for match in wanted.finditer(line)]
    had = {one.name for one in touches_of(case, run, events) if one.kind == "module" and one.outcome == "worked"}
    told = any(_WHOLE.within(version, prompt_of(case)) for version in versions)
    return _bare(thing.name).replace("-", "_") in had and not told


def only_tests_it(trouble: Trouble, case: Case, run: Run, events: Events) -> str:
    """A source of the task's that the run changed, where what lacked does nothing but run tests; empty where there is
    none, the lack has another name, or the prompt may ask that tests be run.
    """
    cause = trouble.cause
    if cause.kind not in ("module", "package", "program") or not runs_tests(cause.name):
        return ""
    asks = re.compile("|".join(things().tests_asked.patterns), re.IGNORECASE)
    prompt = prompt_of(case)
    if any(map(asks.search, sentences(prompt))) or any(word in prompt for word in _products(trouble, events)):
        return ""
    named = [one.name for one in touches_of(case, run, events) if one.kind == "file" and one.origin == "task"]
    changed = {*patched(run.answer), *(write.path for write in events.writes)}
    ends = [f"/{path.strip('/')}" for path in changed]
    for name in (one for one in named if SOURCE.search(one) and not _of_tests(one)):
        if any(end.endswith(f"/{posixpath.basename(name)}") for end in ends) or _rewrites(events, name):
            return name
    return ""


def _products(trouble: Trouble, events: Events) -> Iterator[str]:
    """Files that what failed was to write, as far as its words tell: they have an ending, and are no sources."""
    failed = (events.in_order[place] for place in trouble.events)
    steps = (step for event in failed if isinstance(event, CommandRun) for step in event.steps)
    words = (word for step in steps for word in (*step.command.arguments, *step.command.outputs))
    names = (posixpath.basename(word.rpartition("=")[2]) for word in words)
    yield from (name for name in names if posixpath.splitext(name)[1] and not SOURCE.search(name))


def _of_tests(path: str) -> bool:
    return any(part.startswith("test") for part in path.lower().split("/"))


def _rewrites(events: Events, path: str) -> bool:
    """Whether a command changes a file in its place, or runs code that names and writes it."""
    name = posixpath.basename(path)
    for step in (step for event in events.commands if event.failed != "yes" for step in event.steps):
        command = step.command
        in_place = command.program in ("sed", "perl") and any(_IN_PLACE.match(word) for word in command.arguments)
        if in_place and any(posixpath.basename(word) == name for word in command.arguments):
            return True
        if command.code and name in command.code.text and _WRITES.search(command.code.text):
            return True
    return False


def shown_as_pointer(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> str:
    """The file that a hypothesis is about, where the task names it and all that reads it in the run shows a pointer to
    where large files are kept; else empty.
    """
    about = {_bare(path) for path in hypothesis.targets.paths}
    ordered = events.in_order
    last = max((place for place, event in enumerate(ordered) if shows_pointer(event)), default=-1)
    for touch in touches_of(case, run, events):
        if touch.kind != "file" or touch.origin != "task" or _bare(touch.name) not in about:
            continue
        name = posixpath.basename(touch.name)
        read = [event for place in touch.events if (event := _reading(ordered[place], touch.name))]
        if read and all(map(shows_pointer, read)) and not any(_may_bring(event, name) for event in ordered[last + 1 :]):
            return touch.name
    return ""


def never_read(hypothesis: Hypothesis, case: Case, run: Run, events: Events) -> str:
    """The file that a refusal is about, where the prompt spells its whole path and the first and the last command at it
    failed, be it one that only looks; else empty.
    """
    if hypothesis.barrier is not Barrier.PERMISSION:
        return ""
    prompt = prompt_of(case)
    refused = (
        touch.name
        for touch in touches_of(case, run, events)
        if touch.kind == "file" and touch.outcome == "failed" and touch.failed[:1] == touch.events[:1]
    )
    about = (name for name in refused if name.startswith("/") and name in hypothesis.targets.paths)
    return next((name for name in about if _WHOLE_PATH.within(name, prompt)), "")


def _may_bring(event: object, name: str) -> bool:
    """Whether a command that did not fail may have put a file there, or read it by another name."""
    if not isinstance(event, CommandRun) or event.failed == "yes" or event.only_looks:
        return False
    scripts = any(step.command.file for step in event.steps)
    return scripts or name in event.command or _BRINGS.search(event.command) is not None


def _reading(event: object, name: str) -> CommandRun | None:
    """A command that prints what it reads, or works on it: not one that only lists names."""
    if not isinstance(event, CommandRun) or not event.output:
        return None
    listing = all(step.command.program in LISTING or not step.command.words for step in event.steps)
    return None if listing or posixpath.basename(name) not in event.command else event


def only_files_name(asked: str, trouble: Trouble, case: Case) -> bool:
    """Whether it is software that the task's own text, where that is known, does not name by any of its names: its
    files may speak of one way to the answer among others.
    """
    named = [one for one in (trouble.cause, *trouble.with_it) if one.name == asked]
    other = next((one for one in (trouble.cause, *trouble.with_it) if asked in also_called(one.name)), None)
    software = ("program", "module", "package")
    if any(one.kind not in software for one in named) or not (named or (other and other.kind in software)):
        return False
    prompt = prompt_of(case)
    return bool(prompt) and not any(
        _names(prompt, name) for name in (asked, *also_called(asked), *([other.name] if other else []))
    )


def only_files_spell(command: Touch, trouble: Trouble, case: Case, run: Run, events: Events) -> bool:
    """Whether software was missing for a command that neither the task's own text nor a document that it names spells,
    and of which that text names neither the program nor a file.
    """
    prompt, step = prompt_of(case), next((one.command for one in steps_of(command.name)), None)
    if trouble.cause.kind not in ("program", "module", "package") or not prompt or step is None:
        return False
    files = [posixpath.basename(word) for word in step.arguments if posixpath.splitext(word)[1][1:2].isalpha()]
    named = any(_names(prompt, name) for name in (step.program, trouble.cause.name, *files))
    return not named and not Origins(case, run, events, {}).asks(command.name)


def _names(text: str, name: str) -> bool:
    """Whether a text names it, in large letters or small; what is a word like any other, as code."""
    if name in things().ordinary.words:
        return names_program(text, name)
    return _WHOLE_NAME.within(_bare(name), text.lower())


def _behind_missing(touches: tuple[Touch, ...], trouble: Trouble, events: Events) -> frozenset[str]:
    """Commands of the failing lines that never ran, for want of a program that was put around them."""
    missing = {one.name for one in touches if one.kind == "program"}
    failing = (events.in_order[place] for place in trouble.events)
    steps = [step for event in failing if isinstance(event, CommandRun) for step in event.steps]
    return frozenset(canonical(step.command) for step in steps if missing.intersection(step.command.wrappers))


def goal_beside(asked: str, trouble: Trouble, case: Case, run: Run, events: Events) -> str | None:
    """Another command that the task asks for and that failed at last, of something else, where the task asks for what
    failed here only by its name, as what prepares for such, or as what its files carry out while it spells a script of
    commands: whether that command needs it can only be measured.
    """
    end, origins = _an_end(asked, trouble), Origins(case, run, events, {})
    if end and origins.documents(asked):
        return None
    mine = {_bare(one.name) for one in (trouble.cause, *trouble.with_it)}
    mine |= {_bare(other) for name in mine for other in also_called(name)}
    for other in troubles_of(case, run, events):
        if other.goal and other.cause != trouble.cause and _bare(other.cause.name) not in mine:
            touches = (other.cause, *other.with_it)
            command = next((one for one in touches if one.kind == "command" and one.origin == "task"), None)
            whole = command and origins.documents(command.name) and _runs_steps(command.name)
            if command and trouble.events[-1:] != command.failed[-1:] and (whole or not end):
                return command.name
    return None


def _runs_steps(command: str) -> bool:
    """Whether it is a shell's script or a build, which carries out the commands of a file."""
    programs = {step.command.program for step in steps_of(command)}
    return any(name in _SHELLS or name.endswith(".sh") for name in programs) or bool(
        programs & things().builders.programs
    )


def worked_without(asked: str, trouble: Trouble, case: Case, run: Run, events: Events) -> str | None:
    """A command that the task asks for and that worked after the failure, where the task asks for what failed only by
    its name, or as what prepares for such: the work may need no more than that.
    """
    if _an_end(asked, trouble):
        return None
    mine = {one.name for one in (trouble.cause, *trouble.with_it)}
    for touch in touches_of(case, run, events):
        if touch.kind != "command" or touch.origin != "task" or touch.name in mine or touch.outcome != "worked":
            continue
        works = any(not idle(step.command) for step in steps_of(touch.name))
        if works and touch.events[-1] > trouble.events[0]:
            return touch.name
    return None


def _an_end(asked: str, trouble: Trouble) -> bool:
    """Whether what the task asks for is a command that failed and that does more than prepare for others."""
    commands = [one.name for one in (trouble.cause, *trouble.with_it) if one.kind == "command"]
    return asked in commands and not all(prepares(step.command) for step in steps_of(asked))


def _names_of(hypothesis: Hypothesis) -> Iterator[str]:
    targets = hypothesis.targets
    for names in (targets.paths, targets.packages, targets.modules, targets.headers, targets.libraries):
        yield from names
    yield from (*targets.programs, *targets.hosts)


def _bare(name: str) -> str:
    """A file's own name; a package's without a version."""
    return re.split(r"[\[<>=!~;@ ]", name.rstrip("/").rpartition("/")[2] or name)[0].lower()


def also_called(name: str) -> tuple[str, ...]:
    """The names under which a package index, Debian or a program's page has a module, a package or a program."""
    top = name.split(".", maxsplit=1)[0]
    found = [top] if top in modules() else []
    if entry := modules().get(top):
        found.append(entry.package)
    found += [module for module, entry in modules().items() if entry.package == name.lower()]
    if program := programs().get(name):
        found += [other for other in (program.package, program.apt) if other]
    if package := conda_packages().get(name):
        found += [package.package, package.module]
    return tuple(dict.fromkeys(other for other in found if other != name))
