"""What an image tells of itself, kept by its id: under the same id it holds the same, so that nobody asks it twice."""

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from sandboxes.container_pool import ContainerPool
from sandboxes.spec import Spec

SECONDS = 60
"""For each question."""
LARGEST = 20_000_000
"""Bytes of what is kept of one image."""


class Told(BaseModel):
    """How one command ended in a fresh container."""

    model_config = ConfigDict(frozen=True)
    code: int | None
    output: str


_KEPT = TypeAdapter(tuple[Told, ...])


def told(containers: ContainerPool, spec: Spec, commands: Sequence[str]) -> tuple[Told, ...]:
    """What these commands say in a fresh container of an image, in their order; they only look.

    Raises:
        SandboxError: the image is not there, or no container of it starts.
    """
    kept = _place(str(containers.engine.identity(spec.image)["id"]), spec, commands)
    with suppress(OSError, ValidationError):
        with kept.open("rb") as file:
            found = _KEPT.validate_json(file.read(LARGEST))
        if len(found) == len(commands):
            return found
    with containers.start(spec) as session:
        done = [session.run(command, seconds=SECONDS, looks=True) for command in commands]
    found = tuple(Told(code=one.exit_code, output=one.output) for one in done)
    if not any(one.limit or one.truncated for one in done):
        with suppress(OSError):
            _keep(kept, _KEPT.dump_json(found))
    return found


def _place(image: str, spec: Spec, commands: Sequence[str]) -> Path:
    asked = json.dumps([image, spec.user, spec.workdir, *commands])
    name = f"{hashlib.sha256(asked.encode()).hexdigest()[:32]}.json"
    return Path(platformdirs.user_cache_dir("impassable", appauthor=False), "images", name)


def _keep(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)
