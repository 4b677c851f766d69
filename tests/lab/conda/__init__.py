"""A conda for the lab: a stand-in for its command line and terms-of-service plugin over real solving by rattler."""

from pathlib import Path

from tests.lab.images import folder_image

HOME_OF_ROOT = "chown -R root:root /home/agent && chmod 755 /home/agent"
"""A world: the user's home directory cannot be written."""
REJECTED_FOR_ALL = "mkdir -p /etc/conda/tos && conda tos reject --site"
"""A world: whoever runs the machine has refused the terms, and the plugin gives that answer the highest priority."""
NO_ALIAS = "sed -i 's#file:///opt/lab/channels\"#https://conda.invalid\"#' /opt/conda/.condarc"
"""A world: channels that have no URL are looked for on the network, as everywhere."""
WITH_MAMBA = "ln -s conda /opt/conda/bin/mamba"
"""A world: there is a mamba too."""


def conda_image(*worlds: str) -> str:
    """The tag of an image that has the lab's conda, as these worlds change it."""
    return folder_image("conda", Path(__file__).parent, path="/opt/conda/bin", world=" && ".join(worlds) or "true")
