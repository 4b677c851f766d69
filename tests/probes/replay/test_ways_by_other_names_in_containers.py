"""Ways past by what lies on the machine under another name, in a repository, or is turned on in a setting."""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from probes import Answer, Barrier, Finding, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(300)]

PASSABLE = Question.PASSABLE


async def replayed(
    replay: Replay, task: Path, command: str, output: str, code: int, *before: str, prompt: str = ""
) -> dict[Question, Finding]:
    asked = hypothesis(Barrier.COMMAND_FAILS, event=len(before), commands=(command,))
    steps = [*(shell(one) for one in before), shell(command, output, code)]
    prompt = prompt or f"Run `{command}` and report what it prints."
    settings = Settings(offline=True, workspace=task)
    return await replay(asked, *steps, profile="offline", settings=settings, prompt=prompt)


def passed(found: dict[Question, Finding]) -> list[str]:
    return [route.id for route in found[PASSABLE].routes if route.result == "passed"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["frobc-12", "x86_64-linux-gnu-frobc", "x86_64-linux-gnu-frobc-12.2", "frobc.old"])
async def test_a_program_is_called_under_its_longer_name(replay: Replay, tmp_path: Path, name: str) -> None:
    (tmp_path / "build.sh").write_text("frobc --build\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / name).write_text("#!/bin/sh\necho frobc 12\n")
    (tmp_path / "tools" / name).chmod(0o755)
    said = "build.sh: 1: frobc: not found"
    found = await replayed(replay, tmp_path, "sh build.sh", said, 127)
    assert passed(found) == ([] if name == "frobc.old" else ["by-its-longer-name"]), found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_file_comes_from_a_bare_repository_on_the_machine(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "frame.py").write_text("print(open('libs/frame/table.csv').read())\n")
    mirror = (
        "mkdir -p /tmp/a/data && cd /tmp/a && git init -q . && echo 1,2 > data/table.csv && git add -A && "
        "git -c user.name=a -c user.email=a@b.c commit -qm x && git clone -q --bare . $HOME/mirror.git && rm -rf /tmp/a"
    )
    said = "FileNotFoundError: [Errno 2] No such file or directory: 'libs/frame/table.csv'"
    found = await replayed(replay, tmp_path, "python3 frame.py", said, 1, mirror)
    assert "from-a-repository-on-disk" in passed(found), found[PASSABLE]


MIRRORED = """git config --global user.email a@b.c && git config --global user.name a
mkdir -p ~/src/tiny && cd ~/src/tiny && echo '#define TINY 3' > tiny.h
git init -q && git add -A && git commit -qm tiny && git clone -q --bare . ~/mirrors/tiny.git
cd ~ && git init -q app && cd app
git -c protocol.file.allow=always submodule --quiet add ~/mirrors/tiny.git third/tiny
git config -f .gitmodules submodule.third/tiny.url https://git.lab.invalid/tiny.git
git add -A && git commit -qm app
git submodule --quiet deinit -f third/tiny && rm -rf .git/modules third/tiny/* ~/src
printf '#include "tiny.h"\nint main(void) { return TINY; }\n' > main.c"""


@pytest.mark.exhaustive
async def test_a_submodule_comes_from_a_repository_of_its_name_on_the_machine(replay: Replay) -> None:
    url = "https://git.lab.invalid/tiny.git/"
    said = f"fatal: unable to access '{url}': Could not resolve host: git.lab.invalid"
    asked = hypothesis(Barrier.NETWORK, event=1, hosts=("git.lab.invalid",))
    update = shell("cd ~/app && git submodule update --init", said, 128)
    found = await replay(asked, shell(MIRRORED), update, profile="offline")
    assert passed(found) == ["mirror-on-disk"], found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_header_that_a_repository_on_the_machine_has_is_open(replay: Replay) -> None:
    asked = hypothesis(Barrier.HEADER, event=1, headers=("tiny.h",))
    missing = "main.c:1:10: fatal error: tiny.h: No such file or directory"
    build = shell("cd ~/app && gcc -fsyntax-only main.c", missing, 1)
    prompt = "Does main.c, which includes tiny.h, compile?"
    found = await replay(asked, shell(MIRRORED), build, profile="offline", prompt=prompt)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]
    assert "tiny.git: tiny.h" in found[PASSABLE].summary


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["table.csv.bak", "table.csv~", "table.csv.2024-03-01", "tables.csv"])
async def test_a_file_comes_from_its_backup_where_the_command_then_works(
    replay: Replay, tmp_path: Path, name: str
) -> None:
    (tmp_path / "sum.py").write_text("print(sum(map(int, open('data/table.csv').read().split(','))))\n")
    keep = f"mkdir -p $HOME/kept && echo 1,2 > '/home/agent/kept/{name}'"
    said = "FileNotFoundError: [Errno 2] No such file or directory: 'data/table.csv'"
    found = await replayed(replay, tmp_path, "python3 sum.py", said, 1, keep)
    assert ("from-a-backup" in passed(found)) is (name != "tables.csv"), found[PASSABLE]


