"""What a program misses, where its own language does the same work: other packages, or an older dialect."""

from pathlib import Path

import pytest

from probes import Answer, Question
from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_documented_in_containers import results, task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

costly = pytest.mark.exhaustive
READS = "import pandas\nprint(pandas.read_csv('a.csv').x.mean())\n"
ASKED = "Run mean.py and report the mean of x."
OLD = "import string\nprint string.maketrans('a', 'b'), {}.has_key(1)\n"


@pytest.mark.parametrize(
    ("source", "prompt", "answer"),
    [
        (READS, ASKED, Answer.UNKNOWN),
        pytest.param(f"import own\n{READS}", ASKED, Answer.UNKNOWN, marks=costly),
        pytest.param(f"{READS}import nltk\n", ASKED, Answer.NO, marks=costly),
        pytest.param(READS.replace("pandas", "numpy"), ASKED, Answer.NO, marks=costly),
        pytest.param("import pandas\nimport numpy as np\nprint(np.mean([1]))\n", ASKED, Answer.UNKNOWN, marks=costly),
        pytest.param(READS, "Run mean.py and report the mean of x as pandas gives it.", Answer.NO, marks=costly),
    ],
    ids=[
        "only shapes data",
        "with a module of its own",
        "with one that does more",
        "with what numpy alone has",
        "with a mean of numpy's",
        "asked for by name",
    ],
)
async def test_a_module_whose_work_python_does_by_itself_leaves_it_open(
    replay: Replay, tmp_path: Path, source: str, prompt: str, answer: Answer
) -> None:
    place = task(tmp_path, mean_dot_py=source, own_dot_py="", a_dot_csv="x\n1\n")
    name = source.split("import ")[1 + source.startswith("import own")].split(maxsplit=1)[0]
    error = f"ModuleNotFoundError: No module named '{name}'"
    finding = await told(replay, place, prompt, shell("python3 mean.py", error, 1))
    assert finding.question is Question.PASSABLE
    assert finding.answer is answer, finding


@pytest.mark.parametrize(
    ("source", "comes"),
    [
        pytest.param(OLD, "not_tried", marks=costly),
        pytest.param("print 7 / 2\n", "passed", marks=costly),
        pytest.param("print 'no end\n", "failed", marks=costly),
    ],
    ids=["has the syntax alone", "does the same", "is no Python"],
)
async def test_a_script_for_python_2_that_can_be_translated_leaves_it_open(
    replay: Replay, tmp_path: Path, source: str, comes: str
) -> None:
    error = "bash: line 1: python2: command not found"
    failed = shell("python2 old.py", error, 127)
    finding = await told(replay, task(tmp_path, old_dot_py=source), "Run old.py and report what it prints.", failed)
    assert results(finding)["another-dialect"] == comes, finding
