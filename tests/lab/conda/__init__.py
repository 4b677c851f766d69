"""A conda for the lab: a stand-in for its command line and terms-of-service plugin over real solving by rattler."""

import hashlib
import json
from pathlib import Path

from sandboxes import Engine
from tests.lab.images import folder_image
from tests.lab.images.building import built

HOME_OF_ROOT = "chown -R root:root /home/agent && chmod 755 /home/agent"
"""A world: the user's home directory cannot be written."""
REJECTED_FOR_ALL = "mkdir -p /etc/conda/tos && conda tos reject --site"
"""A world: whoever runs the machine has refused the terms, and the plugin gives that answer the highest priority."""
NO_ALIAS = "sed -i 's#file:///opt/lab/channels\"#https://conda.invalid\"#' /opt/conda/.condarc"
"""A world: channels that have no URL are looked for on the network, as everywhere."""
WITH_MAMBA = "ln -s conda /opt/conda/bin/mamba"
"""A world: there is a mamba too."""


SETTINGS = """channel_alias: file:///opt/lab/channels
channels:
  - defaults
default_channels:
  - file:///opt/lab/channels/pkgs/main
add_pip_as_python_dependency: false
number_channel_notices: 0
"""
"""Of a real conda that is to take its packages from the lab's channels."""
ORDINARY_USER = "id -u agent >/dev/null 2>&1 || useradd --create-home --uid 1000 --shell /bin/bash agent"


def real_conda_image(image: str, solver: str, world: str = "true") -> str:
    """The tag of `image`, which has a conda of its own, with the lab's channels beside it."""
    settings = SETTINGS + (f"solver: {solver}\n" if solver else "")
    engine = Engine.connect(sweep=False)
    try:
        recipe = (
            f"FROM {image}\nUSER root\nCOPY --from={conda_image()} /opt/lab/channels /opt/lab/channels\n"
            f"COPY condarc /etc/conda/.condarc\nRUN {ORDINARY_USER}\n"
            f"RUN {json.dumps(['bash', '-ec', world])}\n"
        )
        tag = f"impassable/lab-conda-real:{hashlib.sha256((recipe + settings).encode()).hexdigest()[:12]}"
        return built(engine, tag, recipe, {"condarc": settings.encode()})
    finally:
        engine.close()


def conda_image(*worlds: str) -> str:
    """The tag of an image that has the lab's conda, as these worlds change it."""
    return folder_image("conda", Path(__file__).parent, path="/opt/conda/bin", world=" && ".join(worlds) or "true")
