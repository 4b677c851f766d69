"""What is missing and lies in an archive on the machine is not said to be nowhere."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00\x01\x00\x00\x00" + bytes(40)
"""The head of a program for 64-bit ARM."""


def archive(path: Path, **files: tuple[str, int]) -> None:
    with tarfile.open(path, "w:gz") as made:
        for name, (text, mode) in files.items():
            member = tarfile.TarInfo(name.replace("__", "/").replace("_dot_", "."))
            member.size, member.mode = len(text), mode
            made.addfile(member, io.BytesIO(text.encode()))


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    (folder / "bin").mkdir(parents=True)
    return folder


async def replayed(replay: Replay, task: Path, command: str, output: str, code: int) -> dict[Question, Finding]:
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(command,))
    settings = Settings(offline=True, workspace=task)
    return await replay(asked, shell(command, output, code), profile="offline", settings=settings)


@pytest.mark.exhaustive
@pytest.mark.parametrize("packs", [True, False])
async def test_a_script_that_holds_an_archive_may_hold_what_lacks(replay: Replay, task: Path, *, packs: bool) -> None:
    held = gzip.compress(b"rows") if packs else b"exit 0"
    (task / "setup.run").write_bytes(b"#!/bin/sh\n" + b"# " + b"-" * 600 + b"\n" + held)
    asked = hypothesis(Barrier.MISSING_DATA, event=0, paths=("rows.csv",))
    command, said = "cat rows.csv", "cat: rows.csv: No such file or directory"
    settings = Settings(offline=True, workspace=task)
    prompt = "How many rows has rows.csv?"
    found = await replay(asked, shell(command, said, 1), profile="offline", settings=settings, prompt=prompt)
    assert found[PASSABLE].valid_answer is (Answer.UNKNOWN if packs else Answer.NO), found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("packed", "answer"), [("archive", Answer.YES), ("source", Answer.UNKNOWN), ("", Answer.NO)])
async def test_a_program_for_another_machine_is_passed_by_a_build_in_an_archive_and_open_beside_its_source(
    replay: Replay, task: Path, packed: str, answer: Answer
) -> None:
    (task / "bin" / "voxpack").write_bytes(ELF)
    (task / "bin" / "voxpack").chmod(0o755)
    (task / "run.sh").write_text("#!/bin/sh\nexec ./bin/voxpack scan\n")
    (task / "run.sh").chmod(0o755)
    if packed == "archive":
        archive(task / "release.tar.gz", release__x86_64__voxpack=("#!/bin/sh\necho 42\n", 0o755))
    if packed == "source":
        (task / "voxpack.c").write_text("int main(void) { return 0; }\n")
    said = "./run.sh: 2: exec: ./bin/voxpack: Exec format error"
    found = await replayed(replay, task, "./run.sh", said, 126)
    assert found[PRESENT].barrier is Barrier.PROGRAM_UNFIT, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("beside", "answer"), [("", Answer.NO), ("source", Answer.UNKNOWN)])
async def test_a_library_for_another_machine_stops_what_is_linked_with_it(
    replay: Replay, task: Path, beside: str, answer: Answer
) -> None:
    member = f"{'quill.o/':<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(ELF):<10}`\n".encode()
    (task / "libquill.a").write_bytes(b"!<arch>\n" + member + ELF)
    (task / "main.c").write_text("int quill(void);\nint main(void) { return quill(); }\n")
    if beside == "source":
        (task / "src").mkdir()
        (task / "src" / "quill.c").write_text("int quill(void) { return 0; }\n")
    said = "libquill.a: error adding symbols: file in wrong format\ncollect2: error: ld returned 1 exit status"
    found = await replayed(replay, task, "gcc main.c libquill.a", said, 1)
    assert found[PRESENT].barrier is Barrier.PROGRAM_UNFIT, found[PRESENT]
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_header_in_an_archive_leaves_it_open(replay: Replay, task: Path) -> None:
    (task / "main.c").write_text("#include <quill/quill.h>\nint main(void) { return quill(); }\n")
    archive(task / "vendor.tar.gz", vendor__quill__quill_dot_h=("int quill(void);\n", 0o644))
    said = "main.c:1:10: fatal error: quill/quill.h: No such file or directory\ncompilation terminated."
    found = await replayed(replay, task, "gcc -c main.c", said, 1)
    assert found[PRESENT].barrier is Barrier.HEADER, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "vendor.tar.gz" in found[PASSABLE].summary


@pytest.mark.exhaustive
async def test_a_module_that_only_shows_progress_can_be_left_out(replay: Replay, task: Path) -> None:
    code = "from tqdm.auto import tqdm, trange\nprint(sum(tqdm([1, 2], desc='x')) + sum(trange(3)))\n"
    (task / "sums.py").write_text(code)
    said = "ModuleNotFoundError: No module named 'tqdm'"
    found = await replayed(replay, task, "python3 sums.py", said, 1)
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert [route.id for route in found[PASSABLE].routes if route.result == "passed"] == ["without-ornament"]
