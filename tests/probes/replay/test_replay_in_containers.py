"""Failures of synthetic runs, tried again in real containers."""

from pathlib import Path

import pytest

from probes import LIFTED, Answer, Barrier, Question, Settings
from sandboxes import Engine
from sandboxes.owner import LABEL
from tests.probes.replay.made import Replay, hypothesis, python, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No container, snapshot or network of ours outlives an audit."""
    yield
    engine = Engine.connect(sweep=False)
    here = engine.owner.label().rpartition("|")[0]
    wanted = {"filters": {"label": LABEL}}
    left = [*engine.api.containers(all=True, **wanted), *engine.api.images(**wanted), *engine.api.networks(**wanted)]
    engine.close()
    assert [found["Id"] for found in left if found["Labels"][LABEL].startswith(here)] == []


@pytest.mark.exhaustive
async def test_a_program_that_pip_brings_is_passable(replay: Replay) -> None:
    failed = shell("meson setup build", "/bin/sh: 1: meson: not found", 127)
    found = await replay(hypothesis(Barrier.COMMAND, programs=("meson",)), failed)
    assert found[PRESENT].valid_answer is Answer.YES
    assert found[PASSABLE].valid_answer is Answer.YES
    route = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert "python3 -m pip install meson" in route.commands
    assert any("exit code" in limit for limit in found[PASSABLE].limits)  # there was never anything to set up


@pytest.mark.exhaustive
async def test_what_the_run_s_machine_did_not_have_is_taken_out_of_an_image_of_ours(replay: Replay) -> None:
    asked, failed = hypothesis(Barrier.COMMAND, programs=("git",)), shell("git init x", "sh: 1: git: not found", 127)
    without = await replay(asked, failed, profile="offline", prompt="Run `git init x`.")
    reached = await replay(asked, failed, prompt="Run `git init x`.")
    assert without[PRESENT].valid_answer is Answer.YES
    assert without[PASSABLE].answer is Answer.NO, without[PASSABLE]
    assert any("/usr/bin/git" in limit for limit in without[PASSABLE].limits)
    assert [route.id for route in reached[PASSABLE].routes if route.result == "passed"] == ["debs-unpacked"]


@pytest.mark.exhaustive
async def test_a_route_past_a_failure_that_was_not_met_here_proves_nothing(replay: Replay) -> None:
    failed = shell("curl -s http://127.0.0.1:9/x", "curl: (77) error setting certificate file: /x.pem", 77)
    found = await replay(hypothesis(Barrier.COMMAND, programs=("curl",)), failed)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


async def test_a_command_that_works_is_no_barrier_where_the_machine_is_known(replay: Replay) -> None:
    failed = shell("python3 -c 'import json'", "ModuleNotFoundError: No module named 'json'", 1)
    known = await replay(hypothesis(Barrier.MODULE, modules=("json",)), failed)
    assumed = await replay(hypothesis(Barrier.MODULE, modules=("json",)), failed, profile="assumed")
    assert known[PRESENT].valid_answer is Answer.NO
    assert PASSABLE not in known
    assert assumed[PRESENT].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_a_wrong_name_is_never_impassable(replay: Replay) -> None:
    output = "ERROR: No matching distribution found for surely-no-such-package-xyz"
    failed = shell("pip install surely-no-such-package-xyz", output, 1)
    found = await replay(hypothesis(Barrier.PIP, packages=("surely-no-such-package-xyz",)), failed)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    lifted = next(control for control in found[PRESENT].controls if control.name == LIFTED)
    assert not lifted.passed


@pytest.mark.exhaustive
async def test_an_old_pin_is_passed_without_the_pin(replay: Replay) -> None:
    output = "ERROR: No matching distribution found for six==1.15.0rc99"
    failed = shell("pip install six==1.15.0rc99", output, 1)
    found = await replay(hypothesis(Barrier.PIP, packages=("six==1.15.0rc99",)), failed)
    assert found[PASSABLE].valid_answer is Answer.YES
    assert next(route for route in found[PASSABLE].routes if route.result == "passed").id == "unpinned"


@pytest.mark.exhaustive
async def test_offline_tries_nothing_over_a_network_and_says_so(replay: Replay) -> None:
    failed = python("import googlemaps", "ModuleNotFoundError: No module named 'googlemaps'")
    asked = hypothesis(Barrier.MODULE, modules=("googlemaps",))
    found = await replay(asked, failed, settings=Settings(offline=True))
    assert found[PRESENT].valid_answer is Answer.YES  # a stand-in at the missing module's place lifts it
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    pip = next(route for route in found[PASSABLE].routes if route.id == "pip-user")
    assert pip.result == "not_tried"
    assert "offline" in pip.note


@pytest.mark.exhaustive
async def test_equal_runs_give_equal_words(replay: Replay) -> None:
    failed = shell("mkdir ../results", "mkdir: cannot create directory ‘../results’: Permission denied", 1)
    asked = hypothesis(Barrier.PERMISSION, paths=("../results",))
    first, second = await replay(asked, failed), await replay(asked, failed)
    assert [f.summary for f in first.values()] == [f.summary for f in second.values()]
    assert [f.controls for f in first.values()] == [f.controls for f in second.values()]


@pytest.mark.exhaustive
async def test_an_earlier_step_that_cannot_be_rebuilt_leaves_it_unknown(replay: Replay) -> None:
    earlier = shell("pip install ./vendored/googlemaps", "Successfully installed googlemaps", 0)
    failed = shell("python3 -c 'import googlemaps'", "ModuleNotFoundError: No module named 'googlemaps'", 1)
    asked = hypothesis(Barrier.MODULE, event=1, modules=("googlemaps",))
    found = await replay(asked, earlier, failed, profile="offline")
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "went differently in the run" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is not Answer.NO


MEMORY = """name = "memory-tmp"
title = "The machine without a network, with a /tmp in memory"
source = "made for this test"
extends = "offline"
[envelope]
tmpfs = ["/tmp:size=64m,mode=1777"]
"""


@pytest.mark.exhaustive
async def test_what_a_step_left_in_memory_is_missed_by_the_routes_and_so_leaves_it_open(
    replay: Replay, tmp_path: Path
) -> None:
    profile = tmp_path / "memory.toml"
    profile.write_text(MEMORY, encoding="utf-8")
    denied = shell("touch /srv/answer.txt", "touch: cannot touch '/srv/answer.txt': Permission denied", 1)
    asked = hypothesis(Barrier.PERMISSION, event=1, paths=("/srv/answer.txt",))
    told = {"profile": str(profile), "prompt": "Write the number 5 to /srv/answer.txt."}
    for left, answer in (("/tmp/x", Answer.UNKNOWN), ("x", Answer.NO)):
        found = await replay(asked, shell(f"echo 5 > {left}"), denied, **told)
        assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
        assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
        assert ("in memory" in found[PASSABLE].summary) is (answer is Answer.UNKNOWN)
