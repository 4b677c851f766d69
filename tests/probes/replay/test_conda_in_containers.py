"""Conda's refusals, met and passed for real: the lab's stand-in asks for the terms, rattler solves and installs."""

from pathlib import Path

import pytest

from probes import LIFTED, Answer, Barrier, Finding, Question, Settings, Tier
from tests.lab.conda import HOME_OF_ROOT, NO_ALIAS, REJECTED_FOR_ALL, WITH_MAMBA, conda_image
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
PROFILE = """
name = "lab"
source = "tests/lab/conda"
[envelope]
image = "{image}"
user = "agent"
sudo = false
network = "{network}"
tools = ["execute_bash"]
shell = true
python = "3.11"
workdir = "/work"
"""
CHANNEL = "file:///opt/lab/channels/pkgs/main"
REFUSED = f"""
CondaToSNonInteractiveError: Terms of Service have not been accepted for the following channels. Please accept or \
remove them before proceeding:
    • {CHANNEL}

To accept a channel's Terms of Service, run the following and replace `CHANNEL` with the channel name/URL:
    ‣ conda tos accept --override-channels --channel CHANNEL
"""


@pytest.fixture
def profile(tmp_path: Path):
    """Writes a profile of a world of the lab; returns its path."""

    def write(*worlds: str, network: str = "none") -> str:
        path = tmp_path / "lab.toml"
        path.write_text(PROFILE.format(image=conda_image(*worlds), network=network), encoding="utf-8")
        return str(path)

    return write


def results(finding: Finding) -> dict[str, str]:
    return {route.id: route.result for route in finding.routes}


@pytest.mark.exhaustive
async def test_terms_of_service_are_passed_by_what_the_error_itself_says(replay: Replay, profile) -> None:
    failed = shell("conda create -y -n analysis six labmod", REFUSED, 1)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed, profile=profile())
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert (found[PASSABLE].valid_answer, found[PASSABLE].tier) == (Answer.YES, Tier.T1)
    passed = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert passed.id == "accept-named"
    assert passed.commands[0] == f"conda tos accept --override-channels --channel {CHANNEL}"
    assert results(found[PASSABLE])["pretend-ci"] == "not_permitted"


@pytest.mark.exhaustive
async def test_every_route_around_the_terms_really_works_where_it_should(replay: Replay, profile) -> None:
    failed = shell("conda create -y -n analysis six", REFUSED, 1)
    where, thorough = profile(WITH_MAMBA, network="open"), Settings(thorough=True)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed, profile=where, settings=thorough)
    told = results(found[PASSABLE])
    works = ["accept-named", "accept-all", "auto-accept", "home-elsewhere", "conda-forge", "mamba", "pip"]
    assert {name: told[name] for name in works} == dict.fromkeys(works, "passed"), found[PASSABLE].routes
    assert [name for name, result in told.items() if result == "not_permitted"] == ["pretend-ci", "no-plugins"]


@pytest.mark.exhaustive
async def test_a_home_that_cannot_be_written_is_passed_by_another(replay: Replay, profile) -> None:
    output = f"\nCondaToSPermissionError: Unable to read/write path (/home/agent/.cache/x) for {CHANNEL}."
    failed = shell("conda create -y -p ./env six", output, 1)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed, profile=profile(HOME_OF_ROOT))
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert (found[PASSABLE].valid_answer, found[PASSABLE].tier) == (Answer.YES, Tier.T2), found[PASSABLE]
    told = results(found[PASSABLE])
    assert told["home-elsewhere"] == "passed"
    assert told["accept-all"] == told["auto-accept"] == "failed"


