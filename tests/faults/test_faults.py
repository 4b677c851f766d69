"""A few faults of the campaign: nothing wrong is supported, no finished audit lost, nothing left behind."""

import os
import shutil

import pytest

from .campaign import Campaign, faults, planned
from .ground import Ground
from .inflicting import FAKETIME, INFLICTED

SHORT = ("program killed", "browser killed", "network cut", "disk full")
TRIALS = 2


def test_each_fault_that_is_told_of_can_be_inflicted_and_the_whole_is_two_hundred_trials() -> None:
    assert {fault.name for fault in faults()} == INFLICTED.keys()
    assert sum(fault.trials for fault in faults()) >= 200
    assert len(planned(1)) == sum(fault.trials for fault in faults())
    assert planned(1) == planned(1) != planned(2)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="a small disk of its own needs root")
def test_faults_at_random_moments_of_web_audits_break_no_promise() -> None:
    plan = [fault for fault, batch in planned(7, only=SHORT) if batch == "web"][:TRIALS]
    ground = Ground(("web",))
    try:
        campaign = Campaign(ground, "short")
        campaign.undisturbed()
        for fault in plan:
            campaign.trial(fault, "web")
    finally:
        ground.close()
    broken = {name: tally.broken for name, tally in campaign.tallies.items() if tally.broken}
    assert not broken
    assert sum(tally.trials for tally in campaign.tallies.values()) >= TRIALS - 1


def test_the_clock_s_library_is_where_debian_puts_it() -> None:
    if not FAKETIME.exists():
        pytest.skip("libfaketime is not installed; only the whole campaign needs it")
    assert FAKETIME.is_file()
