"""Profiles: TOML files that say what a benchmark's machine is; what one leaves out is assumed, and said to be."""

import tomllib
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from cases import InputError, Model
from cases.folders import TaskFolder, read_folder
from cases.sentences import Sentences
from probes.model import Mount, Reached

say = Sentences(__name__)

ASSUMED = "assumed"
"""The profile for benchmarks without one; also where values come from that another profile leaves out."""


class Stated(Model):
    """What one profile says; None is left to the profile that it extends, then to the assumptions."""

    image: str | None = None
    user: str | None = None
    sudo: bool | None = None
    network: Reached | None = None
    tools: tuple[str, ...] | None = None
    shell: bool | None = None
    interpreter: Literal["none", "smolagents"] | None = None
    interpreter_version: str | None = None
    allowed_imports: tuple[str, ...] | None = None
    """Left out, imports are not restricted; with a restricted interpreter the list is then not known."""
    python: str | None = None
    workdir: str | None = Field(default=None, pattern="^/")
    memory_mb: int | None = Field(default=None, ge=64)
    cpus: float | None = Field(default=None, gt=0)
    disk_mb: int | None = Field(default=None, ge=1)
    seconds: int | None = Field(default=None, ge=1)
    solve_captcha: Literal[False] | None = None
    """Never by us."""
    tmpfs: tuple[str, ...] | None = None
    """As `docker run --tmpfs` takes them; without `exec` Docker mounts them noexec."""
    mounts: tuple[Mount, ...] | None = None
    """Others that are not ordinary."""
    read_only: tuple[str, ...] | None = None


class Profile(Model):
    """One profile."""

    name: str
    title: str = ""
    source: str = ""
    """Where these values are known from; shipped profiles all say it."""
    benchmarks: tuple[str, ...] = ()
    """Names or patterns such as `corebench_*` that it is the default for."""
    extends: str | None = None
    """A shipped profile that says what this one leaves out."""
    dockerfile: str | None = None
    """What the image is built from: absolute, or relative to the profile's file, which makes it absolute."""
    envelope: Stated

    @property
    def own(self) -> bool:
        """Whether the task itself brings it."""
        return False

    @property
    def lineage(self) -> "tuple[Profile, ...]":
        """This profile and those that it extends, nearest first."""
        return (self, *(_shipped()[self.extends].lineage if self.extends else ()))

    def serves(self, benchmark: str) -> bool:
        """Whether it is the default for a benchmark."""
        return any(fnmatch(benchmark.lower(), pattern) for pattern in self.benchmarks)


class TaskProfile(Profile):
    """The machine that a task's own files describe."""

    @property
    def own(self) -> bool:
        """It does."""
        return True


def is_own(profile: Profile, benchmark: str) -> bool:
    """Whether the task brings it, it is shipped for the benchmark, or says nothing but what is assumed of any."""
    return profile.own or (
        profile == _shipped().get(profile.name) and (profile.name == ASSUMED or profile.serves(benchmark))
    )


def profile_names() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    return tuple(sorted(_shipped()))


def load_profile(name_or_path: str | None, benchmark: str, network: Reached | None = None) -> Profile:
    """A shipped profile by name, one from a TOML file, that of a task's folder, or, for None, the benchmark's own.

    Where the benchmark has none it is the assumed one.

    A `network` that somebody chose takes the place of the one that it states.

    Raises:
        InputError: unknown name, unreadable file, unknown key or wrong value.
    """
    return reaching(_load(name_or_path, benchmark), network)


def reaching(profile: Profile, network: Reached | None) -> Profile:
    """The profile with a network that somebody chose; for None as it is."""
    if network is None:
        return profile
    told = say(
        "envelope.profile.network_chosen",
        source=profile.source or say("envelope.profile.names_no_source"),
        network=network,
    )
    if profile.name == ASSUMED:  # all of that one is assumed, but not what somebody says
        profile = Profile(name=f"network-{network}", extends=ASSUMED, envelope=Stated())
        told = say("envelope.profile.network_network_rest")
    return profile.model_copy(
        update={"source": told, "envelope": profile.envelope.model_copy(update={"network": network})}
    )


