"""A real conda, against the lab's channels: `IMPASSABLE_CONDA=IMAGE pytest tests/probes/replay/test_real_conda.py`.

The image is of your own and has a conda on its PATH; `IMPASSABLE_CONDA_SOLVER` names one of its solvers. Every failure
is first met in it, so that the words are that conda's own, and is then given to the replay.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question
from sandboxes import ContainerPool, Engine, Spec
from tests.lab.conda import REJECTED_FOR_ALL, real_conda_image
from tests.probes.replay.made import Replay, hypothesis, shell

IMAGE, SOLVER = os.environ.get("IMPASSABLE_CONDA", ""), os.environ.get("IMPASSABLE_CONDA_SOLVER", "")
pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not IMAGE, reason="needs the name of an image with conda in it; see its module"),
]
PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
FORGE = "--override-channels -c conda-forge"
PROFILE = """name = "real-conda"
source = "the image that was named"
[envelope]
image = "{image}"
user = "{user}"
sudo = false
network = "none"
tools = ["execute_bash"]
shell = true
python = "3.12"
workdir = "/work"
"""
NO_ALIAS = "sed -i 's#file:///opt/lab/channels$#https://conda.invalid#' /etc/conda/.condarc"
OWN_PACKAGES_ONLY = """printf 'pkgs_dirs:\\n  - /opt/lab/pkgs\\n' >>/etc/conda/.condarc; mkdir -p /opt/lab/pkgs"""
ELSEWHERE = f"conda create -y -p /srv/envs/evalenv {FORGE} python labmod && chmod -R a+rX /srv/envs"
HOME_OF_ROOT = "chown -R root:root /home/agent && chmod 755 /home/agent"
WARM = """echo '127.0.0.1 repo.lab.test' >>/etc/hosts
mkdir /srv/warm && ln -s /opt/lab/channels/conda-forge /srv/warm/lab && cd /srv/warm
python3 -m http.server 80 >/dev/null 2>&1 & sleep 3
conda create -y -p /srv/once --override-channels -c http://repo.lab.test/lab labtool && rm -r /srv/once /srv/warm"""


@dataclass(frozen=True)
class Met:
    """One refusal, and what is true of it."""

    command: str
    barrier: Barrier = Barrier.CONDA
    route: str | None = None
    """The one that passes it; None where none does."""
    answer: Answer = Answer.YES
    world: str = "true"
    user: str = "agent"
    task: str = ""
    without: str = ""
    """A solver that does not refuse it."""


CASES = {
    "terms": Met("conda create -y -n analysis six labmod", Barrier.CONDA_TOS, "accept-named"),
    "terms-refused": Met(
        "conda create -y -n analysis six", Barrier.CONDA_TOS, answer=Answer.NO, world=f"{NO_ALIAS}; {REJECTED_FOR_ALL}"
    ),
    "terms-refused-but-for-another-channel": Met(
        "conda create -y -n analysis six", Barrier.CONDA_TOS, "conda-forge", world=REJECTED_FOR_ALL
    ),
    "home-of-root": Met("conda create -y -p ./env six", Barrier.CONDA_TOS, "home-elsewhere", world=HOME_OF_ROOT),
    "not-writable": Met(f"conda install -y {FORGE} six", route="own-prefix"),
    "a-program-that-knows-no-version": Met(f"conda install -y {FORGE} grufflab", route="own-prefix"),
    "no-environment-there": Met(f"mkdir -p env && conda install -y -p ./env {FORGE} six", route="own-prefix"),
    "no-package-cache": Met(f"conda create -y -p ./env {FORGE} six", route="pkgs-dirs", world=OWN_PACKAGES_ONLY),
    "in-another-channel": Met("conda tos accept; conda create -y -p ./env forgeonly", route="other-channel"),
    "own-pin": Met(f"conda create -y -p ./env {FORGE} numlab=3.0 six", route="unpinned"),
    "channel-that-is-none": Met(
        "conda create -y -p ./env --override-channels -c nosuchchannel six", route="other-channel"
    ),
    "shell-without-hook": Met("conda activate base && python -c 'import conda'", route="shell-hook"),
    "environment-elsewhere": Met(
        "conda run -n evalenv python -c 'import labmod'", route="environment-elsewhere", world=ELSEWHERE
    ),
    "environment-nowhere": Met(
        "conda run -n evalenv python -m vendorlab",
        answer=Answer.NO,
        task="Run python -m vendorlab in the conda environment evalenv.",
    ),
    "cache-that-is-warm": Met(
        "conda create -y -p ./env --override-channels -c http://repo.lab.test/lab labtool",
        route="offline",
        world=WARM,
        user="root",
        without="rattler",
    ),
    "in-no-channel": Met(
        f"conda create -y -p ./env {FORGE} vendorlab", answer=Answer.NO, task="Install vendorlab with conda."
    ),
    "name-that-nobody-asked-for": Met(
        f"conda create -y -p ./env {FORGE} nosuchpackagezz", answer=Answer.UNKNOWN, task="Install six with conda."
    ),
    "name-much-like-another": Met(
        f"conda create -y -p ./env {FORGE} forge-only", answer=Answer.UNKNOWN, task="Install forge-only with conda."
    ),
    "requirements-that-conflict": Met(
        f"conda create -y -p ./env {FORGE} plotlab oldlab", answer=Answer.UNKNOWN, task="Install plotlab and oldlab."
    ),
}


def refused(image: str, met: Met) -> str:
    """What the image's own conda says."""
    engine = Engine.connect(sweep=False)
    try:
        with (
            ContainerPool(engine) as containers,
            containers.start(Spec(image=image, user=met.user, workdir="/work")) as session,
        ):
            done = session.run(met.command)
    finally:
        engine.close()
    assert not done.ok, done.output
    return done.output


@pytest.mark.parametrize("name", CASES)
async def test_a_real_refusal_comes_out_as_it_is(replay: Replay, tmp_path: Path, name: str) -> None:
    met = CASES[name]
    if met.without and met.without == SOLVER:
        pytest.skip(f"{SOLVER} gets past it by itself")
    image = real_conda_image(IMAGE, SOLVER, met.world)
    profile = tmp_path / "profile.toml"
    profile.write_text(PROFILE.format(image=image, user=met.user), encoding="utf-8")
    failed = shell(met.command, refused(image, met), 1)
    found = await replay(hypothesis(met.barrier), failed, profile=str(profile), prompt=met.task or None)
    said = [(route.id, route.result, route.note) for route in found[PASSABLE].routes]
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT].summary
    assert found[PASSABLE].valid_answer is met.answer, (found[PASSABLE].summary, said)
    passed = [route for route, result, _ in said if result == "passed"]
    assert met.route in passed or not (met.route or passed), said
