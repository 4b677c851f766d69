"""A file that is not where the command looks: elsewhere, promised and absent, or nobody's promise."""

import hashlib
import unicodedata
from importlib.resources import files
from pathlib import Path

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, python, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
READ = "python3 code/main.py"
MISSING = "FileNotFoundError: [Errno 2] No such file or directory: '/data/prices.csv'"
ASKED = hypothesis(Barrier.MISSING_DATA, paths=("/data/prices.csv",))
PROMISE = "Run code/main.py. The prices are in /data/prices.csv."


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "task" / "code").mkdir(parents=True)
    (tmp_path / "task" / "code" / "main.py").write_text("print(len(open('/data/prices.csv').read()))\n")
    return tmp_path / "task"


def offline(workspace: Path | None) -> Settings:
    return Settings(offline=True, workspace=workspace)


@pytest.mark.exhaustive
async def test_a_promised_file_that_is_not_there_is_impassable(replay: Replay, task: Path) -> None:
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert "searched" in found[PASSABLE].summary


@pytest.fixture
def interpreter_alone(tmp_path: Path) -> str:
    """A machine whose agent has an interpreter and no shell."""
    written = tmp_path / "interpreter.toml"
    written.write_text(
        'name = "alone"\nextends = "offline"\n[envelope]\nshell = false\ntools = ["python_interpreter"]\n'
    )
    return str(written)


@pytest.mark.parametrize(("kept", "answer"), [(False, Answer.NO), (True, Answer.UNKNOWN)])
async def test_where_even_a_shell_finds_no_way_an_interpreter_has_none(
    replay: Replay, task: Path, interpreter_alone: str, kept: bool, answer: Answer
) -> None:
    if kept:
        (task / "old").mkdir()
        (task / "old" / "prices.csv").write_text("1,2\n")
    ran = python("print(len(open('/data/prices.csv').read()))", MISSING)
    found = await replay(ASKED, ran, profile=interpreter_alone, settings=offline(task), prompt=PROMISE)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
    assert ("needs a shell, and the agent had none" in found[PASSABLE].summary) is kept


@pytest.mark.exhaustive
@pytest.mark.parametrize(("beside", "answer"), [("prices.csv.enc", Answer.UNKNOWN), ("prices.csv.md5", Answer.NO)])
async def test_what_may_hold_it_in_another_form_leaves_it_open(
    replay: Replay, task: Path, beside: str, answer: Answer
) -> None:
    (task / beside).write_text("Salted__ 9")
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_file_that_nobody_promised_is_not_called_missing(replay: Replay, task: Path) -> None:
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt="Run it.")
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "says that" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_a_file_that_lies_elsewhere_is_found_and_used(replay: Replay, task: Path) -> None:
    (task / "environment" / "data").mkdir(parents=True)
    (task / "environment" / "data" / "prices.csv").write_text("1,2\n")
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    route = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert route.id == "path-put-right"  # an ordinary user may not link into /data
    assert any("/home/agent/environment/data/prices.csv" in limit for limit in found[PASSABLE].limits)


@pytest.mark.exhaustive
async def test_of_what_bears_the_name_or_has_the_told_size_only_the_file_itself_passes(
    replay: Replay, task: Path
) -> None:
    rows = "1,2\n" * 30
    (task / "MANIFEST.txt").write_text(f"/data/prices.csv {len(rows)}\n")
    (task / "old").mkdir()
    (task / "old" / "prices.csv").write_text("1,2\n")
    (task / "lfs").mkdir()
    (task / "lfs" / "prices.csv").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 120\n")
    arguments = {"profile": "offline", "settings": offline(task), "prompt": PROMISE}
    found = await replay(ASKED, shell(READ, MISSING, 1), **arguments)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "4 bytes instead of 120 bytes, as MANIFEST.txt says" in found[PASSABLE].summary
    assert any("pointer of Git LFS" in limit for limit in found[PASSABLE].limits)
    (task / "old" / "prices.csv").unlink()
    (task / "table.csv").write_text(rows)
    found = await replay(ASKED, shell(READ, MISSING, 1), **arguments)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(route for route in found[PASSABLE].routes if route.result == "passed").id == "path-put-right-by-size"


@pytest.mark.exhaustive
async def test_what_a_pointer_of_its_name_in_another_folder_points_to_may_be_it(replay: Replay, tmp_path: Path) -> None:
    rows = "1,2\n" * 30
    digest = hashlib.sha256(rows.encode()).hexdigest()
    task = tmp_path / "task"
    (task / "objects").mkdir(parents=True)
    (task / "objects" / digest).write_text(rows)
    (task / "lfs").mkdir()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(rows)}\n"
    (task / "lfs" / "prices.csv").write_text(pointer)
    asked = hypothesis(Barrier.MISSING_DATA, paths=("data/prices.csv",))
    read, said = "wc -l data/prices.csv", "wc: data/prices.csv: No such file or directory"
    prompt = "How many lines has data/prices.csv?"
    found = await replay(asked, shell(read, said, 1), profile="offline", settings=offline(task), prompt=prompt)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
