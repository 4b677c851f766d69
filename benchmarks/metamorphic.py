"""The same runs told otherwise: what would be asked of reality must stay what it is, and so must every verdict.

`python benchmarks/metamorphic.py [--audit N] [--at-once 1] [ID…]` from the repository's root. Every world of
`benchmarks/disputed` is rewritten in every way of `verify/labelled/rewriting.py` and written out again; compared are
the hypotheses, but for the commands' spelling, which some rewritings change. With `--audit`, N of those that differ are
audited both ways and their statuses compared. Leaves with 1 when a bar is missed.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import say
from cases.events import events_of
from cases.library import Inputs, Library
from graph.classifier import classify
from verify.labelled import LabelledSet, Recording, World
from verify.labelled.benching import Bench
from verify.labelled.formats import written
from verify.labelled.rewriting import REWRITINGS

SET = LabelledSet(Path(__file__).parent / "disputed")
DIFFERENT_BAR = 0
"""Worlds."""
Asked = tuple[tuple[str, str], ...]


def asked_of(world: World, recording: Recording) -> Asked:
    """Barriers, and what each is about."""
    told = written(world, recording)
    with tempfile.TemporaryDirectory() as directory:
        run, outcomes = Path(directory, told.name), Path(directory, "outcomes.csv")
        run.write_text(told.text, "utf-8")
        outcomes.write_text(told.outcomes, "utf-8")
        library = Library.open(Inputs(runs=(run,), outcomes=(outcomes,) if told.outcomes else ()))
        [task] = library.tasks()
        case = library.case(task)
        events = {one.run_id: events_of(one.transcript) for one in case.runs if one.transcript}
        found, _ = classify(case, events, "auto", world.workspace)
    return tuple(sorted((one.barrier.value, one.targets.model_dump_json(exclude={"commands"})) for one in found))


def differing(worlds: list[tuple[World, Recording]]) -> Iterator[tuple[str, list[str], int]]:
    """Each rewriting with the worlds in which something else would be asked, and how many it changed at all."""
    plain = {world.id: asked_of(world, recording) for world, recording in worlds}
    for name, rewrite in REWRITINGS.items():
        changed = [(pair[0].id, new) for pair in worlds if (new := rewrite(*pair)) is not None and new != pair]
        yield name, [one for one, new in changed if asked_of(*new) != plain[one]], len(changed)


def main() -> int:
    """0 when every bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audit", type=int, default=0, metavar="N")
    parser.add_argument("--at-once", type=int, default=1, metavar="N")
    parser.add_argument("ids", nargs="*", metavar="ID")
    given = parser.parse_args()
    found = [(world, SET.recording(world)) for world in SET.worlds(given.ids)]
    worlds = [(world, recording) for world, recording in found if recording is not None]
    met, other = True, []
    for name, ids, count in differing(worlds):
        which = f": {', '.join(ids[:6])}{', …' if len(ids) > 6 else ''}" if ids else ""
        met &= say(
            f"{name}, {count} worlds rewritten: something else is asked in {len(ids)}{which}", len(ids), DIFFERENT_BAR
        )
        other += [(name, one) for one in ids]
    if given.audit:
        met &= _audited(other[:: max(1, len(other) // given.audit)][: given.audit], given.at_once)
    return 0 if met else 1


def _audited(pairs: list[tuple[str, str]], at_once: int) -> bool:
    """The statuses of some that differ."""
    wrong = []
    for name, world in pairs:
        said = [Bench(SET, at_once, 1, how, lambda _: None).run(SET.worlds([world])).tried[0] for how in (None, name)]
        if said[0].status != said[1].status:
            wrong.append(f"{world} {name}: {said[1].status} instead of {said[0].status}")
    which = f": {'; '.join(wrong)}" if wrong else ""
    return say(
        f"{len(pairs)} of those audited both ways: another status in {len(wrong)}{which}", len(wrong), DIFFERENT_BAR
    )


if __name__ == "__main__":
    sys.exit(main())
