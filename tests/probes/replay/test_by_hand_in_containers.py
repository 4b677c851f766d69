"""What a capable person would do by hand with what lies there leaves it open; what nobody can do is impassable."""

import io
import zipfile
from pathlib import Path
from random import Random

import pytest

from probes import Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE, CAUSED = Question.PRESENT, Question.PASSABLE, Question.CAUSED
DUMPS = Path(__file__).parent / "dumps"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:6e5188be\nsize 48211934\n"


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        pytest.param(('sqlite3_open("a", &base)', "sqlite3_close(base)"), Answer.UNKNOWN, id="two functions of it"),
        pytest.param((), Answer.NO, id="only its types"),
    ],
)
@pytest.mark.exhaustive
async def test_a_header_is_open_where_its_library_is_there_and_little_of_it_is_called(
    replay: Replay, tmp_path: Path, calls: tuple[str, ...], answer: Answer
) -> None:
    body = "".join(f"    {one};\n" for one in calls)
    (tmp_path / "stat.c").write_text(
        f"#include <sqlite3.h>\nint main(void) {{\n    sqlite3 *base;\n{body}    return 0;\n}}\n"
    )
    found = await replay(
        hypothesis(Barrier.HEADER, event=0, headers=("sqlite3.h",)),
        shell("gcc stat.c -lsqlite3", "stat.c:1:10: fatal error: sqlite3.h: No such file or directory", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="Compile stat.c.",
    )
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.parametrize(
    "prompt", ["Which ward has the most beds?", pytest.param("Load it into MySQL.", marks=pytest.mark.exhaustive)]
)
@pytest.mark.exhaustive
async def test_a_dump_is_read_without_its_server_unless_the_task_asks_for_that(
    replay: Replay, tmp_path: Path, prompt: str
) -> None:
    (tmp_path / "clinic.sql").write_bytes((DUMPS / "mariadb.sql").read_bytes())
    found = await replay(
        hypothesis(Barrier.COMMAND, event=0, programs=("mysql",)),
        shell("mysql clinic < clinic.sql", "bash: line 1: mysql: command not found", 127),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt=prompt,
    )
    assert (found[PASSABLE].valid_answer is Answer.YES) is ("MySQL" not in prompt), found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("asked", ["readings.csv", "photos.tar"])
async def test_an_archive_without_its_end_is_open_unless_the_task_names_a_part_that_is_cut(
    replay: Replay, tmp_path: Path, asked: str
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("station/readings.csv", "".join(f"{i},{i * i % 211}\n" for i in range(9000)))
        archive.writestr("station/photos.tar", Random(0).randbytes(90_000))
    (tmp_path / "station.zip").write_bytes(made.getvalue()[:80_000])
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 -m zipfile -e station.zip work",)),
        shell("python3 -m zipfile -e station.zip work", "zipfile.BadZipFile: File is not a zip file", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt=f"What does {asked} of station.zip hold?",
    )
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.UNKNOWN if asked == "readings.csv" else Answer.NO), found[PASSABLE]


WEIGH = """import zipfile

members = zipfile.ZipFile("model/solvent.npz")
print(sum(sum(members.read(name)) for name in ("first", "second", "third")))
"""
TOLD = "Use the Solvent weights in model/ to print the total. total.py shows how they are read."


@pytest.mark.parametrize(
    ("cut", "prompt", "answer", "caused"),
    [
        (150_000, TOLD, Answer.NO, Answer.YES),
        (150_000, "Print the total of what lies here, or of first alone.", Answer.UNKNOWN, None),
        (-120, TOLD, Answer.YES, Answer.YES),
    ],
    ids=["the program wants the rest", "one part that is whole may do", "only its directory is lost"],
)
async def test_what_is_whole_of_a_damaged_zip_is_too_little_where_a_program_of_which_the_prompt_speaks_wants_the_rest(
    replay: Replay, tmp_path: Path, cut: int, prompt: str, answer: Answer, caused: Answer | None
) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number, name in enumerate(("first", "second", "third")):
            archive.writestr(name, Random(number).randbytes(90_000))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "solvent.npz").write_bytes(made.getvalue()[:cut])
    (tmp_path / "total.py").write_text(WEIGH)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 total.py",)),
        shell("python3 total.py", "zipfile.BadZipFile: File is not a zip file", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt=prompt,
    )
    assert found[PRESENT].barrier is Barrier.DAMAGED_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]
    assert (found[CAUSED].valid_answer if CAUSED in found else None) is caused, found.get(CAUSED)


