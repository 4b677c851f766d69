"""The program, started beside whatever process wants to know something, and what it prints.

An audit runs in a process of its own. There its packages have their names to themselves, and what it starts (an event
loop, a browser, containers, handlers of signals) meets nothing of the caller's, which may be a notebook or a server.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from impassable.errors import ImpassableWarning, failure

PROGRAM = Path(__file__).with_name("__main__.py")
_WARNING = "verify: warning: "
_PATIENCE = 60
"""Seconds that an interrupted program has to put containers and browser away."""


def documents(
    arguments: Sequence[str], variables: dict[str, str] | None = None, *, progress: bool = False
) -> Iterator[dict[str, Any]]:
    """The objects that `verify ARGUMENTS… --json` prints, each as soon as it is there; its errors are among them.

    Warnings are given as `ImpassableWarning` at the end; with `progress`, both go to stderr as they come. Where nobody
    wants the rest, the program is ended in order.

    Raises:
        ImpassableError: it printed nothing that says why it stopped.
    """
    command = [sys.executable, "-P", str(PROGRAM), arguments[0], "--json", *arguments[1:]]
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(
            command,
            env=os.environ | (variables or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if progress else said,
            process_group=0,  # Ctrl-C is handed on once, below
        )
        assert running.stdout
        failed = False
        try:
            for line in running.stdout:
                told = json.loads(line)
                failed = failed or "error" in told
                yield told
            running.wait()
        finally:
            _end(running)
        last = _warned(said)
        if running.returncode and not failed:
            raise failure(
                last or f"verify left with {running.returncode}; its messages are on stderr", running.returncode
            )


def _end(running: "subprocess.Popen[bytes]") -> None:
    """Let it put away what it has started, and go."""
    if running.poll() is None:
        running.terminate()
        try:
            running.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
    if running.stdout:
        running.stdout.close()


def _warned(said: IO[bytes]) -> str:
    """Hand on its warnings; returns what else it said at last."""
    last = ""
    said.seek(0)
    for line in said.read().decode("utf-8", "replace").splitlines():
        if line.startswith(_WARNING):
            warnings.warn(line.removeprefix(_WARNING), ImpassableWarning, stacklevel=4)
        elif line:
            last = line.removeprefix("verify: ")
    return last
