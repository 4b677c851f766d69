"""The entry point of the `verify` command."""

import atexit
import gc
import os
import signal
import sys
from collections.abc import Sequence

_INTERRUPTED = 130
YOUNG = 400_000
"""Objects after which garbage is looked for: what a command imports is none, and looking through it takes a second."""


def main() -> None:
    """Run the command line and leave with one of the exit codes of `verify.failures`."""
    gc.set_threshold(YOUNG, 20, 20)
    atexit.register(_ending)
    for request in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(request) is not signal.SIG_IGN:
            signal.signal(request, signal.default_int_handler)
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # `impassable.program` has it leave at once till here
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before the rest was there, or while a failure was told
        code = _INTERRUPTED
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))  # nothing is left that could be put away in order
    sys.exit(code)


def _ending() -> None:
    """Let nobody interrupt the interpreter's own end, where a request is no exception any more and kills.

    An interrupt that met code while it was run from a text, as data classes are made, CPython takes for unhandled
    however it was handled, and kills itself at last; the next such code makes it forget that.
    """
    for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(request, signal.SIG_IGN)
    exec("")  # noqa: S102 - see above


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code, whatever happens."""
    from verify.failures import INTERRUPTED, report

    try:
        import typer

        from verify.app import app

        code = typer.main.get_command(app).main(list(arguments), prog_name="verify", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as ended:  # completion leaves so
        return ended.code if isinstance(ended.code, int) else 0
    except BaseException as error:  # noqa: BLE001 - this is the last place that can turn a failure into a sentence
        if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
            from verify.terminal import OutputClosed

            error = OutputClosed()
        return report(error, as_json="--json" in arguments)
    if code == INTERRUPTED:  # Typer has made this of Ctrl-C
        return report(KeyboardInterrupt(), as_json="--json" in arguments)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