LOCKS = """import json, os, sys
place = os.environ.get("FIT_" + "CACHE", json.load(open("fit/defaults.json"))["cache"])
try:
    os.makedirs(place, exist_ok=True)
    open(os.path.join(place, "lock"), "w").close()
except OSError:
    sys.exit("fit: busy, try again later")
print("fitted")
"""


@pytest.mark.exhaustive
async def test_a_place_that_only_the_programs_own_files_name_is_put_right_in_them(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "fit").mkdir()
    (tmp_path / "fit" / "defaults.json").write_text('{"cache": "/var/lib/fit/cache"}')
    (tmp_path / "fit.py").write_text(LOCKS)
    found = await replayed(replay, tmp_path, "python3 fit.py", "fit: busy, try again later", 1)
    assert passed(found) == ["put-right-in-its-sources"], found[PASSABLE]


DRAWS = """import shutil, sys
told = dict(line.split(": ") for line in open("style.cfg").read().splitlines())
if told["text.{key}"] == "True" and shutil.which("sometex") is None:
    sys.exit("draw: sometex could not be found")
print("drawn")
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("key", "ways"), [("usetex", ["switched-off"]), ("bold", [])])
async def test_what_is_missing_is_turned_off_where_a_setting_turns_it_on_by_name(
    replay: Replay, tmp_path: Path, key: str, ways: list[str]
) -> None:
    (tmp_path / "style.cfg").write_text(f"size: 8\ntext.{key}: True\n")
    (tmp_path / "draw.py").write_text(DRAWS.replace("{key}", key))
    found = await replayed(replay, tmp_path, "python3 draw.py", "draw: sometex could not be found", 1)
    assert passed(found) == ways, found[PASSABLE]


CHECKS = """import sys
import json
NEEDED = "1.0"
{check}
print("sum", sum(json.load(open("numbers.json"))))
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("check", "ways"),
    [
        ('if json.__version__ != NEEDED:\n    sys.exit("sum: wants json 1.0")', ["past-its-version-check"]),
        ('if sys.version_info >= (3, 8):\n    raise SystemExit("sum: wants json 1.0")', ["past-its-version-check"]),
        ('if json.loads(\'{"version": 2}\')["version"] != 1:\n    sys.exit("sum: wants json 1.0")', []),
        ('if type("F", (), {"version": 2}).version != 1:\n    sys.exit("sum: wants json 1.0")', []),
        ('if not open("/etc/hostname").read().startswith("lab"):\n    sys.exit("sum: wants json 1.0")', []),
    ],
    ids=["of a library", "of Python", "of data", "of a file's form", "of something else"],
)
async def test_a_comparison_of_versions_that_only_ends_the_program_is_left_out(
    replay: Replay, tmp_path: Path, check: str, ways: list[str]
) -> None:
    (tmp_path / "sum.py").write_text(CHECKS.replace("{check}", check))
    (tmp_path / "numbers.json").write_text("[1, 2]")
    found = await replayed(replay, tmp_path, "python3 sum.py", "sum: wants json 1.0", 1)
    assert passed(found) == ways, found[PASSABLE]


async def test_a_version_that_the_prompt_asks_for_is_no_whim_of_the_check(replay: Replay, tmp_path: Path) -> None:
    wanted = 'if sys.version_info[:2] != (3, 9):\n    sys.exit("sum: wants Python 3.9")'
    (tmp_path / "sum.py").write_text(CHECKS.replace("{check}", wanted))
    (tmp_path / "numbers.json").write_text("[1, 2]")
    prompt = "What does `python3 sum.py` print under CPython 3.9?"
    found = await replayed(replay, tmp_path, "python3 sum.py", "sum: wants Python 3.9", 1, prompt=prompt)
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("wants", "ways"), [("v5.99", ["past-its-version-check"]), ("v5.99; class P { field $x; }", [])]
)
async def test_a_newer_perl_that_a_file_only_asks_for_is_not_waited_for(
    replay: Replay, tmp_path: Path, wants: str, ways: list[str]
) -> None:
    (tmp_path / "sum.pl").write_text(f"use {wants};\nprint 'sum ', 1 + 2, qq(\\n);\n")
    said = "BEGIN failed--compilation aborted at sum.pl line 1."
    found = await replayed(replay, tmp_path, "perl sum.pl", said, 255)
    assert passed(found) == ways, found[PASSABLE]


