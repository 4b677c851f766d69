"""Killed for want of memory, by somebody else, or by a job that could have been smaller."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events, FileWrite
from probes import Barrier, Settings
from probes.barriers import ladder_of
from probes.replay.deriving import subject_of
from probes.replay.handlers import handler_of
from probes.replay.handlers.command import Command
from probes.replay.handlers.crash import CrashDetails
from probes.replay.handlers.offers import asked, offered
from probes.replay.handlers.settings import own_settings, values_in
from probes.replay.resources.outcome import Outcome, Replayed
from probes.replay.routes.judging import judge
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of
from probes.replay.target.symptom import symptoms
from sandboxes import Executed
from tests.probes.replay.made import context, hypothesis, shell

KNOWN = {"envelope": {"memory_mb": {"value": 128, "origin": "profile"}}, "container": {"limits": {"memory_mb": 128}}}


def subject(tmp_path: Path, command: str, *writes: FileWrite) -> ReplayTarget:
    events = Events(commands=(shell(command, "Killed", 137),), writes=writes)
    made = subject_of(hypothesis(Barrier.CRASH), context(tmp_path, "offline", events, AsyncExitStack(), Settings()))
    assert isinstance(made, ReplayTarget)
    return made


def killed(command: str = "python3 main.py", **changes: object) -> Executed:
    plain = Executed(
        command=command, exit_code=137, output="", timed_out=False, oom=True, seconds=1.0, truncated=False, sha256=""
    )
    return replace(plain, **changes)


def outcome(done: Executed, **changes: object) -> Outcome:
    found = tuple(symptoms(Barrier.CRASH, done.output))
    made = Outcome(replays=[Replayed(done.command, reconstructed=False, done=done, same=True, found=found)])
    made.profile = KNOWN
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def test_the_kernel_s_count_tells_a_kill_for_memory_from_another(tmp_path: Path) -> None:
    kind, asked = handler_of(Barrier.CRASH), subject(tmp_path, "python3 main.py")
    assert kind is not None
    assert kind.met(asked, killed())
    assert kind.met(asked, killed(oom=False))
    assert not kind.met(asked, killed(timed_out=True))
    assert not kind.met(asked, killed(exit_code=1, oom=False, output="boom"))
    assert kind.meaningless(asked, outcome(killed())) is None
    assert "not for lack of memory" in str(kind.meaningless(asked, outcome(killed(oom=False))))
    assert kind.meaningless(asked, outcome(killed(exit_code=1, oom=False, output="MemoryError"))) is None


def test_an_assumed_or_smaller_memory_proves_nothing(tmp_path: Path) -> None:
    kind, asked = handler_of(Barrier.CRASH), subject(tmp_path, "python3 main.py")
    assert kind is not None
    assumed = {"envelope": {"memory_mb": {"value": 128, "origin": "assumed"}}}
    assert "we do not know how much" in str(kind.meaningless(asked, outcome(killed(), profile=assumed)))
    larger = {**KNOWN, "envelope": {"memory_mb": {"value": 999, "origin": "profile"}}}
    assert "cannot give" in str(kind.meaningless(asked, outcome(killed(), profile=larger)))


@pytest.mark.parametrize(
    ("command", "writes", "settled"),
    [
        ("python3 main.py", (), True),
        ("pip install .", (), True),
        ("make all", (), True),
        ("cd code && python3 -u main.py --n 3 || exit 1", (), True),
        ("python3 other.py", (), False),
        ("sort big.csv", (), False),
        ("python3 -c 'main.py'", (), False),
        ("python3 main.py", ("main.py",), False),
    ],
)
def test_only_the_task_s_own_job_can_be_impassable(
    tmp_path: Path, command: str, writes: tuple[str, ...], settled: bool
) -> None:
    wrote = [FileWrite(path=path, how="whole", content="", tool="w", after=0, blocks=()) for path in writes]
    asked = subject(tmp_path, command, *wrote)
    found = outcome(killed(command), given=("/home/agent/main.py", "/home/agent/big.csv"))
    assert (asked.handler.unsettled(asked, found) is None) is settled


@pytest.mark.parametrize(
    ("later", "settled"),
    [
        ("sed -i 's/sorted//' main.py", False),
        ("cp main.py m.py && sed -i 's/sorted//' m.py", False),
        ("sed -n 1,9p main.py", True),
        ("python3 main.py --fast", True),
    ],
)
def test_a_job_that_the_run_changed_at_any_time_may_be_changed(tmp_path: Path, later: str, settled: bool) -> None:
    events = Events(commands=(shell("python3 main.py", "Killed", 137), shell(later, "Killed", 137)))
    asked = subject_of(hypothesis(Barrier.CRASH), context(tmp_path, "offline", events, AsyncExitStack(), Settings()))
    assert isinstance(asked, ReplayTarget)
    found = outcome(killed(), given=("/home/agent/main.py",))
    assert (asked.handler.unsettled(asked, found) is None) is settled


@pytest.mark.parametrize(
    ("command", "name", "expected"),
    [
        ("make -j8 all", "command_serial", "make -j1 all"),
        ("make -j", "command_serial", "make -j1"),
        ("cmake --build . --parallel 4", "command_serial", "cmake --build . --parallel 1"),
        ("make -j$(nproc)", "command_serial", "make -j1"),
        ("python t.py --num_workers=4", "command_serial", "python t.py --num_workers=1"),
        ("python t.py --batch_size 64", "command_small", "python t.py --batch_size 1"),
        ("python t.py --eval-batch-size=64", "command_small", "python t.py --eval-batch-size=1"),
        ("python t.py --json x", "command_serial", None),
        ("python t.py", "command_small", None),
    ],
)
def test_fewer_at_once_and_smaller_pieces(tmp_path: Path, command: str, name: str, expected: str | None) -> None:
    assert subject(tmp_path, command).values(command).named[name] == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sort big.txt -o out.txt", "sort -S 8M --parallel=1 big.txt -o out.txt"),
        ("cat big.txt | sort -u", "cat big.txt | sort -S 8M --parallel=1 -u"),
        ("sort -S 2G big.txt", None),
        ("samtools sort in.bam", "samtools sort -m 8M -@ 0 in.bam"),
        ("xz -9 big.tar", "xz -T1 --memlimit-compress=32MiB -9 big.tar"),
        ("xz -d big.tar.xz", None),
        ("iconv -f latin1 -t utf-8 a.txt > b.txt", "split -C 8M --filter='iconv -f latin1 -t utf-8 ' a.txt > b.txt"),
        ("iconv -f UTF-16 -t utf-8 a.txt", None),
        ("python3 sort.py", None),
        ("gsort big.txt", None),
    ],
)
def test_a_tool_s_own_options_cut_its_work_into_pieces(tmp_path: Path, command: str, expected: str | None) -> None:
    assert subject(tmp_path, command).values(command).named["command_frugal"] == expected


def test_options_that_a_script_offers_are_tried_in_their_order_but_for_those_given() -> None:
    text = (
        'parser.add_argument("--chunksize"); add("--low-memory"), add("--max-memory"), add("--seed"), add("--workers")'
    )
    assert offered(text, "python3 a.py --workers 4") == [
        "--chunksize 1000",
        "--chunksize 1",
        "--max-memory 32M",
        "--max-memory 32",
        "--low-memory",
    ]
    assert offered("usage: a.py [--seed N] x--chunksize", "python3 a.py") == []


@pytest.mark.parametrize(
    ("command", "before", "question"),
    [
        ("cd code && python3 -u a.py in.csv | tee log", "cd code && python3 -u a.py", "head -c 200000 code/a.py"),
        ("./run.sh 3", "./run.sh", "head -c 200000 ./run.sh"),
        ("bigtool in.csv", "bigtool", "timeout 20 bigtool --help 2>&1 < /dev/null | head -c 200000"),
        ("python3 -c 'x'", None, ""),
        ("kill -9 $$", None, ""),
    ],
)
def test_a_script_is_read_and_a_program_asked_for_what_it_offers(
    command: str, before: str | None, question: str
) -> None:
    place, found = asked(command)
    assert (command[:place] if place else None, found) == (before, question)


def test_what_a_command_offers_leaves_its_failure_open(tmp_path: Path) -> None:
    asked = replace(subject(tmp_path, "python3 main.py"), details=CrashDetails(named="--chunksize", pieces="x"))
    found = outcome(killed(), given=("/home/agent/main.py",))
    assert "--chunksize" in str(asked.handler.unsettled(asked, found))
    asked = replace(asked, details=CrashDetails(read="/work/events.log"))
    assert "/work/events.log" in str(asked.handler.unsettled(asked, found)), "another script may read it in pieces"


@pytest.mark.parametrize(
    ("text", "command", "found"),
    [
        ("block = bytearray(200)\nprint('sum', sum(block))\n", "python3 job.py", ()),
        ("size = int(os.environ.get('ROWS', '9'))", "python3 job.py", ("os.environ",)),
        ("given = json.load(open('job.json'))", "python3 job.py", ("json.load", "job.json")),
        ("const { samples } = await res.json()", "node job.js", ()),
        ("rows=${ROWS:-9}; split -l $rows $HOME/x", "bash job.sh", ("${ROWS",)),
        ("ROWS ?= 9\n\nall: x\n\t./x $(ROWS)", "make all", ("ROWS ?= 9 all: x",)),
        ("CFLAGS = -O2 -Wall\nLIBS=-lm\n\nx: x.c\n\t$(CC) $(CFLAGS) -o x x.c", "./x", ()),
        ("add_argument('--window'), add_argument('--seed')", "python3 job.py", ("--window",)),
        ("add_argument('--input')", "python3 job.py --input a.csv", ()),
        ("add_argument('-i', '--input')", "python3 job.py -i a.csv", ()),
        ("add_argument('-s', '--source', choices=['a', 'b'])", "python3 job.py -s a", ("-s", "--source")),
        ("add_argument('-r', '--rows')", "python3 job.py -r 9", ("-r", "--rows", "numbers among its arguments")),
        ("add_argument('--rows')", "python3 job.py --rows 9", ("--rows", "numbers among its arguments")),
        ("size = int(sys.argv[1])", "python3 job.py 200_000", ("numbers among its arguments",)),
        ("size = open(sys.argv[1])", "python3 job.py a.csv", ()),
    ],
)
def test_what_a_script_reads_besides_its_input_is_known(text: str, command: str, found: tuple[str, ...]) -> None:
    assert own_settings(text, command) == found


def test_scripts_are_known_as_a_line_spells_them() -> None:
    assert scripts_of("cd code && python3 -u job.py in | ./run.sh") == ["job.py", "./run.sh"]


def test_a_compiler_that_is_killed_could_be_told_to_need_less(tmp_path: Path) -> None:
    asked = replace(subject(tmp_path, "make all"), output="g++: fatal error: Killed signal terminated program cc1plus")
    assert "compiler" in str(asked.handler.unsettled(asked, outcome(killed("make all"))))


def test_a_route_that_meets_the_run_s_own_memory_has_failed_and_one_that_meets_ours_was_not_tried(
    tmp_path: Path,
) -> None:
    plan = ladder_of(Barrier.CRASH).route[0]
    asked = subject(tmp_path, "python3 main.py")
    assert judge(asked, plan, killed(), "")[0] == "failed"
    other = replace(asked, handler=Command())
    assert judge(other, plan, killed(), "")[0] == "not_tried"


def test_python_of_a_terminal_agent_is_replayed_as_it_was(tmp_path: Path) -> None:
    event = CommandRun(kind="python", command="x = 1", tool="t", output="MemoryError", exit_code=1, blocks=())
    made = context(tmp_path, "offline", Events(commands=(event,)), AsyncExitStack(), Settings())
    asked = subject_of(hypothesis(Barrier.CRASH), made)
    assert isinstance(asked, ReplayTarget)
    assert "x = 1" in asked.attempts[0].command


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"server": {"url": "http://a.lan"}, "tries": [3, 5], "mock": false}', ["http://a.lan", "3", "5", "False"]),
        ("[server]\nhost = 'a.lan'\nport = 80\n", ["a.lan", "80"]),
        ("# where\nurl: http://a.lan\nmock: no\nempty:\n", ["http://a.lan", "no"]),
        ("a,b\n1,2\n", []),
    ],
    ids=["JSON", "TOML", "lines", "a table"],
)
def test_the_values_of_a_file_of_settings(text: str, values: list[str]) -> None:
    assert values_in(text) == values
