"""What a command does not find or cannot call, and what leads it elsewhere."""

import io
import tarfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
GREETS = """import os, socket, sys
{settings}
try:
    called = socket.create_connection(("terms.harbour.example", 8061), 8)
except OSError:
    sys.exit("greet: nobody home")
print(len(called.makefile().readlines()))
"""


async def replayed(
    replay: Replay, task: Path, command: str, output: str, code: int = 1, prompt: str = ""
) -> dict[Question, Finding]:
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(command,))
    settings = Settings(offline=True, workspace=task)
    prompt = prompt or f"Run `{command}` and report what it prints."
    return await replay(asked, shell(command, output, code), profile="offline", settings=settings, prompt=prompt)


def passed(found: dict[Question, Finding]) -> list[str]:
    return [route.id for route in found[PASSABLE].routes if route.result == "passed"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("checked", [True, False])
async def test_a_root_of_the_authors_is_put_right_where_the_data_lies_in_the_repository(
    replay: Replay, tmp_path: Path, checked: bool
) -> None:
    look = 'if not ROOT.is_dir():\n    sys.exit(f"figure: no project at {ROOT}")\n' if checked else ""
    (tmp_path / "figure.py").write_text(
        f'import sys\nfrom pathlib import Path\nROOT = Path("/Users/somebody/plots")\n{look}'
        'print(len((ROOT / "data" / "plots.csv").read_text()))\n'
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "plots.csv").write_text("1,2\n")
    missing = "FileNotFoundError: [Errno 2] No such file or directory: '/Users/somebody/plots/data/plots.csv'"
    said = "figure: no project at /Users/somebody/plots" if checked else missing
    found = await replayed(replay, tmp_path, "python3 figure.py", said)
    assert passed(found) == ["directory-put-right" if checked else "path-put-right"], found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("there", ["data/plots.csv", "other/data/notes.csv"])
async def test_a_directory_that_has_only_some_of_what_is_asked_for_is_no_way(
    replay: Replay, tmp_path: Path, there: str
) -> None:
    (tmp_path / "figure.py").write_text(
        "import os, sys\nROOT = '/Users/somebody/plots'\n"
        "if not os.path.isdir(ROOT):\n    sys.exit(f'figure: no project at {ROOT}')\n"
        "os.listdir(ROOT + '/data')\nprint([open(f'{ROOT}/data/{name}.csv').read() for name in ('plots', 'sites')])\n"
    )
    (tmp_path / there).parent.mkdir(parents=True)
    (tmp_path / there).write_text("1,2\n")
    found = await replayed(replay, tmp_path, "python3 figure.py", "figure: no project at /Users/somebody/plots")
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("beside", [True, False])
async def test_what_an_archive_holds_is_put_where_the_command_looks_for_it(
    replay: Replay, tmp_path: Path, beside: bool
) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "third_party" / "fixed").mkdir(parents=True)
    (tmp_path / "third_party" / "fixed" / ".gitkeep").write_text("")
    (tmp_path / "main.c").write_text('#include "fixed.h"\nint main(void) { return fixed(); }\n')
    with tarfile.open(tmp_path / "vendor" / "fixed-0.9.tar.gz", "w:gz") as made:
        for name, text in {"fixed.h": "int fixed(void);\n", "fixed.c": "int fixed(void) { return 0; }\n"}.items():
            member = tarfile.TarInfo(f"fixed-0.9/{name if beside else 'other-' + name}")
            member.size = len(text)
            made.addfile(member, io.BytesIO(text.encode()))
    command = "gcc -Ithird_party/fixed main.c third_party/fixed/fixed.c -o main && ./main"
    said = "main.c:1:10: fatal error: fixed.h: No such file or directory"
    asked = hypothesis(Barrier.HEADER, event=0, headers=("fixed.h",), commands=(command,))
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(
        asked, shell(command, said, 1), profile="offline", settings=settings, prompt=f"Run `{command}`."
    )
    assert passed(found) == (["archive-where-it-is-looked-for"] if beside else []), found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ("", Answer.NO),
        ('SOURCE = os.environ.get("TERMS", "")', Answer.NO),
        ('if os.environ.get("TERMS") == "kept":\n    sys.exit(0)', Answer.UNKNOWN),
        ('if "--kept" in sys.argv:\n    sys.exit(0)', Answer.UNKNOWN),
        ('if os.environ.get("TERMS"):\n    print(*open(os.environ["TERMS"]))\n    sys.exit(0)', Answer.UNKNOWN),
        ('OLD = int(os.environ.get("TERMS_AGE", "9"))\nif OLD > 999999:\n    sys.exit(0)', Answer.UNKNOWN),
        ('KINDS = dict(kept=sys.exit)\nKINDS.get(os.environ.get("TERMS"), len)("")', Answer.UNKNOWN),
        ('KEPT = ("fixtures/terms.json", "greetings.json")', Answer.NO),
        ('KEPT = open("fixtures/terms.json").read()', Answer.UNKNOWN),
        ('KEPT = "terms.json"', Answer.UNKNOWN),
    ],
    ids=[
        "nothing",
        "a variable to which nothing comes",
        "a variable that leads to what is kept",
        "an option that does",
        "a variable for a file",
        "a variable for a number",
        "a variable for a key that nothing quotes",
        "what it never opens and its product",
        "what it opens",
        "what is not there",
    ],
)
async def test_a_host_that_a_program_calls_is_answered_and_what_the_program_reads_besides_leaves_it_open(
    replay: Replay, tmp_path: Path, settings: str, answer: Answer
) -> None:
    (tmp_path / "greet.py").write_text(GREETS.format(settings=settings))
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "terms.json").write_text('["good day"]')
    prompt = "Run `python3 greet.py` and write how many lines it prints to greetings.json."
    found = await replayed(replay, tmp_path, "python3 greet.py", "greet: nobody home", prompt=prompt)
    assert found[PRESENT].barrier is Barrier.NETWORK, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


