"""What serves is known by what it does: it listens, prints nothing and waits; everything else is waited for."""

import time

import pytest

from sandboxes import ContainerPool, Spec
from sandboxes.resting import listening

BUSY = """
import socket
held = socket.create_server(("127.0.0.1", 8099))
while True:
    pass
"""


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_a_service_that_came_to_rest_is_left_running_and_can_be_asked(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        began = time.monotonic()
        done = session.run("python3 -m http.server 8099 --bind 127.0.0.1", seconds=120, serves=True)
        assert (done.ok, done.listening, done.exit_code) == (True, True, None)
        assert done.how == "still running, and listening"
        assert time.monotonic() - began < 60
        assert session.run("curl -sf http://127.0.0.1:8099/ >/dev/null").ok


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "sleep 25",
        f"timeout 25 python3 -c '{BUSY}'",
        'timeout 25 python3 -c \'import socket, time; s = socket.create_server(("127.0.0.1", 8099))\n'
        "while True: print(1, flush=True); time.sleep(1)'",
    ],
    ids=["does not listen", "works on", "prints on"],
)
def test_what_only_takes_long_is_waited_for(containers: ContainerPool, spec: Spec, command: str) -> None:
    with containers.start(spec) as session:
        done = session.run(command, seconds=60, serves=True)
    assert not done.listening
    assert done.seconds > 20


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.slow
def test_what_an_earlier_command_left_listening_says_nothing_of_the_next(containers: ContainerPool, spec: Spec) -> None:
    with containers.start(spec) as session:
        session.run("nohup python3 -m http.server 8099 >/dev/null 2>&1 & sleep 1")
        done = session.run("sleep 20", seconds=60, serves=True)
    assert (done.listening, done.exit_code) == (False, 0)


def test_what_a_container_makes_up_of_its_processes_neither_hangs_nor_breaks_anything() -> None:
    table = "  0: 00000000:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 77 1 0 100 0"
    honest = f"p 1 0 3\np 7 0 5\np 8 7 2\ns 8 socket:[77]\np 9 0 0\nme 9\n{table} 0\n"
    assert listening(honest) == 7
    for told in (
        "",
        "\n\n",
        "p 7 7 1\ns 7 socket:[77]\nme 9",
        "p 5 6 1\np 6 5 1\nme 5",
        "p x y z\nme",
        f"{table}\np 7 0",
    ):
        assert listening(told) is None
