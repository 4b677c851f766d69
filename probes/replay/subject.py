"""What is to be replayed: the failing command, the failure it showed, and the names that routes need."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from cases import CommandRun
from probes.contract import ProbeContext
from probes.model import Barrier, Envelope, Hypothesis
from probes.replay.data import headers, modules, programs
from probes.replay.signature import Signature, last_line, signatures

MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(\[[\w,.-]+\])?([<>=!~]=?[\w.*+!-]+(,[<>=!~]=?[\w.*+!-]+)*)?")
PROGRAM = re.compile(r"[\w][\w.+-]*")
HEADER = re.compile(r"[\w.+-]+(/[\w.+-]+)*")
INSTALL = re.compile(r"\bpip3?\b[^\n;&|]*?\binstall\b(?P<rest>[^\n;&|]*)")
SETUP = re.compile(r"\bsetup\.py\s+(?:install|build|develop|bdist)")
DIRECTORY = re.compile(r"\.{0,2}/|\.{1,2}$|~|.*/$")
VALUE_OPTIONS = {"-r", "-c", "-t", "-i", "-f", "-e", "--target", "--index-url", "--extra-index-url", "--find-links"}
KEPT = ("distribution", "wheelname", "import_check")
IMPORT_CHECK = (
    "python3 -c \"import importlib as i, importlib.metadata as m; d = m.distribution('{}'); "
    "t = {{str(f).split('/')[0].split('.')[0] for f in d.files or () if str(f).endswith(('.py', '.so'))}}; "
    "t = sorted(x for x in t - {{'tests', 'test', 'docs', 'examples', 'setup'}} if x.isidentifier() and x[0] != '_'); "
    'assert t; [i.import_module(x) for x in t]; print(d.version, t)"'
)


@dataclass(frozen=True)
class Attempt:
    """A command that should show the failure."""

    command: str
    reconstructed: bool
    """Not the run's own words but the least that must fail the same way."""


@dataclass(frozen=True)
class Subject:
    """Everything about one hypothesis that the arms need."""

    barrier: Barrier
    attempts: tuple[Attempt, ...]
    """In the order to try them until one shows the failure."""
    expected: Signature
    about: str
    """What the barrier is about, as given: a module, program, header, package or path."""
    prior: tuple[CommandRun, ...] = ()
    unreplayed: int = 0
    """Earlier steps that were no shell commands."""
    cwd: str | None = None
    shell: str = "bash"
    parameters: dict[str, str] = field(default_factory=dict)
    home: str = "/home/agent"

    def with_distribution(self, name: str) -> "Subject":
        """Once it is known which package a local directory holds."""
        added = {"distribution": name, "wheelname": name.replace("-", "?").replace("_", "?")}
        check = {"import_check": IMPORT_CHECK.format(name)}
        return replace(self, parameters={**self.parameters, **added, **check})

    def at(self, command: str) -> "Subject":
        """The same, with `command` as the failing one."""
        kept = {name: self.parameters[name] for name in KEPT if name in self.parameters}
        parameters = _parameters(self.barrier, self.about, command, self.home)
        return replace(self, parameters={**parameters, **kept})


def subject_of(hypothesis: Hypothesis, context: ProbeContext) -> Subject | str:
    """What to replay, or one sentence why that cannot be told."""
    event, prior = _event(hypothesis, context)
    output = (event.output or "") if event else ""
    about = _about(hypothesis, output, event.command if event else "")
    if about is None:
        return f"The hypothesis names no {_noun(hypothesis.barrier)} that a container could be asked about."
    found = signatures(hypothesis.barrier, output)
    expected = next((s for s in found if _same(s.subject, about)), found[0] if found else None)
    expected = expected or _expected(hypothesis.barrier, about) or last_line(output)
    attempts = _attempts(hypothesis, event, about, context.envelope.tools.value)
    if not attempts or expected is None:
        return f"No command is known that meets {about}, and none can be made up for this kind of barrier."
    subject = Subject(
        barrier=hypothesis.barrier,
        attempts=attempts,
        expected=expected,
        about=about,
        prior=tuple(step for step in prior if _replayable(step)),
        unreplayed=sum(not _replayable(step) for step in prior),
        cwd=event.cwd if event else None,
        shell="sh" if "/bin/sh: " in output else "bash",
        parameters=_parameters(hypothesis.barrier, about, attempts[0].command, _home(context)),
        home=_home(context),
    )
    distribution = _distribution(hypothesis, subject, output)
    return subject.with_distribution(distribution) if distribution else subject


