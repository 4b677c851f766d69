"""Ways that documents, helps and the machine tell, for a failing command of whatever barrier, in containers."""

import json
from pathlib import Path

import pytest

from cases import CommandRun
from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PASSABLE = Question.PASSABLE


def task(tmp_path: Path, **files: str) -> Settings:
    """A task's directory; `__` stands for a slash and `_dot_` for a dot."""
    for name, text in files.items():
        path = tmp_path / "task" / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    return Settings(offline=True, workspace=tmp_path / "task")


async def passable(replay: Replay, settings: Settings | None, *commands: CommandRun) -> Finding:
    """What a command that fails in nobody's words is found to be."""
    asked = hypothesis(Barrier.COMMAND_FAILS, event=len(commands) - 1, commands=(commands[-1].command,))
    found = await replay(asked, *commands, profile="offline", settings=settings or Settings(offline=True))
    return found[PASSABLE]


def results(finding: Finding) -> dict[str, str]:
    return {route.id: route.result for route in finding.routes}


@pytest.mark.exhaustive
async def test_a_variable_of_a_table_is_given_the_folder_that_the_text_below_names(
    replay: Replay, tmp_path: Path
) -> None:
    settings = task(
        tmp_path,
        docs__SETUP_dot_md="| variable | for |\n|---|---|\n| TILE_DIR | tiles |\n\nOurs: ./of-2021, not ./of-2019.\n",
        rise_dot_py="import os\nprint(len(os.listdir(os.environ.get('TILE_DIR', 'tiles'))))\n",
        **{"of-2021__n47_dot_txt": "812\n"},
    )
    finding = await passable(replay, settings, shell("python3 rise.py; echo rc=$?; df -h .", "rc=1", 0))
    assert results(finding)["documented-setting"] == "passed", finding
    passed = next(route for route in finding.routes if route.result == "passed")
    assert passed.commands == (f"export TILE_DIR={passed.commands[0].rpartition('=')[2]}", "python3 rise.py")
    assert passed.commands[0].endswith("/of-2021")


@pytest.mark.exhaustive
async def test_a_variable_for_a_folder_of_which_a_document_speaks_is_given_one_with_room(
    replay: Replay, tmp_path: Path
) -> None:
    settings = task(
        tmp_path,
        docs__operations_dot_md="Where shared memory is scarce, set `SEGMENT_DIR` to any writable directory.\n",
        relax_dot_c='#include <stdlib.h>\nint main(void) { return getenv("SEGMENT_DIR") ? 0 : 9; }\n',
    )
    finding = await passable(replay, settings, shell("gcc -o relax relax.c"), shell("./relax", "Bus error", 9))
    assert results(finding)["documented-setting"] == "passed", finding


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("file", "text", "result"),
    [
        ("deploy__app_dot_yaml", "env:\n  TILE_FORM: padded\n", "not_tried"),
        ("rise_dot_service", "Environment=TILE_FORM=padded\n", "not_tried"),
        ("ci__app_dot_yaml", "TILE_FORM: padded\n", "not_applicable"),
        ("tests__app_dot_yaml", "TILE_FORM: padded\n", "not_applicable"),
    ],
)
async def test_a_variable_that_a_file_of_settings_gives_proves_no_way_and_leaves_one_open(
    replay: Replay, tmp_path: Path, file: str, text: str, result: str
) -> None:
    settings = task(
        tmp_path,
        rise_dot_py="import os\nassert os.environ.get('TILE_FORM') == 'padded'\nprint(812)\n",
        **{file: text},
    )
    finding = await passable(replay, settings, shell("python3 rise.py", "AssertionError", 1))
    assert results(finding)["documented-setting"] == result
    assert finding.valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_what_a_readme_says_to_start_is_started_and_stays_while_the_command_runs(
    replay: Replay, tmp_path: Path
) -> None:
    settings = task(
        tmp_path,
        README_dot_md="Ask it with `./ask.sh PORT`.\n\n```\n$ python3 -m http.server 8123\n$ touch asked\n```\n",
        ask_dot_sh="#!/bin/sh\ntest -e asked && exec curl -fsS http://127.0.0.1:8123/README.md\n",
    )
    finding = await passable(replay, settings, shell("./ask.sh", "curl: (7)", 1))
    assert results(finding)["as-the-documents-say"] == "passed", finding


