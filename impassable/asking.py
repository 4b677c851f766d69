"""What may be asked: an audit, several, and what a pack says."""

from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath
from typing import Unpack

from impassable.calling import documents
from impassable.errors import ImpassableError, failure
from impassable.options import Options, arguments, variables
from impassable.result import Result


def audit(task_id: str, *, progress: bool = False, **options: Unpack[Options]) -> Result:
    """Audit one failed task, as `verify TASK_ID` does it, and leave its pack.

    Args:
        task_id: The task's id, or an unambiguous beginning of it.
        progress: Whether every step is told on stderr.
        **options: As on the command line: `run="run.json", profile="offline"`; see `Options`.

    Raises:
        ImpassableError: a subclass says of which kind; the message says what to do.
    """
    [result] = audit_many([task_id], progress=progress, **options)
    return result


def audit_many(
    task_ids: Iterable[str],
    *,
    failed: Callable[[ImpassableError], object] | None = None,
    progress: bool = False,
    **options: Unpack[Options],
) -> Iterator[Result]:
    """Audit several failed tasks side by side in one process; each result comes as soon as its pack is written.

    A task that cannot be audited does not keep the others from it. `failed` is told of each; without it the errors are
    raised at the end: the only one as it is, several as an `ExceptionGroup`.

    Raises:
        ImpassableError: nothing could be audited at all, or one task could not.
        ExceptionGroup: several could not.
    """
    wanted = list(task_ids)
    if not wanted:
        return
    errors: list[ImpassableError] = []
    command = ["audit", *([] if progress else ["--quiet"]), *arguments(options), "--", *wanted]
    for told in documents(command, variables(options), progress=progress):
        if "error" in told:
            (failed or errors.append)(failure(told["error"]["message"], told["error"]["exit_code"]))
        elif "verdict" in told:
            yield Result.model_validate(told)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup(f"{len(errors)} tasks could not be audited", errors)


def load_pack(pack: str | PathLike[str], *, key: str | PathLike[str] | None = None) -> Result:
    """What a pack says, a folder or a zip, once every byte of it was compared and its verdict computed again.

    Args:
        pack: The pack.
        key: A public key whose signature it must bear.

    Raises:
        InputError: there is no such pack.
        PackError: it is not what was written, or its records give another verdict.
    """
    command = ["show", *([f"--key={fspath(key)}"] if key else []), "--", fspath(pack)]
    for told in documents(command):
        if "error" in told:
            raise failure(told["error"]["message"], told["error"]["exit_code"])
        return Result.model_validate(told)
    raise AssertionError("verify show ended without an answer")
