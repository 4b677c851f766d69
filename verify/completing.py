"""What a shell is offered for profiles, tasks and benchmarks: names alone, quickly, and never an error."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cases.library import TaskSummary

_SECONDS = 3.0
"""After which somebody at a keyboard gets nothing."""
_INPUTS = ("run", "claims", "outcomes", "tasks", "benchmark")


def profiles(incomplete: str) -> list[str]:
    """Names of shipped profiles; files are the shell's own business."""
    from probes.envelope import profile_names

    return _beginning(incomplete, profile_names)


def benchmarks(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - Typer's own context is not public
    """Benchmarks of the inputs, or else the known ones."""
    given = {name: value for name, value in ctx.params.items() if name != "benchmark"}
    return _beginning(incomplete, lambda: [task.benchmark for task in _tasks(given)])


def tasks(ctx: Any, incomplete: str) -> list[str]:  # noqa: ANN401 - see above
    """Ids of the tasks that the inputs hold."""
    return _beginning(incomplete, lambda: [task.task_id for task in _tasks(ctx.params)])


_OFFERED: dict[str, Callable[..., list[str]]] = {
    "task_ids": tasks,
    "task": tasks,
    "benchmark": benchmarks,
    "profile": profiles,
    "name": profiles,
}
"""By a parameter's name, whatever command has it."""


def completed(command: Callable[..., object] | None) -> None:
    """Let a shell complete a command's parameters of these names."""
    for name, hint in get_type_hints(command, include_extras=True).items():
        if name in _OFFERED:
            hint.__metadata__[0].autocompletion = _OFFERED[name]


def _tasks(given: dict[str, Any]) -> "list[TaskSummary]":
    from verify.config import load
    from verify.inputs import open_library

    flags = {name: given.get(name) for name in _INPUTS}
    return open_library(load(flags | {"offline": True})).tasks()


def _beginning(incomplete: str, names: "Callable[[], Iterable[str]]") -> list[str]:
    try:
        with _soon(), redirect_stderr(StringIO()):
            return sorted({name for name in names() if name.lower().startswith(incomplete.lower())})
    except Exception:  # noqa: BLE001 - a key that was pressed is no command: there is nothing to offer, and no more
        return []


@contextmanager
def _soon() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