@pytest.mark.exhaustive
async def test_a_value_that_the_help_lists_is_tried(replay: Replay, tmp_path: Path) -> None:
    settings = task(
        tmp_path,
        flow='#!/bin/sh\ncase "$1" in --help) echo "usage: flow [--device=gpu|cpu] [--plan] FILE"; exit;;\n'
        '--device=cpu) cat "$2";; *) echo "no gpu"; exit 9;; esac\n',
        case_dot_txt="a=1\n",
    )
    finding = await passable(replay, settings, shell("./flow case.txt", "no gpu", 9))
    assert results(finding)["documented-option"] == "passed", finding
    assert next(route for route in finding.routes if route.result == "passed").commands == (
        "./flow --device=cpu case.txt",
    )


INSTALLED = r"""printf '%s' '#include <stdio.h>
#include <string.h>
int main(int n, char **v) {
    if (n > 1 && !strcmp(v[1], "--help")) { puts("usage: gridsum [--cpu-only] FILE"); return 0; }
    if (n > 1 && strcmp(v[1], "--cpu-only") && !fopen("/dev/nvidia0", "r")) { perror("/dev/nvidia0"); return 1; }
    FILE *in = fopen(v[n - 1], "r"); if (!in) { perror(v[n - 1]); return 1; }
    int x, s = 0; while (fscanf(in, "%d", &x) == 1) s += x; printf("%d\n", s); return 0;
}' >/tmp/g.c && gcc -o /usr/local/bin/gridsum /tmp/g.c"""


SCORES = """import argparse, pathlib
parser = argparse.ArgumentParser()
parser.add_argument("--lexicon")
given = parser.parse_args()
text = pathlib.Path(given.lexicon or "/nowhere/lexicon.tsv").read_text()
{check}
print("hits", len(text.split()))
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("check", "comes"), [('assert text.startswith("lexicon"), "not the lexicon"', "passed"), ("", "failed")]
)
async def test_an_option_for_a_file_is_given_the_one_that_the_program_takes_and_no_other(
    replay: Replay, tmp_path: Path, check: str, comes: str
) -> None:
    files = {"S2_dot_txt": "A1 author\n", "S3_dot_txt": "lexicon venest 1\n", "README": "Or give it --lexicon FILE.\n"}
    settings = task(tmp_path, score_dot_py=SCORES.replace("{check}", check), **files)
    finding = await passable(replay, settings, shell("python3 score.py", "No such file or directory", 1))
    assert results(finding)["documented-option"] == comes, finding


@pytest.mark.exhaustive
async def test_an_option_that_an_installed_program_s_help_lists_is_tried(replay: Replay, tmp_path: Path) -> None:
    """No package of the system brought it: it came with the task's machine, though not with its files."""
    (tmp_path / "Dockerfile").write_text(f"FROM impassable/base\nRUN {json.dumps(['bash', '-ec', INSTALLED])}\n")
    profile = tmp_path / "profile.toml"
    profile.write_text('title = "t"\nsource = "t"\nextends = "offline"\ndockerfile = "Dockerfile"\n[envelope]\n')
    settings = task(tmp_path, in_dot_txt="1 2\n")
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("gridsum in.txt",))
    failed = shell("gridsum in.txt", "/dev/nvidia0: No such file or directory", 1)
    found = (await replay(asked, failed, profile=str(profile), settings=settings))[PASSABLE]
    assert results(found)["documented-option"] == "passed", found
    passed = next(route for route in found.routes if route.result == "passed")
    assert passed.commands == ("gridsum --cpu-only in.txt",)


