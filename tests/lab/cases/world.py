"""One world: a machine, what an agent did on it, and what is true about its failure; a TOML file each."""

import hashlib
import json
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from probes import Barrier

HERE = Path(__file__).parent
WORLDS = HERE / "worlds"
RECORDED = HERE / "recorded"


class Strict(BaseModel):
    """Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))


class Step(Strict):
    """One thing the agent did."""

    command: str
    """As the agent wrote it: a shell command, code, or the tool's only argument."""
    tool: str = "execute_bash"
    run: str | None = None
    """What stands behind a tool that is no shell; `{command}` is what the agent wrote, quoted."""
    say: str = ""
    keep: int | None = Field(default=None, ge=40)
    """Characters of the output that the harness shows before it says that it cut the rest."""


class Truth(Strict):
    """What is true by construction."""

    status: Literal["supported", "not_supported", "inconclusive"]
    barrier: Barrier | None = None
    """What the verdict speaks about; None where no barrier was met."""
    route: str | None = None
    """A route that passes it."""
    answer: Literal["PRESENT=no", "PASSABLE=no", "CAUSED=no"] | None = None
    """The answer that decides where no route does."""

    @model_validator(mode="after")
    def _one_reason(self) -> Self:
        if self.route and (self.answer or self.status != "not_supported"):
            raise ValueError("a route decides only that a failure is not supported, and nothing beside it does")
        if self.status == "supported" and self.answer != "PASSABLE=no":
            raise ValueError("what is supported is so because nothing passes it: answer = 'PASSABLE=no'")
        return self


class World(Strict):
    """One labelled failure."""

    id: str
    why: str = Field(min_length=40)
    """The truth and why it holds, in one sentence."""
    kind: str
    """What it is an example of."""
    truth: Truth
    profile: str | None = None
    """A shipped profile; None where `envelope` says everything."""
    envelope: dict[str, Any] = Field(default_factory=dict)
    """As a profile's table; beside `profile` it extends that one."""
    base: Literal["plain", "conda", "r"] = "plain"
    """The base image as it is, with the lab's conda, or with its R."""
    image: tuple[str, ...] = ()
    """Build instructions above it."""
    workspace: dict[str, str] | None = None
    """The task's own files in the working directory: relative path to text; given to `verify` as --workspace."""
    prompt: str
    step: tuple[Step, ...] = Field(min_length=1)
    final: str
    """The agent's last words."""
    claim: str | None = None
    """An earlier verdict of 1, in a language model's words."""
    flags: tuple[str, ...] = ()
    """Of `verify`."""

    @model_validator(mode="after")
    def _has_machine(self) -> Self:
        if self.profile is None and not self.envelope:
            raise ValueError("say `profile`, `[envelope]`, or both")
        return self

    @property
    def digest(self) -> str:
        """Of everything that a recording depends on."""
        steps = [step.model_dump() for step in self.step]
        made = [self.profile, self.envelope, self.image, steps, *([self.base] if self.base != "plain" else [])]
        made += [self.workspace] if self.workspace is not None else []
        return hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def networked(self) -> bool:
        """Whether its machine reaches the package indexes."""
        return self.envelope.get("network", "none" if self.profile == "offline" else "indexes") != "none"

    def profile_toml(self, image: str) -> str:
        """The profile's TOML for `verify`; `image` is the built one's name."""
        table = self.envelope | ({"image": image} if self.image or self.base != "plain" else {})
        lines = [f"name = {json.dumps(self.id)}", f"source = {json.dumps('a lab world: ' + self.why)}"]
        if self.profile:
            lines.append(f"extends = {json.dumps(self.profile)}")
        return (
            "\n".join([*lines, "", "[envelope]", *(f"{key} = {toml_value(value)}" for key, value in table.items())])
            + "\n"
        )


class Shown(Strict):
    """What one step really printed."""

    output: str
    exit_code: int | None


class Recording(Strict):
    """What happened in a world."""

    digest: str
    """The world's when it was recorded."""
    steps: tuple[Shown, ...]


def load_worlds(ids: tuple[str, ...] = (), folder: Path = WORLDS) -> tuple[World, ...]:
    """All worlds of a folder, or those named, in the order of their ids.

    Raises:
        ValueError: a file is wrong or an id unknown; names it.
    """
    paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    unknown = [name for name in ids if name not in paths]
    if unknown:
        raise ValueError(f"no such world: {', '.join(unknown)}")
    return tuple(_load(path) for name, path in paths.items() if not ids or name in ids)


def recording_of(world: World, folder: Path = RECORDED) -> Recording | None:
    """What was recorded of the world as it is now; None when nothing was."""
    path = folder / f"{world.id}.json"
    if not path.is_file():
        return None
    recording = Recording.model_validate_json(path.read_text("utf-8"))
    return recording if recording.digest == world.digest and len(recording.steps) == len(world.step) else None


def _load(path: Path) -> World:
    try:
        return World.model_validate({"id": path.stem, **tomllib.loads(path.read_text("utf-8"))})
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error


def toml_value(value: Any) -> str:
    """As TOML writes it, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
