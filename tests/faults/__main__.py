"""`python -m tests.faults [--seed S] [--share X] [--lane I/N] [--to FILE] [NAME…]`: a campaign, told as it goes on."""

import argparse
import json
import signal
import sys
from pathlib import Path

from . import Campaign
from .campaign import planned
from .ground import Ground


def main() -> int:
    """0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--share", type=float, default=1.0, help="of the trials that faults.toml says")
    parser.add_argument("--lane", default="1/1", metavar="I/N", help="every Nth trial, beginning with the Ith")
    parser.add_argument("--to", type=Path, metavar="FILE", help="tallies as JSON, written anew after each trial")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing stays mounted
    lane, lanes = map(int, given.lane.split("/"))
    plan = planned(given.seed, given.share, tuple(given.names))[lane - 1 :: lanes]
    ground = Ground(tuple({batch for _, batch in plan}))
    try:
        campaign = Campaign(ground, f"{given.seed} {given.lane}", _say)
        campaign.undisturbed()
        for fault, batch in plan:
            campaign.trial(fault, batch)
            if given.to:
                told = {name: tally.told() for name, tally in campaign.tallies.items()}
                given.to.write_text(json.dumps(told), "utf-8")
    finally:
        ground.close()
    return int(any(tally.broken for tally in campaign.tallies.values()))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


sys.exit(main())
