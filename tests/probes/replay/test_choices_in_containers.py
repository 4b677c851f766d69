"""What the task's own text leaves to whoever does it: a placeholder, in whose place something else may work."""

from pathlib import Path

import pytest

from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_documented_in_containers import results, task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

WEIGHS = "import sys\nprint(len(open(sys.argv[2] + '/weights.bin').read()))\n"
MISSING = "FileNotFoundError: [Errno 2] No such file or directory: 'models/large/weights.bin'"
RUN = "python3 weigh.py --model models/large"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "files", "comes"),
    [
        ("Weigh one of them by `python3 weigh.py --model models/NAME`.", {"models__small": "8"}, "not_tried"),
        ("Weigh one of them by `python3 weigh.py --model models/NAME`.", {}, "not_applicable"),
        ("Weigh the large one by `python3 weigh.py --model models/NAME`.", {"models__small": "8"}, "not_applicable"),
        (f"Weigh it by `{RUN}`.", {"models__small": "8"}, "not_applicable"),
    ],
    ids=["another is there", "none is there", "the text says which", "no placeholder"],
)
async def test_another_that_fits_where_the_task_has_a_placeholder_leaves_it_open(
    replay: Replay, tmp_path: Path, prompt: str, files: dict[str, str], comes: str
) -> None:
    given = {f"{name}__weights_dot_bin": text for name, text in files.items()}
    place = task(tmp_path, weigh_dot_py=WEIGHS, models__large__config_dot_json="{}", **given)
    finding = await told(replay, place, prompt, shell(RUN, MISSING, 1))
    assert results(finding)["another-choice"] == comes, finding