def _event(hypothesis: Hypothesis, context: ProbeContext) -> tuple[CommandRun | None, tuple[CommandRun, ...]]:
    events = context.events.get(hypothesis.run_id or "")
    if events is None or hypothesis.event is None or hypothesis.event >= len(events.commands):
        return None, ()
    return events.commands[hypothesis.event], events.commands[: hypothesis.event]


def _noun(barrier: Barrier) -> str:
    nouns = {Barrier.MODULE: "module", Barrier.COMMAND: "program", Barrier.HEADER: "header", Barrier.PIP: "package"}
    return nouns.get(barrier, "path")


def _about(hypothesis: Hypothesis, output: str, command: str) -> str | None:
    targets, barrier = hypothesis.targets, hypothesis.barrier
    named = {
        Barrier.MODULE: targets.modules,
        Barrier.COMMAND: targets.programs,
        Barrier.HEADER: targets.headers,
        Barrier.PIP: targets.packages,
    }.get(barrier, targets.paths)
    shown = tuple(signature.subject for signature in signatures(barrier, output))
    asked = tuple(requirements(command)) if barrier is Barrier.PIP else ()
    valid = {Barrier.MODULE: MODULE, Barrier.COMMAND: PROGRAM, Barrier.HEADER: HEADER, Barrier.PIP: REQUIREMENT}
    candidates = [name.strip() for name in (*named, *asked, *shown) if name.strip()]
    if barrier in valid:
        candidates = [name for name in candidates if valid[barrier].fullmatch(name)]
    chosen = next(iter(candidates), None)
    # What the command asked for says more than its bare name: the pin may be what stands in the way.
    return next((name for name in asked if chosen and _same(bare(name), chosen)), chosen)


def bare(requirement: str) -> str:
    """A requirement's name without extras and version."""
    return re.split(r"[\[<>=!~]", requirement)[0]


def _same(subject: str, about: str) -> bool:
    return subject.lower().replace("_", "-") == bare(about).lower().replace("_", "-")


def _expected(barrier: Barrier, about: str) -> Signature | None:
    kinds = {
        Barrier.MODULE: "no module",
        Barrier.COMMAND: "command not found",
        Barrier.HEADER: "missing header",
        Barrier.PERMISSION: "permission denied",
        Barrier.READ_ONLY: "read-only file system",
    }
    return Signature(kinds[barrier], about) if barrier in kinds else None


def _replayable(step: CommandRun) -> bool:
    """A shell command whose words are known; a transcript may show an output alone."""
    return step.kind == "shell" and bool(step.command.strip())


def _attempts(
    hypothesis: Hypothesis, event: CommandRun | None, about: str, tools: tuple[str, ...]
) -> tuple[Attempt, ...]:
    attempts: list[Attempt] = []
    if event and event.kind == "shell" and event.command.strip():
        attempts.append(Attempt(event.command, reconstructed=False))
    elif hypothesis.targets.commands and not (event and event.command.strip()):
        attempts.append(Attempt(hypothesis.targets.commands[0], reconstructed=True))
    least = _least(hypothesis.barrier, about)
    if least:
        attempts.append(Attempt(least, reconstructed=True))
    elif event and event.kind == "python" and not any(f"{tool}(" in event.command for tool in tools):
        attempts.append(Attempt(f"python3 - <<'IMPASSABLE_END'\n{event.command}\nIMPASSABLE_END", reconstructed=True))
    return tuple(attempts)


