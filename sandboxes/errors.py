"""What can go wrong below the probes.

SandboxError                the engine answered, but could not do it (a container that stopped, a full disk)
├── EngineUnavailable       no Docker engine answers, or it went away; the message says what to do
├── ImageUnavailable        the image is not there and can neither be pulled nor built
└── SandboxCancelled        the pool was closed while work was going on
"""

from collections.abc import Iterator
from contextlib import contextmanager

from cases.sentences import Sentences
from sandboxes.sdk import connection_errors, sdk

say = Sentences(__name__)

REMEDY = "start a Docker engine, or point DOCKER_HOST at one, and see that this user may use it"


class SandboxError(Exception):
    """The engine could not do what was asked; one sentence."""


class EngineUnavailable(SandboxError):  # noqa: N818 - it is a state of the machine
    """No engine answers."""


class ImageUnavailable(SandboxError):  # noqa: N818 - it is a state of the machine
    """An image is missing and cannot be had."""


class SandboxCancelled(SandboxError):  # noqa: N818 - nothing failed
    """Somebody closed the pool."""


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Turn the SDK's exceptions into ours.

    Raises:
        EngineUnavailable: the connection failed.
        SandboxError: the engine refused.
    """
    try:
        yield
    except sdk().errors.APIError as error:
        raise SandboxError(say("errors.docker_could_not", doing=doing, error=error.explanation or error)) from error
    except connection_errors() as error:
        raise EngineUnavailable(say("errors.docker_engine_not_answer", doing=doing, error=_short(error))) from error


def _short(error: BaseException) -> str:
    """The words of the system's own error at the bottom, where there is one."""
    deepest: BaseException = error
    seen: set[int] = set()
    while id(deepest) not in seen:
        seen.add(id(deepest))
        inner = [cause for cause in (deepest.__cause__, deepest.__context__) if cause]
        inner += [part for part in deepest.args if isinstance(part, BaseException)]
        deepest = inner[0] if inner else deepest
    strerror = deepest.strerror if isinstance(deepest, OSError) else None
    text = (strerror or str(error)).strip().splitlines()
    return (text[0] if text else type(error).__name__)[:200]
