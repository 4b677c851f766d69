"""What only a whole series, the task's own later command or a comparison of both can show of a failure."""

import io
import tarfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
POOLED = """import os, sys
names = [f"subjects/s{number:02}.csv" for number in range(1, 19)]
there = [name for name in names if os.path.exists(name)]
print(f"{len(there)} of {len(names)} subjects")
if len(there) < len(names):
    sys.exit(21)
rows = [line for name in there for line in open(name)]
sys.exit(0 if rows else "no rows to pool")
"""
COUNTED = """import glob, sys
found = glob.glob("years/*.csv")
if len(found) < 16:
    sys.exit(f"a panel of {len(found)} years is none")
print(len(found))
"""


async def replayed(replay: Replay, task: Path, prompt: str, *steps: object, event: int) -> dict[Question, Finding]:
    asked = hypothesis(Barrier.COMMAND_FAILS, event=event, commands=(getattr(steps[event], "command", ""),))
    settings = Settings(offline=True, workspace=task)
    return await replay(asked, *steps, profile="offline", settings=settings, prompt=prompt)


@pytest.mark.exhaustive
async def test_files_of_which_none_alone_makes_a_difference_are_stood_in_for_together(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "pool.py").write_text(POOLED)
    (tmp_path / "README.md").write_text("`python3 pool.py` pools subjects/s01.csv to subjects/s18.csv.\n")
    failed = shell("python3 pool.py", "0 of 18 subjects", 21)
    found = await replayed(replay, tmp_path, "Run `python3 pool.py` on all 18 subjects.", failed, event=0)
    assert found[PRESENT].barrier is Barrier.MISSING_DATA, found[PRESENT]
    assert found[PRESENT].about.endswith(".csv")
    lifted = {control.name: control.passed for control in found[PRESENT].controls}
    assert lifted["works once the barrier is removed"], found[PRESENT].controls


