"""What the task needs of what failed: preparing is no end in itself."""

import pytest

from cases.touches import troubles_of
from probes import Barrier, Targets
from probes.transcript.needed import (
    asked_for,
    goal_beside,
    never_read,
    only_files_name,
    only_files_spell,
    only_tests_it,
    shown_as_pointer,
    worked_without,
)
from tests.cases.test_touches import record
from tests.probes.conftest import hypothesis

ASKED = "Predict a value for each row of data/test.csv."
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:5b1f\nsize 31407752"

README = "Install:\n\n    pip install -r requirements.txt\n\nThen run\n\n    python3 run.py\n"
INSTALL = ("pip install -r requirements.txt", "ERROR: No matching distribution found for numpy==1.18.1", 1)
ALIAS = "Traceback (most recent call last):\n  File\nAttributeError: module 'numpy' has no attribute 'bool'"
MODULE = "Traceback (most recent call last):\n  File\nModuleNotFoundError: No module named 'numpy'"


@pytest.mark.parametrize(
    ("ran", "goal"),
    [
        (("python3 run.py", ALIAS, 1), "python3 run.py"),
        (("python3 run.py", MODULE, 1), None),
        (("python3 run.py", "0.93", 0), None),
        (("ls", "run.py", 0), None),
    ],
    ids=["fails of something else", "fails for want of it", "works", "was never run"],
)
def test_what_a_task_only_names_is_not_known_to_be_needed_where_its_command_fails_of_something_else(ran, goal) -> None:
    case, run, events = record("Follow the README and tell what run.py prints.", INSTALL, ran, readme=README)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "numpy" and 1 in one.events)
    assert goal_beside("numpy", trouble, case, run, events) == goal


@pytest.mark.parametrize(
    ("readme", "goal"),
    [("Then run\n\n    bash run.sh\n", "bash run.sh"), ("Then run\n\n    python3 figure.py out/\n", None)],
    ids=["the document spells the script", "the document spells the step"],
)
def test_what_only_a_script_of_the_task_s_carries_out_is_a_means_to_what_a_document_spells(readme, goal) -> None:
    script = ("bash run.sh", "ERROR: No matching distribution found for matplotlib==3.4.3", 1)
    read = (
        "cat run.sh",
        "#!/bin/sh -e\npip install -r requirements.txt\npython3 table.py\npython3 figure.py out/\n",
        0,
    )
    step = ("python3 figure.py out/", MODULE.replace("numpy", "cartopy"), 1)
    case, run, events = record("What is in Table 2? See the README.", read, script, step, readme=readme)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "cartopy" and 3 in one.events)
    assert goal_beside("python3 figure.py out/", trouble, case, run, events) == goal


@pytest.mark.parametrize(
    ("ran", "worked"),
    [
        (("python3 run.py", "0.93", 0), "python3 run.py"),
        (("python3 run.py --help", "usage: run.py", 0), None),
        (("python3 run.py", MODULE, 1), None),
        (("python3 mine.py", "0.93", 0), None),
        (("cat run.py", "print(1)", 0), None),
    ],
    ids=["works", "is only asked for its help", "fails", "is the run's own", "is only looked at"],
)
def test_what_only_prepares_is_not_known_to_be_needed_where_the_work_itself_works_afterwards(ran, worked) -> None:
    case, run, events = record("Follow the README and tell what run.py prints.", INSTALL, ran, readme=README)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "numpy" and 1 in one.events)
    assert worked_without("numpy", trouble, case, run, events) == worked


def test_a_command_of_the_task_s_that_failed_is_needed_whatever_else_worked() -> None:
    ran, other = ("python3 run.py", MODULE, 1), ("python3 first.py", "done", 0)
    case, run, events = record("Run `python3 run.py` and `python3 first.py`.", ran, other, readme=README)
    trouble = next(one for one in troubles_of(case, run, events) if one.goal and not one.resolved)
    assert worked_without("python3 run.py", trouble, case, run, events) is None


