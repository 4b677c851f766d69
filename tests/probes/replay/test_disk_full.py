"""Whose disk is full: the run's, or only this machine's or our own limit."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import Events
from cases.task_words import PROMPT
from probes import Barrier, Settings
from probes.model import Value
from probes.replay.deriving import subject_of
from probes.replay.handlers.demands import Demand
from probes.replay.handlers.disk_full import DiskDetails, elsewhere, mounts, moved, named
from probes.replay.handlers.offers import Offers
from probes.replay.resources.outcome import Outcome, Replayed
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from sandboxes import Executed, Limits
from tests.probes.replay.made import context, hypothesis, shell

WORDS = "write error: No space left on device"
SIZED = {"envelope": {"tmpfs": {"value": ("/tmp:size=8m",), "origin": "profile"}}}
FULL = Executed(
    command="x", exit_code=1, output=WORDS, timed_out=False, oom=False, seconds=1.0, truncated=False, sha256=""
)


def subject(tmp_path: Path, command: str = "x > /tmp/out/a.bin") -> ReplayTarget:
    made = context(tmp_path, "offline", Events(commands=(shell(command, WORDS, 1),)), AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.DISK_FULL), made)
    assert isinstance(found, ReplayTarget)
    return found


@pytest.mark.parametrize(
    ("done", "profile", "doubt"),
    [
        (replace(FULL, disk_full=True), SIZED, None),
        (replace(FULL, disk_full=True), {}, "we do not know how large"),
        (replace(FULL, limit="disk"), SIZED, "this machine's"),
        (FULL, SIZED, "this machine's"),
        (replace(FULL, output="", limit="disk"), {}, "our own limit"),
        (replace(FULL, output="", limit="disk"), {"envelope": {"disk_mb": {"origin": "profile"}}}, None),
    ],
)
def test_only_a_disk_of_the_run_s_is_a_barrier(
    tmp_path: Path, done: Executed, profile: dict[str, object], doubt: str | None
) -> None:
    asked = subject(tmp_path)
    outcome = Outcome(replays=[Replayed("x", reconstructed=False, done=done, same=True, found=())], profile=profile)
    assert asked.handler.met(asked, done)
    found = asked.handler.meaningless(asked, outcome)
    assert (found is None) if doubt is None else doubt in str(found)


def test_the_run_s_own_room_takes_the_place_of_our_limit(tmp_path: Path) -> None:
    made = context(tmp_path, "offline", Events(), AsyncExitStack(), Settings()).envelope
    asked = subject(tmp_path)
    assert asked.handler.within(Limits(), made) == Limits()
    known = made.model_copy(update={"disk_mb": Value[int | None](value=50, origin="profile")})
    assert asked.handler.within(Limits(), known).disk_mb == 50


PACK = "python3 pack.py --input /srv/in/part.txt --output /scratch/out.bin --log /scratch/log"


def test_another_place_is_put_for_a_path_on_the_small_disk_and_for_no_other() -> None:
    assert mounts(("/tmp:size=8m", "/tmp/deeper/:size=1m")) == ["/tmp/deeper", "/tmp"]
    assert named(PACK, "/scratch") == ["/scratch/out.bin", "/scratch/log"]
    assert named("cd /scratch && x > /scratch.old/a > /scratchy", "/scratch") == ["/scratch"]
    assert named(PACK, "/tmp") == []
    assert moved("dd of=/scratch/out.bin", "/scratch/out.bin", "/home/agent") == "dd of=/home/agent/out.bin"


def test_each_path_is_moved_in_turn_and_at_last_all_that_lies_there() -> None:
    paths = [(path, "/scratch") for path in named(PACK, "/scratch")]
    ways = elsewhere(PACK, paths, "/home/agent").split(" || ")
    assert sum("--log ./log" in way and "/scratch/out.bin" in way for way in ways) == 1
    assert sum("--output /dev/shm/out.bin" in way for way in ways) == 1
    assert "cp -a /scratch/. /home/agent/.room-route-0/" in ways[-1]
    assert "--output /home/agent/.room-route-0/out.bin --log /home/agent/.room-route-0/log" in ways[-1]


@pytest.mark.parametrize("demand", [None, Demand(PROMPT, "/scratch/out.bin")])
def test_a_command_that_names_no_path_on_the_small_disk_leaves_a_route_untried_unless_the_task_demands_it(
    tmp_path: Path, demand: Demand | None
) -> None:
    made = context(tmp_path, "offline", Events(), AsyncExitStack(), Settings()).envelope
    asked = replace(subject(tmp_path, "python3 pack.py"), details=DiskDetails(demand=demand))
    missing = {plan.id for plan, _ in ladder_for(asked, made, "python3 pack.py", offline=False).missing}
    assert missing == (set() if demand else {"another-place-home", "another-place-here", "another-place-for-any"})


def test_what_a_script_reads_besides_leaves_a_full_disk_open(tmp_path: Path) -> None:
    asked = subject(tmp_path, "make all")
    outcome = Outcome(replays=[Replayed("make all", reconstructed=False, done=FULL, same=True, found=())])
    assert asked.handler.unsettled(asked, outcome) is None
    offering = replace(asked, details=DiskDetails(Offers(named="WORK")))
    assert "WORK" in str(asked.handler.unsettled(offering, outcome))


@pytest.mark.parametrize(("title", "sure"), [(PROMPT, True), (PROMPT, False), ("README.md", False)])
def test_a_place_that_is_only_spoken_of_leaves_a_full_disk_open(tmp_path: Path, title: str, sure: bool) -> None:
    demand = Demand(title, "/scratch/out.bin", sure)
    asked = replace(subject(tmp_path, "make all"), details=DiskDetails(demand=demand))
    outcome = Outcome(replays=[Replayed("make all", reconstructed=False, done=FULL, same=True, found=())])
    assert (asked.handler.unsettled(asked, outcome) is None) is sure
