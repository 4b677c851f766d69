"""Trials, each a program and one fault at a random moment, and what came of them."""

import json
import random
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from cases import ImpassableError
from evidence.checking import check
from evidence.recomputing import recompute
from verify.auditor import clear
from verify.config import Configuration

from .ground import ROOT, Ground
from .inflicting import INFLICTED, LOOK_SECONDS, TooLate, Trial, with_clock, worked

LONGEST_SECONDS = 1000
"""What a program may take, its fault included, before it counts as one that never ends: a replay has 900 seconds."""
FINISHED = 0.6
"""How much of an audit's share of the work is saved once it is finished; the rest is the program's own start."""
CRASHED = 70
MISSED = 4
"""Times that a fault may come too late in a row before its trial is given up."""


class Fault(BaseModel):
    """An entry of `faults.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    says: str
    on: tuple[str, ...]
    trials: int


def faults() -> tuple[Fault, ...]:
    """All of them."""
    told = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))
    return tuple(map(Fault.model_validate, told["fault"]))


@dataclass
class Tally:
    """What came of the trials of one fault."""

    trials: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """How the programs ended."""
    settled: Counter[str] = field(default_factory=Counter)
    """What the audits came to that ended with this fault."""
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    """Programs that never ended, or ended in an error of their own."""

    def told(self) -> dict[str, Any]:
        """As JSON."""
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in vars(self).items()}

    @property
    def broken(self) -> list[str]:
        """Every promise that was broken."""
        named = (("wrong", self.wrong), ("lost", self.lost), ("left", self.orphans), ("other", self.other))
        return [f"{name}: {one}" for name, found in named for one in found]


@dataclass
class _Course:
    """How far one batch is: its folder, and the audits that are finished."""

    number: int
    finished: list[dict[str, Any]] = field(default_factory=list)


class Campaign:
    """Goes on with a batch, one program and one fault after another, until all of its audits are finished."""

    def __init__(self, ground: Ground, seed: str, tell: Callable[[str], None] = lambda _: None) -> None:
        self._ground, self._seed, self._tell = ground, seed, tell
        self._courses: dict[str, _Course] = {}
        self._work: dict[str, float] = {}
        """Seconds of the processor that an undisturbed program takes: moments by them come at any load."""
        self._number = 0
        self.tallies: dict[str, Tally] = {}

    def undisturbed(self) -> None:
        """Every batch once without a fault: how long it takes, and that it comes out as it is true."""
        for name, batch in self._ground.batches.items():
            began = time.monotonic()
            with self._started(name, {}) as program:
                work = 0.0
                while program.poll() is None:
                    work = max(work, worked(program.pid))
                    time.sleep(LOOK_SECONDS)
                said = program.communicate()[1]
            self._work[name] = work
            found = {line["task_id"]: line["status"] for line in self._ledger(name)}
            assert found == batch.truth, f"{name}: {found} {said.decode()[-2000:]}"
            assert not (left := self._ground.left()), left
            took = f"{time.monotonic() - began:.0f} s, {work:.1f} s of the processor"
            self._tell(f"{name}: {len(found)} audits in {took}, undisturbed")
            self._anew(name)

    def trial(self, fault: Fault, batch: str) -> None:
        """One program and one fault; where that comes too late, another moment is drawn."""
        self._number += 1
        for attempt in range(MISSED):
            if self._one(fault, batch, random.Random(f"{self._seed} {self._number} {attempt}")):
                break

    def _one(self, fault: Fault, name: str, chance: random.Random) -> bool:
        """A trial; whether the fault came in time."""
        tally = self.tallies.setdefault(fault.name, Tally())
        if len(self._course(name).finished) == len(self._ground.batches[name].truth):
            self._anew(name)
        before = list(self._course(name).finished)
        through = fault.name in ("network cut", "network slowed")
        clock = with_clock(self._ground) if fault.name == "clock jumped" else {}
        share = 1 - len(before) / len(self._ground.batches[name].truth) * FINISHED
        with self._started(name, clock, through_line=through) as program:
            trial = Trial(self._ground, chance, name, program)
            heal, said = None, b""
            try:
                trial.wait(chance.uniform(0, self._work[name] * share))
                heal = INFLICTED[fault.name](trial)
                said = program.communicate(timeout=LONGEST_SECONDS)[1]
            except TooLate:
                said = program.communicate()[1]
            except subprocess.TimeoutExpired:
                program.kill()
                tally.other.append(f"{name}: it never ended")
            finally:
                if heal:
                    heal()
        tally.trials += bool(heal)
        self._judge(tally, name, before, program.returncode, said.decode(errors="replace"))
        what = f"{fault.name} {'' if heal else 'too late '}{name}"
        self._tell(f"{what}: {program.returncode}, {len(self._course(name).finished)} finished; {tally.broken}")
        return bool(heal)

    def _judge(self, tally: Tally, name: str, before: list[dict[str, Any]], code: int, said: str) -> None:
        after = self._ledger(name)
        if after[: len(before)] != before:
            tally.lost.append(f"{name}: {[line['task_id'] for line in before]} were finished")
        truth = self._ground.batches[name].truth
        for line in after[len(before) :]:
            task, status = line["task_id"], line["status"]
            tally.settled[status] += 1
            if status not in (truth[task], "inconclusive"):
                tally.wrong.append(f"{task} is {truth[task]}, said {status}")
        tally.lost += self._packs(name, after)
        tally.wrong += self._wrong_packs(name)
        self._course(name).finished = after
        tally.ended[str(code)] += 1
        if code == CRASHED or "Traceback" in said:
            tally.other.append(f"{name}: {said[-1500:]}")
        self._clear(name, after)
        tally.orphans += [f"{name}: {one}" for one in (*self._ground.left(), *self._unfinished(name, after))]
        self._ground.cleared()

    def _clear(self, name: str, lines: list[dict[str, Any]]) -> None:
        """As the next command does when it begins."""
        configuration = Configuration(out=self._out(name), state=self._state(name))
        clear(configuration, lambda: {line["pack"] for line in lines})

    def _unfinished(self, name: str, lines: list[dict[str, Any]]) -> list[str]:
        """Folders of audits that are finished."""
        folders = [path.name for path in self._state(name).glob("*") if path.is_dir()]
        done = tuple(f"{line['task_id']}-" for line in lines)
        return [f"directory state/{folder}" for folder in folders if done and folder.startswith(done)]

    def _packs(self, name: str, lines: list[dict[str, Any]]) -> list[str]:
        """Packs of finished audits that are not whole, or do not say what the ledger says."""
        found: list[str] = []
        for line in lines:
            pack = self._out(name) / line["pack"]
            for path in (pack, pack.with_name(f"{pack.name}.zip")):
                try:
                    again = recompute(check(path)).status.value
                except ImpassableError as error:
                    again = str(error)
                if again != line["status"]:
                    found.append(f"{path.name}: {again}")
        return found

    def _wrong_packs(self, name: str) -> list[str]:
        """Packs that support what is not so, also those of which no ledger speaks."""
        truth = self._ground.batches[name].truth
        found = []
        for path in self._out(name).glob("[!.]*/verdict.json"):
            status = json.loads(path.read_text("utf-8"))["status"]
            [task] = [task for task in truth if path.parent.name.startswith(f"{task}-")]
            if status == "supported" != truth[task]:
                found.append(f"{path.parent.name}, though {task} is {truth[task]}")
        return found

    def _started(self, name: str, more: dict[str, str], *, through_line: bool = False) -> "subprocess.Popen[bytes]":
        batch = self._ground.batches[name]
        command = [sys.executable, "-m", "verify", "audit", *batch.truth, *batch.arguments]
        env = {**self._ground.environment(through_line=through_line), **more}
        env["VERIFY_STATE"] = str(self._state(name))
        return subprocess.Popen(
            [*command, "--out", str(self._out(name)), "--rubric-json", "--quiet"],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def _ledger(self, name: str) -> list[dict[str, Any]]:
        path = self._out(name) / "ledger.jsonl"
        found: list[dict[str, Any]] = []
        for text in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
            try:
                line = json.loads(text)
            except ValueError:
                continue  # a kill has cut it off, and nobody was told of it
            found += [line] if line["line"] == "audit" else []
        return found

    def _course(self, name: str) -> _Course:
        return self._courses.setdefault(name, _Course(0))

    def _out(self, name: str) -> Path:
        return self._ground.disk / f"packs-{name}-{self._course(name).number}"

    def _state(self, name: str) -> Path:
        return self._ground.disk / f"state-{name}-{self._course(name).number}"

    def _anew(self, name: str) -> None:
        """The batch from its beginning; of what is finished nothing is kept."""
        for path in (self._out(name), self._state(name)):
            subprocess.run(["rm", "-rf", str(path)], check=True)
        self._courses[name] = _Course(self._course(name).number + 1)


def planned(seed: int, share: float = 1.0, only: tuple[str, ...] = ()) -> list[tuple[Fault, str]]:
    """So many trials of each fault as it says, or a share of them, over its batches in turn, shuffled."""
    plan = [
        (fault, fault.on[number % len(fault.on)])
        for fault in faults()
        if not only or fault.name in only
        for number in range(max(1, round(fault.trials * share)))
    ]
    random.Random(seed).shuffle(plan)
    return plan
