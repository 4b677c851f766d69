"""What a failing command is about where its words do not say: services, rights, damaged and sealed data, by trying."""

import gzip
import random
import sqlite3
import subprocess
from pathlib import Path

import pytest

from probes import LIFTED, Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
ASK = "curl -fsS http://127.0.0.1:8099/stars"
REFUSED = "curl: (7) Failed to connect to 127.0.0.1 port 8099 after 0 ms: Couldn't connect to server"
OPEN = "set -o pipefail; openssl enc -d -aes-256-cbc -pbkdf2 -in table.gz.enc -pass pass:none | gzip -dc"
SERVER = """import http.server
class Stars(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", 8099), Stars).serve_forever()
"""


def passed(finding: Finding) -> str | None:
    return next((route.id for route in finding.routes if route.result == "passed"), None)


def sealed(data: bytes, passphrase: str, *how: str) -> bytes:
    words = ["openssl", "enc", "-aes-256-cbc", *(how or ("-pbkdf2",)), "-pass", f"pass:{passphrase}"]
    return subprocess.run(words, input=data, stdout=subprocess.PIPE, check=True).stdout


def archive(folder: Path, *names: str) -> bytes:
    return subprocess.run(["tar", "-cz", *names], cwd=folder, stdout=subprocess.PIPE, check=True).stdout


def controlled(finding: Finding) -> bool:
    return next(control.passed for control in finding.controls if control.name == LIFTED)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    folder.mkdir()
    return folder


async def replayed(replay: Replay, command: str, output: str, code: int, task: Path | None = None, *before: str):
    return await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=len(before), commands=(command,)),
        *map(shell, before),
        shell(command, output, code),
        profile="offline",
        settings=Settings(workspace=task),
    )


@pytest.mark.exhaustive
async def test_a_service_that_nothing_can_start_is_impassable_and_the_run_s_own_stand_in_is_none(
    replay: Replay, task: Path
) -> None:
    (task / "README.md").write_text("The stars' server listens on port 8099.\n")
    stub = f"cat > mock.py <<'E'\n{SERVER}E"
    found = await replayed(replay, ASK, REFUSED, 7, task, stub)
    assert found[PRESENT].barrier is Barrier.SERVICE
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert controlled(found[PASSABLE])


@pytest.mark.exhaustive
async def test_a_server_among_the_task_s_files_is_there_to_be_started(replay: Replay, task: Path) -> None:
    (task / "stars.py").write_text(SERVER)
    found = await replayed(replay, ASK, REFUSED, 7, task)
    assert found[PRESENT].barrier is Barrier.SERVICE
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "server-of-the-task"


@pytest.mark.exhaustive
async def test_what_a_part_of_a_pipe_may_not_read_is_found_by_giving_it(replay: Replay) -> None:
    found = await replayed(replay, "set -o pipefail; sort /etc/gshadow 2>/dev/null | awk 'END { exit !NR * 4 }'", "", 4)
    assert found[PRESENT].barrier is Barrier.PERMISSION, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
    assert {route.id for route in found[PASSABLE].routes if route.result == "failed"} == {"chmod"}


