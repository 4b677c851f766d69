"""The steps of CONTRIBUTING by which something is added touch no other file, and the program works with it."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("cases", "sandboxes", "probes", "graph", "evidence", "verify")
NAME = re.compile(r"\b(?:NAME|BARRIER)\b")
CASE = """
from cases import Block, Case, Outcome, Run, Task, Transcript
blocks = (Block(index=0, role="tool", kind="result", text="Observation:\\n" + SAID),)
run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=blocks), source="synthetic")
case = Case(benchmark="corebench_hard", task_id="t", task=Task(), runs=(run,))
"""


@dataclass
class Tree:
    """A copy of the program, and the files that somebody has touched there."""

    folder: Path
    heading: str
    """Of the steps that are taken."""
    touched: set[str] = field(default_factory=set)

    @property
    def unnamed(self) -> set[str]:
        """Files that were touched though no step names them."""
        steps = (
            (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(f"\n### {self.heading}\n")[2].partition("\n#")[0]
        )
        named = [NAME.sub(r"\\w+", re.escape(path)) for path in re.findall(r"`(\S+/\S+)`", steps)]
        return {name for name in self.touched if not any(re.fullmatch(path, name) for path in named)}

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        assert not path.exists(), name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        self.touched.add(name)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1, (name, old)
        path.write_text(text.replace(old, new), "utf-8")
        self.touched.add(name)

    def says(self, script: str) -> list[str]:
        """The lines that a script prints in it."""
        assert not self.unnamed
        done = subprocess.run(
            [sys.executable, "-c", f"import cases\nassert cases.__file__.startswith({str(self.folder)!r})\n{script}"],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def tree(tmp_path: Path, request: pytest.FixtureRequest) -> Tree:
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    return Tree(tmp_path, request.param)


DONGLE = """
title = "a program finds no dongle"
named = "the program {about} finds no dongle"
about = "programs"
locus = "image build"
rubric = { environmental_barrier = "3.1" }
probes = ["transcript", "peers", "replay"]
passable = ["replay"]

[[signature]]
where = ["output", "replay"]
failure = "no dongle"
pattern = '''(?P<subject>[\\w-]+): no dongle was found'''
source = "a test"
catches = ["«solver»: no dongle was found"]
misses = ["a dongle was found"]

[issue]
fix = "Put the dongle of {about} into the image."
intended = "The task may want another program."
source = "a test"

[ladder]
goal = ["{command}"]

