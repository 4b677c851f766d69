"""The replay as a record that a machine can read: what to start, what to run in it, how each arm ended."""

import base64
import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cases import Model
from probes.barriers import entry, subject_of
from probes.model import Barrier
from probes.replay.target.symptom import LAST_LINE, Symptom, normalised
from sandboxes import Did, Entry

if TYPE_CHECKING:
    from sandboxes import Session

NAME = "replay-recipe.json"
MEDIA_TYPE = "application/json"
ArmKind = Literal["replay", "route", "lifted"]
_LONGEST_SIGN = 300
_REST_SECONDS = 10
"""After which what serves is still to be running."""


class Run(Model):
    """A command."""

    do: Literal["run"] = "run"
    command: str
    user: str
    shell: str
    exit_code: int | None


class Put(Model):
    """A file, written as root."""

    do: Literal["put"] = "put"
    path: str
    base64: str
    mode: int


Step = Annotated[Run | Put, Field(discriminator="do")]


class Box(Model):
    """A container as `docker run` starts it."""

    network: Literal["none", "indexes", "task", "open"]
    tmpfs: dict[str, str]
    read_only: tuple[str, ...]
    memory_mb: int
    cpus: float
    pids: int
    file_mb: int


class Arm(Model):
    """One container and what was run in it, once it had been prepared."""

    name: str
    kind: ArmKind
    box: Box
    steps: tuple[Step, ...]
    shows: bool
    """Whether the last command's output had the sign of the failure."""

    @property
    def last(self) -> Run | None:
        """The command that decides."""
        return next((step for step in reversed(self.steps) if isinstance(step, Run)), None)


class Recipe(Model):
    """Everything needed to repeat the arms with a Docker engine alone."""

    image: str
    digests: tuple[str, ...]
    """What it can be pulled by; empty for an image that is on the audit's machine only."""
    made: str
    """How an image without digests came to be."""
    added: tuple[str, ...]
    """Commands that root ran in the image, with the package indexes, before anything else."""
    user: str
    workdir: str
    sudo: bool
    task_files: bool
    """Whether the task's own files were copied to the working directory."""
    sign: str
    """A literal part of the failing command's output that tells the failure; empty when only its end does."""
    prepared: tuple[Step, ...]
    """What was done to the first container before the failing command."""
    arms: tuple[Arm, ...]
    """The replay arm first."""
    unlike: str = ""
    """What a container of plain Docker has not, so that it may end otherwise; ends a sentence."""

    def stored(self) -> str:
        """As it lies in the pack."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1)


def arm_of(name: str, kind: ArmKind, session: "Session", journal: Sequence[Entry], sign: str) -> Arm:
    """What was run in a session's container, and how it ended."""
    spec = session.spec
    last = next((entry for entry in reversed(journal) if isinstance(entry, Did)), None)
    return Arm(
        name=name,
        kind=kind,
        box=Box(
            network=spec.network,
            tmpfs=session.profile()["tmpfs"],
            read_only=spec.read_only,
            memory_mb=spec.limits.memory_mb,
            cpus=spec.limits.cpus,
            pids=spec.limits.pids,
            file_mb=spec.limits.file_mb,
        ),
        steps=steps_of(journal),
        shows=bool(sign) and last is not None and sign in last.done.output,
    )


def steps_of(journal: Sequence[Entry]) -> tuple[Step, ...]:
    """A journal as steps."""
    return tuple(_step(entry) for entry in journal)


def _step(entry: Entry) -> Step:
    if isinstance(entry, Did):
        text = entry.done.command.encode("utf-8", "backslashreplace").decode()
        if entry.done.listening:
            left = f"nohup {entry.shell} -c {shlex.quote(text)} >/dev/null 2>&1 & sleep {_REST_SECONDS}; kill -0 $!"
            return Run(command=left, user=entry.user, shell=entry.shell, exit_code=0)
        return Run(command=text, user=entry.user, shell=entry.shell, exit_code=entry.done.exit_code)
    return Put(path=entry.path, base64=base64.b64encode(entry.data).decode(), mode=entry.mode)


def sign_of(barrier: Barrier, expected: Symptom, output: str) -> str:
    """The words in an output that show the expected failure, as they stand there; empty when none do."""
    if expected.kind == LAST_LINE:
        return ""
    for pattern in entry(barrier).signature:
        for match in pattern.pattern.finditer(output) if pattern.failure == expected.kind else ():
            words = match[0].strip()
            same = normalised(barrier, subject_of(match)) == expected.subject
            if same and words and "\n" not in words and len(words) <= _LONGEST_SIGN:
                return words
    return ""


def read_recipe(text: str) -> "Recipe | None":
    """A stored recipe; None for what is none any more, such as one that the masking of secrets broke."""
    try:
        record: Any = json.loads(text)
        return Recipe.model_validate(record)
    except ValueError:
        return None
