"""What leaves a barrier open, and what is no way past it: options, data and copies that are at hand."""

import gzip
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.exhaustive, pytest.mark.timeout(600)]

PASSABLE = Question.PASSABLE
UNREACHABLE = "OSError: [Errno 101] Network is unreachable"
SENDS = """import argparse, socket
parser = argparse.ArgumentParser()
parser.add_argument("month")
parser.add_argument("--publish", action="store_true")
given = parser.parse_args()
print("total", 42)
if given.publish:
    socket.create_connection(("10.4.0.17", 4000), 5)
"""
ASKS = """import socket, sys
host = socket.create_connection(("10.4.0.17", 4000), 5)
host.sendall(" ".join(sys.argv[1:]).encode())
print(host.makefile().read())
"""


def task(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / "task" / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "task"


async def passable(
    replay: Replay,
    folder: Path,
    barrier: Barrier,
    *steps: tuple[str, str, int],
    prompt: str,
    **targets: tuple[str, ...],
) -> Finding:
    asked = hypothesis(barrier, event=len(steps) - 1, commands=(steps[-1][0],), **targets)
    settings = Settings(offline=True, workspace=folder)
    done = [shell(*step).model_copy(update={"blocks": (place,)}) for place, step in enumerate(steps, 1)]
    return (await replay(asked, *done, profile="offline", settings=settings, prompt=prompt))[PASSABLE]


def results(finding: Finding) -> dict[str, str]:
    return {route.id: route.result for route in finding.routes}


@pytest.mark.parametrize(("asks", "answer"), [("", Answer.UNKNOWN), (" and --publish it", Answer.NO)])
async def test_an_option_that_the_prompt_does_not_mention_leaves_open_what_works_without_it(
    replay: Replay, tmp_path: Path, asks: str, answer: Answer
) -> None:
    failed = ("python3 report.py 2024-03 --publish", UNREACHABLE, 1)
    folder = task(tmp_path, report_dot_py=SENDS)
    prompt = f"Make the report of 2024-03 with report.py{asks}."
    finding = await passable(replay, folder, Barrier.COMMAND_FAILS, failed, prompt=prompt)
    assert finding.valid_answer is answer, finding


@pytest.mark.parametrize(("country", "answer"), [("Ostavia", Answer.UNKNOWN), ("Westland", Answer.NO)])
async def test_data_with_the_words_of_a_call_leave_the_host_that_it_asks_open(
    replay: Replay, tmp_path: Path, country: str, answer: Answer
) -> None:
    command = f"python3 fetch.py {country} 2019"
    rows = "".join(f"Ostavia\t{year}\t{year * 3}\n" for year in (2018, 2019, 2020))
    folder = task(tmp_path, fetch_dot_py=ASKS, offline__series_dot_tsv=rows)
    prompt = f"What was the product of {country} in 2019? `{command}` gets it from the service at 10.4.0.17."
    finding = await passable(replay, folder, Barrier.COMMAND_FAILS, (command, UNREACHABLE, 1), prompt=prompt)
    assert finding.valid_answer is answer, finding


@pytest.mark.parametrize(("other", "comes"), [("y2023", "not_applicable"), ("backup", "passed")])
async def test_a_copy_of_another_year_stands_in_for_nothing(
    replay: Replay, tmp_path: Path, other: str, comes: str
) -> None:
    folder = task(tmp_path, count_dot_py="import gzip, sys\nprint(len(gzip.open(sys.argv[1]).read()))\n")
    whole = gzip.compress(b"7.5\n" * 4000)
    for name, held in (("y2024", whole[: len(whole) // 2]), (other, whole)):
        (folder / name).mkdir()
        (folder / name / "readings.gz").write_bytes(held)
    command = "python3 count.py y2024/readings.gz"
    said = "EOFError: Compressed file ended before the end-of-stream marker was reached"
    prompt = f"Run `{command}` and report what it prints."
    finding = await passable(replay, folder, Barrier.COMMAND_FAILS, (command, said, 1), prompt=prompt)
    assert results(finding).get("copy-elsewhere", "not_applicable") == comes, finding


async def test_a_build_that_makes_nothing_without_the_run_s_edit_is_no_way(replay: Replay, tmp_path: Path) -> None:
    makefile = "counter: counter.src\n\tno-such-compiler counter.src -o counter\n"
    folder = task(tmp_path, Makefile=makefile, counter_dot_src="a\n", counter="old\n")
    missing = "make: no-such-compiler: No such file or directory\nmake: *** [Makefile:2: counter] Error 127"
    steps = (("sleep 1; echo A >> counter.src", "", 0), ("make", missing, 2))
    prompt = "Mend counter.src and rebuild the program with `make`."
    finding = await passable(replay, folder, Barrier.COMMAND, *steps, prompt=prompt, programs=("no-such-compiler",))
    assert "passed" not in results(finding).values(), finding


@pytest.mark.parametrize("writes", [True, False])
async def test_a_folder_stands_in_for_a_link_that_leads_nowhere_where_something_is_to_be_written_there(
    replay: Replay, tmp_path: Path, *, writes: bool
) -> None:
    made = "open('results/top.txt', 'w').write('1')" if writes else "import os\nprint(len(os.listdir('results')))"
    folder = task(tmp_path, run_dot_py=f"{made}\n")
    missed = "FileNotFoundError: [Errno 2] No such file or directory: 'results{}'".format("/top.txt" if writes else "")
    steps = (("ln -s /mnt/shared/results results", "", 0), ("python3 run.py", missed, 1))
    prompt = "Run `python3 run.py`; it must leave its words in results/top.txt."
    path = "results/top.txt" if writes else "results"
    finding = await passable(replay, folder, Barrier.MISSING_DATA, *steps, prompt=prompt, paths=(path,))
    assert (results(finding).get("folder-for-a-dangling-link") == "passed") is writes, finding
