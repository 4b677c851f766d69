"""A task in a public layout, once sound and broken in two ways; `tests/verify/test_oracle.py` has the third."""

import asyncio
import os
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.oracle.conftest import Ask
from tests.probes.oracle.made import BROKEN, terminal_bench, worked

pytestmark = [pytest.mark.docker, pytest.mark.slow]
ALONE = Settings(offline=True)
PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED


async def test_the_sound_one_is_passable_by_a_command_that_anybody_can_repeat(oracle: Ask, image: str, tmp_path: Path):
    folder = terminal_bench(tmp_path / "sum", image)
    found, verdict = await oracle(folder, settings=ALONE)
    assert (found[PRESENT].valid_answer, found[PASSABLE].valid_answer) == (Answer.NO, Answer.YES)
    (route,) = found[PASSABLE].routes
    assert (route.id, route.result) == ("reference-solution", "passed")
    lines = "\n".join(("set -e", *route.commands, "docker rmi --force oracle"))
    again = await asyncio.create_subprocess_exec(
        "bash", "-c", lines, env=os.environ | {"TASK": str(folder)}, stdout=PIPE
    )
    printed, _ = await again.communicate()
    assert again.returncode == 0, printed
    assert b"2 passed" in printed
    assert verdict.score == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("way", "said", "locus", "barrier"),
    [
        ("missing", "the program `frobnicate`, which the machine does not have", "image build", Barrier.COMMAND),
        ("blocked", "the host `data.example.org`, though the task's own files forbid", "harness", Barrier.NETWORK),
    ],
)
async def test_each_broken_one_is_told_by_what_was_measured(oracle, image, tmp_path, way, said, locus, barrier):
    failed = worked("cd /app", "echo 6 > sum.txt")
    found, verdict = await oracle(terminal_bench(tmp_path / way, image, **BROKEN[way]), failed, settings=ALONE)
    present = found[PRESENT]
    assert (present.valid_answer, present.locus, present.barrier) == (Answer.YES, locus, barrier), present
    assert said in present.summary
    assert "4 of 4 times" in present.summary
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    facts = [one.value for one in present.observations if one.name.startswith("facts of")]
    assert len(facts) == 3
    assert len(set(facts)) == 1
    assert "the solution met nothing" not in facts[0]
    assert found[CAUSED].valid_answer is Answer.UNKNOWN
    assert verdict.score == 0
    assert verdict.deficiency_exists
