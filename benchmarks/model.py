"""What a model's help takes: calls and tokens an audit on the lab, and requests of a second audit of the same.

`python benchmarks/model.py [--at-once 1] [ID…]` from the repository's root; the server is the lab's, so that tokens are
estimated (four characters each). Leaves with 1 when a bar is missed.
"""

import argparse
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sandboxes import Engine
from tests.lab.disputed import DISPUTED
from tests.lab.model.comparing import Compared, compare
from tests.lab.model.personas import ALWAYS_1
from verify.labelled.machine import image_of

CALLS_BAR = 2
SAMPLE = (
    "command-wrong-name",
    "data-never-promised",
    "example-5-output-format",
    "header-decoy-optional",
    "module-invented",
    "module-offline",
    "module-own-choice",
    "network-unknown-host",
    "permission-relative-path",
)


def main() -> int:
    """0 when every bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, default=1, metavar="N")
    parser.add_argument("ids", nargs="*", default=SAMPLE, metavar="ID")
    given = parser.parse_args()
    worlds = [world for world in DISPUTED.worlds(given.ids) if DISPUTED.recording(world)]
    engine = Engine.connect()
    images = {world.id: image_of(world, DISPUTED, engine) for world in worlds}
    engine.close()

    def measured(number: int) -> list[Compared]:
        recording = DISPUTED.recording(worlds[number])
        assert recording
        return compare(worlds[number], recording, images[worlds[number].id], {"always 1": ALWAYS_1})

    with ThreadPoolExecutor(given.at_once) as pool:
        found = [one for many in pool.map(measured, range(len(worlds))) for one in many]
    tokens = [one.assistance.tokens_read + one.assistance.tokens_written for one in found]
    calls = statistics.median(one.assistance.calls for one in found)
    again = sum(one.again for one in found)
    sys.stdout.write(
        f"{len(found)} audits: median {calls:g} calls (bar {CALLS_BAR}), median {statistics.median(tokens):.0f} and "
        f"at most {max(tokens)} tokens, {again} requests when audited again (bar 0)\n"
    )
    return 0 if calls <= CALLS_BAR and not again else 1


if __name__ == "__main__":
    sys.exit(main())
