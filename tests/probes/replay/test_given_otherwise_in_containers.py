"""What a failing command is given otherwise: files as they should lie, a copy, other settings, one job, an archive."""

import gzip
import zipfile
from pathlib import Path

import pytest

from cases import CommandRun
from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell
from tests.probes.replay.test_documented_in_containers import passable, results, task

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]


async def told(replay: Replay, settings: Settings, prompt: str, *commands: CommandRun) -> Finding:
    """What a command that fails in nobody's words is found to be, where the task has a text."""
    asked = hypothesis(Barrier.COMMAND_FAILS, event=len(commands) - 1, commands=(commands[-1].command,))
    found = await replay(asked, *commands, profile="offline", settings=settings, prompt=prompt)
    return found[Question.PASSABLE]


def thorough(settings: Settings) -> Settings:
    """All ways are walked, whichever passes."""
    return settings.model_copy(update={"thorough": True})


def way(finding: Finding, name: str) -> tuple[str, ...]:
    """What was typed on a way that passed."""
    assert results(finding)[name] == "passed", finding
    return next(route for route in finding.routes if route.id == name).commands


GENERATED = "all: gen.h\n\tcat gen.h > out\n\ngen.h: gen.y\n\tyaccoid gen.y > gen.new && mv gen.new gen.h\n"
NO_GENERATOR = "/bin/sh: 1: yaccoid: not found\nmake: *** [Makefile:5: gen.h] Error 127"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "given", "before", "comes"),
    [
        ("Build `out`.", {"gen_dot_h": "1\n"}, "", "passed"),
        ("Build gen.h.", {"gen_dot_h": "1\n"}, "", "not_applicable"),
        ("Build `out`.", {}, "", "not_applicable"),
        ("Build `out`.", {}, "echo 2 > gen.h; sleep 1; ", "not_applicable"),
    ],
    ids=["given", "asked for", "absent", "of the run's own"],
)
async def test_a_generated_file_that_the_task_brought_counts_as_made(
    replay: Replay, tmp_path: Path, prompt: str, given: dict[str, str], before: str, comes: str
) -> None:
    settings = thorough(task(tmp_path, Makefile=GENERATED, gen_dot_y="1\n", **given))
    finding = await told(replay, settings, prompt, shell(f"{before}touch gen.y"), shell("make", NO_GENERATOR, 2))
    assert results(finding)["made-already"] == comes, finding


@pytest.mark.exhaustive
@pytest.mark.parametrize("line", ["make -C 'sub dir'", "cd 'sub dir' && make"])
async def test_it_is_looked_for_where_the_build_went(replay: Replay, tmp_path: Path, line: str) -> None:
    settings = task(tmp_path, README="Built below.\n")
    for name, text in {"Makefile": GENERATED, "gen.h": "1\n", "gen.y": "1\n"}.items():
        (tmp_path / "task" / "sub dir").mkdir(exist_ok=True)
        (tmp_path / "task" / "sub dir" / name).write_text(text)
    finding = await passable(replay, settings, shell("touch 'sub dir/gen.y'"), shell(line, NO_GENERATOR, 2))
    assert way(finding, "made-already") == ("touch '/home/agent/sub dir/gen.h'", line)


RACE = "all: a b\n\na:\n\tmkdir -p made; sleep 2; echo 1 > made/a\n\nb:\n\ttest -e made/{}\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "needs", "comes"),
    [
        ("make -j4", "a", "passed"),
        ("make --jobs=4 all", "a", "passed"),
        ("cd . && make -j 4 all", "a", "passed"),
        ("make -j", "a", "passed"),
        ("make -j4", "never", "failed"),
        ("make -j1", "never", "not_applicable"),
        ("make", "never", "not_applicable"),
    ],
)
async def test_a_build_whose_rules_race_is_done_one_job_at_a_time(
    replay: Replay, tmp_path: Path, line: str, needs: str, comes: str
) -> None:
    settings = task(tmp_path, Makefile=RACE.format(needs))
    finding = await passable(replay, settings, shell(line, "make: *** [Makefile:7: b] Error 1", 2))
    assert results(finding)["one-job-at-a-time"] == comes, finding