async def test_what_a_script_of_the_task_may_make_is_not_called_missing(replay: Replay, task: Path) -> None:
    (task / "prepare.py").write_text("OUT = '/data/prices.csv'\nprint('1,2', file=open(OUT, 'w'))\n")
    (task / "more.rar").write_bytes(b"Rar!")
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "prepare.py, which came with the task, mentions the file" in found[PASSABLE].summary
    assert any("/home/agent/more.rar could not be listed" in limit for limit in found[PASSABLE].limits)


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        ("", Answer.NO),
        ("raise SystemExit(3)", Answer.UNKNOWN),
        ("import sys; print(sys.argv[1:])", Answer.UNKNOWN),
        ("def bring():\n    open('/data/prices.csv', 'w').write('1,2')", Answer.UNKNOWN),
    ],
    ids=["to its end", "not to its end", "by words that nobody gave it", "but for a line that writes"],
)
async def test_a_script_that_ran_and_made_nothing_of_it_leaves_nothing_open(
    replay: Replay, task: Path, last: str, answer: Answer
) -> None:
    writes = "open('notes.txt', 'w').write('the prices are read from /data/prices.csv')"
    (task / "notes.py").write_text(f"{writes}\n{last}\n")
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.parametrize(("stated", "answer"), [("", Answer.NO), ("${1:-all}", Answer.UNKNOWN)], ids=["none", "some"])
async def test_a_script_that_fetches_is_no_way_without_a_network_unless_it_takes_words(
    replay: Replay, task: Path, stated: str, answer: Answer
) -> None:
    fetch = (
        f'set -eu\n: "${{PRICES_USER:?who are you}}" {stated}\ncurl -fsS http://prices.example/ -o /data/prices.csv\n'
    )
    (task / "get.sh").write_text(fetch)
    found = await replay(ASKED, shell(READ, MISSING, 1), profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_without_the_task_s_files_nothing_is_said(replay: Replay) -> None:
    command = "python3 -c \"open('/data/prices.csv')\""
    found = await replay(ASKED, shell(command, MISSING, 1), profile="offline", settings=offline(None), prompt=PROMISE)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "give the task's files with --workspace" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_a_file_that_the_run_itself_removed_is_not_called_missing(replay: Replay, task: Path) -> None:
    (task / "prices.csv").write_text("1,2\n")
    removed, asked = shell("rm prices.csv"), hypothesis(Barrier.MISSING_DATA, event=1, paths=("prices.csv",))
    failed = shell("cat prices.csv", "cat: prices.csv: No such file or directory", 1)
    found = await replay(asked, removed, failed, profile="offline", settings=offline(task), prompt=PROMISE)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert "removed it" in found[PRESENT].summary
    assert found[PASSABLE].valid_answer is Answer.YES
    assert next(route for route in found[PASSABLE].routes if route.result == "passed").id == "without-own-step"


@pytest.mark.exhaustive
async def test_a_link_of_the_task_s_that_leads_nowhere_promises_what_should_lie_behind_it(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "job").write_text("#!/bin/sh\ncat set/in.csv\n")
    (tmp_path / "task" / "job").chmod(0o755)
    asked = hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./job",))
    failed = shell("./job", "cat: set/in.csv: No such file or directory", 1)
    settings, told = offline(tmp_path / "task"), "Run `./job`."
    shipped = (files("probes.envelope") / "profiles" / "offline.toml").read_text()
    shipped = shipped.replace('image = "impassable/base"\n', "").replace("[envelope]", 'dockerfile = "D"\n\n[envelope]')
    (tmp_path / "linked.toml").write_text(shipped)
    (tmp_path / "D").write_text("FROM impassable/base\nRUN ln -s /mnt/full /home/agent/set\n")
    linked = str(tmp_path / "linked.toml")
    found = await replay(asked, shell("ls"), failed, profile=linked, settings=settings, prompt=told)
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_makefile_without_a_rule_for_the_file_promises_it_to_the_script_that_it_starts(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task" / "in").mkdir(parents=True)
    (tmp_path / "task" / "Makefile").write_text("all: in/x.csv\n\tpython3 job.py\n")
    (tmp_path / "task" / "job.py").write_text("print(open('in/x.csv').read())\n")
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 job.py",))
    failed = shell("python3 job.py", "FileNotFoundError: [Errno 2] No such file or directory: 'in/x.csv'", 1)
    settings = offline(tmp_path / "task")
    found = await replay(asked, failed, profile="offline", settings=settings, prompt="Run `python3 job.py`.")
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_place_of_the_machine_s_own_needs_a_promise_where_the_run_itself_typed_it(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "align.py").write_text("import sys\nprint(open(sys.argv[1]).read())\n")
    command = "python3 align.py /opt/ref/guess.fa"
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(command,))
    failed = shell(command, "FileNotFoundError: [Errno 2] No such file or directory: '/opt/ref/guess.fa'", 1)
    settings = offline(tmp_path / "task")
    found = await replay(asked, failed, profile="offline", settings=settings, prompt="Say how long the reference is.")
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("checked", "answer"), [("2024", Answer.NO), ("", Answer.UNKNOWN)])
async def test_a_like_named_file_that_does_not_do_in_its_place_leaves_nothing_open(
    replay: Replay, tmp_path: Path, checked: str, answer: Answer
) -> None:
    """And a script that the failing command itself ran does not make what it reads, whatever else it writes."""
    task = tmp_path / "task"
    (task / "data").mkdir(parents=True)
    (task / "data" / "prices_2023.csv").write_text("year,price\n2023,12\n")
    (task / "prepare.py").write_text(
        f"rows = open('data/prices_2024.csv').read()\nassert {checked!r} in rows\nopen('/tmp/rows', 'w').write(rows)\n"
    )
    (task / "main.py").write_text("import prepare\n")
    asked = hypothesis(Barrier.MISSING_DATA, paths=("data/prices_2024.csv",))
    missing = "FileNotFoundError: [Errno 2] No such file or directory: 'data/prices_2024.csv'"
    promise = "Run main.py on data/prices_2024.csv, which is given."
    found = await replay(asked, shell("python3 main.py", missing, 1), settings=offline(task), prompt=promise)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("spoken", [False, True])
