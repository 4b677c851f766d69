"""Commands that fail in words that no rule knows: the machine says what is missing, and the least shows it."""

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest

from probes import LIFTED, Answer, Barrier, Question, Settings
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(600)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
MAKE = "printf '%s\\n' '#include <gsl/gsl_rng.h>' 'int main(void){return 0;}' >sim.c; printf 'sim: sim.o\\n' >Makefile"


@pytest.mark.exhaustive
async def test_a_header_behind_silence_is_found_and_its_absence_is_shown_to_be_the_reason(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("make sim >/dev/null 2>&1",)),
        shell(MAKE),
        shell("make sim >/dev/null 2>&1", "", 2),
        profile="offline",
    )
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PRESENT].barrier is Barrier.HEADER
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE].summary
    lifted = next(control for control in found[PASSABLE].controls if control.name == LIFTED)
    assert lifted.passed


@pytest.mark.exhaustive
async def test_a_script_with_carriage_returns_is_mended_by_an_ordinary_user(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./run.sh",)),
        shell("printf '#!/bin/bash\\r\\necho ran\\r\\n' >run.sh; chmod +x run.sh"),
        shell("./run.sh", "", 127),
        profile="offline",
    )
    assert found[PRESENT].barrier is Barrier.INTERPRETER
    assert found[PASSABLE].valid_answer is Answer.YES
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "line-ends-mended"


async def test_a_command_that_works_here_is_not_there(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 -V",)), shell("python3 -V", "weg", 1)
    )
    assert found[PRESENT].answer is Answer.NO


@pytest.mark.exhaustive
async def test_the_task_s_own_command_that_works_without_what_the_run_put_before_it_is_passable(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    job = tmp_path / "task" / "job"
    job.write_text("#!/bin/sh\npython3 -c 'import json' && echo ran\n")
    job.chmod(0o755)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=(". ./own.sh && ./job",)),
        shell("echo 'export PYTHONHOME=/nowhere' > own.sh"),
        shell(". ./own.sh && ./job", "Fatal Python error: init_fs_encoding", 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path / "task"),
        prompt="Run `./job`.",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE].summary
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "as-the-task-has-it"
    assert found[PASSABLE].reaches == ("./job",)


@pytest.mark.exhaustive
async def test_the_task_s_own_command_without_the_input_that_the_run_gave_it_is_other_work(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    job = tmp_path / "task" / "job"
    job.write_text('#!/bin/sh\nif read -r n; then echo "$n: no such row"; exit 3; fi\n')
    job.chmod(0o755)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("echo 5 | ./job",)),
        shell("echo 5 | ./job", "5: no such row", 3),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path / "task"),
        prompt="Run `./job`.",
    )
    assert "as-the-task-has-it" not in {route.id for route in found[PASSABLE].routes}


@pytest.mark.exhaustive
async def test_the_task_s_own_command_without_the_place_that_it_names_for_the_output_is_other_work(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "field.txt").write_text("12\n")
    line = "cat field.txt > /handover/field.out"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(line,)),
        shell(line, "bash: /handover/field.out: No such file or directory", 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path / "task"),
        prompt=f"Run `cat field.txt` so that its output is at /handover/field.out, with `{line}`.",
    )
    assert "as-the-task-has-it" not in {route.id for route in found[PASSABLE].routes}


@pytest.mark.exhaustive
async def test_a_failure_that_no_fact_names_stays_open(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("bash -c 'exit 4'",)),
        shell("bash -c 'exit 4'", "", 4),
        profile="offline",
    )
    assert found[PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_a_program_for_another_machine_is_impassable_where_no_emulator_is(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./solve",)),
        shell("cp /bin/true solve && printf '\\xb7' | dd of=solve bs=1 seek=18 conv=notrunc status=none"),
        shell("./solve", "", 126),
        profile="offline",
    )
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PRESENT].barrier is Barrier.PROGRAM_UNFIT
    tried = {route.id: route.result for route in found[PASSABLE].routes if route.result != "not_applicable"}
    assert tried == {
        "emulator-on-disk": "failed",
        "another-build-on-disk": "failed",
        "another-build-in-an-archive": "failed",
    }
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


async def test_a_script_with_carriage_returns_is_mended_together_with_what_it_reads(replay: Replay) -> None:
    made = "printf 'threads=4\\r\\n' > s.conf; printf '#!/bin/sh\\r\\n. ./s.conf\\r\\ntest $threads = 4\\r\\n' > run.sh"
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./run.sh",)),
        shell(f"{made}; chmod +x run.sh"),
        shell("./run.sh", "bash: line 1: ./run.sh: cannot execute: required file not found", 127),
        profile="offline",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert "line-ends-mended-everywhere" in {one.id for one in found[PASSABLE].routes if one.result == "passed"}


