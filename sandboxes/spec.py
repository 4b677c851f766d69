"""What a container may do: one frozen record, from which everything about it follows."""

import os
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

Network = Literal["none", "indexes", "task", "open"]
"""What may be reached: nothing; package indexes; also the hosts that the task names, to read; any public address."""

HELD = "/opt/impassable"
"""Our own directory in every container."""
CA_PATH = f"{HELD}/ca-certificates.crt"
"""Where the host's certificate authorities lie in every container."""
CA_VARIABLES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
INDEX_VARIABLES = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "NPM_CONFIG_REGISTRY")
PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
NOBODY_ANSWERS = {"PIP_RETRIES": "1", "npm_config_fetch_retries": "0", "CARGO_NET_RETRY": "0"}
"""For a container without any network, where asking again only takes time: npm waits for 70 seconds."""


@dataclass(frozen=True)
class Limits:
    """What a container may use up."""

    memory_mb: int = 4096
    cpus: float = 2.0
    pids: int = 512
    file_mb: int = 8192
    """Largest single file."""
    output_mb: int = 200
    """What one command may print."""
    disk_mb: int | None = 20_000
    """What all commands of a container together may write; looked at while a command runs, so it may be overshot by
    what is written between two looks. None for no cap, here and for `files`."""
    files: int = 500_000
    """How many files they may make."""
    shared_mb: int = 64
    """Of `/dev/shm`, as Docker gives it unless it is told otherwise."""
    opened: int = 300_000
    """How many files all their processes together may hold open; the kernel has one number for the whole machine."""


@dataclass(frozen=True)
class Spec:
    """One container."""

    image: str
    network: Network = "none"
    hosts: tuple[str, ...] = ()
    """What `task` reaches beside the package indexes."""
    user: str = "agent"
    """Whose commands they are when `run` does not say otherwise."""
    workdir: str = "/home/agent"
    """Made, and given to the user, when the image has it not."""
    sudo: bool = False
    """Whether the user may become root; without it a container cannot gain privileges."""
    tmpfs: tuple[str, ...] = ()
    """As `docker run --tmpfs` takes them; without `exec` Docker mounts them noexec."""
    read_only: tuple[str, ...] = ()
    """Absolute directories that show what the image has in them and cannot be written; `/` stands for `docker run
    --read-only`, where only the working directory, the tmpfs, `/tmp`, `/var/tmp` and `/run` can be."""
    limits: Limits = Limits()
    env: dict[str, str] = field(default_factory=dict)

    @property
    def forgetful(self) -> bool:
        """Whether some of what commands write lies outside the file system that a snapshot keeps."""
        return bool(self.tmpfs) or "/" in self.read_only


def host_ca() -> Path | None:
    """The host's bundle of certificate authorities."""
    paths = (
        os.environ.get("SSL_CERT_FILE"),
        ssl.get_default_verify_paths().cafile,
        "/etc/ssl/certs/ca-certificates.crt",
    )
    return next((Path(path) for path in paths if path and Path(path).is_file()), None)


def host_settings(names: tuple[str, ...]) -> dict[str, str]:
    """The host's own settings of these names that a container can use: no files, no loopback, no passwords."""
    settings = {}
    for name in names:
        value = os.environ.get(name, "")
        if value and (name.lower() == "no_proxy" or _usable(value)):
            settings[name] = value
    return settings


def _usable(value: str) -> bool:
    parts = [urlsplit(part if "://" in part else f"http://{part}") for part in value.split()]
    return all(
        part.scheme in {"http", "https"}
        and part.hostname not in {None, "localhost", "::1"}
        and not str(part.hostname).startswith("127.")
        and part.password is None
        and part.username is None
        for part in parts
    )
