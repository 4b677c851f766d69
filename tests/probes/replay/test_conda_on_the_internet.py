"""A real Miniconda, where a registry and its channels can be reached: `IMPASSABLE_INTERNET=1 pytest -m internet`."""

import os
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Tier
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [
    pytest.mark.internet,
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not os.environ.get("IMPASSABLE_INTERNET"), reason="needs the open Internet; see its module"),
]
PROFILE = """
name = "miniconda"
source = "the image's own documentation"
[envelope]
image = "continuumio/miniconda3"
user = "root"
sudo = false
network = "open"
tools = ["execute_bash"]
shell = true
python = "3.13"
workdir = "/root"
"""
REFUSED = "\nCondaToSNonInteractiveError: Terms of Service have not been accepted for the following channels."


async def test_the_harness_s_own_container_is_built_as_it_is_and_has_what_its_sources_say(replay: Replay) -> None:
    looks = "git --version && wget --version && gcc --version && conda run -n agent_env python --version | grep 3.12"
    found = await replay(
        hypothesis(Barrier.CONDA_TOS), shell(f"{looks} && conda create -y -n b six", REFUSED, 1), profile="hal-image"
    )
    assert found[Question.PRESENT].valid_answer is Answer.NO, found[Question.PRESENT]  # the harness accepts them first


async def test_a_real_conda_s_terms_are_passed_by_what_its_error_says(replay: Replay, tmp_path: Path) -> None:
    path = tmp_path / "miniconda.toml"
    path.write_text(PROFILE, encoding="utf-8")
    failed = shell("conda create -y -n analysis -c defaults six", REFUSED, 1)
    found = await replay(hypothesis(Barrier.CONDA_TOS), failed, profile=str(path))
    assert found[Question.PRESENT].valid_answer is Answer.YES, found[Question.PRESENT]
    assert found[Question.PASSABLE].valid_answer is Answer.YES, found[Question.PASSABLE]
    assert found[Question.PASSABLE].tier is Tier.T1
