"""Conda: its terms of service, and installations that it refuses for other reasons."""

import difflib
import shlex
from dataclasses import dataclass
from importlib.resources import files
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Envelope, Hypothesis, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.conda_words import (
    DEFAULTS,
    SPEC,
    CondaCall,
    activated,
    conda_call,
    name_of,
    over_conda_forge,
    over_pip,
    python_pin,
    run_inside,
    with_option,
    with_tool,
)
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import Symptom
from sandboxes.spec import HELD

say = Sentences(__name__)

TERMS = "CondaToSNonInteractiveError"
NO_PACKAGE, NO_ENVIRONMENT = "no such conda package", "no such conda environment"
NO_CHANNEL = "no such conda channel"
CONFLICT, UNREACHED, NO_HOOK = (
    *("conda's requirements conflict", "conda's channel not reached", "conda does not know this shell"),
)
ALIKE = 0.7
"""Of two names, by difflib's ratio, from which on one may be meant by the other."""
SHORTEST = 3
"""Letters of a part of a name by which conda is asked for others."""
CHANNELS_TO_ACCEPT = re.compile(r"(?m)^\s*(?:[•*-]|conda tos accept .*--channel)\s+(\w+://\S+)\s*$")
OWN = '"$PWD/.conda-route"'
REQUEST = (
    *("specs", "packages", "channels", "own_channels", "check_own"),
    *("pip_python", "pip_packages", "pip_check"),
)
MAMBA = '"$(command -v mamba || command -v micromamba)"'
CHECK = r"""python3 - {prefix} {names} <<'IMPASSABLE_END'
import glob, json, os, re, subprocess, sys
prefix, *names = sys.argv[1:]
records = [json.load(open(file)) for file in glob.glob(prefix + "/conda-meta/*.json")]
records = {{record["name"].lower(): record for record in records}}
patterns = (
    r"lib/python[\d.]+/site-packages/([A-Za-z]\w*)(?:/__init__)?\.py",
    r"lib/R/library/([\w.]+)/DESCRIPTION",
    r"bin/([\w.+-]+)",
)
def run(*command, least=0):
    print("$", *command, flush=True)
    env = {{**os.environ, "PATH": prefix + "/bin:" + os.environ["PATH"]}}
    try:
        done = subprocess.run(command, env=env, stdin=-3, stdout=-1, stderr=-2, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return least > 0
    print(done.stdout, flush=True)
    return 0 <= done.returncode <= least and (not done.returncode or "Traceback (most recent" not in done.stdout)
for name in names:
    files = [file for file in records[name]["files"] if os.path.lexists(os.path.join(prefix, file))]
    assert files, name + " has no file in " + prefix
    modules, libraries, programs = [[m[1] for m in (re.fullmatch(p, file) for file in files) if m] for p in patterns]
    modules = [m for m in modules if m not in {{"tests", "test", "docs", "examples", "setup"}}]
    for program in [p for p in programs if p == name][:1] if modules or libraries else programs[:1]:
        options = ("--version", "-version", "--help", "-h")
        assert any(run(program, option) for option in options) or run(program, least=125), program
    assert all(run("python", "-c", "import " + module) for module in modules), name
    assert all(run("Rscript", "-e", "library(" + library + ")") for library in libraries), name
IMPASSABLE_END"""


STAND_IN = f"{HELD}/channel"
"""A channel with nothing in it but an empty package of the name that is missing."""


@dataclass(frozen=True)
class CondaDetails(Details):
    """What the machine and the task tell of a request."""

    local_repository: bool = False
    """Whether it takes its packages from a disk."""
    unasked: tuple[str, ...] = ()
    """Packages of the command that the task's text does not name."""
    alike: tuple[str, ...] = ()
    """Names in its channels that are much like that of the package which is in none."""
    on_disk: tuple[str, ...] = ()
    """Files and folders of the machine that have its name in theirs."""