def _load(name_or_path: str | None, benchmark: str) -> Profile:
    shipped = _shipped()
    if name_or_path is None:
        return next((p for p in shipped.values() if p.serves(benchmark)), shipped[ASSUMED])
    if name_or_path in shipped:
        return shipped[name_or_path]
    path = Path(name_or_path)
    if path.is_dir():
        return task_profile(read_folder(path))
    if path.suffix != ".toml" and not path.is_file():
        names = ", ".join(profile_names())
        raise InputError(say("envelope.profile.no_profile_known_path", name_or_path=name_or_path, names=names))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(say("envelope.profile.cannot_read_profile_toml", path=path, error=error)) from error
    return _placed(parse_profile(text, str(path)), path)


def task_profile(task: TaskFolder) -> Profile:
    """What a task's own files say of its machine; the rest is Terminal-Bench's.

    Raises:
        InputError: it asks for what a container here cannot have.
    """
    machine = task.machine
    if machine.refused:
        raise InputError(say("envelope.profile.profile_your_own_profile", place=task.place, refused=machine.refused))
    return TaskProfile(
        name=f"task {task.place.name}",
        title=say("envelope.profile.machine_task", layout=task.layout, name=task.place.name),
        source=say("envelope.profile.own_files", layout=task.layout),
        extends="swe-bench" if task.layout == "SWE-bench" else "terminal-bench",
        dockerfile=str(machine.dockerfile) if machine.dockerfile else None,
        envelope=Stated(
            image=machine.image,
            user=machine.user,
            workdir=machine.workdir,
            network=machine.network,
            memory_mb=machine.memory_mb and max(64, machine.memory_mb),
            cpus=machine.cpus,
            seconds=task.solution and task.solution.seconds,
        ),
    )


@cache
def _shipped() -> dict[str, Profile]:
    folder = files("probes.envelope").joinpath("profiles")
    texts = {
        entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.name.endswith(".toml")
    }
    profiles = [parse_profile(text, name) for name, text in sorted(texts.items())]
    return {profile.name: _beside(profile, folder) for profile in profiles}


def _beside(profile: Profile, folder: Traversable) -> Profile:
    """A shipped profile with an absolute Dockerfile."""
    if profile.dockerfile is None:
        return profile
    return profile.model_copy(update={"dockerfile": str(folder.joinpath(profile.dockerfile))})


def _placed(profile: Profile, path: Path) -> Profile:
    """The profile with an absolute Dockerfile, both it and the profile that is extended being there."""
    if profile.extends and profile.extends not in _shipped():
        names = ", ".join(profile_names())
        raise InputError(
            say("envelope.profile.extends_not_shipped_choose", path=path, extends=profile.extends, names=names)
        )
    if profile.dockerfile is None:
        return profile
    if profile.envelope.image is not None:
        raise InputError(say("envelope.profile.dockerfile_envelope_image_exclude", path=path))
    dockerfile = (path.parent / profile.dockerfile).resolve()
    if not dockerfile.is_file():
        raise InputError(
            say("envelope.profile.dockerfile_but_no_file", path=path, dockerfile=profile.dockerfile, file=dockerfile)
        )
    return profile.model_copy(update={"dockerfile": str(dockerfile)})


def parse_profile(text: str, file: str) -> Profile:
    """A profile from TOML text.

    Raises:
        InputError: names file, key and remedy.
    """
    try:
        return Profile.model_validate({"name": Path(file).stem, **tomllib.loads(text)})
    except tomllib.TOMLDecodeError as error:
        raise InputError(say("envelope.profile.not_valid_toml_mend", file=file, error=error)) from error
    except ValidationError as error:
        raise InputError(f"{file}: {_explain(error)}") from error


def _explain(error: ValidationError) -> str:
    first = min(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        model: Any = Stated if first["loc"][0] == "envelope" and len(first["loc"]) > 1 else Profile
        model = Mount if "mounts" in first["loc"][:-1] else model
        return say("envelope.profile.unknown_key_known_keys", key=key, model_fields=", ".join(model.model_fields))
    if first["type"] == "missing":
        return say("envelope.profile.key_missing_add", key=key)
    return say("envelope.profile.correct_value", key=key, input=first["input"], msg=first["msg"])
