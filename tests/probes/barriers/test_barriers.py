"""Every barrier's file holds what it says: its signatures catch and miss their own examples."""

import pytest

from probes import Barrier
from probes.barriers import Signature, entries, entry
from probes.replay.target.symptom import symptoms

SIGNATURES = [
    pytest.param(barrier, signature, id=f"{barrier}-{number}")
    for barrier, known in entries().items()
    for number, signature in enumerate(known.signature, 1)
]


@pytest.mark.parametrize(("barrier", "signature"), SIGNATURES)
def test_a_signature_catches_and_misses_what_its_examples_say(barrier: Barrier, signature: Signature):
    assert signature.wrong() == []
    for text in signature.shown:
        assert not signature.failure or symptoms(barrier, text)[0].kind == signature.failure


def test_examples_that_are_none_are_told():
    module = entry(Barrier.MODULE).signature[0]
    other = {"catches": ("No module named «x»", "ImportError: No module «named» 'x'"), "misses": module.shown[:1]}
    told = module.model_copy(update=other).wrong()
    assert [one.split()[0] for one in told] == ["misses", "takes", "catches"]