@pytest.mark.exhaustive
async def test_nothing_that_skips_the_work_or_takes_something_away_is_a_way(replay: Replay, tmp_path: Path) -> None:
    """All of these make the command end with 0: a lock removed, no work done, the usage printed, the input not read."""
    settings = task(
        tmp_path,
        README_dot_md="Should it be locked: `rm -f job.lock`, `sudo ./unlock.sh`, or `SKIP_LOCK=1 ./job in.txt`.\n\n"
        "    dd if=/dev/null of=job.lock\n\nSee also `./job --dry-run in.txt`, `./job --mode=usage in.txt`.\n",
        unlock_dot_sh="#!/bin/sh\nrm -f job.lock\n",
        job='#!/bin/sh\n[ "$SKIP_LOCK" ] && exit 0\n'
        'case "$1" in --help) echo "--dry-run --mode=usage|blind --check"; exit;;\n'
        "--dry-run|--check|--mode=blind|--mode=usage) exit 0;; --*) echo usage; exit 0;; esac\n"
        "test -s job.lock && exit 11\ncat in.txt\n",
        job_dot_lock="held\n",
        in_dot_txt="1\n",
    )
    finding = await passable(replay, settings, shell("./job in.txt", "", 11))
    assert finding.valid_answer is Answer.UNKNOWN, finding
    assert "passed" not in results(finding).values()


@pytest.mark.exhaustive
async def test_a_compiler_of_the_same_language_takes_the_missing_one_s_name(replay: Replay, tmp_path: Path) -> None:
    """And no option of `make` is tried, with many of which it ends with 0."""
    settings = task(
        tmp_path,
        Makefile="CXX = clang++\n\nall: a.cpp\n\t$(CXX) -std=c++17 -o a a.cpp\n",
        a_dot_cpp="int main() {}\n",
        README="Build it with make --dry-run or make --keep-going.\n",
    )
    asked = hypothesis(Barrier.COMMAND, event=0, programs=("clang++",))
    output = "make: clang++: No such file or directory\nmake: *** [Makefile:4: all] Error 127"
    found = await replay(asked, shell("make", output, 2), profile="offline", settings=settings)
    ways = results(found[PASSABLE])
    assert ways["equivalent-program"] == "passed", found[PASSABLE]
    assert ways["documented-option"] == "not_applicable"


@pytest.mark.exhaustive
async def test_what_own_code_was_to_read_with_a_missing_module_is_read_without_it(replay: Replay) -> None:
    """Where the task asks for nothing but what stands in the file."""
    book = "import zipfile; zipfile.ZipFile('t.xlsx', 'w').writestr('xl/worksheets/sheet1.xml', '<row>12</row>')"
    code = "import openpyxl; print(openpyxl.load_workbook('t.xlsx').active['A1'].value)"
    missing = shell(f'python3 -c "{code}"', "ModuleNotFoundError: No module named 'openpyxl'", 1)
    asked = hypothesis(Barrier.MODULE, event=1, modules=("openpyxl",))
    found = await replay(
        asked, shell(f'python3 -c "{book}"'), missing, profile="offline", settings=Settings(offline=True)
    )
    assert results(found[PASSABLE])["another-tool"] == "passed", found[PASSABLE]


