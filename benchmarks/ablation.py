"""What each part of the program adds: the same labelled failures with parts of it really not run.

`python benchmarks/ablation.py [--at-once 1] [--levels abcdefg] [ID…]` from the repository's root. What a level cannot
refute it takes for impassable, as a reader of logs does, until it is the whole program, which has to prove it:

a  a signature in the log, and no probe
b  whatever failed in the log, and what the records say of it: transcript, peers, specification, scorer
c  and archive and browser
d  and the replay, without a way around tried and without a barrier lifted; it has to fail again
e  the whole program
f  the whole program, and a control that failed counts as one that passed
g  the whole program, and no signature matches anything: structure and facts only

κ is Cohen's against the truth. Leaves with 1 when a bar is missed.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import say
from cases.library import Inputs, Library
from graph import AuditOptions, audit
from graph.registry import PROBES
from graph.verdict import Audit
from probes import Answer, ArtifactStore, Finding, Question, Settings
from probes.barriers import Signature
from probes.replay.arms import running
from sandboxes import Engine
from verify.labelled import LabelledSet, World
from verify.labelled.formats import written
from verify.labelled.machine import image_of
from verify.labelled.recording import put_workspace
from verify.labelled.scores import kappa

SET = LabelledSet(Path(__file__).parent / "disputed")
SAMPLE = (
    "command-offline-by-thorough",
    "command-python-m",
    "data-in-archive",
    "data-overcome-later",
    "header-own-source",
    "module-offline",
    "own-removed-what-it-needed",
    "permission-demanded-path",
    "tool-gzip-cut-short",
    "way-json-without-jq",
)
LEVELS = "abcdefg"
RECORDS = ("transcript", "peers", "specification", "scorer")
PROBES_OF = {"a": (), "b": RECORDS, "c": (*RECORDS, "archive", "browser")}
WEAKER = 0.5
"""By how much less than the whole program's κ that of a signature alone has to be."""
LOST = 0.1
"""Of recall, without words."""


@contextmanager
def without(level: str) -> Iterator[None]:
    """Take away what a level does not have."""
    with ExitStack() as stack:
        if level == "d":
            for name in ("escape", "other_ways", "pass_as_in_run", "start_over", "lift"):
                stack.enter_context(patch.object(running, name, lambda *_: None))
        if level == "f":
            stack.enter_context(patch.object(Finding, "valid_answer", property(lambda one: one.answer)))
        if level == "g":
            stack.enter_context(patch.object(Signature, "found", lambda *_: iter(())))
        yield


def said(level: str, found: Audit) -> bool:
    """Whether a level calls it impassable."""
    if level in "efg":
        return found.verdict.status.value == "supported"
    by_words = [one for one in found.hypotheses if one.proposer != "structure" or level != "a"]
    return any(_stands(level, [item for item in found.findings if item.hypothesis == one.id]) for one in by_words)


def _stands(level: str, findings: list[Finding]) -> bool:
    """Whether nothing refutes a hypothesis, and what is to be measured was."""
    answers = {(one.question, one.valid_answer) for one in findings}
    refuted = {(Question.PRESENT, Answer.NO), (Question.PASSABLE, Answer.YES), (Question.CAUSED, Answer.NO)}
    again = any(one.question is Question.PRESENT and one.answer is Answer.YES for one in findings)  # nothing is lifted
    return not answers & refuted and (level != "d" or again)


def asked(job: tuple[str, World, str]) -> tuple[bool, bool]:
    """Truth, and what the level says of one world."""
    level, world, image = job
    probes = [one for one in PROBES if level not in PROBES_OF or one.name in PROBES_OF[level]]
    with tempfile.TemporaryDirectory(prefix="ablation-") as directory, without(level):
        folder = Path(directory)
        recording = SET.recording(world)
        assert recording
        told = written(world, recording)
        files = {told.name: told.text, "profile.toml": world.profile_toml(image), "outcomes.csv": told.outcomes}
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        settings: dict[str, Any] = {}
        if world.workspace is not None:
            put_workspace(world.workspace, folder / "workspace")
            settings["workspace"] = folder / "workspace"
        inputs = Inputs(runs=(folder / told.name,), outcomes=(folder / "outcomes.csv",) if told.outcomes else ())
        library = Library.open(inputs)
        options = AuditOptions(profile=str(folder / "profile.toml"), settings=Settings(**settings))
        case = library.case(library.tasks()[0])
        found = asyncio.run(audit(case, options, ArtifactStore(folder / "store"), probes=probes))
    return world.truth.status == "supported", said(level, found)


def main() -> int:
    """0 when every bar is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", type=int, default=1, metavar="N")
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("ids", nargs="*", default=SAMPLE, metavar="ID")
    given = parser.parse_args()
    worlds = [world for world in SET.worlds(given.ids) if SET.recording(world)]
    engine = Engine.connect()
    images = {world.id: image_of(world, SET, engine, later=True) for world in worlds}
    engine.close()
    kappas: dict[str, float] = {}
    recalls: dict[str, float] = {}
    with ProcessPoolExecutor(given.at_once) as pool:
        for level in given.levels:
            pairs = list(pool.map(asked, [(level, world, images[world.id]) for world in worlds]))
            true, hit = sum(true for true, _ in pairs), sum(true and one for true, one in pairs)
            false = sum(one and not true for true, one in pairs)
            kappas[level], recalls[level] = kappa(pairs) or 0.0, hit / true if true else 0.0
            text = (
                f"({level}) of {len(pairs)} failures, {true} of them impassable: {hit} found, {false} wrongly said so"
            )
            missed = [world.id for world, (is_so, one) in zip(worlds, pairs, strict=True) if is_so and not one]
            which = f"; missed: {', '.join(missed)}" if missed else ""
            say(f"{text}, κ {kappas[level]:.2f}{which}", false, 0 if level in "eg" else len(pairs))
    met = True
    if {"a", "e"} <= kappas.keys():
        less = kappas["e"] - kappas["a"]
        met &= say(
            f"κ of the whole above a signature's alone {less:.2f}, short of {WEAKER}", max(0.0, WEAKER - less), 0
        )
    if {"e", "g"} <= recalls.keys():
        lost = recalls["e"] - recalls["g"]
        met &= say(f"recall lost without words {lost:.2f}", lost, LOST)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
