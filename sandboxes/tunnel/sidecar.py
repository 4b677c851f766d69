"""The inner end: a container that lends its empty network to one other, and has nothing in it but the relay."""

from importlib.resources import files
from typing import Any

from sandboxes.sdk import sdk
from sandboxes.streams import close_stream

PORT = 3128
RELAY = f"http://127.0.0.1:{PORT}"
"""The proxy as the other container sees it."""
HOSTNAME = "sandbox"
MEMORY = "256m"
PIDS = 32


def make_relay(api: Any, image: str, labels: dict[str, str]) -> str:  # noqa: ANN401 - the SDK has no types
    """A container without a network, privileges, or anything to write to, not yet started; returns its id.

    The SDK's errors are raised as they are.
    """
    source = files("sandboxes.tunnel").joinpath("mux.py").read_text(encoding="utf-8")
    made = api.create_container(
        image,
        entrypoint=["python3"],
        command=["-c", source, str(PORT)],
        user="65534:65534",
        working_dir="/",
        hostname=HOSTNAME,
        labels=labels,
        stdin_open=True,
        host_config=api.create_host_config(
            init=True,
            network_mode="none",
            mem_limit=MEMORY,
            memswap_limit=MEMORY,
            pids_limit=PIDS,
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            log_config=sdk().types.LogConfig(type="none"),
        ),
    )
    return str(made["Id"])


def start_relay(api: Any, container: str) -> Any:  # noqa: ANN401 - the SDK has no types
    """Start it; returns the stream of its standard input and output. The SDK's errors are raised as they are."""
    connection = api.attach_socket(container, params={"stdin": 1, "stdout": 1, "stream": 1})
    try:
        api.start(container)
    except BaseException:
        close_stream(connection)
        raise
    return connection