class Conda(BarrierHandler):
    """`CondaToS…Error`, `EnvironmentNotWritableError`, `PackagesNotFoundError` and their like."""

    barriers = (Barrier.CONDA_TOS, Barrier.CONDA)
    noun = "conda package"
    valid = SPEC
    details = CondaDetails
    unknown: ClassVar = {
        "specs": say("conda.what_asks_not"),
        "packages": say("conda.what_asks_not"),
        "check_own": say("conda.what_asks_not"),
        "command_forge": say("conda.channels_not_stand"),
        "pip_packages": say("conda.not_every_package"),
    }

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Packages."""
        return targets.packages

    def asked(self, command: str) -> tuple[str, ...]:
        """With their pins."""
        call = conda_call(command)
        return call.specs if call else ()

    def candidates(self, hypothesis: Hypothesis, event: CommandRun | None) -> tuple[str, ...]:
        """The terms of service stand in the way of whatever is installed."""
        del event
        return (TERMS,) if hypothesis.barrier is Barrier.CONDA_TOS else ()

    def expected(self, barrier: Barrier, about: str) -> Symptom | None:
        """The error of a conda that nobody sits before."""
        del about
        return Symptom("conda's terms of service", TERMS) if barrier is Barrier.CONDA_TOS else None

    def least(self, about: str, envelope: Envelope) -> str | None:
        """An environment with it."""
        del envelope
        spec = "python" if about.startswith("CondaToS") else about
        return f"conda create -y -p ./.impassable-probe {shlex.quote(spec)}"

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The same request said otherwise, and what shows that it was met; None where the command does not tell it."""
        call = conda_call(command)
        urls = dict.fromkeys(CHANNELS_TO_ACCEPT.findall(subject.output))
        accept = "conda tos accept --override-channels --channel"
        gone = subject.expected.subject if subject.expected.kind == NO_CHANNEL else None
        return {
            "home": subject.home,
            "local_repository": subject.told(CondaDetails).local_repository,
            "command_mamba": with_tool(command, MAMBA),
            "command_forge": over_conda_forge(command, gone),
            **self._kinds(subject, command),
            "accept_named": " && ".join(f"{accept} {shlex.quote(url)}" for url in urls) or None,
            "target_path": call.target.removeprefix("-p ") if call and call.target.startswith("-p ") else None,
            **_request(call, command, gone),
        }

    def _kinds(self, subject: ReplayTarget, command: str) -> Named:
        """What only one kind of failure has a use for; None for the others."""
        kind, about = subject.expected.kind, subject.about
        inner = run_inside(command) if kind == NO_ENVIRONMENT else None
        return {
            "installs_nothing": kind in (NO_ENVIRONMENT, NO_HOOK) and conda_call(command) is None,
            "unreached": kind == UNREACHED,
            "environment": subject.expected.subject if kind == NO_ENVIRONMENT else None,
            "inner": inner,
            "activated": activated(command) if kind == NO_HOOK else None,
            "stand_in_channel": _stand_in(about) if kind == NO_PACKAGE else None,
            "command_stand_in": with_option(command, f"-c file://{STAND_IN}"),
            "commands_apart": _apart(conda_call(command)) if kind == CONFLICT else None,
        }

    def lacking(self, trial: ContainerContext) -> str | None:
        """A profile's image may stand in for a machine that had a conda."""
        done = trial.run("replay-conda", "command -v conda || command -v mamba || command -v micromamba")
        return None if done[0].ok else say("conda.there_no_conda")

    def learn(self, trial: ContainerContext) -> CondaDetails:
        """Whether this conda takes its channels from a disk."""
        local = trial.run("replay-conda-channels", "conda config --show channel_alias | grep -q file:")
        subject, text = trial.subject, (trial.context.case.task.prompt or "").lower()
        call = conda_call(subject.attempts[0].command)
        unasked = tuple(name for name in call.packages if name not in text) if call else ()
        return CondaDetails(local[0].ok, unasked, _alike(trial, call), _on_disk(trial))

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """A name may be another's, and a requirement the run's own."""
        told, about = subject.told(CondaDetails), name_of(subject.about)
        if subject.expected.kind == CONFLICT:
            return say("conda.whether_task_needs")
        if subject.expected.kind != NO_PACKAGE:
            return None
        if told.alike:
            return say("conda.channels_meant", alike=", ".join(told.alike), about=about)
        if told.on_disk:
            return say("conda.lies_machine_bring", on_disk=told.on_disk[0], about=about)
        if outcome.profile.get("container", {}).get("network", {}).get("asked") != "none":
            return say("conda.under_name_channel", about=about)
        return say("conda.task_names_no", about=about) if about in told.unasked else None


