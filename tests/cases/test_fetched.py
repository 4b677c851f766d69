"""Pages that commands print are pages too, of the sites that the task names."""

import pytest

from cases import CommandRun, Events, Task
from cases.fetched import pages_of

TASK = Task(prompt="According to www.lamps.example.org, what does the lamp cost?")
URL = "https://www.lamps.example.org/price"


def fetched(command: str, output: str = "It costs 12.", kind: str = "shell") -> list[tuple[str, str | None, bool]]:
    ran = CommandRun(kind=kind, command=command, tool="bash", output=output, exit_code=0, blocks=(1, 2))
    return [(page.url, page.text, page.picked) for page in pages_of(TASK, Events(commands=(ran,)))]


@pytest.mark.parametrize(
    "command",
    [
        f"curl -sL {URL}",
        f"curl -s -o- {URL} | head -20",
        f"wget -qO- '{URL}' | sed 's/<[^>]*>//g'",
        f"cd /tmp && lynx -dump {URL}",
    ],
)
def test_what_a_command_printed_is_the_page(command: str) -> None:
    assert fetched(command) == [(URL, "It costs 12.", False)]


@pytest.mark.parametrize("command", [f"curl -s {URL} | grep 1923", f"curl -s {URL} | python3 parse.py"])
def test_what_a_program_picked_out_of_it_may_be_a_part(command: str) -> None:
    assert fetched(command) == [(URL, "It costs 12.", True)]


def test_what_code_printed_may_be_a_part() -> None:
    code = f"import requests\nr = requests.get('{URL}', timeout=9)\nprint(r.status_code)"
    assert fetched(code, "403", "python") == [(URL, "403", True)]


@pytest.mark.parametrize(
    "command",
    [
        f"curl -O {URL}",
        f"curl -s {URL} > page.html",
        f"curl -sLo page.html {URL}",
        f"wget {URL}",
        f"echo {URL}",
        "curl -s https://elsewhere.example.net/",
        "curl -s 'http://[broken/www.lamps.example.org'",
    ],
)
def test_what_nobody_saw_or_the_task_does_not_name_is_no_page(command: str) -> None:
    assert fetched(command) == []


RAISED = f"""Traceback (most recent call last):
  File "<string>", line 3, in <module>
  File "/usr/lib/python3/dist-packages/requests/models.py", line 943, in raise_for_status
    raise HTTPError(http_error_msg, response=self)
requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: {URL}
"""


def error(output: str) -> str | None:
    code = f"import requests\nr = requests.get('{URL}', timeout=9)\nr.raise_for_status()\nprint(r.text)"
    ran = CommandRun(kind="python", command=code, tool=None, output=output, exit_code=None, blocks=(1, 2))
    [page] = pages_of(TASK, Events(commands=(ran,)))
    return page.error


def test_an_exception_in_the_place_of_a_page_is_its_error() -> None:
    refused = f"requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: {URL}"
    assert error(RAISED) == error(f"Observation:\nExecution logs:\n{RAISED}") == refused
    assert error("Lamps of the old harbour, and what they cost. " * 9 + "\n" + RAISED) is None
    assert error("It costs 12.") is None
