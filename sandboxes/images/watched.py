"""What the steps of a Dockerfile take of the machine: the engine itself limits nothing of them but memory."""

from sandboxes.capture import Limit
from sandboxes.engine import Engine
from sandboxes.errors import SandboxError, translated
from sandboxes.owner import LABEL
from sandboxes.room import Taken
from sandboxes.sdk import sdk
from sandboxes.spec import Limits
from sandboxes.watching import BusyWatch

BUILD = Limits(memory_mb=8192, pids=4096, files=2_000_000)
"""What one build may use up."""


def watched(engine: Engine, network: str, limits: Limits) -> BusyWatch:
    """Look at the machine while the context is open, and remove a step that takes too much of it.

    The steps are known by `network`, the mode that they and nobody else run in: that of a container of ours.
    """
    taken = Taken(
        limits, lambda: sum(_written(engine, step) for step in _steps(engine, network)), engine.glance, engine.glance
    )
    taken.begin()

    def over(*, whole: bool) -> Limit | None:
        found = taken.over(whole=whole)
        many = whole and not found and sum(_processes(engine, step) for step in _steps(engine, network)) > limits.pids
        return "pids" if many else found

    def stop() -> None:
        for step in _steps(engine, network):
            engine.remove_container(step)

    return BusyWatch(over, stop)


def _steps(engine: Engine, network: str) -> list[str]:
    if not network.startswith("container:"):
        return []
    with translated("list what a build runs"):
        found = engine.api.containers(all=True)
    return [
        str(one["Id"])
        for one in found
        if one["HostConfig"].get("NetworkMode") == network and LABEL not in (one.get("Labels") or {})
    ]


def _written(engine: Engine, step: str) -> int:
    with translated("measure what a build wrote"):
        found = engine.api.containers(all=True, size=True, filters={"id": step})
    return sum(int(one.get("SizeRw") or 0) for one in found)


def _processes(engine: Engine, step: str) -> int:
    try:
        with translated("list the processes of a build"):
            return len(engine.api.top(step)["Processes"] or ())
    except (SandboxError, sdk().errors.APIError):
        return 0  # it ended
