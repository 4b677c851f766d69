"""Which Python package a barrier is about: told by the command, by pip's words, by the sources, or known."""

import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.shell import steps_of
from cases.touches.installing import REQUIREMENT, bare, builds_a_directory, installs_by_pip, requirements, unisolated
from probes.replay.resources.context import ContainerContext
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from sandboxes import Session

IMPORT_CHECK = (
    "python3 -c \"import importlib as i, importlib.metadata as m; d = m.distribution('{}'); "
    "t = {{str(f).split('/')[0].split('.')[0] for f in d.files or () if str(f).endswith(('.py', '.so'))}}; "
    "t = sorted(x for x in t - {{'tests', 'test', 'docs', 'examples', 'setup'}} if x.isidentifier() and x[0] != '_'); "
    'assert t; [i.import_module(x) for x in t]; print(d.version, t)"'
)
_NAME_IN_SOURCES = r"""
import pathlib, re, shlex, sys, tomllib
for word in shlex.split(sys.argv[1], comments=True):
    path = pathlib.Path(word)
    if word.startswith("-") or not path.is_dir():
        continue
    name = ""
    if (path / "pyproject.toml").is_file():
        name = tomllib.loads((path / "pyproject.toml").read_text()).get("project", {}).get("name", "")
    for other in ("setup.cfg", "setup.py"):
        if not name and (path / other).is_file():
            match = re.search(r"^\s*name\s*=\s*['\"]?([\w.-]+)", (path / other).read_text(), re.M) or re.search(
                r"\bname\s*=\s*['\"]([\w.-]+)", (path / other).read_text())
            name = match[1] if match else ""
    if re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
        print(name)
        break
"""
"""Prints which package a local directory holds, asked of its own sources."""


@dataclass(frozen=True)
class PackageDetails(Details):
    """The package, and what else may bring it."""

    distribution: str | None = None
    """Its name in an index, without extras and version."""
    doubt: str | None = None
    """Why what the machine has leaves it open though every route failed; ends a sentence."""


def package_values(subject: ReplayTarget, command: str) -> Named:
    """The package, and what finds and imports it."""
    name = subject.told(PackageDetails).distribution
    return {
        "distribution": name,
        "wheelname": wheel_name(name) if name else None,
        "import_check": IMPORT_CHECK.format(name) if name else "true",
        "by_pip": any(installs_by_pip(step.command) for step in steps_of(command)),
        "command_unisolated": unisolated(command),
        "index": not builds_a_directory(command),  # else a package of its name in an index would be another one
    }


def wheel_name(distribution: str) -> str:
    """A pattern of find(1) for the beginning of its files' names."""
    return re.sub(r"[-_.]", "?", distribution)


def being_built(subject: ReplayTarget, *first: str) -> str | None:
    """Its name from the record; `first` are the likeliest names."""
    built = re.findall(r"(?:Failed building wheel for|Building wheel for) ([\w.-]+)", subject.output)
    names = (*first, *subject.targets.packages, *built, *requirements(subject.attempts[0].command))
    return next((bare(name) for name in names if REQUIREMENT.fullmatch(name)), None)


def named_by_sources(trial: ContainerContext) -> str | None:
    """The name that the record or a local directory's sources give the package."""
    subject = trial.subject
    known = subject.told(PackageDetails).distribution
    return known or _local_name(trial.session, subject.attempts[0].command)


def _local_name(session: Session, command: str) -> str | None:
    """The name of the project in a directory that the command installs."""
    done = session.run(f"python3 - {shlex.quote(command)} <<'E'{_NAME_IN_SOURCES}E", seconds=30)
    return done.output.strip() or None if done.ok else None
