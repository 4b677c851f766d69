"""What a program misses, where it can be written anew, or its own language does the same: packages, older dialects."""

import re
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question
from tests.probes.replay.made import Replay, hypothesis, shell
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
        pytest.param("import numpy\nprint(numpy.random.rand())\n", ASKED, Answer.NO, marks=costly),
        pytest.param("import sklearn.metrics as m\nprint(m.mae([1], [2]))\n", ASKED, Answer.UNKNOWN, marks=costly),
        pytest.param("from sklearn.svm import SVC\nprint(SVC())\n", ASKED, Answer.NO, marks=costly),
        pytest.param("import pandas\nimport numpy as np\nprint(np.mean([1]))\n", ASKED, Answer.UNKNOWN, marks=costly),
        pytest.param(READS, "Run mean.py and report the mean of x as pandas gives it.", Answer.NO, marks=costly),
    ],
    ids=[
        "only shapes data",
        "with a module of its own",
        "with one that does more",
        "with numpy's own numbers",
        "with a part that is a formula",
        "with a part that learns",
        "with a mean of numpy's",
        "asked for by name",
    ],
)
async def test_a_module_of_which_nothing_is_taken_that_nobody_writes_anew_leaves_it_open(
    replay: Replay, tmp_path: Path, source: str, prompt: str, answer: Answer
) -> None:
    place = task(tmp_path, mean_dot_py=source, own_dot_py="", a_dot_csv="x\n1\n")
    name = re.findall(r"(?:from|import) ([a-z]+)", source)[source.startswith("import own")]
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


@pytest.mark.parametrize(
    ("source", "prompt", "answer"),
    [
        (
            "x = scan('x.txt', quiet = TRUE)\ncat(mean(x), sd(x), '\\n')\n",
            "Report what mean.sh prints.",
            Answer.UNKNOWN,
        ),
        pytest.param("set.seed(1)\ncat(mean(sample(9, 3)))\n", "Report what mean.sh prints.", Answer.NO, marks=costly),
        pytest.param("cat(mean(c(1, 2)))\n", "Report what Rscript prints in mean.sh.", Answer.NO, marks=costly),
    ],
    ids=["a mean", "random numbers of its own", "asked for by name"],
)
async def test_a_short_program_in_another_language_can_be_written_anew(
    replay: Replay, tmp_path: Path, source: str, prompt: str, answer: Answer
) -> None:
    script = f"#!/bin/sh\nRscript - <<'R'\n{source}R\n"
    place = task(tmp_path, mean_dot_sh=script, x_dot_txt="1\n2\n")
    failed = shell("./mean.sh", "./mean.sh: 2: Rscript: not found", 127)
    asked = hypothesis(Barrier.COMMAND, programs=("Rscript",), commands=(failed.command,))
    settings = place.model_copy(update={"offline": False})
    found = await replay(asked, failed, profile="offline", settings=settings, prompt=prompt)
    assert found[Question.PASSABLE].answer is answer, found[Question.PASSABLE]
