"""What compose files of the task's give their services: settings that hold outside of a container, too.

Source: the Compose specification, `environment` and `volumes`.
"""

import posixpath
import shlex
from collections.abc import Iterator

FILES = (
    "find . -maxdepth 4 -type f -size -200k \\( -iname 'docker-compose*.yml' -o -iname 'docker-compose*.yaml' "
    "-o -iname 'compose*.yml' -o -iname 'compose*.yaml' \\) -not -path '*/node_modules/*' 2>/dev/null | head -10; true"
)
"""Prints where they are."""
LARGEST = 10**18
"""Numbers beyond it set nothing."""


def settings_given(path: str, text: str, workdir: str) -> Iterator[str]:
    """For each service of one file the words that set for a program what its container has, as `env` takes them.

    Paths below a folder that is mounted there are those of the folder itself. What it leaves to others is not set.

    Args:
        path: The file's, from the working directory.
        text: What stands in it; one that is no YAML gives nothing.
        workdir: Absolute.
    """
    import yaml  # noqa: PLC0415 - only a service that a compose file speaks of needs it

    try:
        told = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    services = told.get("services") if isinstance(told, dict) else None
    around = posixpath.normpath(posixpath.join(workdir, posixpath.dirname(path)))
    for service in services.values() if isinstance(services, dict) else ():
        if not isinstance(service, dict):
            continue
        mounts = dict(_mounts(service.get("volumes"), around))
        words = [f"{name}={_outside(value, mounts)}" for name, value in _variables(service.get("environment"))]
        if words:
            yield shlex.join(words)


def _variables(given: object) -> Iterator[tuple[str, str]]:
    """The variables with values that the file itself tells."""
    listed = given if isinstance(given, list) else []
    pairs = given.items() if isinstance(given, dict) else (str(one).partition("=")[::2] for one in listed)
    for name, value in pairs:
        plain = isinstance(value, str) or (isinstance(value, int | float) and abs(value) < LARGEST)
        if plain and str(value) and "$" not in str(value):
            yield str(name), str(value)


def _mounts(given: object, around: str) -> Iterator[tuple[str, str]]:
    """Folders of the container that are folders of the machine, with those."""
    for one in given if isinstance(given, list) else ():
        parts = one.split(":") if isinstance(one, str) else []
        source, target = (one.get("source"), one.get("target")) if isinstance(one, dict) else (*parts, "", "")[:2]
        if isinstance(source, str) and isinstance(target, str) and source.startswith((".", "/")) and target:
            yield posixpath.normpath(target), posixpath.normpath(posixpath.join(around, source))


def _outside(value: str, mounts: dict[str, str]) -> str:
    for target in sorted(mounts, key=len, reverse=True):
        if f"{value}/".startswith(f"{target}/"):
            return mounts[target] + value[len(target) :]
    return value