@pytest.mark.exhaustive
async def test_one_file_of_a_series_that_is_missing_is_that_file(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text(POOLED)
    (tmp_path / "README.md").write_text("`python3 pool.py` pools subjects/s01.csv to subjects/s18.csv.\n")
    (tmp_path / "subjects").mkdir()
    for number in range(1, 18):
        (tmp_path / "subjects" / f"s{number:02}.csv").write_text("1\n")
    failed = shell("python3 pool.py", "17 of 18 subjects", 21)
    found = await replayed(replay, tmp_path, "Run `python3 pool.py` on all 18 subjects.", failed, event=0)
    assert found[PRESENT].about.endswith("/subjects/s18.csv"), found[PRESENT]


def years(whole: bool) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for year in range(2004, 2020):
            data = "".join(f"{number},{number * year % 9973}\n" for number in range(4000)).encode()
            entry = tarfile.TarInfo(f"years/{year}.csv")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue() if whole else packed.getvalue()[: len(packed.getvalue()) // 2]


UNPACK = "tar xzf years.tar.gz"
CUT = "gzip: stdin: unexpected end of file\ntar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now"


@pytest.mark.exhaustive
@pytest.mark.parametrize("reads", [True, False])
async def test_what_the_task_asks_for_is_seen_to_read_what_comes_of_damaged_data(
    replay: Replay, tmp_path: Path, reads: bool
) -> None:
    (tmp_path / "years.tar.gz").write_bytes(years(whole=False))
    (tmp_path / "panel.py").write_text(COUNTED if reads else "import sys\nsys.exit('a panel of no years is none')\n")
    prompt = "Run `python3 panel.py` and give what it prints."
    told = "a panel of 9 years is none" if reads else "a panel of no years is none"
    found = await replayed(replay, tmp_path, prompt, shell(UNPACK, CUT, 2), shell("python3 panel.py", told, 1), event=0)
    assert (found[PRESENT].barrier, found[PRESENT].about) == (Barrier.DAMAGED_DATA, "years.tar.gz"), found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, "the parts may be all that the task needs"
    seen = [one.value for finding in found.values() for one in finding.observations if one.name == "what reads it"]
    assert (", opens 0 of what" not in seen[0]) is reads, seen
    assert ("reads what" in found[CAUSED].summary) is reads, found[CAUSED]


NO_MODULE = "ModuleNotFoundError: No module named 'frobnicate'"
WISHED = shell("python3 -c 'import frobnicate'", NO_MODULE, 1)


@pytest.mark.exhaustive
async def test_the_file_that_the_task_asks_for_was_made_without_what_only_the_run_wanted(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "log.txt").write_text("a\nb\n")
    prompt = "Count the lines of log.txt into count.txt."
    counts = shell("wc -l < log.txt > count.txt")
    asked = hypothesis(Barrier.MODULE, event=0, modules=("frobnicate",), commands=(WISHED.command,))
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(asked, WISHED, counts, profile="offline", settings=settings, prompt=prompt)
    assert found[CAUSED].valid_answer is Answer.NO, found[CAUSED]
    made_up = shell("echo 5 > count.txt; cat log.text", "cat: log.text: No such file or directory", 1)
    found = await replay(asked, WISHED, made_up, profile="offline", settings=settings, prompt=prompt)
    assert CAUSED not in found, "a step that failed made nothing"
    on_it = shell("python3 -c 'import frobnicate' log.txt", NO_MODULE, 1)
    made_up = shell("echo 5 > count.txt")
    found = await replay(asked, on_it, made_up, profile="offline", settings=settings, prompt=prompt)
    assert CAUSED not in found, "what it was to work on never worked"


HALVES = """import sys
try:
    import iniconfig
    sys.stderr.write("with configuration\\n")
    MORE = int(sys.argv[1])
except ImportError:
    sys.stderr.write("warning: no iniconfig\\n")
    MORE = 0
print(40 + MORE)
"""


@pytest.mark.exhaustive
@pytest.mark.network
@pytest.mark.parametrize("more", ["0", "2"])
async def test_what_only_prepares_stopped_nothing_where_all_else_prints_the_same_without_the_barrier(
    replay: Replay, tmp_path: Path, more: str
) -> None:
    (tmp_path / "half.py").write_text(HALVES)
    (tmp_path / "README.md").write_text(f"    pip install iniconfig\n    python3 half.py {more}\n")
    installs = "pip install --retries 0 iniconfig"
    refused = (
        "WARNING: Retrying after connection broken by 'NewConnectionError('…: Failed to establish a new connection: "
        "[Errno -3] Temporary failure in name resolution')': /simple/iniconfig/\n"
        "ERROR: No matching distribution found for iniconfig"
    )
    asked = hypothesis(Barrier.PIP, event=0, packages=("iniconfig",), commands=(installs,))
    found = await replay(
        asked,
        shell(installs, refused, 1),
        shell(f"python3 half.py {more}", "warning: no iniconfig\n40", 0),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt=f"Install the requirements (`pip install iniconfig`), run `python3 half.py {more}`, report the number.",
    )
    same = more == "0"
    assert (CAUSED in found and found[CAUSED].valid_answer is Answer.NO) is same, found.get(CAUSED)


PREDICTS = """import struct, sys
weights = open("checkpoints/net.bin", "rb").read()
print(sum(struct.unpack("<4d", weights)))
"""
OF_NOTHING = """mkdir -p checkpoints && python3 - <<'E'
import random, struct
open("checkpoints/net.bin", "wb").write(struct.pack("<4d", *[random.Random(1).random() for _ in range(4)]))
E"""
OF_THE_TASK = """mkdir -p checkpoints && python3 - <<'E'
import struct
open("checkpoints/net.bin", "wb").write(struct.pack("<4d", *map(float, open("net.txt").read().split())))
E"""


OF_NO_CHANCE = """mkdir -p checkpoints && python3 - <<'E'
import struct
open("checkpoints/net.bin", "wb").write(struct.pack("<4d", 0, 0, 0, 0))
E"""
FETCHED = "Download `net.bin` from https://zoo.invalid/net.bin into checkpoints/.\n"
GIVEN = "The weights (`checkpoints/net.bin`) can be had on request.\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("maker", "readme", "answer"),
    [
        (OF_NOTHING, FETCHED, Answer.YES),
        (OF_NOTHING, GIVEN, Answer.YES),
        (OF_NO_CHANCE, GIVEN, None),
        (OF_THE_TASK, FETCHED, None),
    ],
    ids=["of nothing", "of nothing, on request", "perhaps as it begins", "of the task's data"],
)
async def test_what_works_only_on_a_stand_in_that_the_run_made_of_nothing_did_not_pass_the_barrier(
    replay: Replay, tmp_path: Path, maker: str, readme: str, answer: Answer | None
) -> None:
    (tmp_path / "predict.py").write_text(PREDICTS)
    (tmp_path / "net.txt").write_text("1 2 3 4")
    (tmp_path / "README.md").write_text(readme)
    steps = (
        shell("python3 predict.py", "No such file or directory: 'checkpoints/net.bin'", 1),
        shell(maker),
        shell("python3 predict.py", "2.1"),
    )
    asked = hypothesis(Barrier.MISSING_DATA, event=0, paths=("checkpoints/net.bin",), commands=("python3 predict.py",))
    settings = Settings(offline=True, workspace=tmp_path)
    prompt = "Run `python3 predict.py` with the published weights and report what it prints."
    found = await replay(asked, *steps, profile="offline", settings=settings, prompt=prompt)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert ((CAUSED in found and found[CAUSED].valid_answer) or None) is answer, found


SHARDS = """import json
index = json.load(open('model/index.json'))
parts = [open('model/' + name, 'rb').read() for name in index['shards']]
print('accuracy', round(sum(map(len, parts)) / 100, 4))
"""


@pytest.mark.exhaustive
async def test_a_list_that_the_command_had_read_promises_the_file_that_it_names(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "evaluate.py").write_text(SHARDS)
    (tmp_path / "model" / "index.json").write_text(
        '{"shards": ["part-1-of-3.bin", "part-2-of-3.bin", "part-3-of-3.bin"]}'
    )
    for number in (1, 3):
        (tmp_path / "model" / f"part-{number}-of-3.bin").write_bytes(bytes(range(40)))
    said = "FileNotFoundError: [Errno 2] No such file or directory: 'model/part-2-of-3.bin'"
    asked = hypothesis(Barrier.MISSING_DATA, event=0, paths=("model/part-2-of-3.bin",))
    command, settings = shell("python3 evaluate.py", said, 1), Settings(workspace=tmp_path)
    found = await replay(asked, command, profile="offline", settings=settings, prompt="Run `python3 evaluate.py`.")
    assert found[Question.PRESENT].valid_answer is Answer.YES, found[Question.PRESENT]
    assert found[Question.PASSABLE].valid_answer is Answer.NO, found[Question.PASSABLE]


ASKS = """import argparse, json, urllib.request
parser = argparse.ArgumentParser()
parser.add_argument('--data', default='questions.txt')
{settings}
with urllib.request.urlopen('http://api.models.example/v1/answers', timeout=9) as answer:
    replies = json.load(answer)
print(len(replies), sum(1 for _ in open(parser.parse_args().data)))
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("settings", "open_still"), [("", False), ("url = json.load(open('service.json'))['url']", True)]
)
async def test_only_settings_that_were_read_may_let_a_script_do_without_its_host(
    replay: Replay, tmp_path: Path, settings: str, open_still: bool
) -> None:
    (tmp_path / "ask.py").write_text(ASKS.format(settings=settings))
    (tmp_path / "questions.txt").write_text("one\ntwo\n")
    (tmp_path / "service.json").write_text('{"url": "", "stored": "on request"}')
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    command = shell("python3 ask.py", said, 1)
    asked, prompt = hypothesis(Barrier.COMMAND_FAILS, event=0), "Run `python3 ask.py` and report what it prints."
    given = Settings(workspace=tmp_path)
    found = await replay(asked, command, profile="offline", settings=given, prompt=prompt)
    assert found[Question.PRESENT].barrier is Barrier.NETWORK, found[Question.PRESENT]
    assert found[Question.PASSABLE].valid_answer is (Answer.UNKNOWN if open_still else Answer.NO)


@pytest.mark.exhaustive
async def test_a_variable_that_a_script_reads_leaves_its_host_open_whoever_named_the_failure(
    replay: Replay, tmp_path: Path
) -> None:
    settings = "import os\nif os.environ.get('ASK_STORED') == 'once':\n    raise SystemExit"
    (tmp_path / "ask.py").write_text(ASKS.format(settings=settings))
    (tmp_path / "questions.txt").write_text("one\ntwo\n")
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    asked = hypothesis(Barrier.NETWORK, event=0, hosts=("api.models.example",))
    prompt, given = "Run `python3 ask.py` and report what it prints.", Settings(workspace=tmp_path)
    found = await replay(asked, shell("python3 ask.py", said, 1), profile="offline", settings=given, prompt=prompt)
    assert found[Question.PASSABLE].valid_answer is Answer.UNKNOWN, found[Question.PASSABLE]


@pytest.mark.exhaustive
async def test_a_module_of_perl_s_is_passed_by_its_own_in_perl_and_open_where_another_lies_below_its_name(
    replay: Replay, tmp_path: Path
) -> None:
    for module, expected in (("JSON/XS", Answer.YES), ("Unicode", Answer.UNKNOWN), ("Text/CSV_XS", Answer.NO)):
        name = module.replace("/", "::")
        (tmp_path / "report.pl").write_text(
            f"use strict;\nuse {name};\nprint {name}->new ? 'made' : 'none', \"\\n\";\n"
        )
        said = f"Can't locate {module}.pm in @INC (you may need to install the {name} module) at report.pl line 2."
        command, given = shell("perl report.pl", said, 2), Settings(offline=True, workspace=tmp_path)
        asked = hypothesis(Barrier.COMMAND_FAILS, event=0)
        found = await replay(asked, command, profile="offline", settings=given, prompt="Run `perl report.pl`.")
        assert found[Question.PRESENT].barrier is Barrier.SUPPORT_FILE, found[Question.PRESENT]
        assert found[Question.PASSABLE].valid_answer is expected, found[Question.PASSABLE]
