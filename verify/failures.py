"""What a failure looks like from outside: one sentence, one exit code, never a traceback.

0 done · 1 a bench missed its labels · 10/11/12 the verdict, with --exit-code · 2 usage or bad input ·
3 environment not ready · 4 credentials · 5 pack invalid · 70 internal error · 130 interrupted · 141 the reader of the
output went away.
"""

import errno
import json
import os
import sys
from pathlib import Path

from cases.sentences import Sentences

say = Sentences(__name__)

SCHEMA = "impassable/1"
NOT_READY = (3, 4)
"""What the machine or its user lacks, whatever is audited."""
INTERNAL = 70
INTERRUPTED = 130
OUTPUT_CLOSED = 141


def report(error: BaseException, *, as_json: bool) -> int:
    """Print what went wrong, on stderr and, with --json, as the document on stdout; returns the exit code."""
    from verify.terminal import OutputClosed

    if isinstance(error, OutputClosed):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT_CLOSED
    message, code = explained(error)
    tell(message, code, as_json=as_json)
    return code


def tell(message: str, code: int, *, as_json: bool) -> None:
    """Print one failure."""
    if as_json:
        document = {"schema": SCHEMA, "error": {"message": message, "exit_code": code}}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stderr.write(f"verify: {message}\n")


def explained(error: BaseException) -> tuple[str, int]:
    """What went wrong in one sentence, and the exit code; an internal error leaves its log."""
    from cases import ImpassableError
    from verify.help import meant, usage
    from verify.terminal import one_line

    if _asked_to_end(error):
        return _interrupted(), INTERRUPTED
    if isinstance(error, ImpassableError):
        return one_line(_masked(meant(str(error)))), error.exit_code
    if hasattr(error, "format_message"):  # Typer's usage errors; their class is not public
        return one_line(usage(error)), 2
    if (sentence := _machine(error)) is not None:
        return one_line(sentence), 3
    return _internal(error), INTERNAL


def _asked_to_end(error: BaseException | None) -> bool:
    """Whether it came of Ctrl-C; Python makes another error of it where a class is being made, and pydantic's core one
    that only says so where a model is.
    """
    while error and not isinstance(error, KeyboardInterrupt):
        if type(error).__name__ == "SchemaError" and str(error).rstrip(": ").endswith(KeyboardInterrupt.__name__):
            return True
        error = error.__cause__ or error.__context__
    return error is not None


def _interrupted() -> str:
    """Whether the same command would go on, which is so where something of an audit is kept."""
    state = sys.modules.get("verify.state")
    kept = state is not None and any(folder.is_dir() for folder in state.begun)
    return say("failures.interrupted_same_command_goes") if kept else "interrupted"


def _masked(text: str) -> str:
    from cases.masking import Mask

    return Mask().text(text)


def _machine(error: BaseException) -> str | None:
    """What this machine lacks, when that is what the error says."""
    import sqlite3

    elsewhere = say("failures.out_packs_verify_state")
    if isinstance(error, sqlite3.OperationalError):
        return say("failures.checkpoints_cannot_kept_free", error=error, elsewhere=elsewhere)
    if not isinstance(error, OSError):
        return None
    where = f": {error.filename}" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return say("failures.disk_full_free_some", where=where, elsewhere=elsewhere)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return say("failures.cannot_written_read_another", where=where, strerror=error.strerror, elsewhere=elsewhere)
    return None


def _internal(error: BaseException) -> str:
    """Keep the traceback in a file, without the values of any variable."""
    import traceback
    from datetime import UTC, datetime

    import platformdirs

    from verify.terminal import one_line

    what = one_line(_masked(f"{type(error).__name__}: {error}"))[:300]
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    log = Path(platformdirs.user_log_dir("impassable", appauthor=False)) / f"internal-{stamp}-{os.getpid()}.log"
    try:
        log.parent.mkdir(0o700, parents=True, exist_ok=True)
        log.touch(0o600)
        log.write_text(_masked("".join(traceback.format_exception(error))), encoding="utf-8", errors="backslashreplace")
    except OSError:
        return say("failures.internal_error_log_could", what=what, log=log)
    return say("failures.internal_error_report_log", what=what, log=log)