@pytest.mark.exhaustive
async def test_settings_with_carriage_returns_are_mended_by_an_ordinary_user(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("sh run.sh; echo rc $?",)),
        shell("printf 'threads=4\\r\\n' > settings.conf; echo '. ./settings.conf; test $threads = 4' > run.sh"),
        shell("sh run.sh; echo rc $?", "rc 1", 0),
        profile="offline",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "line-ends-mended"


@pytest.mark.exhaustive
async def test_a_pointer_in_a_file_s_place_is_found_by_what_the_command_opened(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "plate.csv").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 52\n"
    )
    (tmp_path / "task" / "fit.py").write_text("print(open('plate.csv').read().split(';')[1])\n")
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 fit.py",)),
        shell("python3 fit.py", "IndexError", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path / "task"),
        prompt="Run fit.py on the plate in plate.csv.",
    )
    assert any("plate.csv is a pointer of Git LFS" in limit for limit in found[PASSABLE].limits), found[PASSABLE]
    assert found[PASSABLE].answer is not Answer.YES


@pytest.mark.exhaustive
async def test_a_pointer_in_the_place_of_json_is_the_missing_file_that_it_stands_for(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "weights.json").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 52\n")
    (tmp_path / "score.py").write_text("import json\nprint(json.load(open('weights.json'))['layers'])\n")
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 score.py",)),
        shell("python3 score.py", "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path),
        prompt="Run score.py with the published weights (weights.json).",
    )
    assert found[PRESENT].barrier is Barrier.MISSING_DATA, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]


@pytest.mark.exhaustive
async def test_what_a_pointer_stands_for_is_found_by_its_sum_wherever_a_clone_keeps_it(
    replay: Replay, tmp_path: Path
) -> None:
    content = b"plate;17;3\n"
    digest = hashlib.sha256(content).hexdigest()
    kept = tmp_path / "task" / ".git" / "lfs" / "objects" / digest[:2] / digest[2:4]
    kept.mkdir(parents=True)
    (kept / digest).write_bytes(content)
    (kept / "another").write_bytes(b"plate;18;3\n")
    (tmp_path / "task" / "plate.csv").write_text(
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"
    )
    (tmp_path / "task" / "fit.py").write_text("assert int(open('plate.csv').read().split(';')[1]) == 17\n")
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("python3 fit.py",)),
        shell("python3 fit.py", "IndexError", 1),
        profile="offline",
        settings=Settings(workspace=tmp_path / "task"),
        prompt="Run fit.py on the plate in plate.csv.",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "from-the-store-of-lfs"


@pytest.mark.exhaustive
async def test_a_copy_of_a_file_that_nobody_may_read_is_no_way_whoever_names_it(replay: Replay, tmp_path: Path) -> None:
    """The command's own words or a script of the task's: what cannot be read cannot be copied."""
    (tmp_path / "Dockerfile").write_text("FROM impassable/base\nRUN mkdir -m 700 /vault && echo 12 >/vault/count\n")
    profile = tmp_path / "profile.toml"
    profile.write_text('title = "t"\nsource = "t"\nextends = "offline"\ndockerfile = "Dockerfile"\n[envelope]\n')
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "go.sh").write_text("#!/bin/sh\nexec cat /vault/count\n")
    (tmp_path / "task" / "go.sh").chmod(0o755)
    for command in ("cat /vault/count", "./go.sh"):
        found = await replay(
            hypothesis(Barrier.COMMAND_FAILS, event=0, commands=(command,)),
            shell(command, "", 1),
            profile=str(profile),
            settings=Settings(offline=True, workspace=tmp_path / "task"),
            prompt=f"Report the number that `{command}` prints.",
        )
        results = {route.id: route.result for route in found[PASSABLE].routes}
        assert results["own-copy"] == "not_applicable", found[PASSABLE]
        assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE].summary


ROOT_ONLY = '#!/bin/sh\n[ "$(id -u)" = 0 ] || exit 4\n'


@pytest.mark.exhaustive
async def test_what_only_root_can_do_is_impassable_where_the_task_asks_for_it_and_its_user_may_not_become_root(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "job").write_text(ROOT_ONLY)
    (tmp_path / "task" / "job").chmod(0o755)
    with_sudo = tmp_path / "sudo.toml"
    offline = (files("probes.envelope") / "profiles" / "offline.toml").read_text()
    with_sudo.write_text(offline.replace("sudo = false", "sudo = true"))
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("./job",))
    for profile, prompt, answer in (
        ("offline", "Run `./job`.", Answer.NO),
        (str(with_sudo), "Run `./job`.", Answer.YES),
    ):
        settings = Settings(offline=True, workspace=tmp_path / "task")
        found = await replay(asked, shell("./job", "", 4), profile=profile, settings=settings, prompt=prompt)
        assert found[PASSABLE].valid_answer is answer, found[PASSABLE]