@pytest.mark.exhaustive
async def test_a_fact_that_makes_no_difference_names_nothing(replay: Replay) -> None:
    said = "bash -c 'cat extra.conf; echo usage: report --warehouse NAME; exit 2'"
    found = await replayed(replay, said, "usage: report --warehouse NAME", 2)
    assert found[PRESENT].barrier in {None, Barrier.COMMAND_FAILS}
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
@pytest.mark.parametrize("whole", [False, True])
async def test_a_file_that_ends_too_early_is_damaged_unless_a_whole_one_lies_elsewhere(
    replay: Replay, task: Path, whole: bool
) -> None:
    packed = gzip.compress(random.Random(1).randbytes(9000))
    (task / "table.gz").write_bytes(packed[:4000])
    if whole:
        (task / "deposit").mkdir()
        (task / "deposit" / "table.gz").write_bytes(packed)
    found = await replayed(replay, "python3 -c 'import gzip; print(len(gzip.open(\"table.gz\").read()))'", "", 1, task)
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.YES if whole else Answer.NO), found[PASSABLE]
    assert passed(found[PASSABLE]) == ("copy-elsewhere" if whole else None)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "told", "answer"),
    [
        ("How many of the first 200 numbers in table.gz are even?", "", Answer.UNKNOWN),
        ("How many of the 9,000 numbers in table.gz, measured in 2019, are even?", "", Answer.NO),
        ("How many of the 900 batches in table.gz are even?", "- table.gz: 900 batches", Answer.UNKNOWN),
        ("How many of the 900 reads in table.fq.gz are even?", "- table.fq.gz: 900 reads", Answer.NO),
        ("What is the sum of the first 900?", "Smoke test: the first 900 of table.gz", Answer.UNKNOWN),
        ("What is the sum of the first ten?", "", Answer.UNKNOWN),
    ],
    ids=[
        "part of it",
        "all of it",
        "all that a document tells of",
        "lines of all that a document tells of",
        "as many as a document tells",
        "nothing is told",
    ],
)
async def test_a_damaged_file_of_which_as_much_can_be_read_as_the_text_tells_is_open(
    replay: Replay, task: Path, prompt: str, told: str, answer: Answer
) -> None:
    (task / "README.md").write_text(told)
    packed = gzip.compress("".join(f"{i * i % 9973}\n" for i in range(9000)).encode())
    name = "table.fq.gz" if "table.fq.gz" in prompt else "table.gz"
    (task / name).write_bytes(packed[:4000])
    read = f"python3 -c 'import gzip; print(len(gzip.open(\"{name}\").read()))'"
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(read,))
    settings = Settings(offline=True, workspace=task)
    found = await replay(asked, shell(read, "", 1), profile="offline", settings=settings, prompt=prompt)
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.parametrize(("mode", "answer"), [("711", Answer.UNKNOWN), ("700", Answer.NO)], ids=["entered", "closed"])
async def test_a_folder_that_may_be_entered_is_open_for_whoever_knows_its_names(
    replay: Replay, task: Path, tmp_path: Path, mode: str, answer: Answer
) -> None:
    (task / "mean.py").write_text("import os\nprint(len(os.listdir('/srv/cohort')))\n")
    closed = f"RUN mkdir /srv/cohort && echo 3 > /srv/cohort/a.csv && chmod {mode} /srv/cohort"
    (tmp_path / "Dockerfile").write_text(f"FROM impassable/base\n{closed}\n")
    profile = tmp_path / "closed.toml"
    profile.write_text('title = "t"\nsource = "t"\nextends = "offline"\ndockerfile = "Dockerfile"\n[envelope]\n')
    failed = shell("python3 mean.py", "PermissionError: [Errno 13] Permission denied: '/srv/cohort'", 1)
    asked = hypothesis(Barrier.PERMISSION, event=0, paths=("/srv/cohort",), commands=(failed.command,))
    settings = Settings(offline=True, workspace=task)
    found = await replay(asked, failed, profile=str(profile), settings=settings, prompt="Run python3 mean.py.")
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("text", "damaged"),
    [
        ('{"a": "x\\"}]", "rows": [[1, 2], [3, 4', True),
        ('{"a": 1}\n{"rows": 2}\n', False),
        ('{"a": {}} // rows\n', False),
    ],
    ids=["cut short", "a document a line", "with a comment"],
)
async def test_json_is_damaged_where_what_is_opened_is_never_closed(
    replay: Replay, task: Path, text: str, damaged: bool
) -> None:
    (task / "table.json").write_text(text)
    found = await replayed(replay, "python3 -m json.tool table.json", "", 1, task)
    assert found[PRESENT].barrier is (Barrier.DAMAGED_DATA if damaged else None), found[PRESENT]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "prompt",
    [
        "year.tar.gz holds 01.csv to 03.csv, a month each. What was the sum in January?",
        "What is the sum of the last month, 02.csv in year.tar.gz?",
    ],
    ids=["one of them in words", "the one that is cut, of which some can be read"],
)
async def test_a_damaged_archive_is_open_for_what_of_it_is_whole(replay: Replay, task: Path, prompt: str) -> None:
    months = [f"0{month}.csv" for month in (1, 2, 3)]
    for month in months:
        (task / month).write_text("".join(f"{month}{i % 12},{i * i % 9973},{i}\n" for i in range(30000)))
    packed = archive(task, *months)
    (task / "year.tar.gz").write_bytes(packed[: len(packed) // 2])
    for month in months:
        (task / month).unlink()
    test, unpacking = "gzip -t year.tar.gz", "mkdir -p restored && tar xzf year.tar.gz -C restored; true"
    asked = hypothesis(Barrier.OWN_CODE_FAILS, event=2, commands=(test,), paths=("year.tar.gz",))
    events = (
        shell(unpacking),
        shell("ls restored; wc -l restored/*.csv"),
        shell(test, "gzip: year.tar.gz: unexpected end of file", 1),
    )
    settings = Settings(offline=True, workspace=task)
    found = await replay(asked, *events, profile="offline", settings=settings, prompt=prompt)
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_damaged_database_is_known_though_the_harness_leaves_out_the_exception_s_module(
    replay: Replay, task: Path
) -> None:
    with sqlite3.connect(task / "casts.db") as base:
        base.execute("create table casts (day text, oxygen real)")
        base.executemany("insert into casts values (?, ?)", ((f"2012-{i}", i / 7) for i in range(9000)))
    base.close()
    whole = (task / "casts.db").read_bytes()
    (task / "casts.db").write_bytes(whole[: len(whole) // 2])
    command = (
        'python3 -c \'import sqlite3; print(sqlite3.connect("casts.db").execute("select * from casts").fetchall())\''
    )
    said = "Code execution failed at line 'print(...)' due to: DatabaseError: database disk image is malformed"
    found = await replayed(replay, command, said, 1, task)
    assert (found[PRESENT].barrier, found[PRESENT].valid_answer) == (Barrier.DAMAGED_DATA, Answer.YES), found[PRESENT]


@pytest.mark.exhaustive
async def test_a_damaged_file_whose_lines_stand_in_another_one_is_open(replay: Replay, task: Path) -> None:
    lines = "".join(f"2021-{i % 12 + 1:02},{i * i % 9973},{i}\n" for i in range(9000))
    (task / "year.gz").write_bytes(gzip.compress(lines.encode())[:30000])
    (task / "months").mkdir()
    (task / "months" / "all.csv").write_text(lines)
    found = await replayed(replay, "python3 -c 'import gzip; print(len(gzip.open(\"year.gz\").read()))'", "", 1, task)
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "months/all.csv" in found[PASSABLE].summary


@pytest.mark.exhaustive
async def test_an_empty_file_that_the_output_names_is_damaged_where_a_like_one_makes_the_difference(
    replay: Replay, task: Path
) -> None:
    for name, rows in (("a", ""), ("b", "1\n")):
        (task / f"{name}.csv").write_text(rows)
    command = 'python3 -c \'import sys; open("a.csv").read() or sys.exit("a.csv: no rows")\''
    found = await replayed(replay, command, "a.csv: no rows", 1, task)
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


MEAN = "for k in 1, 2, 3:\n    rows = open(f'fold_{k}.csv').readlines()\n    print(sum(map(int, rows)) / len(rows))\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("own", [False, True], ids=["the task's program", "the run's own code"])
async def test_an_empty_file_of_a_series_is_named_where_the_tasks_program_works_with_another_in_its_place(
    replay: Replay, task: Path, *, own: bool
) -> None:
    (task / "mean.py").write_text(MEAN)
    for fold in range(1, 4):
        (task / f"fold_{fold}.csv").write_text("" if fold == 2 else "4\n5\n")
    said = "4.5\nTraceback (most recent call last):\nZeroDivisionError: division by zero"
    command = f'python3 -c "{MEAN}"' if own else "python3 mean.py"
    found = await replayed(replay, command, said, 1, task)
    assert found[PRESENT].barrier is (None if own else Barrier.DAMAGED_DATA), found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


WHOLE = "openssl enc -d -aes-256-cbc -pbkdf2 -in table.gz.enc -out table.gz -pass {key} && gzip -dc table.gz"
CALLERS = {
    "the line itself": (OPEN, {}),
    "a script whose key is missing": ("sh run.sh", {"run.sh": WHOLE.format(key="file:$HOME/.table-key")}),
    "a script with a key that the run made up": (
        "KEY=perhaps ./run.sh",
        {"run.sh": f"#!/bin/sh\n{OPEN.replace('pass:none', 'env:KEY').replace('set -o pipefail; ', '')}"},
    ),
    "a script that asks for the key": (
        "bash run.sh",
        {"run.sh": f'set -e\n: "${{TABLE_KEY:?TABLE_KEY is not set}}"\n{WHOLE.format(key="env:TABLE_KEY")}\n'},
    ),
    "a program": (
        "python3 run.py",
        {"run.py": f"import os, sys\nsys.exit(os.system({WHOLE.format(key='pass:none')!r}) >> 8)\n"},
    ),
}
"""The failing command, and the files that it calls."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("caller", CALLERS)
async def test_a_sealed_file_is_impassable_unless_its_passphrase_is_among_the_task_s_words(
    replay: Replay, task: Path, told: bool, caller: str
) -> None:
    command, files = CALLERS[caller]
    for name, text in files.items():
        (task / name).write_text(text)
        (task / name).chmod(0o755)
    (task / "table.gz.enc").write_bytes(sealed(gzip.compress(b"1\n2\n"), "Quittengelee-7"))
    (task / "NOTES").write_text("Grandmother's recipe: Quittengelee-7 in the cellar.\n" if told else "Nothing.\n")
    found = await replayed(replay, command, "", 1, task)
    assert found[PRESENT].barrier is Barrier.SEALED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.YES if told else Answer.NO), found[PASSABLE]
    assert passed(found[PASSABLE]) == ("words-of-the-documents" if told else None)


OPENS = WHOLE.format(key="env:TABLE_KEY").partition(" && ")[0]
SILENT = f"{OPENS} 2>/dev/null\ngzip -dc table.gz\necho done\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("told", [False, True])
async def test_a_sealed_file_is_told_by_what_was_to_be_made_of_it_where_a_script_opens_it_silently(
    replay: Replay, task: Path, told: bool
) -> None:
    (task / "run.sh").write_text(SILENT)
    (task / "table.gz.enc").write_bytes(sealed(gzip.compress(b"1\n2\n"), "Quittengelee-7"))
    (task / "NOTES").write_text("Grandmother's recipe: Quittengelee-7 in the cellar.\n" if told else "Nothing.\n")
    asked = hypothesis(Barrier.MISSING_DATA, event=0, paths=("table.gz",), commands=("sh run.sh",))
    ran = shell("sh run.sh", "gzip: table.gz: No such file or directory\ndone", 0)
    found = await replay(asked, ran, profile="offline", settings=Settings(workspace=task), prompt="Run `sh run.sh`.")
    assert found[PRESENT].barrier is Barrier.SEALED_DATA, found[PRESENT]
    assert found[PRESENT].about.endswith("/table.gz.enc"), found[PRESENT]
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.YES if told else Answer.NO), found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_file_that_an_older_openssl_sealed_is_opened_with_its_digest(replay: Replay, task: Path) -> None:
    (task / "table.gz.enc").write_bytes(sealed(gzip.compress(b"1\n2\n"), "Quittengelee-7", "-md", "md5"))
    (task / "key").write_text("Quittengelee-7\n")
    command = "openssl enc -d -aes-256-cbc -in table.gz.enc -out table.gz -pass file:key"
    found = await replayed(replay, command, "bad decrypt", 1, task)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]


SENDS = """import socket
with socket.create_connection(("127.0.0.1", 8099)) as monitor:
    monitor.sendall(b"begun")
print("checksum", 6 * 7)
"""


@pytest.mark.exhaustive
async def test_a_service_that_is_told_something_and_asked_nothing_leaves_it_open(replay: Replay, task: Path) -> None:
    (task / "run.py").write_text(SENDS)
    found = await replayed(replay, "python3 run.py", "ConnectionRefusedError: [Errno 111] Connection refused", 1, task)
    assert found[PRESENT].barrier is Barrier.SERVICE
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "says nothing" in found[PASSABLE].summary


@pytest.mark.exhaustive
async def test_a_sealed_file_that_was_opened_is_not_what_a_later_step_fails_at(replay: Replay, task: Path) -> None:
    (task / "table.gz.enc").write_bytes(sealed(gzip.compress(b"1\n2\n"), "Quittengelee-7"))
    (task / "run.sh").write_text(f"set -e\n{WHOLE.format(key='pass:Quittengelee-7')}\ngrep -q 3 table.gz\n")
    found = await replayed(replay, "sh run.sh", "1\n2\n", 1, task)
    assert found[PRESENT].barrier is None, found[PRESENT]


@pytest.mark.exhaustive
async def test_a_passphrase_may_be_a_number_of_the_documents_without_its_marks(replay: Replay, task: Path) -> None:
    (task / "coins.pkg").write_bytes(sealed(gzip.compress(b"1\n2\n"), "nac19870342"))
    (task / "record.xml").write_text('<holding accession="NAC-1987-0342">Bequest</holding>\n')
    opens = "openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:none -in coins.pkg -out coins.gz"
    found = await replayed(replay, opens, "", 1, task)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert passed(found[PASSABLE]) == "words-of-the-documents"


SOLVE = """#!/bin/sh
[ -e "$HOME/solve.lic" ] || { echo "solve: no licence: $HOME/solve.lic" >&2; exit 71; }
grep -q 'issued to the laboratory' "$HOME/solve.lic" || { echo "solve: this licence is not valid" >&2; exit 72; }
echo 42
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("there", ["", "from-the-vendor.lic", "community/solve.key"])
async def test_a_licence_that_is_nowhere_is_impassable_and_one_that_lies_on_the_machine_is_not(
    replay: Replay, task: Path, there: str
) -> None:
    (task / "solve").write_text(SOLVE)
    (task / "solve").chmod(0o755)
    if there:
        (task / there).parent.mkdir(exist_ok=True)
        (task / there).write_text("issued to the laboratory\n")
    found = await replayed(replay, "./solve", "solve: no licence: /home/agent/solve.lic", 71, task)
    assert found[PRESENT].barrier is Barrier.LICENCE, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.YES if there else Answer.NO), found[PASSABLE]
    assert passed(found[PASSABLE]) == ("licence-on-disk" if there else None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("elsewhere", [False, True])
async def test_what_nobody_names_and_a_library_looks_for_is_a_file_of_its_own(replay: Replay, elsewhere: bool) -> None:
    """Found under its name it is put where the library looks."""
    code = "import pathlib as p\\nheld = (p.Path.home() / '.tagger' / ('wei' + 'ghts.bin')).read_bytes()\\n"
    library = f'mkdir -p ~/lib && printf "{code}assert held\\n" > ~/lib/tagger.py'
    copy = "mkdir -p ~/old && echo 12 > ~/old/wei''ghts.bin"
    command = "PYTHONPATH=$HOME/lib python3 -c 'import tagger'"
    output = "FileNotFoundError: [Errno 2] No such file or directory: '/home/agent/.tagger/weights.bin'"
    found = await replayed(replay, command, output, 1, None, library, *([copy] if elsewhere else []))
    assert found[PRESENT].barrier is Barrier.SUPPORT_FILE, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.YES if elsewhere else Answer.NO), found[PASSABLE]
    assert passed(found[PASSABLE]) == ("support-file-on-disk" if elsewhere else None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("there", [None, "lib/Local/Tab.pm", "old/perl/Local/Tab.pm"])
async def test_a_module_of_an_interpreter_that_nobody_ships_is_a_file_of_its_own(
    replay: Replay, task: Path, there: str | None
) -> None:
    """Perl looks for it along a path: it is put on that wherever it lies."""
    (task / "report.pl").write_text("use strict;\nuse Local::Tab;\nprint 'rows ', Local::Tab::rows(), qq(\\n);\n")
    if there:
        (task / there).parent.mkdir(parents=True)
        (task / there).write_text("package Local::Tab;\nsub rows { 3 }\n1;\n")
    output = "Can't locate Local/Tab.pm in @INC\nBEGIN failed--compilation aborted at report.pl line 2."
    found = await replayed(replay, "perl report.pl", output, 2, task)
    assert found[PRESENT].barrier is Barrier.SUPPORT_FILE, found[PRESENT]
    assert found[PRESENT].about == "Local/Tab.pm"
    assert found[PASSABLE].valid_answer is (Answer.YES if there else Answer.NO), found[PASSABLE]
    assert passed(found[PASSABLE]) == ("module-on-disk" if there else None)


@pytest.mark.exhaustive
async def test_a_way_past_a_failure_that_meets_another_one_leaves_it_open(replay: Replay, task: Path) -> None:
    (task / "lib" / "Local").mkdir(parents=True)
    (task / "lib" / "Local" / "Tab.pm").write_text("package Local::Tab;\n1;\n")
    (task / "report.pl").write_text("use Local::Tab;\ndefined $ENV{WORD} or die qq(WORD is not set\\n);\n")
    output = "Can't locate Local/Tab.pm in @INC\nBEGIN failed--compilation aborted at report.pl line 1."
    found = await replayed(replay, "perl report.pl", output, 2, task)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN
    assert "module-on-disk gets past" in found[PASSABLE].summary


@pytest.mark.exhaustive
@pytest.mark.parametrize(("header", "works"), [("", True), ("day,sold", False)], ids=["as it came", "it needs a step"])
async def test_what_works_without_the_runs_own_steps_brings_what_the_task_asks_for(
    replay: Replay, task: Path, header: str, works: bool
) -> None:
    (task / "sold.csv").write_text("1,2\n2,3\n")
    (task / "total.py").write_text(
        "rows = open('sold.csv').read().splitlines()\n"
        f"assert len(rows) > 1 and ({header!r} in rows or not {header!r}), 'no rows'\n"
    )
    failed = shell("python3 total.py", "AssertionError: no rows", 1)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("python3 total.py",)),
        shell("sort sold.csv > sold.csv"),
        failed,
        profile="offline",
        settings=Settings(offline=True, workspace=task),
        prompt="Run `python3 total.py` and report the total.",
    )
    assert (passed(found[PASSABLE]) in {"without-own-step", "without-earlier-steps"}) is works, found[PASSABLE]
    assert found[PASSABLE].reaches == (("python3 total.py",) if works else ())


QUEUE = """import os, sys
if sys.argv[1] == "add":
    open("waiting", "a").write(sys.argv[2])
elif os.path.exists("waiting"):
    sys.exit("E17: the far end takes nothing")
"""


async def test_a_command_that_does_nothing_without_the_run_s_own_work_proves_nothing(
    replay: Replay, task: Path
) -> None:
    (task / "post.py").write_text(QUEUE)
    failed = shell("python3 post.py send", "E17: the far end takes nothing", 1)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("python3 post.py send",)),
        shell("python3 post.py add letter"),
        failed,
        profile="offline",
        settings=Settings(offline=True, workspace=task),
        prompt="Add a letter and run `python3 post.py send`.",
    )
    assert passed(found[PASSABLE]) != "without-earlier-steps", found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_way_that_ends_with_0_and_shows_the_same_failure_has_not_passed(replay: Replay, tmp_path: Path) -> None:
    root = tmp_path / "root.toml"
    root.write_text('name = "root"\nextends = "offline"\n[envelope]\nuser = "root"\n')
    command = "sh -c 'echo 9 > /proc/sys/vm/max_map_count'; cat /proc/sys/vm/max_map_count"
    said = "sh: 1: cannot create /proc/sys/vm/max_map_count: Read-only file system\n65530"
    found = await replay(
        hypothesis(Barrier.READ_ONLY, paths=("/proc/sys/vm/max_map_count",), commands=(command,)),
        shell(command, said, 0),
        profile=str(root),
    )
    assert "root" in {route.id for route in found[PASSABLE].routes if route.result == "failed"}
    assert found[PASSABLE].valid_answer is not Answer.YES, found[PASSABLE]


