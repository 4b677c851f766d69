"""Profiles: TOML files that say what a benchmark's machine is; what one leaves out is assumed, and said to be."""

import tomllib
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from cases import InputError, Model

ASSUMED = "assumed"
"""The profile for benchmarks without one; also where values come from that another profile leaves out."""


class Stated(Model):
    """What one profile says; None is left to the assumptions."""

    image: str | None = None
    user: str | None = None
    sudo: bool | None = None
    network: Literal["none", "indexes", "open"] | None = None
    tools: tuple[str, ...] | None = None
    shell: bool | None = None
    allowed_imports: tuple[str, ...] | None = None
    """Left out, imports are not restricted."""
    python: str | None = None
    workdir: str | None = Field(default=None, pattern="^/")
    memory_mb: int | None = Field(default=None, ge=64)
    seconds: int | None = Field(default=None, ge=1)
    solve_captcha: Literal[False] | None = None
    """Never by us."""
    tmpfs: tuple[str, ...] | None = None


class Profile(Model):
    """One profile."""

    name: str
    title: str = ""
    source: str = ""
    """Where these values are known from; shipped profiles all say it."""
    benchmarks: tuple[str, ...] = ()
    """Names or patterns such as `corebench_*` that it is the default for."""
    envelope: Stated


def profile_names() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    return tuple(sorted(_shipped()))


def load_profile(name_or_path: str | None, benchmark: str) -> Profile:
    """A shipped profile by name, one from a TOML file, or, for None, the benchmark's own or the assumed one.

    Raises:
        InputError: unknown name, unreadable file, unknown key or wrong value.
    """
    shipped = _shipped()
    if name_or_path is None:
        chosen = (p for p in shipped.values() if any(fnmatch(benchmark.lower(), b) for b in p.benchmarks))
        return next(chosen, shipped[ASSUMED])
    if name_or_path in shipped:
        return shipped[name_or_path]
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.is_file():
        names = ", ".join(profile_names())
        raise InputError(f"{name_or_path}: no profile of this name; known are {names}, or give the path of a TOML file")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read as a profile ({error}); give a TOML file or a profile's name"
        ) from error
    return parse_profile(text, str(path))


@cache
def _shipped() -> dict[str, Profile]:
    folder = files("probes.envelope").joinpath("profiles")
    texts = {
        entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.name.endswith(".toml")
    }
    profiles = [parse_profile(text, name) for name, text in sorted(texts.items())]
    return {profile.name: profile for profile in profiles}


def parse_profile(text: str, file: str) -> Profile:
    """A profile from TOML text.

    Raises:
        InputError: names file, key and remedy.
    """
    try:
        return Profile.model_validate({"name": Path(file).stem, **tomllib.loads(text)})
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: not valid TOML ({error}); mend it there") from error
    except ValidationError as error:
        raise InputError(f"{file}: {_explain(error)}") from error


def _explain(error: ValidationError) -> str:
    first = min(error.errors(), key=lambda item: item["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        model: Any = Stated if first["loc"][0] == "envelope" and len(first["loc"]) > 1 else Profile
        return f"unknown key `{key}`; the known keys there are {', '.join(model.model_fields)}"
    if first["type"] == "missing":
        return f"the key `{key}` is missing; add it"
    return f"`{key}` is {first['input']!r}: {first['msg']}; correct the value"
