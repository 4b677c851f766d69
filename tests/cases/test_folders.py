"""Tasks in public layouts: what their files say, and a clear sentence for what they ask that nobody has here."""

import json
from pathlib import Path

import pytest

from cases import InputError
from cases.folders import read_folder, read_reference, tasks_below
from cases.library import Library
from cases.model import Reference
from tests.probes.oracle.made import CLOSED, COMPOSE, PROMPT, harbor, terminal_bench

GPU = "    deploy: {resources: {reservations: {devices: [{capabilities: [gpu]}]}}}\n"


def test_a_folder_of_tasks_gives_each_its_text_and_its_place(tmp_path: Path):
    terminal_bench(tmp_path / "sum-1", "debian")
    harbor(tmp_path / "sum-2", "debian")
    (tmp_path / "notes").mkdir()
    library = Library.known(str(tmp_path))
    cases = [library.case(task) for task in library.tasks()]
    assert [(case.task_id, (case.task.prompt or "").strip()) for case in cases] == [
        ("sum-1", PROMPT),
        ("sum-2", PROMPT),
    ]
    assert {case.benchmark for case in cases} == {"terminal_bench"}
    assert all(case.task.reference for case in cases)
    assert tasks_below(tmp_path / "sum-1").keys() == {"sum-1"}


def test_each_layout_says_how_it_is_solved_checked_and_on_which_machine(tmp_path: Path):
    old = read_folder(terminal_bench(tmp_path / "old", "debian", compose=CLOSED))
    new = read_folder(harbor(tmp_path / "new", "debian", internet=False))
    assert old.solution
    assert new.solution
    assert (old.solution.command, old.solution.seconds, old.marks) == ("bash /oracle/solution.sh", 120, "pytest")
    assert (new.solution.command, new.solution.env["SCALE"], new.marks) == ("bash /solution/solve.sh", "1", "reward")
    assert old.machine.env == {"SCALE": "1"}
    for task in (old, new):
        assert (task.machine.workdir, task.machine.network, task.machine.refused) == ("/app", "none", ""), task
    assert new.machine.memory_mb == 1024
    assert read_folder(terminal_bench(tmp_path / "open", "debian")).machine.network is None


@pytest.mark.parametrize(
    ("compose", "said"),
    [
        (
            f"{COMPOSE}  db:\n    image: postgres\n",
            "has the services client, db; we can run only tasks with one machine",
        ),
        (COMPOSE.replace("    volumes:", "    privileged: true\n    volumes:"), "asks for privileged"),
        (COMPOSE.replace("    volumes:\n", "    volumes:\n      - ./data:/data\n"), "mounts ./data:/data"),
        (COMPOSE.replace("    volumes:", f"{GPU}    volumes:"), "asks for devices"),
        (COMPOSE.replace("    environment:", "    network_mode: host\n    environment:"), "the network host"),
        (COMPOSE.replace("      dockerfile: Dockerfile", "      context: .."), "from outside the task's folder"),
        (COMPOSE.replace("dockerfile: Dockerfile", "dockerfile: docker/Dockerfile"), "a folder other than its own"),
    ],
)
def test_what_a_compose_file_asks_that_is_not_had_here_is_said(tmp_path: Path, compose: str, said: str):
    (tmp_path / "Dockerfile").write_text("FROM debian\n")
    assert said in read_folder(terminal_bench(tmp_path / "task", "debian", compose=compose)).machine.refused


