"""Ways that the task's own program and folder hold: its commands, the order of its words, archives beside it."""

import bz2
import io
import tarfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question
from probes.replay.arms.documented.subcommands import listed_beside
from probes.replay.arms.documented.unpacking import packed
from tests.probes.replay.made import Replay, hypothesis, shell
from tests.probes.replay.test_documented_in_containers import passable, results, task

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

BLENDER = """
import os, sys
sky, land, out = sys.argv[1:]
if not open(sky).read().startswith('sky'):
    sys.exit('two horizons')
open(out, 'w').write(open(sky).read() + open(land).read())
"""


def passed(finding: Finding) -> list[str]:
    return [route.id for route in finding.routes if route.result == "passed"]


@pytest.mark.exhaustive
async def test_words_that_were_given_in_the_wrong_order_are_given_in_the_other(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, blend_dot_py=BLENDER, a_dot_txt="land\n", b_dot_txt="sky\n")
    finding = await passable(replay, settings, shell("python3 blend.py a.txt b.txt c.txt", "two horizons", 1))
    assert passed(finding) == ["words-in-another-order"], finding
    way = next(route for route in finding.routes if route.result == "passed")
    assert way.commands == ("python3 blend.py b.txt a.txt c.txt",)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("again", "reached"),
    [("python3 blend.py a.txt d.txt c.txt", True), ("python3 blend.py a.txt e.txt c.txt", False)],
    ids=["with a file of its own making", "with another file of the task's"],
)
async def test_another_call_that_only_the_run_thought_of_need_not_work(
    replay: Replay, tmp_path: Path, again: str, reached: bool
) -> None:
    """One with a file of the task's own must: it may be asked for as well."""
    settings = task(tmp_path, blend_dot_py=BLENDER, a_dot_txt="land\n", b_dot_txt="sky\n", e_dot_txt="sea\n")
    first = shell("python3 blend.py a.txt b.txt c.txt", "two horizons", 1)
    made, other = shell("tr a-z A-Z < b.txt > d.txt"), shell(again, "two horizons", 1)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(first.command,)),
        first,
        made,
        other,
        profile="offline",
        settings=settings,
        prompt="Blend the sky and the land with `blend.py` and hand in c.txt.",
    )
    assert "words-in-another-order" in passed(found[Question.PASSABLE]), found
    assert bool(found[Question.PASSABLE].reaches) is reached


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "program",
    [
        "import sys\nopen(sys.argv[2])\nif sys.argv[1] != 'b.txt': sys.exit(4)\nopen(sys.argv[2], 'w').write('lost')\n",
        "import sys\nif sys.argv[1].startswith('a'): sys.exit(4)\n",
        "import sys\nif sys.argv[3].startswith('c'): sys.exit(4)\nopen(sys.argv[1]), open(sys.argv[2])\n",
    ],
    ids=["overwrites an input", "reads nothing", "writes nothing"],
)
async def test_another_order_that_does_not_do_the_work_is_no_way(replay: Replay, tmp_path: Path, program: str) -> None:
    settings = task(tmp_path, run_dot_py=program, a_dot_txt="1\n", b_dot_txt="2\n")
    finding = await passable(replay, settings, shell("python3 run.py a.txt b.txt c.txt", "", 4))
    assert results(finding)["words-in-another-order"] == "failed", finding
    assert finding.valid_answer is not Answer.YES


STORE = """import argparse, pathlib
parser = argparse.ArgumentParser(prog='store')
commands = parser.add_subparsers(dest='command', required=True)
commands.add_parser('count', help='how many rows')
commands.add_parser('migrate', help='bring the schema up to date')
given = parser.parse_args()
schema = pathlib.Path('schema')
if given.command == 'migrate':
    schema.write_text('2')
elif schema.read_text().strip() != '2':
    raise SystemExit(4)
else:
    print(len(pathlib.Path('rows').read_text().split()))
"""