async def test_another_file_of_the_kind_stands_for_a_name_that_the_run_made_up(
    replay: Replay, tmp_path: Path, spoken: bool
) -> None:
    (tmp_path / "task" / "runs").mkdir(parents=True)
    (tmp_path / "task" / "runs" / "ckpt-030.json").write_text("[3]\n")
    (tmp_path / "task" / "README.md").write_text("Predict from runs/best.json.\n" if spoken else "Predict.\n")
    (tmp_path / "task" / "predict.py").write_text("import json, sys\nprint(json.load(open(sys.argv[1])))\n")
    command = "python3 predict.py runs/best.json"
    said = "FileNotFoundError: [Errno 2] No such file or directory: 'runs/best.json'"
    found = await replay(
        hypothesis(Barrier.MISSING_DATA, event=0, paths=("runs/best.json",)),
        shell(command, said, 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path / "task"),
    )
    passed = [route.id for route in found[Question.PASSABLE].routes if route.result == "passed"]
    assert passed == ([] if spoken else ["another-of-its-kind"])


@pytest.mark.exhaustive
async def test_a_name_in_the_other_normal_form_of_unicode_is_found(replay: Replay, tmp_path: Path) -> None:
    composed = unicodedata.normalize("NFC", "présences.csv")
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / unicodedata.normalize("NFD", composed)).write_text("jour,total\n1,12\n")
    found = await replay(
        hypothesis(Barrier.MISSING_DATA, paths=(composed,)),
        shell(f"cat {composed}", f"cat: {composed}: No such file or directory", 1),
        profile="offline",
        settings=offline(tmp_path / "task"),
        prompt=f"Add up {composed}.",
    )
    assert found[PRESENT].valid_answer is Answer.YES
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]


COMMITS = (
    "cd /home/agent && git init -q && git config user.email a@b.invalid && git config user.name a && git add -A && "
    "git commit -qm first && git rm -q data/test_split.csv && git commit -qm '{message}'"
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("message", "answer"),
    [("held.csv, called test_split.csv until now, is kept apart", Answer.UNKNOWN), ("tidied up", Answer.NO)],
    ids=["it speaks of the file", "it does not"],
)
async def test_what_a_commit_that_speaks_of_the_file_took_away_under_another_name_may_be_it(
    replay: Replay, task: Path, message: str, answer: Answer
) -> None:
    (task / "code" / "main.py").write_text("print(len(open('data/held.csv').read()))\n")
    (task / "data").mkdir()
    (task / "data" / "test_split.csv").write_text("1,2\n")
    (task / "data" / "notes.txt").write_text("kept apart\n")
    missing = MISSING.replace("/data/prices.csv", "data/held.csv")
    found = await replay(
        hypothesis(Barrier.MISSING_DATA, event=1, paths=("data/held.csv",)),
        shell(COMMITS.format(message=message)),
        shell(READ, missing, 1),
        profile="offline",
        settings=offline(task),
        prompt="Run code/main.py. The table is in data/held.csv.",
    )
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
