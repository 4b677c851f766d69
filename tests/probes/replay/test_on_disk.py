"""A Python package that the machine has in some form though the interpreter does not find it."""

import pytest

from probes.barriers import ladder_of
from probes.model import Barrier
from probes.replay.handlers.on_disk import brings, copies


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("wheels/scikit_learn-1.4-cp311-cp311-linux_x86_64.whl", True),
        ("Scikit-Learn-1.4.tar.gz", True),
        ("vendor/sklearn/__init__.py", True),
        ("sklearn.py", True),
        ("notes-on-sklearn.txt", False),
        ("scikit_learn_extra-1.0.whl", False),
        ("sklearn", False),
    ],
)
def test_what_in_an_archive_may_bring_a_package(member: str, *, expected: bool) -> None:
    assert brings(member, "scikit?learn", "sklearn") is expected


def test_wheels_sources_debian_packages_and_modules_are_looked_for() -> None:
    tests = copies("scikit?learn", "sklearn")
    assert "-iname 'scikit?learn-*.whl'" in tests
    assert "-iname 'python3-scikit?learn_*.deb'" in tests
    assert "-name 'sklearn.*.so'" in tests
    assert "-path '*/sklearn/__init__.py'" in tests
    assert copies(None, None) == []
    assert not any(test.startswith("-path") for test in copies("scikit?learn", None))


@pytest.mark.parametrize("barrier", [Barrier.MODULE, Barrier.PIP, Barrier.NETWORK])
def test_a_wheelhouse_is_used_with_what_its_packages_require(barrier: Barrier) -> None:
    route = next(route for route in ladder_of(barrier).route if route.id == "wheel-on-disk")
    text = "\n".join(route.commands)
    assert "--find-links" in text
    assert "head -1" not in text