def _request(call: CondaCall | None, command: str, gone: str | None) -> Named:
    """What the command asks for, and what shows that it was met."""
    if call is None or not call.specs:
        return {**dict.fromkeys(REQUEST), "check": command}
    names, target = shlex.join(call.packages), f'"$(conda run {call.target} printenv CONDA_PREFIX)"'
    others = [channel for channel in call.channels if channel not in DEFAULTS | {"conda-forge", gone}]
    same, pin = over_pip(call), python_pin(call)
    version = f"import sys; sys.exit('%d.%d' % sys.version_info[:2] != {pin!r})" if pin else "import sys"
    imports = f"import {', '.join(same[1])}" if same else ""
    return {
        "specs": shlex.join(call.specs),
        "packages": names,
        "channels": " ".join(f"-c {shlex.quote(channel)}" for channel in others),
        "own_channels": " ".join(_channels(call)),
        "check": CHECK.format(prefix=target, names=names),
        "check_own": CHECK.format(prefix=OWN, names=names),
        "pip_python": f"python3 -c {shlex.quote(version)}",
        "pip_packages": shlex.join(same[0]) if same else None,
        "pip_check": f"python3 -c {shlex.quote(imports)}" if same else None,
    }


def _alike(trial: ContainerContext, call: CondaCall | None) -> tuple[str, ...]:
    """What the command's own channels hold under a name that is much like that of the missing package."""
    if call is None or trial.subject.expected.kind != NO_PACKAGE:
        return ()
    about = name_of(trial.subject.about)
    parts = dict.fromkeys(part for part in re.split(r"[-_.\d]+", about) if len(part) >= SHORTEST)
    searches = (f"conda search {' '.join(_channels(call))} '*{part}*'" for part in parts)
    listed = "\n".join(done.output for done in trial.run("replay-conda-names", *searches))
    names = dict.fromkeys(match[1].lower() for match in re.finditer(r"(?m)^([\w.-]+)\s+\d\S*\s", listed))
    return tuple(difflib.get_close_matches(about, names, n=3, cutoff=ALIKE))


def _stand_in(spec: str) -> str:
    """The command that makes a channel with an empty package for a spec."""
    script = files("probes.replay").joinpath("inside").joinpath("channel.py").read_text(encoding="utf-8")
    version = re.search(r"\d[\w.]*", spec[len(name_of(spec)) :])
    words = shlex.join([STAND_IN, name_of(spec), version[0] if version else "1.0"])
    return f"python3 - {words} <<'IMPASSABLE_END'\n{script}IMPASSABLE_END"


def _apart(call: CondaCall | None) -> str | None:
    """An environment for each thing that a call asks for."""
    if call is None or not call.specs:
        return None
    own = " ".join(_channels(call))
    return " && ".join(
        f"conda create -y -p {OWN}-{number} {own} {shlex.quote(spec)}" for number, spec in enumerate(call.specs)
    )


def _channels(call: CondaCall) -> list[str]:
    """Its channels as it names them."""
    alone = ["--override-channels"] if call.alone else []
    return [*alone, *(f"-c {shlex.quote(channel)}" for channel in call.channels)]


def _on_disk(trial: ContainerContext) -> tuple[str, ...]:
    """What of the machine is named like the missing package: a wheel, an archive, sources, an installation."""
    if trial.subject.expected.kind != NO_PACKAGE:
        return ()
    name = re.sub(r"[-_.]", "?", name_of(trial.subject.about))
    pruned = " -o ".join(f"-path {place}" for place in ("/proc", "/sys", "/dev", HELD))
    line = f"find / \\( {pruned} \\) -prune -o -iname {shlex.quote(f'*{name}*')} -print 2>/dev/null | head -n 3"
    return tuple(trial.run("replay-conda-on-disk", line)[0].output.splitlines())
