"""What failed and never worked later is proposed whatever it says; what only tried to get past it is not."""

from collections.abc import Mapping
from pathlib import Path

from cases import Block, Case, CommandRun, Events, Outcome, Run, Task, Transcript
from cases.task_words import given
from graph.classifier import classify
from probes import Barrier, Hypothesis

Step = tuple[str, str, int | None]


def proposed(prompt: str, *steps: Step, files: Mapping[str, str] | None = None) -> tuple[Hypothesis, ...]:
    """The hypotheses about a failed run of these commands, each with its output and exit code."""
    blocks = [Block(index=0, role="user", kind="message", text=prompt)]
    commands = []
    for command, output, code in steps:
        call, result = len(blocks), len(blocks) + 1
        blocks.append(Block(index=call, role="assistant", kind="call", text=f"execute_bash({command})"))
        blocks.append(Block(index=result, role="tool", kind="result", text=output))
        ran = CommandRun(
            kind="shell", command=command, tool="bash", output=output, exit_code=code, blocks=(call, result)
        )
        commands.append(ran)
    run = Run(run_id="r1", outcome=Outcome.FAILED, transcript=Transcript(blocks=tuple(blocks)), source="synthetic")
    case = Case(benchmark="synthetic", task_id="t", task=Task(prompt=prompt), runs=(run,))
    return classify(case, {"r1": Events(commands=tuple(commands))}, "auto", files)[0]


def test_a_command_that_the_task_names_is_proposed_though_no_rule_knows_its_words() -> None:
    (found,) = proposed("Run `make report`.", ("make report", "etwas ging schief", 2), ("ls", "Makefile", 0))
    assert (found.barrier, found.proposer, found.event) == (Barrier.COMMAND_FAILS, "structure", 0)
    assert [citation.quote for citation in found.citations] == ["etwas ging schief"]


def test_one_that_worked_later_is_not() -> None:
    assert proposed("Run `make report`.", ("make report", "etwas ging schief", 2), ("make report", "fertig", 0)) == ()


def test_a_look_that_the_task_tells_and_that_fails_on_no_file_is_proposed() -> None:
    told = "Write what `git log --oneline v1.0..v1.1` prints in /work/repo to notes.txt."
    owner = "fatal: dubieux propriétaire détecté dans le dépôt à '/work/repo'"
    (found,) = proposed(told, ("cd /work/repo && git log --oneline v1.0..v1.1", owner, 128), ("ls", "f1", 0))
    assert (found.barrier, found.proposer, found.event) == (Barrier.COMMAND_FAILS, "structure", 0)


def test_what_an_agent_made_up_itself_proposes_nothing_without_a_name() -> None:
    assert proposed("Say how many rows there are.", ("frobnicate --all", "kaputt", 3)) == ()


def test_its_own_code_that_failed_on_a_file_of_the_tasks_is_asked_for_what_is_measured_of_the_file() -> None:
    told = "Report the mean of the column `height` in data/plants.csv."
    code = ("python3 -c \"import csv; [r['height'] for r in csv.DictReader(open('data/plants.csv'))]\"", "kaputt", 1)
    (found,) = proposed(told, code, ("head -3 data/plants.csv", "name,width", 0), ("echo 4.2 > out.txt", "", 0))
    assert (found.barrier, found.targets.paths, found.event) == (Barrier.OWN_CODE_FAILS, ("data/plants.csv",), 0)
    assert proposed(told, ("python3 -c 'print(open(\"notes.txt\"))'", "kaputt", 1)) == (), "no file of the task's"


def test_a_file_of_the_tasks_that_failed_to_be_read_is_asked_for_though_the_run_read_some_of_it_later() -> None:
    told = "Say how many meters data/readings.csv.gz names in November."
    failed = ("gzip -dk data/readings.csv.gz; ls data", "gzip: data/readings.csv.gz: unexpected end of file", 1)
    read = ("python3 -c \"print(len(open('data/readings.csv.gz', 'rb').read()))\"", "81716", 0)
    (found,) = proposed(told, failed, read, ("echo none", "none", 0))
    assert (found.barrier, found.targets.paths) == (Barrier.OWN_CODE_FAILS, ("data/readings.csv.gz",))


def test_a_file_of_the_tasks_with_which_nothing_worked_is_proposed_though_the_run_went_on_looking() -> None:
    told = "Unpack deliverables/results.7z and report the sum of its values."
    sealed = ("7z x -y deliverables/results.7z", "Passwort eingeben:", 255)
    (found,) = proposed(told, sealed, ("id", "uid=1000", 0), sealed, ("find / -name x; umask", "0022", 0))
    assert (found.barrier, found.proposer, found.event) == (Barrier.COMMAND_FAILS, "structure", 2)