@pytest.mark.parametrize(
    ("prompt", "to", "comes"),
    [
        ("Report the mean of rain.csv.", "['rain'].mean()", "passed"),
        pytest.param("Use pandas on rain.csv.", "['rain'].mean()", "not_applicable", marks=pytest.mark.exhaustive),
        pytest.param(
            "Write rain.csv as a Parquet file.",
            ".to_parquet('rain.parquet')",
            "not_applicable",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
@pytest.mark.exhaustive
async def test_so_it_is_where_a_script_of_the_run_s_own_reads_it_and_the_task_wants_nothing_of_the_module(
    replay: Replay, prompt: str, to: str, comes: str
) -> None:
    made = shell("printf 'site,rain\\na,3\\nb,4\\n' > rain.csv")
    wrote = shell(f"cat > mean.py <<'EOF'\nimport pandas\nprint(pandas.read_csv('rain.csv'){to})\nEOF")
    missing = shell("python3 mean.py", "ModuleNotFoundError: No module named 'pandas'", 1)
    asked, offline = hypothesis(Barrier.MODULE, event=2, modules=("pandas",)), Settings(offline=True)
    found = await replay(asked, made, wrote, missing, profile="offline", settings=offline, prompt=prompt)
    assert results(found[PASSABLE])["another-tool"] == comes, found[PASSABLE]


@pytest.mark.exhaustive
async def test_the_layers_of_a_geopackage_are_read_as_tables(replay: Replay) -> None:
    tables = "create table gpkg_contents (table_name); create table land (name, area); "
    rows = "insert into gpkg_contents values ('land'); insert into land values ('a', 3)"
    made = shell(f'python3 -c "import sqlite3; sqlite3.connect(\'a.gpkg\').executescript(\\"{tables}{rows}\\")"')
    missing = shell(
        "python3 -c \"import fiona; print(len(fiona.open('a.gpkg')))\"",
        "ModuleNotFoundError: No module named 'fiona'",
        1,
    )
    asked, offline = hypothesis(Barrier.MODULE, event=1, modules=("fiona",)), Settings(offline=True)
    found = await replay(asked, made, missing, profile="offline", settings=offline, prompt="How many rows has a.gpkg?")
    assert results(found[PASSABLE])["another-tool"] == "passed", found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("means", "comes"), [("; you may use any means", "passed"), ("", "not_applicable")])
async def test_so_it_is_for_a_script_of_the_task_s_where_any_means_will_do(
    replay: Replay, tmp_path: Path, means: str, comes: str
) -> None:
    settings = task(
        tmp_path,
        mean_dot_py="import pandas\nprint(pandas.read_csv('rain.csv').mean())\n",
        rain_dot_csv="site,rain\na,3\nb,4\n",
    )
    missing = shell("python3 mean.py", "ModuleNotFoundError: No module named 'pandas'", 1)
    asked = hypothesis(Barrier.MODULE, event=0, modules=("pandas",))
    prompt = f"Report the mean of rain.csv; `python3 mean.py` prints it{means}."
    found = await replay(asked, missing, profile="offline", settings=settings, prompt=prompt)
    assert results(found[PASSABLE])["another-tool"] == comes, found[PASSABLE]


@pytest.mark.exhaustive
async def test_an_image_that_may_not_be_mounted_is_read_by_another_tool(replay: Replay) -> None:
    image = "mkdir -p d/notes && echo 12 > d/notes/a.txt && truncate -s 4M i.img"
    image = f"{image} && /sbin/mke2fs -q -t ext4 -d d i.img && rm -r d"
    refused = shell("mkdir -p m && mount -o loop,ro i.img m", "mount: m: must be superuser to use mount.", 1)
    finding = await passable(replay, None, shell(image), refused)
    assert results(finding)["another-tool"] == "passed", finding
    assert any("debugfs" in command for route in finding.routes for command in route.commands)


@pytest.mark.exhaustive
async def test_what_a_missing_runner_would_run_stands_in_its_place_and_the_rest_of_the_line_stays(
    replay: Replay, tmp_path: Path
) -> None:
    settings = task(
        tmp_path,
        package_dot_json='{"scripts": {"build": "echo 12 >"}}',
        check_dot_py="print(1 / (int(open('b.txt').read()) - 12))\n",
    )
    missing = shell("npm run build -- b.txt && python3 check.py", "bash: npm: command not found", 127)
    asked = hypothesis(Barrier.COMMAND, event=0, programs=("npm",))
    found = await replay(asked, missing, profile="offline", settings=settings)
    by_hand = next(route for route in found[PASSABLE].routes if route.id == "without-the-runner")
    assert (by_hand.result, by_hand.commands[-1]) == ("not_tried", "echo 12 > b.txt")
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, "its own work failed, which says nothing about npm"


@pytest.mark.exhaustive
async def test_another_version_and_a_setting_are_tried_where_they_lie(replay: Replay, tmp_path: Path) -> None:
    """A virtual environment, whose program is a link to the system's own, and modules below where the line goes; of a
    suite that could not begin it is enough that its tests run.
    """
    settings = task(
        tmp_path,
        app__count_dot_pl='eval { require Gauge; 1 } or exit 9; print "1..1\\nnot ok 1 - three\\n"; exit 1;\n',
        app__inc__Gauge_dot_pm="package Gauge; 1;\n",
        app__count_dot_py="try:\n    import gauge\nexcept ImportError:\n    raise SystemExit(9)\n",
    )
    made = shell("python3 -m venv --without-pip env && echo n=3 >$(echo env/lib/python3*/site-packages)/gauge.py")
    finding = await passable(replay, settings, made, shell("cd app && python3 count.py", "", 9))
    assert results(finding)["another-version"] == "passed", finding
    finding = await passable(replay, settings, shell("cd app && perl count.pl", "", 9))
    assert results(finding)["known-remedy"] == "passed", finding


@pytest.mark.exhaustive
async def test_a_compiler_s_newer_dialect_is_a_way_and_what_watches_a_program_is_not_left_out(
    replay: Replay, tmp_path: Path
) -> None:
    """`watchdog run` would start what follows; `memcheck` does its own work, so that leaving it out proves nothing."""
    settings = task(
        tmp_path,
        Makefile="CXXFLAGS = -std=c++17\n\na: a.cpp\n",
        a_dot_cpp="#include <span>\nint main() { int x[2] = {}; return std::span<int>(x).size() != 2; }\n",
    )
    finding = await passable(replay, settings, shell("make", "a.cpp: Fehler", 2))
    assert results(finding)["compiler-option"] == "passed", finding
    assert "-std=gnu++20" in next(route for route in finding.routes if route.result == "passed").commands[1]
    for line, result in (
        ("watchdog run ls Makefile", "passed"),
        ("carton install && carton exec ls Makefile", "passed"),
        ("memcheck ls Makefile", "not_applicable"),
    ):
        missing = shell(line, f"bash: line 1: {line.split()[0]}: command not found", 127)
        asked = hypothesis(Barrier.COMMAND, event=0, programs=(line.split()[0],))
        found = await replay(asked, missing, profile="offline", settings=settings)
        assert results(found[PASSABLE])["without-the-runner"] == result, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("command", ["./solve.sh set.json", "./solve.sh --device=cuda:0"])
async def test_what_asks_for_an_accelerator_is_done_on_the_processor(
    replay: Replay, tmp_path: Path, command: str
) -> None:
    settings = task(
        tmp_path,
        solve_dot_sh='#!/bin/sh\ncat "$@" 2>/dev/null | grep -qw cpu || echo "$*" | grep -qw cpu || exit 9\n',
        set_dot_json='{"grid": 64, "device": "cuda:0", "cuda_notes": "none"}\n',
    )
    finding = await passable(replay, settings, shell(command, "", 9))
    assert results(finding)["on-the-processor"] == "passed", finding


@pytest.mark.exhaustive
async def test_the_processor_stays_open_where_the_task_spells_the_accelerator(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, time_dot_sh="#!/bin/sh\n[ $2 = cpu ] || exit 9\n")
    line = "./time.sh --device cuda"
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(line,))
    for prompt, result in ((f"Run `{line}` and report the time.", "not_tried"), ("Report the time.", "passed")):
        found = await replay(asked, shell(line, "", 9), profile="offline", settings=settings, prompt=prompt)
        assert results(found[PASSABLE])["on-the-processor"] == result, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_word_that_chooses_no_device_is_other_work(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, find_dot_sh='#!/bin/sh\ngrep -q "$1" names\n', names="cpu\n")
    finding = await passable(replay, settings, shell("./find.sh gpu", "", 1))
    assert results(finding)["on-the-processor"] == "not_applicable", finding


@pytest.mark.exhaustive
async def test_a_name_that_a_library_dropped_is_given_back_to_it(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, count_dot_py="import collections\nprint(isinstance({}, collections.Mapping))\n")
    failed = "AttributeError: module 'collections' has no attribute 'Mapping'"
    finding = await passable(replay, settings, shell("python3 count.py", failed, 1))
    assert results(finding)["names-as-before"] == "passed", finding


@pytest.mark.exhaustive
async def test_what_documents_tell_to_run_is_run_under_the_settings_that_are_known_too(
    replay: Replay, tmp_path: Path
) -> None:
    """A version that only version control would tell, where the sources came without it."""
    settings = task(
        tmp_path,
        README_dot_md="    python3 setup.py build\n    python3 -m gauge\n",
        setup_dot_py="import os\nfrom setuptools import setup\n"
        "version = os.environ['SETUPTOOLS_SCM_PRETEND_VERSION']\n"
        "open('gauge/_version.py', 'w').write(f'version = {version!r}')\nsetup(name='gauge', version=version)\n",
    )
    package = tmp_path / "task" / "gauge"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("from gauge._version import version\n")
    finding = await passable(replay, settings, shell("python3 -m gauge", "", 1))
    assert results(finding)["as-the-documents-say"] == "passed", finding


@pytest.mark.exhaustive
async def test_objects_that_were_made_without_a_compiler_s_option_are_made_anew(replay: Replay, tmp_path: Path) -> None:
    settings = task(
        tmp_path,
        Makefile="all: a.o b.o\n\tgcc -o all a.o b.o -lm\n",
        a_dot_c="int depth;\nint main(void) { return depth; }\n",
        b_dot_c="int depth;\n",
    )
    output = "ld: b.o:(.bss+0x0): multiple definition of `depth'\nmake: *** [Makefile:2: all] Error 1"
    finding = await passable(replay, settings, shell("make a.o b.o"), shell("make", output, 2))
    assert results(finding)["compiler-option"] == "passed", finding


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("program", "script"),
    [
        ("sqlite3", "sqlite3 new.db < up.sql && sqlite3 -csv new.db 'select a from t' | grep -q 7"),
        ("sqlite3", "sqlite3 n.db < up.sql && sqlite3 -separator ' ' n.db 'select a, a from t' | grep -q '^7 7$'"),
        ("unzip", "python3 -m zipfile -c a.zip up.sql && unzip -o -q a.zip -d out && test -s out/up.sql"),
        ("zip", "zip -qr a.zip up.sql && python3 -m zipfile -t a.zip"),
        ("xxd", "xxd -p up.sql hex && xxd -r -p hex back && cmp back up.sql"),
        ("xz", "xz -k up.sql && xz -dc < up.sql.xz | cmp - up.sql"),
        ("unxz", 'python3 -c \'import lzma; lzma.open("a.xz", "w").write(b"7")\' && unxz a.xz && grep -q 7 a'),
        (
            "xz",
            "xz -k up.sql && unxz -c up.sql.xz | cmp - up.sql && "
            'python3 -c \'import tarfile; tarfile.open("a.tar.xz", "w:xz").add("up.sql")\' && '
            "tar --use-compress-program=unxz -tf a.tar.xz && tar -xJf a.tar.xz",
        ),
        (
            "bzip2",
            "bzip2 -k up.sql && bzip2 -t up.sql.bz2 && python3 -c 'import bz2; bz2.open(\"up.sql.bz2\").read(1)'",
        ),
        ("patch", "patch -p1 < up.patch && grep -q 8 up.sql"),
    ],
)
async def test_a_small_program_that_the_task_s_script_calls_is_written_anew(
    replay: Replay, tmp_path: Path, program: str, script: str
) -> None:
    sql = "create table t (a integer); insert into t values (7);\n"
    change = f"--- a/up.sql\n+++ b/up.sql\n@@ -1 +1 @@\n-{sql}+{sql.replace('7', '8')}"
    settings = task(tmp_path, run_dot_sh=f"#!/bin/sh\nset -e\n{script}\n", up_dot_sql=sql, up_dot_patch=change)
    said = f"./run.sh: 3: {program}: not found"
    finding = await passable(replay, settings, shell("./run.sh", said, 127))
    assert results(finding)["equivalent-program"] == "passed", finding