LAKES = """
import sys
known = {'lakes-2018': 4, 'lakes-2019': 7}
if sys.argv[1] not in known:
    raise SystemExit(3)
print(known[sys.argv[1]])
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("word", "result"),
    [("lakes_2019", "passed"), ("lakes-2016", "failed"), ("ponds", "not_applicable")],
    ids=["a slip", "of another year", "nothing alike"],
)
async def test_a_word_that_the_task_spells_otherwise_is_tried_as_the_task_spells_it(
    replay: Replay, tmp_path: Path, word: str, result: str
) -> None:
    settings = task(tmp_path, lakes_dot_py=LAKES, README_dot_md="Data sets: `lakes-2017` and lakes-2020.\n")
    failed = shell(f"python3 lakes.py {word}", "", 3)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(failed.command,)),
        failed,
        profile="offline",
        settings=settings,
        prompt="Tell the trend of lakes-2019." if word == "lakes_2019" else "Tell the trend.",
    )
    assert results(found[Question.PASSABLE])["as-the-texts-spell-it"] == result, found


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("PYTHONPATH=src python3 -m store count", "src/store/__main__.py"),
        ("cd . && python3 -m store count", "store.py"),
    ],
)
async def test_a_module_of_the_task_s_is_a_program_of_its_own(
    replay: Replay, tmp_path: Path, line: str, file: str
) -> None:
    settings = task(tmp_path, rows="a\nb\n", schema="1\n")
    (tmp_path / "task" / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "task" / file).write_text(STORE)
    finding = await passable(replay, settings, shell(line, "", 4))
    assert passed(finding) == ["own-subcommand"], finding


@pytest.mark.exhaustive
async def test_a_command_that_the_program_lists_and_the_run_never_gave_it_is_a_way(
    replay: Replay, tmp_path: Path
) -> None:
    settings = task(
        tmp_path,
        store='#!/bin/sh\ncase "$1" in migrate) echo 2 > schema;; count) grep -q 2 schema && wc -l < rows;; *) '
        'printf "usage: store COMMAND\\n\\n  count      how many rows\\n  migrate    bring the schema up to date\\n  '
        'purge      remove all rows\\n"; exit 1;; esac\n',
        schema="1\n",
        rows="a\nb\n",
    )
    finding = await passable(replay, settings, shell("./store count", "", 1))
    assert passed(finding) == ["own-subcommand"], finding
    way = next(route for route in finding.routes if route.result == "passed")
    assert way.commands == ("./store migrate", "./store count")


@pytest.mark.exhaustive
async def test_a_listed_command_that_takes_away_what_is_asked_for_is_not_tried(replay: Replay, tmp_path: Path) -> None:
    settings = task(
        tmp_path,
        store='#!/bin/sh\ncase "$1" in purge|reset|delete) rm -f rows;; check) exit 0;; '
        'count) test -e rows && exit 3;; *) printf "  count      how many rows\\n  '
        "purge      remove all rows\\n  reset      begin anew\\n  "
        'delete     all of it\\n  check      is it well?\\n"; exit 1;; esac\n',
        rows="a\n",
    )
    finding = await passable(replay, settings, shell("./store count", "", 3))
    assert finding.valid_answer is not Answer.YES, finding


def packed_rows() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for number in range(3):
            text = f"{number}\n".encode()
            entry = tarfile.TarInfo(f"rows/{number}.csv")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return held.getvalue()


COUNT = "import glob, sys\nsys.exit(0 if len(glob.glob(sys.argv[1] + '/*.csv')) == 3 else 'three, please')\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("parts", [1, 3])
async def test_an_archive_is_unpacked_where_it_lies_in_parts_too(replay: Replay, tmp_path: Path, parts: int) -> None:
    settings = task(tmp_path, count_dot_py=COUNT, README="The rows are below data/.\n")
    (tmp_path / "task" / "data").mkdir()
    data, size = packed_rows(), -(-len(packed_rows()) // parts)
    for number in range(parts):
        name = "rows.tgz" if parts == 1 else f"rows.tgz.{number:02d}"
        (tmp_path / "task" / "data" / name).write_bytes(data[number * size : (number + 1) * size])
    finding = await passable(replay, settings, shell("python3 count.py data/rows", "three, please", 1))
    assert "unpacked-beside" in passed(finding), finding


@pytest.mark.exhaustive
async def test_an_archive_with_less_than_is_asked_for_is_no_way(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, count_dot_py=COUNT)
    (tmp_path / "task" / "rows").mkdir()
    (tmp_path / "task" / "rows" / "0.csv.bz2").write_bytes(bz2.compress(b"0\n"))
    finding = await passable(replay, settings, shell("python3 count.py rows", "three, please", 1))
    assert results(finding)["unpacked-beside"] == "failed", finding
    assert finding.valid_answer is not Answer.YES


def test_lists_of_commands_are_known_by_the_command_that_failed() -> None:
    listed = "  start     begin\n  stop      end\n  mend-it   after a crash\n\nexamples:\n  north     a place\n"
    other = "colours:\n  red    warm\n  blue   cold\n"
    assert listed_beside("start", iter([listed, other])) == ["stop", "mend-it", "north"]
    assert listed_beside("green", iter([listed, other])) == []


def test_parts_of_one_archive_are_put_together_in_their_order() -> None:
    files = ["/w/a.tar.gz.ab", "/w/a.tar.gz.aa", "/w/b.zip.part2", "/w/b.zip.part1", "/w/c.tgz.07", "/w/d.csv.gz"]
    assert [(one.files, one.how) for one in packed(files)] == [
        (("/w/a.tar.gz.aa", "/w/a.tar.gz.ab"), "tar.gz"),
        (("/w/b.zip.part1", "/w/b.zip.part2"), "zip"),
        (("/w/d.csv.gz",), "gz"),
    ]


SLOW = "import time\ntime.sleep(6)\nopen('done', 'w').write('1')\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("cp slow.py /tmp && timeout 2 python3 /tmp/slow.py", "cp slow.py /tmp && python3 /tmp/slow.py"),
        ("cd . && timeout --signal=KILL -k 1 2s python3 slow.py", "python3 slow.py"),
        ("timeout 60 python3 slow.py", "python3 slow.py"),
    ],
    ids=["in a longer line", "with options", "long enough here"],
)
async def test_a_limit_that_the_run_set_itself_is_left_out(
    replay: Replay, tmp_path: Path, line: str, left: str
) -> None:
    """Also where the command ends in time here, so that its failure does not come back."""
    settings = task(tmp_path, slow_dot_py=SLOW)
    finding = await passable(replay, settings, shell(line, "", 124 if "KILL" not in line else 137))
    assert passed(finding) == ["without-own-limit"], finding
    assert finding.routes[0].commands in ((left,), (f"cd . && {left}",))


@pytest.mark.exhaustive
async def test_a_limit_that_the_task_sets_stays(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, slow_dot_py=SLOW, README="Check it with `timeout 2 python3 slow.py`.\n")
    line = "timeout 2 python3 slow.py"
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(line,))
    found = await replay(asked, shell(line, "", 124), profile="offline", settings=settings)
    assert Question.PASSABLE not in found or not passed(found[Question.PASSABLE]), found
