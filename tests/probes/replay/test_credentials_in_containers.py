"""A command that ends itself for want of a credential, on a machine without a network and on one that needs none."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
ASKS = """import os, sys, urllib.request
if not os.environ.get("LABEL_{kind}"):
    sys.exit("LABEL_{kind} is not set. See README.md.")
{then}
"""
FETCHES = "print(urllib.request.urlopen('https://labels.invalid/v1', timeout=20).read())"
SAYS_LITTLE = """
try:
    urllib.request.urlopen("https://labels.invalid/v1", timeout=20)
except OSError as error:
    raise ConnectionError("Connection error.") from error"""
RECKONS = "print(len(os.environ['LABEL_{kind}']))"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "then", "barrier", "passable"),
    [
        ("API_KEY", FETCHES, Barrier.NETWORK, Answer.NO),
        ("API_KEY", SAYS_LITTLE, Barrier.NETWORK, Answer.NO),
        ("API_KEY", RECKONS, None, Answer.UNKNOWN),
        ("FOLDER", FETCHES, None, Answer.UNKNOWN),
    ],
    ids=[
        "behind it a host that is not there",
        "which only what led to the exception tells",
        "behind it nothing",
        "no credential",
    ],
)
async def test_behind_a_credential_that_nobody_gave_the_host_that_is_not_there_counts(
    replay: Replay, tmp_path: Path, kind: str, then: str, barrier: Barrier | None, passable: Answer
) -> None:
    (tmp_path / "label.py").write_text(ASKS.replace("{then}", then).replace("{kind}", kind))
    said = f"LABEL_{kind} is not set. See README.md."
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 label.py",))
    found = await replay(
        asked,
        shell("python3 label.py", said, 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path),
        prompt="Run `python3 label.py` and report what it prints.",
    )
    assert found[PASSABLE].valid_answer is passable, found[PASSABLE]
    if barrier:
        assert found[PRESENT].barrier is barrier, found[PRESENT]
        assert f"because LABEL_{kind} is not set" in found[PRESENT].summary
