"""Which commands ask a service of the machine's own, and where a longer wait goes."""

import pytest

from probes.replay.arms.longer_waits import patiently
from probes.replay.handlers.own_services import minding_answers


@pytest.mark.parametrize(
    ("line", "patient"),
    [
        ("(./serve &); sleep 3; curl -s localhost:80/x", "(./serve &); sleep 60; curl -s localhost:80/x"),
        ("./serve & curl -s http://127.0.0.1:8/x", "./serve & sleep 60 && curl -s http://127.0.0.1:8/x"),
        ("for i in 1 2; do sleep 5; curl -s [::1]:80; done", "for i in 1 2; do sleep 20; curl -s [::1]:80; done"),
        ("sleep 90; curl http://db:8080/", "sleep 90; curl http://db:8080/"),
        ("cat x | curl -d @- http://localhost/", None),
        ("timeout 10 curl -m 8 https://example.org/x; sleep 1", None),
        ("python3 serve.py", None),
    ],
)
def test_the_wait_before_the_last_question_to_the_machines_own_service_grows(line: str, patient: str | None) -> None:
    assert patiently(line) == patient


@pytest.mark.parametrize(
    ("line", "minding"),
    [
        ("curl -s localhost:80/x", "curl --fail -s localhost:80/x"),
        ("curl -sf localhost:80/x", "curl --fail -sf localhost:80/x"),
        ("curl --fail-with-body http://127.0.0.1/", "curl --fail-with-body http://127.0.0.1/"),
        ("curl -s https://example.org/", "curl -s https://example.org/"),
        ("wget -q http://localhost/", "wget -q http://localhost/"),
    ],
)
def test_a_request_to_it_minds_what_is_answered(line: str, minding: str) -> None:
    assert minding_answers(line) == minding