[[ladder.route]]
id = "free-edition"
tier = "T2"
commands = ["export EDITION=free"]
source = "a test"
"""
PROPOSED = f"""
SAID = "solver: no dongle was found"{CASE}
from graph.classifier import classify
from cases.events import events_of
from probes.barriers import entry, ladder_of, titled
from probes.replay.handlers import handler_of
[found], _ = classify(case, {{"r1": events_of(run.transcript)}}, "auto")
known = entry(found.barrier)
print(found.barrier, found.category, titled(found), handler_of(found.barrier).noun, sep="|")
print([one.wrong() for one in known.signature], known.issue.fix, [one.id for one in ladder_of(found.barrier).route])
"""


@pytest.mark.parametrize("tree", ["A barrier"], indirect=True)
@pytest.mark.parametrize("own_kind", [False, True])
def test_a_barrier_is_its_name_its_file_and_where_it_is_replayed_otherwise_a_class(tree: Tree, own_kind: bool):
    unspecified = '    UNSPECIFIED = "unspecified"\n'
    tree.edit("probes/model.py", unspecified, f'    DONGLE = "dongle"\n{unspecified}')
    tree.write("probes/barriers/dongle.toml", DONGLE)
    if own_kind:
        tree.write(
            "probes/replay/handlers/dongle.py",
            "from probes.model import Barrier\nfrom probes.replay.handlers.base import BarrierHandler\n\n\n"
            'class Dongle(BarrierHandler):\n    barriers = (Barrier.DONGLE,)\n    noun = "dongle"\n',
        )
    noun = "dongle" if own_kind else "command"
    assert tree.says(PROPOSED) == [
        f"dongle|Missing system headers|the program `solver` finds no dongle|{noun}",
        "[[]] Put the dongle of {about} into the image. ['free-edition']",
    ]


ECHO = '''
"""A probe that knows a way."""

from probes.contract import FindingMaker, ReadingProbe
from probes.model import Answer, Control, Ground, Question, Route, Tier


class EchoProbe(ReadingProbe):
    name = "echo"
    ground = Ground.TEXT

    async def __call__(self, hypothesis, context):
        control = Control(name="echo", expected="yes", observed="yes", passed=True)
        route = Route(id="echoed", tier=Tier.T2, commands=("echo",), result="passed")
        make = FindingMaker(self, hypothesis)
        return [make(Question.PASSABLE, Answer.YES, "Echoed.", tier=Tier.T2, controls=(control,), routes=(route,))]
'''
AUDITED = f"""
SAID = "ModuleNotFoundError: No module named 'm'"{CASE}
import asyncio
from pathlib import Path
from graph import AuditOptions, audit
from probes import ArtifactStore, Settings
done = asyncio.run(audit(case, AuditOptions(settings=Settings(offline=True)), ArtifactStore(Path("store"))))
print(done.verdict.status, *done.verdict.decisive)
"""


@pytest.mark.parametrize("tree", ["A probe"], indirect=True)
def test_a_probe_is_its_package_its_place_in_the_registry_and_its_name_at_a_barrier(tree: Tree):
    tree.write("probes/echo/__init__.py", ECHO)
    registry = (tree.folder / "graph" / "registry.py").read_text("utf-8")
    first = "from probes.archive import ArchiveProbe\n"
    tree.edit("graph/registry.py", registry, registry.replace(first, f"{first}from probes.echo import EchoProbe\n"))
    tree.edit("graph/registry.py", "    ReplayProbe(),\n", "    EchoProbe(),\n    ReplayProbe(),\n")
    tree.edit("probes/barriers/module.toml", '"peers", "replay"]', '"peers", "echo", "replay"]')
    [line] = tree.says(AUDITED)
    status, decisive = line.split(" ", 1)
    assert status == "not_supported"
    assert decisive.endswith("/echo/PASSABLE")


NOTES = '''
"""Runs noted on one line each."""

from pathlib import Path

from cases.model import Outcome, Run
from cases.readers.base import Found, RunRecord
from cases.readers.sniff import Head


class NotesReader:
    """Reads `!notes`."""

    name = "notes"
    signs = "its first word, !notes"
    omits = ""

    def recognises(self, head: Head) -> bool:
        return head.text.startswith("!notes")

    def read(self, path: Path) -> Found:
        found = Found()
        for line in path.read_text("utf-8").splitlines()[1:]:
            task, answer = line.split()
            run = Run(run_id="notes", outcome=Outcome.FAILED, answer=answer, source=str(path))
            found.runs.append(RunRecord("corebench_hard", task, run))
        return found
'''
READ = """
from pathlib import Path
from cases.library import Inputs, Library
Path("x.log").write_text("!notes\\nt1 42\\n")
library = Library.open(Inputs(runs=(Path("x.log"),)))
print(*[run.answer for task in library.tasks() for run in library.case(task).runs])
"""


@pytest.mark.parametrize("tree", ["A file format"], indirect=True)
def test_a_format_is_its_reader_its_place_in_the_registry_and_its_sample(tree: Tree):
    tree.write("cases/readers/notes.py", NOTES)
    name = "cases/readers/registry.py"
    imported = "from cases.readers.openhands import OpenHandsReader\n"
    tree.edit(name, imported, f"from cases.readers.notes import NotesReader\n{imported}")
    tree.edit(name, "    OutcomesReader(),\n", "    OutcomesReader(),\n    NotesReader(),\n")
    assert tree.says(READ) == ["42"]
