"""One command over several packs: one that is refused does not keep the others from it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import typer


class PassedOver:
    """What could not be audited of several tasks: each is told once, and the others go on."""

    def __init__(self, *, alone: bool, as_json: bool) -> None:
        """Where there is one `alone`, or the machine is to blame, which would fail the others too, it is raised."""
        self.alone = alone
        self._as_json = as_json
        self._codes: set[int] = set()

    def __call__(self, task: str, error: Exception, *, own: bool = False) -> tuple[str, int]:
        """Say what is wrong with a task; returns it with its code. Its `own` inputs are never the machine's fault.

        Raises:
            Exception: the error itself, where nothing else is to go on.
        """
        from verify.failures import NOT_READY, explained, tell

        if self.alone:
            raise error
        message, code = explained(error)
        if code in NOT_READY and not own:
            raise error
        tell(f"{task}: {message}" if task else message, code, as_json=self._as_json)
        self._codes.add(code)
        return message, code

    def refused(self) -> None:
        """An input could not be used, which is told already."""
        self._codes.add(2)

    def leave(self) -> None:
        """End the command where any task could not be audited.

        Raises:
            typer.Exit: with the highest of their codes.
        """
        if self._codes:
            raise typer.Exit(max(self._codes))


def each(packs: Sequence[Path], act: Callable[[Path], None], *, as_json: bool) -> None:
    """Do the same with every pack, and say of each what is wrong with it.

    Raises:
        typer.Exit: at least one was refused; 5 where one does not hold, otherwise what refused it.
    """
    from cases import ImpassableError
    from verify.failures import report

    codes: set[int] = set()
    for path in packs:
        try:
            act(path)
        except ImpassableError as error:
            named = error if str(path) in str(error) else type(error)(f"{path}: {error}")
            codes.add(report(named, as_json=as_json))
    if codes:
        raise typer.Exit(max(codes))