def _least(barrier: Barrier, about: str) -> str | None:
    """The least command that meets the barrier."""
    if barrier is Barrier.MODULE:
        return f'python3 -c "import {about}"'
    if barrier is Barrier.COMMAND:
        return f"{about} --version"
    if barrier is Barrier.PIP:
        return f"python3 -m pip install {shlex.quote(about)}"
    if barrier in {Barrier.PERMISSION, Barrier.READ_ONLY}:
        return f"mkdir {shlex.quote(about)}"
    return None


def _home(context: ProbeContext) -> str:
    user = user_of(context.envelope)
    return "/root" if user == "root" else f"/home/{user}"


def user_of(envelope: Envelope) -> str:
    """The container's user: root for root, the image's ordinary user for anybody else."""
    return "root" if envelope.user.value == "root" else "agent"


def _parameters(barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
    parameters = {"command": command, "command_quoted": shlex.quote(command), "import_check": "true"}
    if not builds_a_directory(command):
        parameters["index"] = "yes"
    if barrier is Barrier.MODULE:
        top = about.partition(".")[0]
        entry = modules().get(about) or modules().get(top)
        package = entry.package if entry else top.replace("_", "-")
        parameters |= {"module": about, "toppath": top, "package": shlex.quote(package)}
    elif barrier is Barrier.COMMAND:
        known = programs().get(about)
        parameters |= {"program": about, "apt": about.lower()}
        if known:
            given = {"package": known.package, "apt": known.apt, "python_module": known.module}
            parameters |= {name: value for name, value in given.items() if value}
    elif barrier is Barrier.HEADER:
        parameters["header"] = about
        if about in headers():
            parameters["apt"] = headers()[about].apt
    elif barrier is Barrier.PIP:
        parameters["package"] = shlex.quote(about)
    else:
        parameters |= _paths(about, command, home)
    return parameters


def _paths(path: str, command: str, homes: str) -> dict[str, str]:
    """Other places for the path, where the command names it as it is."""
    parameters = {"path": shlex.quote(path)}
    name = path.rstrip("/").rpartition("/")[2]
    spoken = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w.-])")
    if name in {"", ".", ".."} or not spoken.search(command):
        return parameters
    local, home = f"./{name}", f"{homes}/{name}"
    parameters |= {"local": shlex.quote(local), "home": shlex.quote(home)}
    parameters["command_local"] = spoken.sub(lambda _: local, command)
    parameters["command_home"] = spoken.sub(lambda _: home, command)
    return parameters


def requirements(command: str) -> list[str]:
    """What a pip command asks an index for: options, files and directories left out."""
    targets = (word for option, word in _install_words(command) if option not in VALUE_OPTIONS)
    return [word for word in targets if REQUIREMENT.fullmatch(word)]


def builds_a_directory(command: str) -> bool:
    """Whether it builds sources that lie on disk: a package of the same name in an index is another one."""
    targets = (word for option, word in _install_words(command) if option not in VALUE_OPTIONS - {"-e"})
    return bool(SETUP.search(command)) or any(DIRECTORY.match(word) for word in targets)


def _install_words(command: str) -> Iterator[tuple[str, str]]:
    """The words of pip install commands that are no options, each with the word before it."""
    for match in INSTALL.finditer(command):
        try:
            words = shlex.split(match["rest"])
        except ValueError:
            words = match["rest"].split()
        for before, word in pairwise(["", *words]):
            if not word.startswith("-"):
                yield before, word


def _distribution(hypothesis: Hypothesis, subject: Subject, output: str) -> str | None:
    """The package that is being installed or built."""
    if subject.barrier is Barrier.MODULE:
        return bare(subject.parameters["package"].strip("'"))
    if subject.barrier not in {Barrier.HEADER, Barrier.PIP}:
        return None
    about = (subject.about,) if subject.barrier is Barrier.PIP else ()
    built = re.findall(r"(?:Failed building wheel for|Building wheel for) ([\w.-]+)", output)
    names = (*about, *hypothesis.targets.packages, *built, *requirements(subject.attempts[0].command))
    valid = [bare(name) for name in names if REQUIREMENT.fullmatch(name)]
    return next(iter(valid), None)