def test_a_program_of_the_tasks_that_is_missing_is_proposed_though_it_would_only_look() -> None:
    missing = ("bash -lc 'jq .a data.json'", "bash: jq：未找到命令", 127)
    (found,) = proposed("Print the length of .a in data.json with jq.", missing, ("bash -lc id", "uid=1000", 0))
    assert found.targets.programs == ("jq",)


def test_one_that_a_shell_could_not_start_is_proposed_though_it_only_asks_and_no_exit_code_is_told() -> None:
    missing = ("pip list", "bash: 行 1: pip: 未找到命令", None)
    (found,) = proposed("Print how many packages pip lists.", missing, missing, ("id", "uid=1000", None))
    assert (found.barrier, found.event) == (Barrier.COMMAND_FAILS, 0)


def test_one_with_which_something_worked_later_is_not() -> None:
    told = "Unpack deliverables/results.7z and report the sum of its values."
    sealed = ("7z x -y deliverables/results.7z", "Passwort eingeben:", 255)
    opened = ("7z x -y -pheron deliverables/results.7z", "Alles in Ordnung", 0)
    assert proposed(told, sealed, sealed, opened, ("umask", "0022", 0)) == ()


def test_what_a_readme_among_the_tasks_files_tells_to_run_is_the_tasks(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "report.sh").write_text("exit 3\n")
    (tmp_path / "README.md").write_text("To build, run `frobnicate --all`.\n")
    files = given(tmp_path)
    assert files == {"README.md": "To build, run `frobnicate --all`.\n", "tools/report.sh": ""}
    failed = ("frobnicate --all", "kaputt", 3)
    assert proposed("Mend the report.", failed) == ()
    (found,) = proposed("Mend the report.", failed, files=files)
    assert (found.barrier, found.proposer) == (Barrier.COMMAND_FAILS, "structure")


def test_attempts_to_get_past_it_are_evidence_and_no_hypotheses() -> None:
    found = proposed(
        "Run `make report`.",
        ("make report", "make: cc: No such file or directory\nmake: *** [report] Error 127", 2),
        ("pip install ziglang", "ERROR: No matching distribution found for ziglang", 1),
        ("sudo apt-get install -y gcc", "bash: line 1: sudo: command not found", 127),
        ("make report", "make: cc: No such file or directory\nmake: *** [report] Error 127", 2),
    )
    assert [(one.barrier, one.targets.programs) for one in found] == [(Barrier.COMMAND, ("cc",))]


def test_of_several_failures_of_one_cause_the_plainest_command_is_tried() -> None:
    found = proposed(
        "Run `make report`.",
        ("make clean && make report", "make: cc: No such file or directory", 2),
        ("make report", "make: cc: No such file or directory", 2),
    )
    assert [one.event for one in found] == [1]


def test_what_a_run_ended_on_is_proposed_where_it_is_about_something_of_the_tasks() -> None:
    prompt = "evidence/usb.img is the image of a stick. How many files does it hold?"
    steps = (("ls evidence", "usb.img", 0), ("mount -o loop evidence/usb.img /mnt", "mount: nur root darf das", 1))
    (found,) = proposed(prompt, *steps)
    assert (found.barrier, found.event) == (Barrier.COMMAND_FAILS, 1)
    (aside,) = proposed(prompt, *steps, ("cat evidence/usb.img | wc -c", "8388608", 0), ("cc x.c", "kaputt", 1))
    assert (aside.barrier, aside.event) == (Barrier.OWN_CODE_FAILS, 1), "only what is measured of the file counts"


def test_what_only_asked_whether_another_module_is_there_is_no_barrier_of_its_own() -> None:
    read = "python3 -c \"import geopandas; print(len(geopandas.read_file('data/a.gpkg')))\""
    missing = "ModuleNotFoundError: No module named '{}'"
    found = proposed(
        "How many rows has data/a.gpkg?",
        (read, missing.format("geopandas"), 1),
        ("python3 -c 'import fiona'; python3 -c 'import pyogrio'", missing.format("fiona"), 1),
    )
    assert [one.targets.modules for one in found] == [("geopandas",)]