@pytest.mark.exhaustive
async def test_data_are_read_by_python_where_their_own_tool_is_missing(replay: Replay, tmp_path: Path) -> None:
    settings = task(tmp_path, config_dot_json='[{"active": true}, {"active": false}]\n')
    command = "jq '[.[] | select(.active)] | length' config.json"
    finding = await passable(replay, settings, shell(command, "bash: line 1: jq: command not found", 127))
    assert results(finding)["another-tool"] == "passed", finding


TOTAL = """import sys, urllib.request

rate = float(urllib.request.urlopen(sys.argv[1]).read())
print(round(rate * 7, 2), file=open("total.txt", "w"))
"""
TOTAL_SH = """#!/bin/sh
python3 total.py "${RATES_AT:-http://rates.example.invalid}"
"""
RECORDED = """import http.server


class Recorded(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"1.5")


http.server.HTTPServer(("127.0.0.1", 8765), Recorded).serve_forever()
"""


@pytest.mark.exhaustive
async def test_a_variable_of_a_document_s_call_that_does_less_is_no_way(replay: Replay, tmp_path: Path) -> None:
    settings = task(
        tmp_path,
        docs__quick_dot_md="A look:\n\n    DEMO=1 python3 fit.py\n",
        fit_dot_py="import os\nopen('rows.bin').read() if not os.environ.get('DEMO') else print('demo')\n",
    )
    said = "FileNotFoundError: [Errno 2] No such file or directory: 'rows.bin'"
    finding = await passable(replay, settings, shell("python3 fit.py", said, 1))
    assert results(finding)["as-a-document-calls-it"] != "passed", finding


