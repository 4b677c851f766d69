"""The machine of a world: its image and its container, as `verify` would make it."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from probes.envelope import load_profile
from probes.envelope.envelope import settled
from sandboxes import Engine, Limits, Spec
from sandboxes.images import BASE, ensure_base, ensure_built
from sandboxes.spec import CA_PATH, INDEX_VARIABLES, host_settings
from verify.labelled.sets import LabelledSet
from verify.labelled.world import World

CERTIFICATES = f"PIP_CERT={CA_PATH} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1"
SPEAKS = (
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends locales gcc-12-locales >/dev/null && "
    "sed -i 's/^# *{0}/{0}/' /etc/locale.gen && locale-gen >/dev/null && rm -rf /var/lib/apt/lists/*"
)
BIN = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def image_of(world: World, labelled: LabelledSet, engine: Engine, *, later: bool = False) -> str:
    """The name of its image, made when the engine has it not; `later` is what the machine became after the run.

    Raises:
        ImageUnavailable: it cannot be made.
    """
    base = base_of(world.base, labelled, engine)
    spoken = (SPEAKS.format(world.locale), f"ENV LANG={world.locale} LC_ALL={world.locale}") if world.locale else ()
    return image_with((*world.image, *spoken, *(world.later if later else ())), engine, base)


def image_with(instructions: tuple[str, ...], engine: Engine, base: str = BASE) -> str:
    """The image that `base` becomes: a RUN a line, or a whole instruction such as `ENV A=b`.

    Raises:
        ImageUnavailable: an instruction failed.
    """
    if not instructions:
        return ensure_base(engine) if base == BASE else base
    return ensure_built(engine, "\n".join([f"FROM {base}", *map(_instruction, instructions)]) + "\n")


def base_of(name: str, labelled: LabelledSet, engine: Engine) -> str:
    """The image that a base's folder makes.

    Raises:
        ImageUnavailable: it cannot be made.
        KeyError: the set has no base of this name.
    """
    if name == "plain":
        return BASE
    base = labelled.about.bases[name]
    given = host_settings(INDEX_VARIABLES) | {"PIP_CERT": CA_PATH, "DEBIAN_FRONTEND": "noninteractive"}
    env = f"ENV PATH={base.path}:{BIN}\n" if base.path else ""
    script = " ".join(f"{key}={json.dumps(value)}" for key, value in given.items())
    with tempfile.TemporaryDirectory(prefix="impassable-") as directory:
        for path in sorted((labelled.folder / base.folder).iterdir()):
            if path.is_file():
                shutil.copyfile(path, Path(directory, path.name))
        recipe = f"FROM {BASE}\n{env}COPY . /opt/lab/source/\nRUN cd /opt/lab/source && {script} sh -eu build.sh\n"
        Path(directory, "Dockerfile").write_text(recipe, "utf-8")
        return ensure_built(engine, Path(directory, "Dockerfile"))


def specification(world: World, image: str) -> Spec:
    """The container that the agent worked in.

    Raises:
        InputError: the profile that the world names cannot be used.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "profile.toml")
        path.write_text(world.profile_toml(image), encoding="utf-8")
        profile = load_profile(str(path), "")

    def value(name: str) -> Any:  # noqa: ANN401 - as many types as the profile has values
        return settled(name, profile).value

    return Spec(
        image=image,
        network=value("network"),
        user="root" if value("user") == "root" else "agent",
        workdir=value("workdir"),
        sudo=value("sudo"),
        tmpfs=value("tmpfs"),
        read_only=value("read_only"),
        limits=Limits(memory_mb=value("memory_mb"), disk_mb=value("disk_mb")),
    )


def _instruction(text: str) -> str:
    if text.startswith("ENV "):
        return text
    return f"RUN {json.dumps(['bash', '-ec', f'export {CERTIFICATES} DEBIAN_FRONTEND=noninteractive; {text}'])}"
