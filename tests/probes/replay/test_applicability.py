"""A ladder of which nothing applies proves as much as one that failed, once everything else was measured."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cases import Events
from probes import Answer, Barrier, Finding, Question, Settings
from probes.barriers import RoutePlan
from probes.contract import FindingMaker
from probes.model import Control, Route, Tier
from probes.replay import ReplayProbe
from probes.replay.deriving import subject_of
from probes.replay.findings import findings
from probes.replay.resources.outcome import Lifted, Outcome, Replayed, Tried
from probes.replay.target.model import ReplayTarget
from sandboxes import Executed
from tests.probes.replay.made import context, hypothesis, shell

FAILED = shell("pip install six", "ERROR: No matching distribution found for six", 1)
DONE = Executed(
    "pip install six", 1, str(FAILED.output), timed_out=False, oom=False, seconds=1, truncated=False, sha256=""
)
GONE = Lifted("network", worked=True, gone=True, observed="the same command succeeds")
STAYS = Lifted("network", worked=False, gone=False, observed="the same command still fails in the same way")


def tried(name: str, result: str, note: str, tier: Tier = Tier.T2) -> Tried:
    plan = RoutePlan(id=name, tier=tier, commands=(), source="synthetic")
    return Tried(plan, Route.model_validate({"id": name, "tier": tier, "result": result, "note": note}))


ABSENT = tried("debs-unpacked", "not_applicable", "there is no dpkg here")
FORBIDDEN = tried("index", "not_permitted", "needs a network, and the agent had none (profile)")
BYPASS = tried("break-system-packages", "not_permitted", "a policy bypass", Tier.T3)
UNTRIED = tried("on-disk", "not_tried", "no time was left")


def passable(tmp_path: Path, routes: list[Tried], lifted: Lifted, *, shell: bool = True) -> Finding:
    made = context(tmp_path, "offline", Events(commands=(FAILED,)), AsyncExitStack(), Settings())
    subject = subject_of(hypothesis(Barrier.PIP, packages=("six",)), made)
    assert isinstance(subject, ReplayTarget)
    value = made.envelope.shell.model_copy(update={"value": shell})
    network = Control(name="a known-good install from the same index", expected="", observed="", passed=True)
    outcome = Outcome(
        replays=[Replayed("pip install six", reconstructed=False, done=DONE, same=True, found=())],
        tried=routes,
        lifted=lifted,
        network_control=network,
    )
    envelope = made.envelope.model_copy(update={"shell": value})
    found = findings(subject, outcome, envelope, FindingMaker(ReplayProbe(), hypothesis(Barrier.PIP)))
    return next(finding for finding in found if finding.question is Question.PASSABLE)


@pytest.mark.parametrize(
    ("routes", "lifted", "answer"),
    [
        ([ABSENT, FORBIDDEN], GONE, Answer.NO),
        ([ABSENT, FORBIDDEN], STAYS, Answer.UNKNOWN),
        ([ABSENT, UNTRIED], GONE, Answer.UNKNOWN),
        ([BYPASS], GONE, Answer.UNKNOWN),
        ([], GONE, Answer.UNKNOWN),
    ],
)
def test_where_no_route_applies_it_is_impassable_only_if_lifting_helps_and_nothing_is_open(
    tmp_path: Path, routes: list[Tried], lifted: Lifted, answer: Answer
) -> None:
    assert passable(tmp_path, routes, lifted).valid_answer is answer


def test_each_route_s_reason_is_said(tmp_path: Path) -> None:
    summary = passable(tmp_path, [ABSENT, FORBIDDEN], GONE).summary
    assert "debs-unpacked: there is no dpkg here; index: needs a network" in summary


def test_who_has_no_shell_may_have_ways_that_no_ladder_knows(tmp_path: Path) -> None:
    assert passable(tmp_path, [ABSENT, FORBIDDEN], GONE, shell=False).valid_answer is Answer.UNKNOWN
