"""A request to end ends the program, also while it computes."""

import signal
import subprocess
import sys
import time

import pytest

from verify.shutdown import PATIENCE

BUSY = """
import asyncio
from verify.shutdown import run

async def work():
    try:
        print("begun", flush=True)
        while True:
            sum(range(1000))
    finally:
        print("put away", flush=True)

try:
    run(work())
except KeyboardInterrupt:
    print("ended", flush=True)
"""


@pytest.mark.parametrize(
    "request_",
    [signal.SIGTERM, *(pytest.param(one, marks=pytest.mark.exhaustive) for one in (signal.SIGHUP, signal.SIGINT))],
)
def test_a_request_to_end_is_heard_while_something_is_computed(request_: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "begun\n"
        begun = time.monotonic()
        program.send_signal(request_)
        told = program.communicate(timeout=PATIENCE * 12)[0]
        assert time.monotonic() - begun >= PATIENCE / 2
    assert told == "put away\nended\n"
    assert program.returncode == 0
