"""The Docker SDK, imported when it is first needed: it costs a quarter of a second and has no types."""

from typing import Any


def sdk() -> Any:  # noqa: ANN401 - untyped
    """The `docker` module with its submodules."""
    import docker.errors  # noqa: PLC0415 - see above
    import docker.types  # noqa: PLC0415
    import docker.utils.socket  # noqa: PLC0415

    return docker


def connection_errors() -> tuple[type[Exception], ...]:
    """What the SDK lets through when the engine cannot be reached."""
    import requests  # noqa: PLC0415 - comes with the SDK
    import urllib3  # noqa: PLC0415

    return requests.RequestException, urllib3.exceptions.HTTPError, sdk().errors.DockerException, OSError