QUERIES = """import socket, sys
try:
    socket.create_connection(("terms", 5432), 8)
except OSError as error:
    sys.exit(f'query: could not translate host name "terms" to address: {error.strerror}')
"""
BESIDE = {
    "nothing": ({}, "true", Answer.NO),
    "its tables without rows": ({"sql/terms.sql": "create table terms (\n  id bigint\n);\n"}, "true", Answer.NO),
    "its rows": (
        {"sql/terms.sql": "create table terms (id int);\nINSERT INTO terms VALUES (1);\n"},
        "true",
        Answer.UNKNOWN,
    ),
    "rows that the run made up": ({}, "echo 'INSERT INTO terms VALUES (1);' > own.sql", Answer.NO),
}
"""The task's files, what the run did before, and whether the service can be done without."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("beside", BESIDE)
async def test_a_service_beside_the_machine_is_out_of_reach_unless_what_it_has_may_lie_here(
    replay: Replay, tmp_path: Path, beside: str
) -> None:
    files, before, answer = BESIDE[beside]
    for name, text in {"query.py": QUERIES, **files}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    said = 'query: could not translate host name "terms" to address: Temporary failure in name resolution'
    asked = hypothesis(Barrier.NETWORK, event=1, commands=("python3 query.py",))
    ran = (shell(before), shell("python3 query.py", said, 1))
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(asked, *ran, profile="offline", settings=settings, prompt="Run `python3 query.py`.")
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_the_words_with_which_a_program_gives_up_are_no_name_that_its_data_lacks(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "case.txt").write_text("span 4\nchord 2\n")
    (tmp_path / "solve.py").write_text(
        "import sys\nread = dict(line.split() for line in open('case.txt'))\nsys.exit('solve: no seat for it today')\n"
    )
    found = await replayed(replay, tmp_path, "python3 solve.py", "solve: no seat for it today")
    assert found[PRESENT].barrier is None, found[PRESENT]
