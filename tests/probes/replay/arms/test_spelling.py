"""A word of the run's own is taken for one of the task's texts only where it is much like it."""

import pytest

from probes.replay.arms.documented.spelling import alike


@pytest.mark.parametrize(
    ("own", "other", "meant"),
    [
        ("lakes_2019", "lakes-2019", True),
        ("North", "north", True),
        ("samples.tvs", "samples.tsv", True),
        ("--datset", "--dataset", True),
        ("lakes-2019", "lakes-2019", False),
        ("2019", "2018", False),
        ("train", "test", False),
        ("summary", "validate", False),
    ],
)
def test_words_that_differ_in_marks_or_by_a_slip_are_meant_by_one_another(own: str, other: str, meant: bool) -> None:
    assert alike(own, other) is meant
