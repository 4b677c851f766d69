"""The entry point of the `verify` command."""

import sys
from collections.abc import Sequence


def main() -> None:
    """Run the command line and leave with one of the exit codes of `verify.failures`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code, whatever happens."""
    import typer

    from verify.app import app
    from verify.failures import INTERRUPTED, OutputClosed, report

    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name="verify", standalone_mode=False)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - this is the last place that can turn a failure into a sentence
        if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
            error = OutputClosed()
        return report(error, as_json="--json" in arguments)
    if code == INTERRUPTED:  # Typer has made this of Ctrl-C
        return report(KeyboardInterrupt(), as_json="--json" in arguments)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