@pytest.mark.exhaustive
async def test_a_script_that_gives_a_pointer_to_the_program_that_refuses_it_makes_no_such_file(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "casts.tar").write_text(POINTER)
    (tmp_path / "layer.sh").write_text('set -e\nlist=$(mktemp)\ntar -tf casts.tar > "$list"\nwc -l "$list"\n')
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("sh layer.sh",)),
        shell("sh layer.sh", "tar: This does not look like a tar archive\ntar: Exiting with failure status", 2),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="Run `sh layer.sh` and report the number.",
    )
    assert found[PRESENT].barrier is Barrier.MISSING_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_what_unpacks_itself_where_nothing_may_be_executed_does_so_elsewhere(
    replay: Replay, tmp_path: Path
) -> None:
    lines = ("d=$(mktemp -d)", "cp /bin/date $d/fit", "$d/fit +%Y || exit 126")
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "fit.run").write_text("\n".join((*lines, "")))
    profile = tmp_path / "mounted.toml"
    profile.write_text('name = "mounted"\nextends = "offline"\n[envelope]\ntmpfs = ["/tmp:size=64m,mode=1777"]\n')
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("sh fit.run",)),
        shell("sh fit.run", "fit.run: 3: /tmp/tmp.x/fit: Permission denied", 126),
        profile=str(profile),
        settings=Settings(workspace=tmp_path / "task"),
    )
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "temporary-files-elsewhere"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[project]\nrequires-python = ">=3.99"\n[project.scripts]\ntidefit = "tides.fit:main"\n'),
        pytest.param(
            "setup.py",
            "setup(entry_points={'console_scripts': ['tidefit=tides.fit:main', 'other = x:y']})\n",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
async def test_a_script_that_the_task_s_own_project_declares_is_called_without_being_installed(
    replay: Replay, tmp_path: Path, file: str, text: str
) -> None:
    (tmp_path / file).write_text(text)
    (tmp_path / "src" / "tides").mkdir(parents=True)
    (tmp_path / "src" / "tides" / "__init__.py").touch()
    (tmp_path / "src" / "tides" / "fit.py").write_text("import sys\ndef main():\n    print(sys.argv[1], 'M2 1.2')\n")
    found = await replay(
        hypothesis(Barrier.COMMAND, event=0, programs=("tidefit",)),
        shell("tidefit brest.csv", "bash: line 1: tidefit: command not found", 127),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="What does `tidefit brest.csv` print?",
    )
    passed = next(route.id for route in found[PASSABLE].routes if route.result == "passed")
    assert passed == "entry-point-of-the-task-s-own-project"


@pytest.mark.exhaustive
@pytest.mark.parametrize("kept", [b"\x78\x9c\x00rates", b"rates of old\n"], ids=["in no text", "as text"])
async def test_what_a_client_keeps_of_a_host_s_answers_leaves_that_host_open(
    replay: Replay, tmp_path: Path, kept: bytes
) -> None:
    (tmp_path / "state").write_bytes(kept)
    code = "import urllib.request\n\nif b'today' not in open('state', 'rb').read():\n"
    (tmp_path / "total.py").write_text(
        f"{code}    print(urllib.request.urlopen('http://rates.treasury.net/v2').read())\n"
    )
    said = "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 total.py",)),
        shell("python3 total.py", said, 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="Run `python3 total.py`.",
    )
    assert found[PRESENT].barrier is Barrier.NETWORK, found[PRESENT]
    assert found[PASSABLE].valid_answer is (Answer.NO if kept.isascii() else Answer.UNKNOWN), found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_table_as_a_spreadsheet_of_another_country_saves_it_is_read_once_it_is_put_into_another_form(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "rain.csv").write_bytes("ort;menge\r\nÖd;1,5\r\nAu;2,25\r\n".encode("utf-16"))
    (tmp_path / "total.py").write_text(
        "import csv\nprint(sum(float(one['menge']) for one in csv.DictReader(open('rain.csv', encoding='utf-8'))))\n"
    )
    told = "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 total.py",)),
        shell("python3 total.py", told, 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="Run total.py and report the sum that it prints.",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(one.id for one in found[PASSABLE].routes if one.result == "passed") == "recoded"