INDEX = """import argparse, os, sys
parser = argparse.ArgumentParser()
parser.add_argument('store', nargs='?')
{}
given = parser.parse_args()
store = given.store or {}
open(os.path.join(store, 'lock'), 'w')
print(len(open(os.path.join(store, 'rows')).read().split()))
"""
BY_OPTION = INDEX.format("parser.add_argument('--cache', default='./my-store')", "given.cache")
BY_VARIABLE = INDEX.format("", "os.environ.get('INDEX_STORE', './my-store')")
BY_WORD = INDEX.format("", "'my-store'")


@pytest.mark.parametrize(
    ("program", "folder", "mode", "comes"),
    [
        (BY_VARIABLE, "", 500, "export INDEX_STORE=/tmp/.own-copy"),
        pytest.param(BY_OPTION, "", 500, "python3 index.py --cache /tmp/.own-copy", marks=pytest.mark.exhaustive),
        pytest.param(BY_WORD, "the archive's", 500, "python3 index.py /tmp/.own-copy", marks=pytest.mark.exhaustive),
        pytest.param(BY_VARIABLE, "", 100, "", marks=pytest.mark.exhaustive),
        pytest.param(BY_WORD, "", 500, "", marks=pytest.mark.exhaustive),
    ],
    ids=["a variable", "an option", "a word with a quote and a space", "not to be read", "told by nothing"],
)
@pytest.mark.exhaustive
async def test_a_copy_of_a_folder_that_may_only_be_read_is_given_to_the_program(
    replay: Replay, tmp_path: Path, program: str, folder: str, mode: int, comes: str
) -> None:
    """The run shut it itself, and so there are other ways as well."""
    settings, name = thorough(task(tmp_path, index_dot_py=program)), folder or "my-store"
    (tmp_path / "task" / name).mkdir()
    (tmp_path / "task" / name / "rows").write_text("a\nb\n")
    line = f'python3 index.py "{folder}"' if folder else "python3 index.py"
    said = f"PermissionError: [Errno 13] Permission denied: '{name}/lock'"
    finding = await passable(replay, settings, shell(f'chmod {mode} "{name}"'), shell(line, said, 1))
    if comes:
        assert comes in way(finding, "own-copy-in-its-place")
    else:
        assert results(finding)["own-copy-in-its-place"] == "not_applicable", finding


FIT = """import sys
file = sys.argv[2] if sys.argv[1:2] == ['--settings'] else 'fit.ini'
settings = open(file).read()
if {}:
    raise SystemExit(4)
print('fitted')
"""
NEEDS, HATES = "'engine=open' not in settings", "'engine=licensed' in settings"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("condition", "readme", "comes"),
    [
        (NEEDS, "Without a licence, put `the open one.ini` in the place of fit.ini.\n", "passed"),
        (NEEDS, "Without a licence: `--settings 'the open one.ini'`.\n", "passed"),
        (NEEDS, "Settings are in fit.ini.\n", "not_applicable"),
        (HATES, "Without a licence, put `the open one.ini` in the place of fit.ini.\n", "failed"),
    ],
    ids=["in its place", "by an option", "named nowhere", "an empty one does as well"],
)
async def test_another_settings_file_that_the_documents_name_takes_the_place_of_the_one_that_is_read(
    replay: Replay, tmp_path: Path, condition: str, readme: str, comes: str
) -> None:
    settings = task(
        tmp_path,
        fit_dot_py=FIT.format(condition),
        fit_dot_ini="engine=licensed\n",
        README=readme,
        **{"the open one_dot_ini": "engine=open\n"},
    )
    finding = await passable(replay, settings, shell("python3 fit.py", "", 4))
    assert results(finding)["another-settings-file"] == comes, finding