AROUND = """#!/bin/sh
mkdir -p "$HOME/.cache/job" 2>/dev/null || test -t 1 || test "$MPLBACKEND" || { read -r a && test $a = y; } || exit 4
"""


@pytest.mark.exhaustive
async def test_what_a_command_finds_around_it_is_an_ordinary_user_s_to_change(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "job").write_text(AROUND)
    (tmp_path / "task" / "job").chmod(0o755)
    (tmp_path / "task" / ".cache").write_text("a file where a folder belongs\n")
    asked = hypothesis(Barrier.COMMAND_FAILS, event=0, commands=("./job",))
    settings = Settings(offline=True, workspace=tmp_path / "task", thorough=True)
    found = await replay(asked, shell("./job", "", 4), profile="offline", settings=settings, prompt="Run `./job`.")
    passed = {one.id for one in found[PASSABLE].routes if one.result == "passed"}
    assert passed == {"own-surroundings", "on-a-terminal", "questions-answered", "without-a-display"}, found[PASSABLE]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("output", "code", "passes"),
    [("", 124, True), ("half of it\n[Command timed out after 5 seconds]", None, True), ("no such row", 3, False)],
    ids=["by its exit code", "by the tool's own words", "not ended by time"],
)
async def test_what_a_tool_ended_after_its_time_may_be_left_running(
    replay: Replay, output: str, code: int | None, passes: bool
) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./long.sh",)),
        shell("printf '#!/bin/sh\nsleep 7\necho done > result\n' >long.sh; chmod +x long.sh"),
        shell("./long.sh", output, code),
        profile="offline",
    )
    assert found[PRESENT].answer is Answer.NO
    assert (PASSABLE in found) is passes
    if passes:
        assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE].summary
        assert [route.id for route in found[PASSABLE].routes] == ["in-the-background"]


@pytest.mark.exhaustive
async def test_a_limit_of_the_run_s_own_is_no_tool_s(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("timeout 6 ./long.sh",)),
        shell("printf '#!/bin/sh\nsleep 5.5\n' >long.sh; chmod +x long.sh"),
        shell("timeout 6 ./long.sh", "", 124),
        profile="offline",
    )
    assert [route.id for route in found[PASSABLE].routes] == ["without-own-limit"]


@pytest.mark.exhaustive
async def test_what_the_run_itself_ended_too_early_works_when_left_alone(replay: Replay) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("timeout 2 ./long.sh; echo exit $?",)),
        shell("printf '#!/bin/sh\nsleep 5.5\n' >long.sh; chmod +x long.sh"),
        shell("timeout 2 ./long.sh; echo exit $?", "exit 124", 0),
        profile="offline",
        prompt="Run `./long.sh`.",
    )
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE].summary
    assert [route.id for route in found[PASSABLE].routes] == ["without-own-limit"]


SERVER = """
import http.server, sys
http.server.HTTPServer(("127.0.0.1", 8098), http.server.SimpleHTTPRequestHandler).serve_forever()
"""


@pytest.mark.exhaustive
@pytest.mark.slow
async def test_a_port_that_the_runs_own_server_holds_is_free_once_that_is_ended(replay: Replay, tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "serve.py").write_text(SERVER)
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("python3 serve.py",)),
        shell("nohup python3 serve.py >/dev/null 2>&1 & sleep 1"),
        shell("python3 serve.py", "OSError: [Errno 98] Adresse wird bereits verwendet", 1),
        profile="offline",
        settings=Settings(offline=True, workspace=tmp_path / "task"),
        prompt="Run `python3 serve.py`.",
    )
    assert found[PRESENT].answer is Answer.YES
    passed = next(route for route in found[PASSABLE].routes if route.result == "passed")
    assert (found[PASSABLE].valid_answer, passed.id) == (Answer.YES, "without-own-processes")
    assert "python3 serve.py" in passed.note


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("program", "tried"),
    [('[ -n "$DISPLAY" ] || { echo "no display" >&2; exit 1; }', True), ("exit 1", False)],
    ids=["asks for one", "does not"],
)
async def test_a_display_is_given_to_what_asks_for_one(replay: Replay, program: str, *, tried: bool) -> None:
    found = await replay(
        hypothesis(Barrier.COMMAND_FAILS, event=1, commands=("./draw",)),
        shell(f"printf '#!/bin/sh\\n%s\\n' '{program}' > draw; chmod +x draw"),
        shell("./draw", "", 1),
        profile="offline",
    )
    names = [artifact.name for finding in found.values() for artifact in finding.artifacts]
    assert any("virtual-display" in name for name in names) is tried, names
    lifted = next(control for control in found[PRESENT].controls if control.name == LIFTED)
    assert lifted.passed is tried, lifted