@pytest.mark.exhaustive
async def test_terms_refused_for_everybody_without_a_network_are_impassable(replay: Replay, profile) -> None:
    output = "\nCondaToSRejectedError: Terms of Service has been rejected for the following channels."
    failed = shell("conda create -y -n analysis six", output, 1)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed, profile=profile(REJECTED_FOR_ALL, NO_ALIAS))
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    told = results(found[PASSABLE])
    assert {told[name] for name in ("accept-all", "auto-accept", "home-elsewhere")} == {"failed"}
    assert {told[name] for name in ("pretend-ci", "no-plugins")} == {"not_permitted"}
    assert all(control.passed for control in (*found[PRESENT].controls, *found[PASSABLE].controls))


@pytest.mark.exhaustive
async def test_without_a_conda_nothing_is_said_of_it_but_pip_may_do(replay: Replay) -> None:
    failed = shell("conda install -y six", REFUSED, 1)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed)
    assert found[PRESENT].answer is Answer.UNKNOWN
    assert "there is no conda in the image" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    told = results(found[PASSABLE])
    assert told["pip"] == "passed"
    without = [route for route in found[PASSABLE].routes if route.result == "not_applicable"]
    assert {route.id for route in without} == {"accept-named", "accept-all", "auto-accept", "home-elsewhere", "mamba"}
    assert {route.note for route in without if route.id != "mamba"} == {"there is no conda here"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("command", "output", "route"),
    [
        (
            "conda install -y --override-channels -c conda-forge grufflab",
            "EnvironmentNotWritableError: The current user does not have write permissions to the target.\n",
            "own-prefix",
        ),
        (
            "CONDA_PKGS_DIRS=/usr conda create -y -p ./env --override-channels -c conda-forge six",
            "NoWritablePkgsDirError: No writeable pkgs directories configured.\n",
            "own-prefix",
        ),
        (
            "mkdir -p env && conda install -y -p ./env --override-channels -c conda-forge six",
            "DirectoryNotACondaEnvironmentError: The target directory exists, but it is not a conda environment.\n",
            "own-prefix",
        ),
        (
            "conda tos accept; conda create -y -p ./env forgeonly",
            "PackagesNotFoundError: The following packages are not available from current channels:\n\n  - forgeonly\n",
            "other-channel",
        ),
    ],
)
async def test_conda_s_other_refusals_are_passed(
    replay: Replay, profile, command: str, output: str, route: str
) -> None:
    found = await replay(hypothesis(Barrier.CONDA), shell(command, output, 1), profile=profile())
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(r.id for r in found[PASSABLE].routes if r.result == "passed") == route


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("task", "world", "network", "answer"),
    [
        (None, "true", "none", Answer.UNKNOWN),  # it may be a name of the run's own
        ("Install nosuchlab with conda.", "true", "none", Answer.NO),
        ("Install nosuchlab with conda.", "true", "indexes", Answer.UNKNOWN),  # an index may have it
        ("Install nosuchlab with conda.", "touch /srv/nosuchlab-1.0-py3-none-any.whl", "none", Answer.UNKNOWN),
    ],
)
async def test_a_name_that_no_channel_has_is_impassable_only_where_the_task_asks_for_it_and_nothing_may_bring_it(
    replay: Replay, profile, task: str | None, world: str, network: str, answer: Answer
) -> None:
    output = "PackagesNotFoundError: The following packages are not available from current channels:\n\n  - nosuchlab\n"
    command = "conda create -y -p ./env --override-channels -c conda-forge nosuchlab"
    where = profile(world, network=network)
    found = await replay(hypothesis(Barrier.CONDA), shell(command, output, 1), profile=where, prompt=task)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT].summary
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE].summary


@pytest.mark.exhaustive
async def test_a_goal_that_fails_with_the_barrier_removed_too_makes_nothing_impassable(replay: Replay, profile) -> None:
    output = "EnvironmentNotWritableError: The current user does not have write permissions to the target.\n"
    failed = shell("conda install -y --override-channels -c conda-forge brokelab", output, 1)
    found = await replay(hypothesis(Barrier.CONDA), failed, profile=profile())
    assert results(found[PASSABLE])["own-prefix"] == "failed"
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    lifted = next(control for control in found[PASSABLE].controls if control.name == LIFTED)
    assert "fails there too" in lifted.observed
