"""The only file that is like a missing one, where the missing one is of a set."""

from pathlib import Path

import pytest

from probes import Answer
from tests.probes.replay.made import Replay, shell
from tests.probes.replay.test_documented_in_containers import task
from tests.probes.replay.test_given_otherwise_in_containers import told

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.exhaustive]

READS = "for site in ['bern', 'graz']:\n    print(len(open(f'data/cohort/visits_{site}.csv').readlines()))\n"
PROMISED = (
    "data/cohort has one file a site: visits_bern.csv and visits_graz.csv. Run table.py and report what it prints."
)


@pytest.mark.parametrize(
    ("source", "more", "answer"),
    [
        (READS, {}, Answer.NO),
        (READS.replace("'bern', 'graz'", "'bern'"), {}, Answer.UNKNOWN),
        (READS, {"data__of_graz_dot_csv": "pid\n1\n"}, Answer.UNKNOWN),
    ],
    ids=["another of the set is nowhere", "nothing else is missing", "another of the set may be there"],
)
async def test_the_only_file_like_the_first_of_a_set_is_not_the_set(
    replay: Replay, tmp_path: Path, source: str, more: dict[str, str], answer: Answer
) -> None:
    place = task(tmp_path, table_dot_py=source, data__example__visits_example_dot_csv="pid,visit\nX1,1\nX2,1\n", **more)
    (tmp_path / "task" / "data" / "cohort").symlink_to("/mnt/share/cohort")
    error = "FileNotFoundError: [Errno 2] No such file or directory: 'data/cohort/visits_bern.csv'"
    looked = shell("cat data/example/visits_example.csv", "pid,visit\nX1,1\nX2,1\n")
    finding = await told(replay, place, PROMISED, looked, shell("python3 table.py", error, 1))
    assert finding.answer is answer, finding