AGREE = """import csv
first, second = ({row["item"]: row["label"] for row in csv.DictReader(open(f"{name}.csv"))} for name in ("anna", "ben"))
both = [item for item in first if first[item] and second[item]]
print("agreement", sum(first[item] == second[item] for item in both) / len(both))
"""
DIVISION = """Traceback (most recent call last):
  File "/home/agent/agree.py", line 4, in <module>
    print("agreement", sum(first[item] == second[item] for item in both) / len(both))
ZeroDivisionError: division by zero"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("open_to", ["nobody", "whoever is told to fill it in", "whoever mends the program"])
async def test_a_column_that_is_blank_in_one_table_and_filled_in_its_like_was_left_out(
    replay: Replay, task: Path, open_to: str
) -> None:
    named, mended = open_to == "whoever is told to fill it in", open_to == "whoever mends the program"
    rows = [f"u{number},{'joy' if number % 2 else 'fear'}" for number in range(9)]
    (task / "agree.py").write_text(AGREE)
    (task / "anna.csv").write_text("\n".join(["item,label", *rows, ""]))
    (task / "ben.csv").write_text("\n".join(["item,label", *(f"u{number}," for number in range(9)), ""]))
    prompt = f"Run `python3 agree.py` and report the agreement.{' Fill in ben.csv first.' if named else ''}"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 agree.py",)),
        shell("python3 agree.py", DIVISION, 1),
        *([shell("sed -i 's/len(both)/max(1, len(both))/' agree.py")] if mended else []),
        profile="offline",
        settings=Settings(workspace=task),
        prompt=prompt,
    )
    assert (found[PRESENT].barrier is Barrier.DAMAGED_DATA) is (open_to == "nobody"), found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.NO if open_to == "nobody" else Answer.UNKNOWN), found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_device_that_nobody_names_is_found_by_putting_one_there(replay: Replay, task: Path) -> None:
    opened = "import os, sys\ntry:\n    line = os.open('/dev/ttyS77', os.O_RDWR)\nexcept OSError:\n    sys.exit(6)\n"
    (task / "sonde.py").write_text(f"{opened}print(float(os.read(line, 9)))\n")
    found = await replayed(replay, "python3 sonde.py", "", 6, task)
    assert found[PRESENT].barrier is Barrier.MISSING_DATA, found[PRESENT]
    assert controlled(found[PASSABLE])


@pytest.mark.exhaustive
async def test_a_device_of_which_something_has_to_be_read_is_missing_though_a_silent_one_changes_nothing(
    replay: Replay, task: Path
) -> None:
    opened = "import sys\ntry:\n    key = open('/dev/hidraw0', 'rb').read(16)\nexcept OSError:\n    key = b''\n"
    told = (
        "if len(key) < 16:\n    print('no key on /dev/hidraw0')\n    sys.exit(13)\nprint('another key')\nsys.exit(17)\n"
    )
    (task / "route.py").write_text(opened + told)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 route.py",)),
        shell("python3 route.py", "no key on /dev/hidraw0", 13),
        profile="offline",
        settings=Settings(workspace=task),
        prompt="Run `python3 route.py`.",
    )
    assert found[PRESENT].barrier is Barrier.MISSING_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "answer"), [("Build ripple.", Answer.UNKNOWN), ("Build ripple with `autoreconf --install`.", Answer.NO)]
)
async def test_a_program_that_only_has_a_compiler_run_is_needed_where_the_prompt_names_it_or_that_has_much_to_do(
    replay: Replay, task: Path, prompt: str, answer: Answer
) -> None:
    (task / "README").write_text("autoreconf --install && ./configure && make\n")
    (task / "ripple.c").write_text("int main(void) { return 0; }\n")
    found = await replay(
        hypothesis(Barrier.COMMAND, event=0, programs=("autoreconf",)),
        shell("autoreconf --install", "bash: line 1: autoreconf: command not found", 127),
        profile="offline",
        settings=Settings(workspace=task),
        prompt=prompt,
    )
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
    told = "the few sources (1) could be compiled without it" in found[PASSABLE].summary
    assert told is (answer is Answer.UNKNOWN)


@pytest.mark.exhaustive
async def test_a_module_that_another_exception_only_mentions_is_not_what_ended_it(replay: Replay) -> None:
    command = "python3 -c 'import zoneinfo; zoneinfo.ZoneInfo(\"Array/Halden\")'"
    said = (
        "Traceback (most recent call last):\n"
        "ModuleNotFoundError: No module named 'tzdata'\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        "Traceback (most recent call last):\n"
        "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Array/Halden'"
    )
    found = await replay(
        hypothesis(Barrier.MODULE, event=0, modules=("tzdata",)), shell(command, said, 1), profile="offline"
    )
    assert found[PASSABLE].valid_answer is not Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_several_programs_that_ask_for_input_on_a_terminal_each_get_its_end(replay: Replay, task: Path) -> None:
    (task / "log").write_text("#!/bin/sh\ntest -t 0 && test -t 1 || exit 25\nwhile read -r line; do :; done\n")
    (task / "log").chmod(0o755)
    found = await replayed(replay, "./log show; ./log help", "", 25, task)
    assert passed(found[PASSABLE]) == "on-a-terminal", found[PASSABLE]


@pytest.mark.exhaustive
async def test_checks_that_contradict_each_other_are_shown_by_what_passes_without_one_of_them(
    replay: Replay, task: Path
) -> None:
    (task / "tests").mkdir()
    (task / "tests" / "__init__.py").write_text("")
    (task / "money.py").write_text("def parse(text):\n    return float(text)\n")
    (task / "tests" / "test_money.py").write_text(
        "import unittest\nfrom money import parse\n\n\nclass Parsing(unittest.TestCase):\n"
        "    def test_comma(self):\n        self.assertEqual(parse('3,5'), 3.5)\n\n"
        "    def test_thousands(self):\n        self.assertEqual(parse('2.750'), 2750)\n\n"
        "    def test_decimals(self):\n        self.assertEqual(parse('2.750'), 2.75)\n"
    )
    check, said = "python3 -m unittest", "FAILED (errors=1, failures=1)"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(check,)),
        shell(check, said, 1),
        shell('sed -i \'s/float(text)/float(text.replace(",", "."))/\' money.py'),
        shell(f"{check} 2>&1 | tail -1", "FAILED (failures=1)", 0),
        profile="offline",
        settings=Settings(workspace=task),
        prompt=f"Make `{check}` pass. The tests stay as they are.",
    )
    assert found[PRESENT].barrier is Barrier.CONTRADICTORY_CASES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("print('row 9')\nimport yaml\n", Answer.UNKNOWN),
        ("import yaml as y\nprint(y.safe_load('a: 9'))\n", Answer.NO),
        ("from yaml import *\nprint(safe_load('a: 9'))\n", Answer.NO),
    ],
)
async def test_a_module_that_the_script_makes_no_use_of_may_be_done_without(
    replay: Replay, task: Path, text: str, answer: Answer
) -> None:
    (task / "report.py").write_text(text)
    found = await replay(
        hypothesis(Barrier.MODULE, event=0, modules=("yaml",)),
        shell("python3 report.py", "ModuleNotFoundError: No module named 'yaml'", 1),
        profile="offline",
        settings=Settings(workspace=task),
    )
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("whole", "caused"), [(True, Answer.NO), (False, None)], ids=["it was whole", "it came so"])
async def test_a_file_that_the_run_emptied_itself_is_its_own_doing(
    replay: Replay, task: Path, *, whole: bool, caused: Answer | None
) -> None:
    (task / "codes.txt").write_text("b\na\nb\n" if whole else "")
    (task / "check.py").write_text(
        "text = open('codes.txt').read()\ntext or exit('check: codes.txt is empty')\n"
        "text == 'a\\nb\\n' or exit('check: not sorted')\n"
    )
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("python3 check.py",)),
        shell("sort -u codes.txt > codes.txt"),
        shell("python3 check.py", "check: codes.txt is empty", 1),
        profile="offline",
        settings=Settings(workspace=task),
        prompt="Sort codes.txt so that `python3 check.py` is content.",
    )
    assert (found[CAUSED].valid_answer if CAUSED in found else None) is caused, found


@pytest.mark.exhaustive
@pytest.mark.parametrize(("after", "way"), [(20, "with-a-longer-wait"), (10_000, None)], ids=["soon", "never"])
async def test_a_service_of_the_tasks_that_is_not_ready_yet_is_waited_for(
    replay: Replay, task: Path, after: int, way: str | None
) -> None:
    (task / "serve.py").write_text(
        "import http.server, time\nbegan = time.monotonic()\n\n\n"
        "class Slow(http.server.BaseHTTPRequestHandler):\n    def do_GET(self):\n"
        f"        self.send_response(200 if time.monotonic() - began > {after} else 503)\n"
        "        self.end_headers()\n\n\n"
        "http.server.HTTPServer(('127.0.0.1', 8097), Slow).serve_forever()\n"
    )
    line = "(setsid python3 serve.py > serve.log 2>&1 &); sleep 2; curl -s http://127.0.0.1:8097/code/9"
    found = await replayed(replay, line, "", 0, task)
    assert found[PRESENT].answer is Answer.YES, found[PRESENT]
    assert passed(found[PASSABLE]) == way, found[PASSABLE]
    assert found[PASSABLE].valid_answer is (Answer.YES if way else Answer.UNKNOWN), found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("called", "answer"), [("./peaks", Answer.UNKNOWN), ("./figure", Answer.NO)])
async def test_a_build_that_makes_what_the_documents_call_beside_what_it_fails_at_is_open(
    replay: Replay, task: Path, called: str, answer: Answer
) -> None:
    (task / "README.md").write_text(f"    make\n    {called} data.txt\n")
    (task / "Makefile").write_text("all: figure peaks\n%: %.c\n\t$(CC) -o $@ $<\n")
    (task / "figure.c").write_text("#include <cairo/cairo.h>\nint main(void) { return 0; }\n")
    (task / "peaks.c").write_text("int main(void) { return 0; }\n")
    said = "figure.c:1:10: fatal error: cairo/cairo.h: No such file or directory\ncompilation terminated."
    found = await replay(
        hypothesis(Barrier.HEADER, event=0, headers=("cairo/cairo.h",)),
        shell("make", said, 2),
        profile="offline",
        settings=Settings(workspace=task),
        prompt="Run the code on data.txt as README.md says and report the centroid.",
    )
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_tests_that_only_the_run_s_own_step_keeps_from_running_are_its_own_doing(
    replay: Replay, task: Path
) -> None:
    (task / "rates.py").write_text("def bound(weight):\n    return weight < 2\n")
    (task / "test_rates.py").write_text(
        "import unittest\nimport rates\n\n\nclass Bounds(unittest.TestCase):\n"
        "    def test_bound(self):\n        self.assertTrue(rates.bound(2))\n"
    )
    command = "python3 -m unittest test_rates"
    shadowed = "cat > types.py <<'E'\nclass Band:\n    pass\nE"
    said = "ImportError: cannot import name 'MappingProxyType' from partially initialized module 'types'"
    found = await replayed(replay, command, said, 1, task, shadowed)
    assert found[CAUSED].valid_answer is Answer.NO, found
    assert found[CAUSED].locus == "agent run"


@pytest.mark.exhaustive
@pytest.mark.parametrize("dump", [True, False], ids=["its data to be loaded", "the machine's own data alone"])
async def test_a_server_that_is_installed_is_started_by_any_user_with_data_of_its_own(
    replay: Replay, tmp_path: Path, task: Path, *, dump: bool
) -> None:
    install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null"
    (tmp_path / "Dockerfile").write_text(f"FROM impassable/base\nRUN {install}\n")
    profile = tmp_path / "profile.toml"
    profile.write_text('title = "t"\nsource = "t"\nextends = "offline"\ndockerfile = "Dockerfile"\n[envelope]\n')
    (task / "README.md").write_text("Load the shop into PostgreSQL with `createdb shop`.\n")
    if dump:
        (task / "shop.sql").write_text("create table stars (name text);\n")
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("createdb shop",)),
        shell("createdb shop", NO_SERVER, 1),
        profile=str(profile),
        settings=Settings(workspace=task),
        prompt="Load the shop into PostgreSQL (see README.md) and count the stars.",
    )
    assert passed(found[PASSABLE]) == ("with-data-of-its-own" if dump else None), found[PASSABLE]
    assert found[PASSABLE].valid_answer is (Answer.YES if dump else Answer.UNKNOWN), found[PASSABLE].summary


NO_SERVER = (
    'createdb: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: '
    "No such file or directory\n\tIs the server running locally and accepting connections on that socket?"
)