SERVER = """#!/usr/bin/env python3
import socket, sys, time
listens = socket.socket(socket.AF_UNIX)
listens.bind("/tmp/.X11-unix/X" + sys.argv[1].removeprefix(":"))
listens.listen()
time.sleep(200)
"""


@pytest.mark.exhaustive
async def test_a_display_server_is_started_without_the_wrapper_that_does_not_work(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "Xvfb").write_text(SERVER)
    (tmp_path / "x" / "Xvfb").chmod(0o755)
    (tmp_path / "plan.py").write_text(
        "import os, socket, sys\nwhere = os.environ.get('DISPLAY')\n"
        "if not where:\n    sys.exit('plan: no display')\n"
        "socket.socket(socket.AF_UNIX).connect('/tmp/.X11-unix/X' + where[1:])\nprint('drawn')\n"
    )
    found = await replayed(replay, tmp_path, "python3 plan.py", "plan: no display", 1)
    assert passed(found) == ["on-a-display-server-of-its-own"], found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("own", [True, False])
async def test_a_server_of_the_tasks_own_that_does_not_come_to_listen_is_another_failure(
    replay: Replay, tmp_path: Path, own: bool
) -> None:
    if own:
        (tmp_path / "serve.py").write_text(
            "import http.server, os, sys\nif not os.path.exists('key'):\n    sys.exit('no key')\n"
            "http.server.HTTPServer(('localhost', 8061), http.server.SimpleHTTPRequestHandler).serve_forever()\n"
        )
    ask = (
        "import socket, sys\ntry:\n    called = socket.create_connection(('127.0.0.1', 8061), 5)\n"
        "except OSError:\n    sys.exit('ask: nobody home')\nprint(called.getpeername())\n"
    )
    (tmp_path / "ask.py").write_text(ask)
    said = "ask: nobody home"
    found = await replayed(replay, tmp_path, "python3 ask.py", said, 1)
    assert found[PASSABLE].valid_answer is (Answer.UNKNOWN if own else Answer.NO), found[PASSABLE]
    assert ("serve.py" in found[PASSABLE].summary) is own, found[PASSABLE]


