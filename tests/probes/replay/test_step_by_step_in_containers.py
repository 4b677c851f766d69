"""A shell script of the task's that fails at one of its steps: what it makes without that step."""

from pathlib import Path

import pytest

from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_documented_in_containers import results, task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

TABLE = "print('north,0.31')\n"
FIGURE = "import cartographer\n"
NO_INDEX = "ERROR: No matching distribution found for cartographer==0.20.2"
FIRST = "#!/bin/bash\nset -euo pipefail\npip install --no-index -r requirements.txt\nmkdir -p results\n"
REST = "python3 table.py > results/table2.csv\npython3 figure.py > results/figure.svg\n"
READS = "python3 -c 'print(open(\"model.txt\").read())'"
BEHIND = f"python3 figure.py && echo 1 > model.txt\n{READS} > table2.csv\n"
PRINTED = "#!/bin/sh -e\npython3 figure.py\necho step 2 of 2\npython3 table.py\n"


@pytest.mark.parametrize(
    ("script", "prompt", "comes"),
    [
        (FIRST + REST, "Report the mean for north of Table 2.", "passed"),
        (FIRST + REST, "Report the mean for north.", "not_tried"),
        ("#!/bin/sh -e\n" + BEHIND, "Report the mean of Table 2.", "failed"),
        (PRINTED, "Report the mean for north.", "not_tried"),
        (PRINTED.replace("python3 table.py", "ls -l"), "Report the mean for north.", "failed"),
    ],
    ids=["makes what is asked for", "makes something", "needs the step", "prints something", "only says something"],
)
async def test_past_the_failing_step_of_a_script_what_the_prompt_names_is_a_way_and_all_else_leaves_it_open(
    replay: Replay, tmp_path: Path, script: str, prompt: str, comes: str
) -> None:
    files = {
        "run_dot_sh": script,
        "table_dot_py": TABLE,
        "figure_dot_py": FIGURE,
        "requirements_dot_txt": "cartographer\n",
    }
    finding = await told(replay, task(tmp_path, **files), prompt, shell("./run.sh", NO_INDEX, 1))
    assert results(finding)["step-by-step"] == comes, finding
