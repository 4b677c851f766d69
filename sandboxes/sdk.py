"""The Docker SDK, imported when it is first needed: it costs a quarter of a second and has no types."""

from typing import Any

from sandboxes.deadlines import within


def sdk() -> Any:  # noqa: ANN401 - untyped
    """The `docker` module with its submodules."""
    import docker.errors  # noqa: PLC0415 - see above
    import docker.types  # noqa: PLC0415
    import docker.utils.socket  # noqa: PLC0415

    return docker


def connected(seconds: float) -> Any:  # noqa: ANN401
    """A client of the engine behind `DOCKER_HOST`, of which every call ends in so many seconds unless it says more.

    The SDK's errors are raised as they are.
    """
    from sandboxes.bounded import Bounded  # noqa: PLC0415 - it needs what comes with the SDK

    client = within(seconds, lambda: sdk().from_env(version="auto", timeout=seconds))
    for prefix, adapter in list(client.api.adapters.items()):
        client.api.mount(prefix, Bounded(adapter))
    return client


def connection_errors() -> tuple[type[Exception], ...]:
    """What the SDK lets through when the engine cannot be reached."""
    import requests  # noqa: PLC0415 - comes with the SDK
    import urllib3  # noqa: PLC0415

    return requests.RequestException, urllib3.exceptions.HTTPError, sdk().errors.DockerException, OSError