PLAIN = b"site,rain\na,3\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "held", "comes"),
    [
        ("the rain's.csv", gzip.compress(PLAIN), "passed"),
        ("rain.csv.gz", PLAIN, "passed"),
        ("rain.csv", b"site\n", "not_applicable"),
        ("rain.csv.gz", gzip.compress(b"site\n"), "not_applicable"),
        ("rain.csv", gzip.compress(b"site\n"), "failed"),
    ],
    ids=["packed in secret", "packed by name only", "as named", "packed as named", "something else is wrong as well"],
)
async def test_a_file_that_is_packed_otherwise_than_its_name_says_is_put_right(
    replay: Replay, tmp_path: Path, name: str, held: bytes, comes: str
) -> None:
    reads = "gzip.open(sys.argv[1], 'rt')" if name.endswith("gz") else "open(sys.argv[1])"
    program = f"import gzip, sys\nrows = {reads}.read().split()\nif len(rows) != 2: raise SystemExit(3)\n"
    settings = task(tmp_path, count_dot_py=program)
    (tmp_path / "task" / name).write_bytes(held)
    finding = await passable(replay, settings, shell(f'python3 count.py "{name}"', "", 1))
    assert results(finding)["packed-as-its-name-says"] == comes, finding


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("archive", "module", "comes"),
    [
        ("the field's kit.pyz", "lib/moorfrob/__init__.py", "passed"),
        ("kit.egg", "moorfrob.py", "passed"),
        ("kit.zip", "lib/moorfrobs/__init__.py", "failed"),
        ("kit.zip", "lib/moorfrob.py.txt", "failed"),
        ("kit.zip", "moorfrob/readings.csv", "failed"),
    ],
)
async def test_a_module_is_taken_out_of_an_archive_that_holds_it_under_its_own_name(
    replay: Replay, tmp_path: Path, archive: str, module: str, comes: str
) -> None:
    settings = task(tmp_path, depth_dot_py="import moorfrob\nprint(moorfrob.depth)\n")
    with zipfile.ZipFile(tmp_path / "task" / archive, "w") as made:
        made.writestr(module, "depth = 3\n")
    failed = shell("python3 depth.py", "ModuleNotFoundError: No module named 'moorfrob'", 1)
    asked = hypothesis(Barrier.MODULE, modules=("moorfrob",))
    finding = (await replay(asked, failed, profile="offline", settings=settings))[Question.PASSABLE]
    assert results(finding)["archive-that-holds-it"] == comes, finding
    assert (finding.valid_answer is Answer.YES) is (comes == "passed")


PLATFORM = "PLATFORM ?= cluster\ninclude mk/$(PLATFORM).mk\nall:\n\t$(CC) -c a.c -o a.o\n"
SWITCHED = "MPI = yes\nifeq ($(MPI),no)\nCC = cc\nelse\nCC = no-such-mpicc\nendif\nall:\n\t$(CC) -c a.c -o a.o\n"
SET_ALREADY = "MPI ?= yes\nifeq ($(MPI),yes)\nCC = no-such-mpicc\nelse\nCC = cc\nendif\nall:\n\t$(CC) -c a.c -o a.o\n"
COMPUTED = "include mk/names.mk\nall:\n\t$(CC_$(KIND)) -c a.c -o a.o\n"
NAMES = "KIND ?= mpi\nCC_mpi = no-such-mpicc\nCC_plain = cc\n"
NO_COMPILER = "make: no-such-mpicc: No such file or directory\nmake: *** [Makefile:4: all] Error 127"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("makefile", "value", "comes"),
    [
        (PLATFORM, "PLATFORM=workstation", "passed"),
        (SWITCHED, "MPI=no", "passed"),
        (SET_ALREADY, "MPI=no", "passed"),
        (COMPUTED, "KIND=plain", "passed"),
        ("all:\n\tno-such-mpicc a.c\n", "", "not_applicable"),
    ],
    ids=[
        "a file for each value",
        "a value that is compared",
        "another than it has",
        "a computed name",
        "nothing to choose",
    ],
)
async def test_a_makefile_s_other_choice_is_a_way(
    replay: Replay, tmp_path: Path, makefile: str, value: str, comes: str
) -> None:
    settings = task(tmp_path, Makefile=makefile, a_dot_c="int a;\n")
    (tmp_path / "task" / "mk").mkdir()
    (tmp_path / "task" / "mk" / "cluster.mk").write_text("CC = no-such-mpicc\n")
    (tmp_path / "task" / "mk" / "workstation.mk").write_text("CC = cc\n")
    if makefile == COMPUTED:
        (tmp_path / "task" / "mk" / "names.mk").write_text(NAMES)
    finding = await passable(replay, settings, shell("make", NO_COMPILER, 2))
    assert results(finding)["makefile-variable"] == comes, finding
    assert not value or way(finding, "makefile-variable") == (f"make {value}",)