def test_a_look_that_a_run_ended_on_is_proposed_where_it_failed_on_no_file_that_was_not_there() -> None:
    prompt = "Who removed --legacy from /work/repo/cli.py?"
    owner = "fatal: dubieux propriétaire détecté dans le dépôt à '/work/repo'"
    tried = ("git config --global --add safe.directory /work/repo", "kaputt", 255)
    (found,) = proposed(prompt, tried, ("cd /work/repo && git log -- cli.py", owner, 128))
    assert (found.barrier, found.event) == (Barrier.COMMAND_FAILS, 1)
    missing = ("cd /work/repo && ls notes", "ls: cannot access 'notes': No such file or directory", 2)
    assert 1 not in [one.event for one in proposed(prompt, tried, missing)]


def test_what_a_run_ended_on_is_proposed_beside_a_named_failure_that_was_got_past() -> None:
    told = "Unpack vault.7z, count its lines and print the number with `python3 show.py N`."
    missing = ("python3 show.py 3", "ModuleNotFoundError: No module named 'colorama'", 1)
    sealed = ("7z x -y vault.7z", "Enter password:", 255)
    mended = ("sed -i '/colorama/d' show.py && python3 show.py 3", "3", 0)
    found = proposed(told, sealed, missing, mended, sealed)
    assert {one.barrier for one in found} == {Barrier.MODULE, Barrier.COMMAND_FAILS}
    assert next(one.event for one in found if one.barrier is Barrier.COMMAND_FAILS) == 3


def test_two_commands_of_the_task_that_fail_are_two_hypotheses() -> None:
    found = proposed("Run `make a` and `sh b.sh`.", ("make a", "kaputt", 2), ("sh b.sh", "auch das nicht", 3))
    assert {one.targets.commands for one in found} == {("make a",), ("sh b.sh",)}


def test_a_command_of_the_task_that_ended_nobody_knows_how_is_left_to_the_machine() -> None:
    steps = (("sh tests/check.sh", "FAIL", None),)
    (found,) = proposed("`sh tests/check.sh` must print PASS.", *steps)  # type: ignore[arg-type]
    assert (found.proposer, found.targets.commands) == ("structure", ("sh tests/check.sh",))
    assert [citation.quote for citation in found.citations] == ["FAIL"]


def test_of_several_nameless_failures_of_one_command_the_last_plain_one_is_tried() -> None:
    found = proposed(
        "Run `./solve --all`.",
        ("./solve --all", "kaputt", 3),
        ("chmod u+w out && ./solve --all", "immer noch kaputt", 4),
        ("./solve --all", "wieder anders kaputt", 5),
        ("sudo -u daemon ./solve --all", "gar nichts geht", 6),
    )
    assert [(one.barrier, one.event) for one in found] == [(Barrier.COMMAND_FAILS, 2)]


def test_a_program_that_was_first_called_with_nothing_and_then_as_the_task_says_was_put_right() -> None:
    found = proposed("Run `./solve --all`.", ("./solve", "etwas fehlt", 2), ("./solve --all", "kaputt", 3))
    assert [(one.barrier, one.event) for one in found] == [(Barrier.COMMAND_FAILS, 1)]
    assert proposed("Run `./solve --all`.", ("./solve", "etwas fehlt", 2), ("./solve --all", "fertig", 0)) == ()


def test_failures_of_which_no_command_is_the_tasks_stay_apart() -> None:
    found = proposed(
        "Compare one/alpha.tab with two/beta.dat.",
        ("frob one/alpha.tab", "frob: one/alpha.tab: kaputt", 3),
        ("glorp two/beta.dat", "glorp: two/beta.dat: ebenso", 3),
    )
    assert {path for one in found for path in one.targets.paths} == {"one/alpha.tab", "two/beta.dat"}


def test_to_ask_where_programs_are_is_no_goal_however_often() -> None:
    missing = ("jq '.[] | .id' config.json", "bash: line 1: jq: command not found", 127)
    which = ("which jq gojq yq", "", 1)
    found = proposed("Report how many entries config.json has.", missing, which, which, which)
    assert [one.targets.programs for one in found] == [("jq",)]


def test_another_call_of_the_told_program_is_proposed_in_place_of_what_it_got_past() -> None:
    steps = (
        ("python3 assemble.py", "ModuleNotFoundError: No module named 'tqdm'", 1),
        ("pip install tqdm", "ERROR: No matching distribution found for tqdm", 1),
        ("python3 assemble.py --no-progress", "cannot assemble: d2: missing", 3),
        ("python3 assemble.py --no-progress", "cannot assemble: d2: missing", 3),
    )
    found = proposed("Reassemble the catalogue with `python3 assemble.py`.", *steps)
    assert (Barrier.COMMAND_FAILS, 3) in [(one.barrier, one.event) for one in found]
    assert Barrier.PIP not in [one.barrier for one in found]


