"""Which host an error is about, by the forms in which tools name it."""

import re

import pytest

from cases.hosts import named_by, services
from graph.signature import causes
from probes import Barrier

MARKED = re.compile("«(.*?)»")


@pytest.mark.parametrize("form", services().named, ids=lambda form: form.source)
def test_a_form_names_its_host_and_nothing_else(form) -> None:
    for text in form.catches:
        assert re.findall(form.pattern, MARKED.sub(r"\1", text)) == MARKED.findall(text)
    assert not [text for text in form.misses if re.search(form.pattern, text)]


@pytest.mark.parametrize(
    ("output", "host"),
    [
        (
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='data.example', port=443): Max retries "
            "exceeded with url: /x (Caused by NewConnectionError(': Failed to establish a new connection: "
            "[Errno -3] Temporary failure in name resolution'))",
            ("data.example",),
        ),
        ("Warning: unable to access index for repository https://cran.example/src/contrib:", ("cran.example",)),
        ("E: Failed to fetch http://deb.example/x.deb  Connection failed", ("deb.example",)),
        ("socket.gaierror: [Errno -3] Temporary failure in name resolution", ()),
        ("see https://other.example\nsocket.gaierror: [Errno -3] Temporary failure in name resolution", ()),
    ],
)
def test_the_network_barrier_names_the_host_that_its_error_names(output: str, host: tuple[str, ...]) -> None:
    found = [match for match in causes(output, "output") if match.barrier is Barrier.NETWORK]
    assert {match.targets.hosts for match in found} == {host}


def test_what_has_no_dot_is_no_host() -> None:
    assert named_by("HTTPConnectionPool(host='localhost', port=80): and https://data.example/x.") == ("data.example",)
