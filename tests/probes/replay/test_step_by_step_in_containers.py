"""What a command of the task's does without what it installs, and a script past its failing step."""

from pathlib import Path

import pytest

from probes import Barrier, Question
from tests.probes.replay.made import Replay, hypothesis, shell
from tests.probes.replay.test_documented_in_containers import results, task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

costly = pytest.mark.exhaustive
TABLE = "print('north,0.31')\n"
FIGURE = "import cartographer\n"
NO_INDEX = "ERROR: No matching distribution found for cartographer==0.20.2"
FIRST = "#!/bin/bash\nset -euo pipefail\npip install --no-index -r requirements.txt\nmkdir -p results\n"
REST = "python3 table.py > results/table2.csv\npython3 figure.py > results/figure.svg\n"
READS = "python3 -c 'print(open(\"model.txt\").read())'"
BEHIND = f"#!/bin/sh -e\npython3 figure.py && echo 1 > model.txt\n{READS} > table2.csv\n"
PRINTED = "#!/bin/sh -e\npython3 figure.py\necho step 2 of 2\npython3 table.py\n"
SUMMED = f"#!/bin/sh -e\nmkdir -p out\npython3 figure.py > model3.txt\necho '{'0a' * 16}  model3.txt' | md5sum -c -\n"
PIPED = "#!/bin/sh -e\npip install --no-index -r requirements.txt\npython3 figure.py | tee out.txt\n"
MAKE = "run: ready\n\tpython3 table.py\nready:\n\tpip install --no-index -r requirements.txt\n"
MADE = "make: *** [Makefile:4: ready] Error 1"
DRIVER = "import subprocess, sys\nrun = subprocess.check_call\n"
DRIVER += "run([sys.executable, '-m', 'pip', 'install', '--no-index', 'cartographer'])\nimport table\n"


@pytest.mark.parametrize(
    ("command", "text", "comes"),
    [
        ("./run.sh", FIRST + REST, "not_tried"),
        pytest.param("./run.sh", BEHIND, "failed", marks=costly),
        pytest.param("./run.sh", PRINTED, "not_tried", marks=costly),
        pytest.param("./run.sh", PRINTED.replace("python3 table.py", "ls -l"), "not_applicable", marks=costly),
        pytest.param("./run.sh", SUMMED, "failed", marks=costly),
        pytest.param("./run.sh", PIPED, "failed", marks=costly),
        pytest.param("make run", MAKE, "not_tried", marks=costly),
        pytest.param("python3 run.py", DRIVER, "not_tried", marks=costly),
        pytest.param("python3 run.py", DRIVER.replace("table", "figure"), "failed", marks=costly),
    ],
    ids=[
        "makes more",
        "needs it",
        "prints",
        "only says",
        "only compares",
        "fails in a pipe",
        "make",
        "Python",
        "needs what it installs",
    ],
)
async def test_what_works_without_installing_or_past_the_failing_step_leaves_it_open(
    replay: Replay, tmp_path: Path, command: str, text: str, comes: str
) -> None:
    name = {"./run.sh": "run_dot_sh", "make run": "Makefile"}.get(command, "run_dot_py")
    files = {"table_dot_py": TABLE, "figure_dot_py": FIGURE, "requirements_dot_txt": "cartographer\n", name: text}
    failed = shell(command, f"{NO_INDEX}\n{MADE}", 2) if command == "make run" else shell(command, NO_INDEX, 1)
    finding = await told(replay, task(tmp_path, **files), "Report the mean for north.", failed)
    assert results(finding)["step-by-step"] == comes, finding


LOOP = "#!/bin/sh -e\nfor n in 1 2 3; do\n  echo $n > in$n.txt\n  no-such-pw < in$n.txt > out$n.txt\ndone\n"


@pytest.mark.parametrize(
    ("text", "comes"),
    [(LOOP, "failed"), pytest.param(LOOP + "python3 table.py > table.csv\n", "not_tried", marks=costly)],
    ids=["more of the same kind", "something else behind it"],
)
async def test_what_each_round_of_a_loop_makes_before_a_missing_program_is_not_more(
    replay: Replay, tmp_path: Path, text: str, comes: str
) -> None:
    failed = shell("./run.sh", "./run.sh: 4: no-such-pw: not found", 127)
    asked = hypothesis(Barrier.COMMAND, programs=("no-such-pw",), commands=("./run.sh",))
    settings = task(tmp_path, run_dot_sh=text, table_dot_py=TABLE)
    found = await replay(asked, failed, profile="offline", settings=settings, prompt="Report the energy.")
    assert results(found[Question.PASSABLE])["step-by-step"] == comes, found[Question.PASSABLE]