def test_a_command_of_its_own_is_told_apart_from_waiting(tmp_path: Path):
    own = COMPOSE.replace('["sh", "-c", "sleep infinity"]', "nginx -g 'daemon off;'")
    assert "a command of its own" in read_folder(terminal_bench(tmp_path / "own", "debian", compose=own)).machine.beside
    assert read_folder(terminal_bench(tmp_path / "waits", "debian")).machine.beside == ""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("task.yaml", "instruction: [", "not valid YAML"),
        ("task.yaml", "- a list", "holds no mapping"),
        ("task.yaml", "a: &a [1]\nb: [" + ", ".join(["*a"] * 50) + "]", "more than 20 aliases"),
        ("task.yaml", "[" * 50_000, "more than 100 levels deep"),
        ("docker-compose.yaml", "\0", "not valid YAML"),
    ],
)
def test_a_broken_file_is_named_and_the_other_tasks_are_used(tmp_path: Path, name: str, text: str, said: str):
    broken = terminal_bench(tmp_path / "broken", "debian")
    (broken / name).write_text(text)
    terminal_bench(tmp_path / "sum", "debian")
    with pytest.raises(InputError, match=said):
        read_folder(broken)
    library = Library.known(str(tmp_path))
    assert [task.task_id for task in library.tasks()] == ["sum"]
    assert said in str(library.problems[0])


def test_keys_typed_into_a_terminal_and_other_parsers_are_not_run(tmp_path: Path):
    typed = terminal_bench(tmp_path / "typed", "debian")
    (typed / "solution.sh").unlink()
    (typed / "solution.yaml").write_text("- command: echo 6 >sum.txt\n- command: ls\n")
    assert read_folder(typed).solution.texts[0][1] == "echo 6 >sum.txt\nls\n"  # type: ignore[union-attr]
    (typed / "solution.yaml").write_text("- command: q\n  append_enter: false\n")
    assert "types keys" in read_folder(typed).lacks
    other = terminal_bench(tmp_path / "other", "debian")
    (other / "task.yaml").write_text("instruction: x\nparser_name: sweperf\n")
    assert "the parser sweperf" in read_folder(other).lacks


def test_a_row_of_swe_bench_names_its_image_and_says_when_its_tests_have_no_command(tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    row = {"instance_id": "a__b-1", "patch": "x", "test_patch": "y", "FAIL_TO_PASS": '["t/test_a.py::test_b"]'}
    other = row | {"instance_id": "a__b-2", "FAIL_TO_PASS": '["test_b (t.A)"]'}
    told = row | {"instance_id": "a__b-3", "FAIL_TO_PASS": ["test_b"], "install_config": {"test_cmd": "tox"}}
    rows.write_text("\n".join(json.dumps(one | {"problem_statement": "p"}) for one in (row, other, told)))
    given = Reference(place=str(rows))
    task = read_reference(given, "a__b-1")
    assert task.machine.image == "swebench/sweb.eval.x86_64.a_1776_b-1:latest"
    assert task.wanted == ("t/test_a.py::test_b",)
    assert "python -m pytest -rA t/test_a.py" in (task.checks.command if task.checks else "")
    assert "does not say how its tests are run" in read_reference(given, "a__b-2").lacks
    assert read_reference(given, "a__b-3").lacks == ""
    with pytest.raises(InputError, match="no row for a__b-9"):
        read_reference(given, "a__b-9")
    case = Library.known(str(rows)).case(Library.known(str(rows)).resolve("a__b-1"))
    assert (case.task.prompt, case.task.reference) == ("p", given)


def test_a_script_of_the_users_own_takes_the_solutions_place(tmp_path: Path):
    folder, script = terminal_bench(tmp_path / "sum", "debian"), tmp_path / "mine.py"
    given = Reference(place=str(folder), script=str(script))
    with pytest.raises(InputError, match="no such file"):
        read_reference(given, "sum")
    script.write_text("open('/app/sum.txt', 'w').write('6')\n")
    task = read_reference(given, "sum")
    assert task.solution
    assert (task.solution.command, task.solution.places) == ("python3 /oracle/given", ((script, "/oracle/given"),))
    assert task.checks == read_folder(folder).checks


def test_a_link_that_leads_out_of_the_folder_is_not_read(tmp_path: Path):
    (tmp_path / "secret").write_text("instruction: mine\n")
    folder = terminal_bench(tmp_path / "sum", "debian")
    (folder / "task.yaml").unlink()
    (folder / "task.yaml").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="a link that leads out"):
        read_folder(folder)
