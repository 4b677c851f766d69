"""`python -m tests.lab.model [ID…]`: every labelled world with models that are wrong on purpose; none may change it."""

import argparse
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor

from sandboxes import Engine
from tests.lab.disputed import DISPUTED
from verify.labelled import World
from verify.labelled.machine import image_of

from .comparing import Compared, compare
from .personas import ADVERSARIES


def main() -> int:
    """0 when nothing that decides differs in any world."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.model", description=__doc__)
    parser.add_argument("--at-once", type=int, default=1, metavar="N")
    parser.add_argument("ids", nargs="*", metavar="ID")
    given = parser.parse_args()
    worlds = [world for world in DISPUTED.worlds(given.ids) if DISPUTED.recording(world) is not None]
    engine = Engine.connect()
    images = {world.id: image_of(world, DISPUTED, engine) for world in worlds}
    engine.close()
    with ThreadPoolExecutor(given.at_once) as pool:
        found = [one for many in pool.map(lambda world: _told(world, images[world.id]), worlds) for one in many]
    bad = [one for one in found if not (one.same and one.computed and not one.again)]
    calls = statistics.median(one.assistance.calls for one in found)
    tokens = statistics.median(one.assistance.tokens_read + one.assistance.tokens_written for one in found)
    _tell(f"{len(found) - len(bad)} of {len(found)} audits equal, median {calls} calls and {tokens:.0f} tokens")
    return 1 if bad or not found else 0


def _told(world: World, image: str) -> list[Compared]:
    recording = DISPUTED.recording(world)
    assert recording
    found = compare(world, recording, image, ADVERSARIES)
    for one in found:
        spent = one.assistance
        mark = "ok" if one.same and one.computed and not one.again else "DIFFERENT"
        took = f"{spent.calls} calls, {spent.tokens_read + spent.tokens_written} tokens, {spent.proposed} proposed"
        _tell(f"{mark:9} {one.world:36} {one.model:11} {one.status:13} {took}, {one.again} requests the second time")
    return found


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
