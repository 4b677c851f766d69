"""Images of the lab: the base image with a folder's `build.sh` run in it, made once and kept by the engine."""

import hashlib
import shlex
from pathlib import Path

from sandboxes import Engine
from sandboxes.images import ensure_base
from sandboxes.spec import CA_PATH, INDEX_VARIABLES, host_settings

from .building import built


def folder_image(name: str, folder: Path, *, path: str = "", world: str = "true") -> str:
    """The tag of the image of `folder`, made unless the engine has it.

    `path` is put before PATH; `world` is a shell command, run as root, that makes this world of its own.

    Raises:
        SandboxError: the engine or the build failed.
    """
    engine = Engine.connect(sweep=False)
    try:
        base = ensure_base(engine)
        files = {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
        common = _tagged(engine, f"impassable/lab-{name}", _recipe(base, path), files)
        return common if world == "true" else _tagged(engine, f"impassable/lab-{name}", _world(common, world), {})
    finally:
        engine.close()


def _recipe(base: str, path: str) -> str:
    settings = host_settings(INDEX_VARIABLES) | {"PIP_CERT": CA_PATH, "DEBIAN_FRONTEND": "noninteractive"}
    given = " ".join(f"{key}={shlex.quote(value)}" for key, value in settings.items())
    env = f"ENV PATH={path}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n" if path else ""
    return f"FROM {base}\n{env}COPY . /opt/lab/source/\nRUN cd /opt/lab/source && {given} sh -eu build.sh\n"


def _world(common: str, world: str) -> str:
    return f"FROM {common}\nRUN {world}\n"


def _tagged(engine: Engine, repository: str, recipe: str, files: dict[str, bytes]) -> str:
    content = {"Dockerfile": recipe.encode(), **files}
    digest = hashlib.sha256(repr(sorted(content.items())).encode()).hexdigest()[:12]
    return built(engine, f"{repository}:{digest}", recipe, files)