LIMS = """#!/usr/bin/env python3
import http.server, sys
if sys.argv[1:] == ["serve"]:
    http.server.HTTPServer(("localhost", 8063), http.server.SimpleHTTPRequestHandler).serve_forever()
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("start", "answer"), [("limsd serve", Answer.YES), ("limsd", Answer.UNKNOWN)])
async def test_a_service_that_no_package_brought_is_started_as_its_unit_says(
    replay: Replay, tmp_path: Path, start: str, answer: Answer
) -> None:
    home = "/home/agent"
    with tarfile.open(tmp_path / "lims.tar", "w") as archive:
        unit = f"[Service]\nExecStart={home}/lims/bin/{start}\nEnvironment=PORT=8063\n"
        for name, text in (("lims/bin/limsd", LIMS), ("lims/etc/lims.service", unit)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o755
            archive.addfile(entry, io.BytesIO(text.encode()))
    (tmp_path / "ask.py").write_text(
        "import socket, sys\ntry:\n    called = socket.create_connection(('127.0.0.1', 8063), 5)\n"
        "except OSError:\n    sys.exit('ask: nobody home')\nprint(called.getpeername())\n"
    )
    found = await replayed(replay, tmp_path, "python3 ask.py", "ask: nobody home", 1, f"tar -xf lims.tar -C {home}")
    assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_unit_that_the_run_wrote_itself_is_no_service_of_the_machine(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(
        "import socket, sys\ntry:\n    called = socket.create_connection(('127.0.0.1', 8064), 5)\n"
        "except OSError:\n    sys.exit('ask: nobody home')\nprint(called.getpeername())\n"
    )
    unit = "[Service]\nExecStart=/usr/bin/python3 -m http.server 8064\n"
    wrote = f"mkdir -p /home/agent/own && cat > /home/agent/own/lims.service <<'E'\n{unit}E"
    found = await replayed(replay, tmp_path, "python3 ask.py", "ask: nobody home", 1, wrote)
    assert passed(found) == [], found[PASSABLE]


@pytest.mark.exhaustive
async def test_a_line_that_begins_with_a_bare_assignment_is_replayed_as_any_other(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "sum.py").write_text("import sys\nsys.exit(f'sum: no {sys.argv[1]}')\n")
    found = await replayed(replay, tmp_path, "M=$(printf rates); python3 sum.py $M", "sum: no rates", 1)
    assert found[Question.PRESENT].answer is Answer.YES, found


def wheel(name: str) -> bytes:
    """A wheel of one empty module."""
    made, info = io.BytesIO(), f"{name}-1.0.dist-info"
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(f"{name}.py", "")
        packed.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")
    return made.getvalue()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("barrier", "command", "said"),
    [
        (Barrier.PIP, "pip install moorfrob", "ERROR: No matching distribution found for moorfrob"),
        (Barrier.MODULE, "python3 -c 'import moorfrob'", "ModuleNotFoundError: No module named 'moorfrob'"),
        (Barrier.NETWORK, "pip install moorfrob", "Temporary failure in name resolution"),
    ],
)
async def test_wheels_that_lie_in_an_archive_are_unpacked(
    replay: Replay, tmp_path: Path, barrier: Barrier, command: str, said: str
) -> None:
    (tmp_path / "third_party").mkdir()
    with tarfile.open(tmp_path / "third_party" / "bundle.tar", "w") as archive:
        entry, data = tarfile.TarInfo("wheels/moorfrob-1.0-py3-none-any.whl"), wheel("moorfrob")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    names = {"packages": ("moorfrob",)} if barrier is Barrier.PIP else {"modules": ("moorfrob",)}
    about = {"hosts": ("index.invalid",)} if barrier is Barrier.NETWORK else names
    found = await replay(
        hypothesis(barrier, commands=(command,), **about),
        shell(command, said, 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path),
        prompt=f"Run `{command}`.",
    )
    assert passed(found) == ["wheels-in-an-archive"], found[PASSABLE]


CELLS = ("!unzip -q -o rows.zip", "sum(map(int, open('rows.txt')))")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("prompt", "all_of_it"),
    [
        ("What does sums.ipynb give?", True),
        ("What does sums.ipynb give? Print it with mean.csv beside it.", False),
        ("What is the sum of the rows?", False),
    ],
)
async def test_a_notebook_that_the_prompt_names_runs_without_jupyter_and_that_is_all_it_asks_for(
    replay: Replay, tmp_path: Path, prompt: str, all_of_it: bool
) -> None:
    each = [{"cell_type": "code", "source": [cell], "outputs": []} for cell in CELLS]
    (tmp_path / "sums.ipynb").write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": each}))
    with zipfile.ZipFile(tmp_path / "rows.zip", "w") as packed:
        packed.writestr("rows.txt", "1\n2\n")
    line = "jupyter nbconvert --to notebook --execute sums.ipynb"
    asked = hypothesis(Barrier.COMMAND, event=0, programs=("jupyter",), commands=(line,))
    failed = shell(line, "bash: jupyter: command not found", 127)
    looked = shell("cat mean.csv", "cat: mean.csv: No such file or directory", 1)
    settings = Settings(offline=True, workspace=tmp_path)
    found = await replay(asked, failed, looked, profile="offline", settings=settings, prompt=prompt)
    assert passed(found) == ["without-the-runner"], found[PASSABLE]
    assert bool(found[PASSABLE].reaches) is all_of_it


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("ends", "ways"), [(b"\0\0garbage", ["known-remedy"]), (None, [])], ids=["warned", "cut short"]
)
async def test_a_warning_of_gzip_s_ends_no_script(
    replay: Replay, tmp_path: Path, ends: bytes | None, ways: list[str]
) -> None:
    packed = gzip.compress(b"3\n" * 900)
    (tmp_path / "rows.gz").write_bytes(packed + ends if ends else packed[:-6])
    (tmp_path / "load.sh").write_text("set -e\ngzip -dc rows.gz > rows.txt\nwc -l < rows.txt\n")
    found = await replayed(replay, tmp_path, "sh load.sh", "gzip: rows.gz: wrong", 2 if ends else 1)
    assert passed(found) == ways, found[PASSABLE]


@pytest.mark.parametrize("whose", ["the run's", "the task's"])
async def test_a_module_of_the_run_s_own_that_hides_one_of_python_s_gets_another_name(
    replay: Replay, tmp_path: Path, whose: str
) -> None:
    hides, uses = "class Shelf:\n    boards = 4\n", "import tempfile\nfrom random import Shelf\nprint(Shelf.boards)\n"
    steps = [f"cat > shelf.py <<'EOF'\n{uses}EOF"]
    if whose == "the task's":
        (tmp_path / "random.py").write_text(hides)
    else:
        steps.insert(0, f"cat > random.py <<'EOF'\n{hides}EOF")
    said = "ImportError: cannot import name 'Random' from 'random' (/home/agent/random.py)"
    found = await replayed(replay, tmp_path, "python3 shelf.py", said, 1, *steps)
    assert found[Question.PRESENT].answer is Answer.YES, found[Question.PRESENT]
    assert ("own-module-renamed" in passed(found)) is (whose == "the run's"), found[PASSABLE]