WITHOUT = """# Without the service

Where it cannot be reached, what it answered then:

    python3 tools/stub.py &
    RATES_AT=http://127.0.0.1:8765 ./total.sh
"""


@pytest.mark.parametrize(
    ("checked", "result"),
    [('test "$(cat total.txt)" = 10.5', "passed"), ('test "$(cat total.txt)" = 11.5', "not_tried")],
    ids=["its own check works behind it", "its own check does not"],
)
async def test_what_a_document_starts_before_its_own_call_is_started_and_the_task_s_own_check_judges_it(
    replay: Replay, tmp_path: Path, checked: str, result: str
) -> None:
    settings = task(
        tmp_path,
        total_dot_py=TOTAL,
        total_dot_sh=TOTAL_SH,
        check_dot_sh=f"#!/bin/sh\n{checked}\n",
        tools__stub_dot_py=RECORDED,
        docs__testing_dot_md=WITHOUT,
    )
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    asked = hypothesis(Barrier.NETWORK, event=0, hosts=("rates.example.invalid",), commands=("./total.sh",))
    steps = shell("./total.sh", said, 1), shell("./check.sh", "", 1)
    prompt = "Make total.txt with `./total.sh`; `./check.sh` must end well."
    found = await replay(asked, *steps, profile="offline", settings=settings, prompt=prompt)
    assert results(found[PASSABLE])["as-a-document-calls-it"] == result, found[PASSABLE]
    way = next(route for route in found[PASSABLE].routes if route.id == "as-a-document-calls-it")
    assert "sleep 2" in way.commands