@pytest.mark.parametrize(
    ("more", "file"),
    [
        (("head -1 data/test.csv", POINTER, 0), "data/test.csv"),
        (("git lfs pull; head -1 data/test.csv", "id,x", 0), ""),
    ],
    ids=["a pointer each time", "its content at last"],
)
def test_a_file_that_the_task_names_is_needed_where_the_run_was_shown_a_pointer_alone(more, file) -> None:
    tried = ("python3 -c \"print(open('data/test.csv').read())\"", POINTER, 0)
    case, run, events = record(
        "Predict a value for each row of data/test.csv.", ("ls data", "test.csv", 0), tried, more
    )
    about = hypothesis(barrier="own_code_fails").model_copy(update={"targets": Targets(paths=("data/test.csv",))})
    assert shown_as_pointer(about, case, run, events) == file


TESTS = ("python3 -m pytest -q", "/usr/bin/python3: No module named pytest", 1)
EDIT = "p = 'cron/expr.py'\nt = open(p).read()\nopen(p, 'w').write(t.replace('6', '7'))"


@pytest.mark.parametrize(
    ("ran", "changed"),
    [
        ((f"python3 - <<'E'\n{EDIT}\nE", "", 0), "cron/expr.py"),
        (("sed -i s/6/7/ cron/expr.py", "", 0), "cron/expr.py"),
        (("perl -pi -e s/6/7/ cron/expr.py", "", 0), "cron/expr.py"),
        (("sed -n 1,9p cron/expr.py", "FIELDS = 6", 0), ""),
        (("sed -i s/6/7/ tests/test_expr.py", "", 0), ""),
        (("sed -i s/6/7/ cron/expr.py", "sed: couldn't open temporary file: Permission denied", 4), ""),
        (("python3 -c \"print(open('cron/expr.py').read())\"", "FIELDS = 6", 0), ""),
    ],
)
def test_what_only_runs_tests_is_not_needed_where_the_run_changed_what_it_was_to_change(ran, changed) -> None:
    prompt = "In cron/expr.py weekday 7 is refused; see tests/test_expr.py. Implement the change."
    case, run, events = record(prompt, ("cat cron/expr.py", "FIELDS = 6", 0), TESTS, ran)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "pytest")
    assert only_tests_it(trouble, case, run, events) == changed


@pytest.mark.parametrize(
    ("more", "changed"),
    [
        ("Hidden tests will check the behaviour.", "cron/expr.py"),
        ("Make the minimal changes to non-test files.", "cron/expr.py"),
        ("Then run the suite and hand in the report that its runner writes.", ""),
        ("All tests must pass.", ""),
        ("Report how many of the tests are green.", ""),
    ],
)
def test_where_the_text_may_ask_that_tests_be_run_what_runs_them_may_be_needed(more, changed) -> None:
    case, run, events = record(f"Change cron/expr.py. {more}", TESTS, ("sed -i s/6/7/ cron/expr.py", "", 0))
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "pytest")
    assert only_tests_it(trouble, case, run, events) == changed


def test_where_the_text_asks_for_what_the_runner_writes_the_runner_is_needed() -> None:
    tests = ("python3 -m pytest -q --junitxml=ergebnis.xml", "/usr/bin/python3: No module named pytest", 1)
    edit = ("sed -i s/6/7/ cron/expr.py", "", 0)
    case, run, events = record("Berichtige cron/expr.py und gib ergebnis.xml ab.", tests, edit)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "pytest")
    assert only_tests_it(trouble, case, run, events) == ""


def test_any_other_module_may_be_needed_by_what_was_changed() -> None:
    tests = ("python3 -m pytest -q", "ModuleNotFoundError: No module named 'numpy'", 1)
    case, run, events = record("Change cron/expr.py.", tests, ("sed -i s/6/7/ cron/expr.py", "", 0))
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "numpy")
    assert only_tests_it(trouble, case, run, events) == ""


LEDGER, REFUSED = "/srv/ledger.csv", "/srv/ledger.csv: Permission denied"


