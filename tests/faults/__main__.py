"""`python -m tests.faults [--seed S] [--share X] [NAME…]`: a campaign, told as it goes on."""

import argparse
import sys

from . import Campaign
from .campaign import planned
from .ground import Ground


def main() -> int:
    """0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--share", type=float, default=1.0, help="of the trials that faults.toml says")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    plan = planned(given.seed, given.share, tuple(given.names))
    ground = Ground(tuple({batch for _, batch in plan}))
    try:
        campaign = Campaign(ground, given.seed, lambda line: print(line, flush=True))  # noqa: T201
        campaign.undisturbed()
        campaign.run(iter(plan))
    finally:
        ground.close()
    return int(any(tally.broken for tally in campaign.tallies.values()))


sys.exit(main())