SHOWN = "# As a library\n\n```python\nfrom ledger import total\n\nprint(total({!r}))\n```\n"
LEDGER = "def total(path):\n    return sum(map(float, open(path)))\n"
LEDGER_PROGRAM = "import no_such_module\nimport sys\nfrom ledger import total\nprint(total(sys.argv[1]))\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("library", "named", "comes"),
    [
        (LEDGER, "books.txt", "passed"),
        (LEDGER, "other.txt", "not_applicable"),
        ("def total(path):\n    return 7\n", "books.txt", "failed"),
        ("def total(path):\n    sys.exit(3)\n", "books.txt", "failed"),
    ],
    ids=["the library reads it", "another file", "whatever is there", "it fails as well"],
)
async def test_code_that_a_document_shows_does_the_work_of_a_program_that_lacks_a_module(
    replay: Replay, tmp_path: Path, library: str, named: str, comes: str
) -> None:
    settings = task(tmp_path, README_dot_md=SHOWN.format(named), ledger_dot_py=library, run_dot_py=LEDGER_PROGRAM)
    (tmp_path / "task" / "books.txt").write_text("1\n2.5\n")
    failing = shell("python3 run.py books.txt", "ModuleNotFoundError: No module named 'no_such_module'", 1)
    asked = hypothesis(Barrier.MODULE, event=0, modules=("no_such_module",))
    found = await replay(asked, failing, profile="offline", settings=settings)
    assert results(found[Question.PASSABLE])["documented-code"] == comes, found[Question.PASSABLE]


WORDS = """import sys
text = open(sys.argv[1], errors="replace").read()
if "\\ufffd" in text:
    sys.exit(3)
print(len(text.split()))
"""


@pytest.mark.exhaustive
async def test_a_packed_file_that_was_cut_short_is_not_put_right(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, count_dot_py=WORDS)
    rows = "\n".join(str(number * 7919 % 10007) for number in range(9000)).encode()
    (tmp_path / "task" / "rows.csv").write_bytes(gzip.compress(rows)[:-2000])
    finding = await passable(replay, settings, shell("python3 count.py rows.csv", "", 3))
    assert results(finding)["packed-as-its-name-says"] == "failed", finding


@pytest.mark.exhaustive
async def test_a_copy_is_no_way_where_the_task_demands_the_place_itself(replay: Replay, tmp_path: Path) -> None:
    code = "import os\nout = os.environ.get('TABLES_OUT', '/etc/skel')\nopen(out + '/table.csv', 'w').write('1')\n"
    said = "PermissionError: [Errno 13] Permission denied: '/etc/skel/table.csv'"
    prompt = "Run `python3 table.py`; it must write /etc/skel/table.csv."
    finding = await told(replay, task(tmp_path, table_dot_py=code), prompt, shell("python3 table.py", said, 1))
    assert results(finding)["own-copy-in-its-place"] == "not_applicable", finding


@pytest.mark.exhaustive
async def test_a_stand_in_for_tests_is_no_module(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, depth_dot_py="import moorfrob\nprint(moorfrob.depth)\n")
    with zipfile.ZipFile(tmp_path / "task" / "a.zip", "w") as made:
        made.writestr("tests/fakes/moorfrob.py", "depth = None\n")
    asked = hypothesis(Barrier.MODULE, event=0, modules=("moorfrob",))
    said = "ModuleNotFoundError: No module named 'moorfrob'"
    found = await replay(asked, shell("python3 depth.py", said, 1), profile="offline", settings=settings)
    assert results(found[Question.PASSABLE])["archive-that-holds-it"] == "failed", found[Question.PASSABLE]