@pytest.mark.parametrize(
    ("prompt", "steps", "file"),
    [
        (f"Sum up {LEDGER}.", [(f"head {LEDGER}", f"head: {REFUSED}", 1)], LEDGER),
        (f"Sum up {LEDGER}.", [(f"head {LEDGER}", "id,eur", 0), (f"cat {LEDGER}", f"cat: {REFUSED}", 1)], ""),
        ("Sum up the ledger.", [(f"head {LEDGER}", f"head: {REFUSED}", 1)], ""),
        (f"Sum up {LEDGER}.gz.", [(f"head {LEDGER}", f"head: {REFUSED}", 1)], ""),
    ],
    ids=["refused each time", "read at first", "not in the prompt", "another file is"],
)
def test_a_file_that_the_prompt_spells_is_needed_where_nothing_could_read_it(prompt, steps, file) -> None:
    case, run, events = record(prompt, *steps)
    about = hypothesis(barrier="permission").model_copy(update={"targets": Targets(paths=(LEDGER,))})
    assert never_read(about, case, run, events) == file
    other = about.model_copy(update={"barrier": Barrier.MISSING_DATA})
    assert never_read(other, case, run, events) == ""


@pytest.mark.parametrize(
    ("prompt", "only_files"),
    [
        ("What is the coefficient in Table 3?", True),
        ("What does fit.R print?", False),
        ("Follow README.md and report the coefficient.", False),
        ("Use Rscript to get the coefficient.", False),
    ],
)
def test_a_command_that_only_files_spell_is_one_means_where_its_software_is_missing(prompt, only_files) -> None:
    readme = "# nests\n\n    Rscript fit.R\n"
    case, run, events = record(prompt, ("Rscript fit.R", "bash: Rscript: command not found", 127), readme=readme)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.name == "Rscript")
    command = next(one for one in (trouble.cause, *trouble.with_it) if one.kind == "command")
    assert only_files_spell(command, trouble, case, run, events) is only_files


@pytest.mark.parametrize(
    ("prompt", "only_files"), [("Convert the scans to PNG.", True), ("Run `convert` on the scans.", False)]
)
def test_a_program_that_is_a_word_like_any_other_is_named_by_code_alone(prompt, only_files) -> None:
    made = ("make all", "make: convert: No such file or directory\nmake: *** [Makefile:3: a.png] Error 127", 2)
    case, run, events = record(prompt, made)
    trouble = next(one for one in troubles_of(case, run, events) if 0 in one.events)
    named = trouble.model_copy(
        update={"cause": trouble.cause.model_copy(update={"kind": "program", "name": "convert"})}
    )
    assert only_files_name("convert", named, case) is only_files


GONE = "Traceback (most recent call last):\n  File\nModuleNotFoundError: No module named 'fluxlib.fit'"
OLDER = ("pip install fluxlib==0.4", "ERROR: No matching distribution found for fluxlib==0.4", 1)


@pytest.mark.parametrize(
    ("prompt", "first", "asked"),
    [
        ("Load the fit with the package fluxlib.", ("python3 -c 'import fluxlib'", "", 0), None),
        ("Load the fit with the package fluxlib 0.4.", ("python3 -c 'import fluxlib'", "", 0), "fluxlib"),
        ("Load the fit with the package fluxlib.", ("ls", "fits", 0), "fluxlib"),
    ],
    ids=["it is there", "another version is asked for", "it is not known to be there"],
)
def test_another_version_of_what_is_there_is_the_agent_s_own_idea(prompt, first, asked) -> None:
    case, run, events = record(prompt, first, ("python3 -c 'import fluxlib.fit'", GONE, 1), OLDER)
    trouble = next(one for one in troubles_of(case, run, events) if one.cause.kind == "package")
    about = hypothesis(barrier="pip").model_copy(update={"targets": Targets(packages=("fluxlib",))})
    assert asked_for(about, trouble, case, run, events) == asked
