"""One world: a machine, what an agent did on it, and what is true about its failure; a TOML file each."""

import hashlib
import json
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from probes import Barrier

SHELLS = ("execute_bash", "terminal")


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
    once: bool = False
    """A policy does not try it again."""


class Truth(Strict):
    """What is true by construction."""

    status: Literal["supported", "not_supported", "inconclusive"]
    barrier: Barrier | Literal["any"] | None = None
    """What the verdict speaks about; None where no barrier was met, `any` where its name is not labelled."""
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
    later: tuple[str, ...] = ()
    """Build instructions for what the machine became after the run: what is audited has them, what was recorded not."""
    base: str = "plain"
    """The base image as it is, or one of those that the set's `set.toml` names."""
    image: tuple[str, ...] = ()
    """Build instructions above it."""
    locale: str | None = None
    """What the machine's tools speak, such as de_DE.UTF-8."""
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
    policy: str | None = None
    """Whose habits the agent has, of the set's `policies.toml`; None where it takes the steps and no others."""
    format: str = "hal"
    """In which the run is written out."""
    way: tuple[str, ...] = ()
    """Commands that do what the task asks, one after another, as the agent's own user on its own machine."""
    shut: tuple[str, ...] = ()
    """Every known way, each on a fresh machine: all of them fail."""
    goal: str | None = None
    """A command that works only where the task is done; without it, the commands' own exit codes say so."""

    @model_validator(mode="after")
    def _has_machine(self) -> Self:
        if self.profile is None and not self.envelope:
            raise ValueError("say `profile`, `[envelope]`, or both")
        return self

    @property
    def category(self) -> str:
        """The first words of its kind: what stands before the comma."""
        return self.kind.partition(",")[0].partition(":")[0]

    @property
    def digest(self) -> str:
        """Of everything that a recording depends on."""
        steps = [step.model_dump(exclude={"once"} if not step.once else None) for step in self.step]
        made = [self.profile, self.envelope, self.image, steps, *([self.base] if self.base != "plain" else [])]
        made += [self.locale] if self.locale is not None else []
        made += [self.workspace] if self.workspace is not None else []
        made += [self.policy, self.final] if self.policy is not None else []
        return hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()[:16]

    def profile_toml(self, image: str) -> str:
        """The profile's TOML for `verify`; `image` is the built one's name."""
        table = self.envelope | (
            {"image": image} if self.image or self.later or self.locale or self.base != "plain" else {}
        )
        lines = [f"name = {json.dumps(self.id)}", f"source = {json.dumps('a labelled world: ' + self.why)}"]
        if self.profile:
            lines.append(f"extends = {json.dumps(self.profile)}")
        return (
            "\n".join([*lines, "", "[envelope]", *(f"{key} = {toml_value(value)}" for key, value in table.items())])
            + "\n"
        )


class Done(Strict):
    """One thing that the agent really did, and what came of it."""

    command: str
    tool: str = "execute_bash"
    say: str = ""
    keep: int | None = None
    output: str
    exit_code: int | None

    @property
    def failed(self) -> bool:
        """By its exit code."""
        return self.exit_code != 0

    @property
    def shell(self) -> bool:
        """Whether its tool is a shell."""
        return self.tool in SHELLS


class Recording(Strict):
    """What happened in a world."""

    digest: str
    """The world's when it was recorded."""
    steps: tuple[Done, ...]
    final: str
    """The agent's last words."""


def toml_value(value: object) -> str:
    """As TOML writes it, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
