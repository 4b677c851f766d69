"""Did it fail? Decided here alone: by an exit code that tells, else by the form in which a tool says so itself."""

from cases.failing.commands import (
    Failed,
    call_failed,
    catches,
    code_failed,
    command_failed,
    ended_by_time,
    step_failures,
)
from cases.failing.forms import TRACEBACK, errors_in, exception_in, failed_to_run, ran_tests, root_in, telling_lines

__all__ = [
    "TRACEBACK",
    "Failed",
    "call_failed",
    "catches",
    "code_failed",
    "command_failed",
    "ended_by_time",
    "errors_in",
    "exception_in",
    "failed_to_run",
    "ran_tests",
    "root_in",
    "step_failures",
    "telling_lines",
]