def test_what_the_task_asks_for_is_replayed_and_not_the_run_s_own_probe_of_the_same_host() -> None:
    lost = "fatal: unable to access 'https://host.example/lib/': Could not resolve host: host.example"
    build = "cmake -S . -B build && cmake --build build && ./build/ray crust.json"
    probe = "curl -sSI https://host.example/lib"
    steps = (build, lost, 1), (probe, "curl: (6) Could not resolve host: host.example", 6)
    found = [one for one in proposed(f"Run `{build}`.", *steps) if one.barrier is Barrier.NETWORK]
    assert [one.event for one in found] == [0]


def test_a_call_in_a_loop_that_fails_with_the_same_words_is_told_by_the_plain_one() -> None:
    refused = "No permission to enable cache-misses:u event."
    looped = ("for t in 16 48; do perf stat -e cache-misses:u ./tile $t; done; ls misses.csv", refused, 2)
    told = "Count with `perf` and write misses.csv."
    found = proposed(told, ("perf stat -e cache-misses:u ./tile 16", refused, 255), looped)
    assert [one.event for one in found if one.proposer == "structure"] == [0]


def test_of_commands_whose_end_the_record_hides_the_one_that_the_task_spells_is_asked_and_no_own_code() -> None:
    own = "python3 - <<'E'\nprint(1)\nE\npython3 -m tern other.json"
    (found,) = proposed(
        "Run `python3 -m tern call.json`, as the README says: `python3 -`.",
        ("python3 -m tern call.json 2>&1 | tail -1", "tern.CradleBare: nobody sleeps under tern-v3", 0),
        (f"{own} | tail -1", "1", None),
    )
    assert (found.barrier, found.event) == (Barrier.COMMAND_FAILS, 0)


POINTER = "version https://git-lfs.github.com/spec/v1"


def test_a_file_of_the_tasks_that_is_only_a_pointer_is_proposed_with_the_command_that_showed_it() -> None:
    told = "Predict a value for each row of data/test.csv; data/train.csv has them."
    looked = ("head -2 data/train.csv data/test.csv", f"id,x\n{POINTER}", 0)
    worked = ("python3 -c \"print(open('data/test.csv').read())\" | tail -1", f"{{'{POINTER}': 'oid'}}", 0)
    (found,) = proposed(told, looked, worked, ("echo done", "done", 0))
    assert (found.barrier, found.targets.paths, found.event) == (Barrier.OWN_CODE_FAILS, ("data/test.csv",), 1)
    assert proposed(told, looked, ("echo done", "done", 0)) == (), "nothing was at work on it"


def test_the_first_command_at_work_on_the_task_s_file_is_asked_where_the_rest_only_tried_to_do_without() -> None:
    told = "Which buoy in waves.tar.xz measured the highest wave?"
    tar = "tar (child): xz: Cannot exec: No such file or directory\ntar: Child returned status 2"
    fetched = ("curl -O https://mirror.example/xz.tar.gz", "curl: (6) Could not resolve host: mirror.example", 6)
    opinion = ("dpkg-deb -c waves.tar.xz", "dpkg-deb: error: 'waves.tar.xz' is not a Debian format archive", 2)
    found = proposed(told, ("tar tf waves.tar.xz", tar, 2), fetched, opinion)
    assert [one.targets.commands for one in found if one.barrier is Barrier.COMMAND_FAILS] == [("tar tf waves.tar.xz",)]


def test_what_was_run_again_at_a_file_of_the_task_s_and_nobody_knows_how_it_ended_is_left_to_the_machine() -> None:
    told, unpack = "Unpack deliverables/results.7z and report the sum.", "7z x -y deliverables/results.7z </dev/null"
    asks = "Enter password (will not be echoed):"
    (found,) = proposed(told, (unpack, asks, None), ("id", "uid=1000", None), (unpack, asks, None))
    assert (found.barrier, found.proposer, found.event) == (Barrier.COMMAND_FAILS, "structure", 2)
    assert proposed(told, (unpack, asks, None), ("id", "uid=1000", None)) == (), "it was not run again"
    assert proposed(told, (unpack, asks, None), (unpack, "Everything is Ok", 0)) == (), "it worked"
