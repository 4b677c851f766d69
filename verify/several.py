"""One command over several packs: one that is refused does not keep the others from it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import typer


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
