"""Images of the lab's machines: the base image and a few commands that make it the world's own."""

import hashlib
import json
from collections.abc import Sequence

from sandboxes import Engine
from sandboxes.images import ensure_image

from .building import built
from .folders import folder_image

BASE = "impassable/base"
REPOSITORY = "impassable/lab"
CERTIFICATES = "PIP_CERT=/opt/impassable/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1"


def lab_image(engine: Engine, instructions: Sequence[str], base: str = "") -> str:
    """The image's name, built unless the engine has it: a RUN a line, or a whole instruction such as `ENV A=b`.

    `base` is the base image when it is left out.

    Raises:
        SandboxError: the engine failed, or an instruction.
    """
    base = base or ensure_image(engine, BASE)
    if not instructions:
        return base
    recipe = "\n".join([f"FROM {base}", *map(_instruction, instructions)]) + "\n"
    return built(engine, f"{REPOSITORY}:{hashlib.sha256(recipe.encode()).hexdigest()[:12]}", recipe, {})


def _instruction(text: str) -> str:
    if text.startswith("ENV "):
        return text
    return f"RUN {json.dumps(['bash', '-ec', f'export {CERTIFICATES} DEBIAN_FRONTEND=noninteractive; {text}'])}"


__all__ = ["folder_image", "lab_image"]
