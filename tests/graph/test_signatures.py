"""What signatures propose, and that no two of them quarrel about a text."""

import pytest

from graph.signature import scan
from probes import Barrier
from probes.barriers import Where, entries

EXAMPLES = [
    pytest.param(barrier, where, text, id=f"{barrier}-{where}-{number}")
    for barrier, known in entries().items()
    for number, signature in enumerate(known.signature, 1)
    for where in signature.where
    for text in signature.shown
    if where != "replay"
]


@pytest.mark.parametrize(("barrier", "where", "text"), EXAMPLES)
def test_what_a_signature_catches_is_proposed_once_and_as_nothing_else(barrier: Barrier, where: Where, text: str):
    (match,) = scan(text, where)
    assert match.barrier is barrier
    assert match.quote == text[match.start : match.end]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Stderr:\n/bin/sh: 1: jupyter: not found\n", {"programs": ("jupyter",)}),
        ("/usr/bin/ld: cannot find -lfreetype: No such file", {"headers": ("-lfreetype",)}),
        ("x.so: failed to map segment from shared object", {"paths": ("/tmp",)}),
        ("OSError: [Errno 28] No space left on device", {}),
        ("error: externally-managed-environment", {}),
        (
            "Collecting apricot>=2 (from -r r.txt)\n  × Preparing metadata did not run successfully.",
            {"packages": ("apricot",)},
        ),
        ("Processing /d/lime-zest-1.0.tar.gz\n × setup.py did not run successfully.", {"packages": ("lime-zest",)}),
    ],
)
def test_a_match_names_what_its_barrier_is_about(text: str, targets: dict[str, tuple[str, ...]]):
    (match,) = scan(text, "output")
    assert {field: names for field, names in match.targets if names} == targets
