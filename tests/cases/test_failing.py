"""Did it fail? Every event has one answer: its exit code where that tells, else a tool's own word, never shown text."""

import re
import subprocess
import sys

import pytest

from cases import CommandRun, PageVisit
from cases.failing import errors_in, exception_in, root_in, step_failures, telling_lines
from cases.failing.forms import Failure, Success, forms, ran_tests, refused, said
from cases.failing.forms import done as is_done
from cases.model import ToolCall

TRACE = 'Traceback (most recent call last):\n  File "run.py", line 1, in <module>\n    import numpy\n{}'
NO_NUMPY = TRACE.format("ModuleNotFoundError: No module named 'numpy'\n")


def ran(command: str, output: str | None, exit_code: int | None = None, kind: str = "shell") -> str:
    event = CommandRun(kind=kind, command=command, tool="bash", output=output, exit_code=exit_code, blocks=(0,))
    return event.failed


@pytest.mark.parametrize("form", forms().failed, ids=lambda form: form.id)
def test_a_form_catches_and_misses_what_its_entry_says(form: Failure) -> None:
    def caught(line: str) -> bool:
        text = f"Traceback (most recent call last):\n  File\n{line}" if form.traceback else line
        return any(one.form is form for one in said(text, form.whose))

    assert [line for line in form.catches if not caught(line)] == []
    assert [line for line in form.misses if caught(line)] == []


@pytest.mark.parametrize("form", forms().ran, ids=lambda form: form.source[:20])
def test_a_suite_that_ran_tests_is_known_by_its_summary(form: Success) -> None:
    assert [line for line in form.catches if not ran_tests(f"x\n{line}\n")] == []
    assert [line for line in form.misses if ran_tests(f"x\n{line}\n")] == []


@pytest.mark.parametrize("form", forms().worked, ids=lambda form: form.program)
def test_a_word_for_work_that_is_done_too(form: Success) -> None:
    assert all(is_done(f"x\n{line}\ny", {form.program}) for line in form.catches)
    assert not any(is_done(line, {form.program}) for line in form.misses)


def test_the_answer_of_a_tool_that_refused_is_known_by_its_beginning() -> None:
    (form,) = forms().refused
    assert all(refused(f"Observation: {text}") and refused(text) for text in form.catches)
    assert not any(refused(text) for text in form.misses)
    failed = [
        ToolCall(tool="edit", output=text, blocks=(0,)).failed for text in (*form.catches, *form.misses, "", None)
    ]
    assert failed == ["yes"] * len(form.catches) + ["no"] * len(form.misses) + ["unknown", "unknown"]


def test_what_stands_around_the_last_words_is_known_by_its_entries() -> None:
    for form in (*forms().frame, *forms().closing):
        assert all(re.fullmatch(form.pattern, line) for line in form.catches)
        assert not any(re.fullmatch(form.pattern, line) for line in form.misses)


NODE = """node:internal/modules/cjs/loader:1080
  throw err;
  ^

Error: Cannot find module 'left-pad'
Require stack:
- /w/pad.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1077:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/w/pad.js' ]
}

Node.js v18.20.4
"""


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (NODE, "Error: Cannot find module 'left-pad'"),
        (
            "Error in readRDS(f) : unknown input format\nExecution halted\n",
            "Error in readRDS(f) : unknown input format",
        ),
        ("a.c:1: error: x\nmake[1]: *** [Makefile:2: a.o] Error 1\nmake: *** [all] Fehler 2\n", "a.c:1: error: x"),
        ("make: *** No rule to make target 'x'.  Stop.\n", "make: *** No rule to make target 'x'.  Stop."),
        ("Execution halted\n", "Execution halted"),
        ("one\n\ntwo\n", "two"),
    ],
)
def test_the_last_line_that_tells_anything_is_not_the_one_that_only_says_that_something_failed(
    output: str, told: str
) -> None:
    assert telling_lines(output)[-1] == told


@pytest.mark.parametrize(("program", "failed"), [("zcat", "yes"), ("gunzip", "yes"), ("bzcat", "unknown")])
def test_gzip_speaks_for_the_scripts_that_run_it(program: str, failed: str) -> None:
    said = "reads 2983\n\ngzip: lane.gz: unexpected end of file\n"
    assert step_failures(f"{program} lane.gz | awk -f gc.awk", said, 0)[0] == failed


@pytest.mark.parametrize(
    ("command", "exit_code", "failed"),
    [
        ("make", 2, "yes"),
        ("make", 0, "no"),
        ("make", None, "unknown"),
        ("make", -1, "unknown"),
        ("make", -9, "yes"),
        ("cd code && make", 0, "no"),
        ("make 2>&1 | tail -4", 0, "unknown"),
        ("make | tee build.log", 0, "unknown"),
        ("make || true", 0, "unknown"),
        ("make; echo done", 0, "unknown"),
        ("make &", 0, "unknown"),
        ("make; ls", 0, "unknown"),
        ("ls; make", 0, "no"),
        ("ls | head -3", 0, "no"),
        ("! make", 0, "unknown"),
        ("(cd code && make)", 0, "no"),
        ("for d in a b; do make -C $d; done", 0, "unknown"),
        ("if make; then ls; fi", 0, "unknown"),
        ("""Rscript -e 'install.packages("sf")'""", 0, "unknown"),
        ("Rscript fit.R", 0, "no"),
        ("curl -s https://data.invalid/x", 0, "unknown"),
        ("curl -fsS https://data.invalid/x", 0, "no"),
        ("apt-get update", 0, "unknown"),
        ("apt-get install -y jq", 0, "no"),
        ("make 'unclosed", 0, "unknown"),
    ],
)
def test_a_zero_proves_what_the_shell_makes_of_it(command: str, exit_code: int | None, failed: str) -> None:
    assert ran(command, "", exit_code) == failed


@pytest.mark.parametrize(
    ("command", "output", "failed"),
    [
        ("./solver; echo rc $?", "rc 137", "yes"),
        ("./solver; echo rc $?", "checksum 5\nrc 0", "no"),
        ('./solver; echo "exit: $?"; ls', "exit: 3\na.txt", "yes"),
        ("./solver --help; echo rc $?; strings bin/solver | head", "rc 137", "yes"),
        ("./solver; echo rc $?", "nothing like it", "unknown"),
    ],
)
def test_an_exit_code_that_the_command_prints_is_read(command: str, output: str, failed: str) -> None:
    assert ran(command, output, 0) == failed


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("ls /data", "ls: cannot access '/data': No such file or directory"),
        ("make 2>&1 | tail -2", "compilation terminated.\nmake: *** [Makefile:5: bmsim.o] Error 1"),
        ("make -C code | tail", "make: *** [Makefile:5: a] Error 1\nmake: Leaving directory '/w/code'"),
        ("jupyter nbconvert a.ipynb || echo none", "/bin/sh: 1: jupyter: not found\nnone"),
        ("python3 run.py | tail -5", NO_NUMPY),
        ("python3 run.py || echo sorry", f"{NO_NUMPY}sorry"),
        ("pip install x 2>&1 | tail -1", "ERROR: No matching distribution found for x"),
        ("sudo apt-get install -y jq; true", "E: Unable to locate package jq"),
        ("""Rscript -e 'install.packages("sf")'; true""", "Error in library(sf) : there is no package called ‘sf’"),
        ("make", "[Command timed out]"),
        ("sleep 900", "[The command timed out after 120 seconds. You may wait longer to see additional output]"),
        ("./tool", "./tool: error while loading shared libraries: libpng16.so.16: cannot open shared object file"),
        ("./tool | head", "Stdout:\n\nStderr:\nSegmentation fault (core dumped)\n"),
        ("curl -sS https://a.invalid | head", "curl: (6) Could not resolve host: a.invalid"),
        ("git clone https://a.invalid/x.git; ls", "fatal: unable to access 'https://a.invalid/x.git/': x"),
    ],
)
def test_without_an_exit_code_that_tells_a_tools_own_word_does(command: str, output: str) -> None:
    assert ran(command, output) == "yes"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat urllib3/exceptions.py", "class ReadTimeoutError(TimeoutError, RequestError):\n    pass"),
        ("cat build.log", "make: *** [Makefile:5: a] Error 1"),
        ("tail -3 run.log", NO_NUMPY),
        ("grep -rn error: .", "a.py:3: error: not found"),
        ("grep -n Traceback log.txt", "1:Traceback (most recent call last):"),
        ("sed -n 1,9p a.sh", "echo 'E: Unable to locate package x'"),
        ("git diff", "+    raise Http404\n+ERROR: x"),
        ("echo 'bash: jq: command not found'", "bash: jq: command not found"),
    ],
)
def test_what_is_only_displayed_is_nobodys_word(command: str, output: str) -> None:
    assert ran(command, output, 0) == "no"
    assert ran(command, output) != "yes"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pip install six | tail -1", "Successfully installed six-1.16.0"),
        ("apt-get install -y jq | tail -2; true", "Setting up jq (1.6-2.1) ..."),
        ("jq . a.json || true", "make: *** not its own word"),
    ],
)
def test_work_that_a_tool_says_is_done_or_that_somebody_elses_word_is_about_did_not_fail(command, output) -> None:
    assert ran(command, output, 0) != "yes"


@pytest.mark.parametrize(
    ("code", "output", "exit_code", "failed"),
    [
        ("import numpy", NO_NUMPY, None, "yes"),
        ("import numpy", NO_NUMPY, 1, "yes"),
        ("print(1)", "1", 0, "no"),
        ("print(1)", "Observation:\nExecution logs:\n1\nLast output from code snippet:\nNone", None, "no"),
        ("import os", "Error:\nCode execution failed at line 'import os' due to: InterpreterError: x", None, "yes"),
        ("try:\n    go()\nexcept OSError as e:\n    print(e)", "refused", 0, "unknown"),
        ("import contextlib\nwith contextlib.suppress(OSError):\n    go()", "", 0, "unknown"),
        ("print(open('log').read())", f"{NO_NUMPY}the log goes on", None, "unknown"),
    ],
)
def test_python_code_is_judged_by_its_traceback_and_by_what_it_catches(code, output, exit_code, failed) -> None:
    assert ran(code, output, exit_code, kind="python") == failed


@pytest.mark.parametrize("lines", range(2, 12))
def test_a_traceback_whose_beginning_was_cut_off_is_one_all_the_same(lines: int) -> None:
    code = "import json\ndef read():\n    return json.loads('{')\nread()"
    whole = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    shown = "\n".join(whole.splitlines()[-lines:])
    assert ran(f"python3 run.py 2>&1 | tail -{lines}", shown, 0) == "yes", shown
    framed = f"Exit Code: 0\nStdout:\n{shown}\n\n\nStderr:\n"
    assert ran(f"python3 run.py 2>&1 | tail -{lines}", framed, 0) == "yes", shown
    assert ran(f"python3 run.py 2>&1 | tail -{lines}", f"{shown}\ndone, 3 of 4", 0) != "yes", shown


def test_a_visit_failed_where_an_error_stands_in_place_of_the_page() -> None:
    def visited(error: str | None, text: str | None) -> str:
        return PageVisit(url="https://a.invalid/", title=None, error=error, text=text, blocks=(0,)).failed

    assert visited("DNS_PROBE_FINISHED_NXDOMAIN", "x") == "yes"
    assert visited(None, "Welcome") == "no"
    assert visited(None, None) == "unknown"


REAL = (
    "ls /nowhere/at/all",
    "cat /nowhere",
    "cp /nowhere /tmp",
    "mkdir /proc/x",
    "grep --nonsense x",
    "python3 -c 'import nothing_like_it'",
    "python3 /nowhere.py",
    "no_such_program_at_all --version",
    "/etc/passwd",
    "tar xf /nowhere.tar",
    "sort /nowhere",
    "bash -c 'no_such_program_at_all'",
    "git clone /nowhere/x.git",
    "sh -c 'kill -SEGV $$'",
    "python3 -m pip install --no-index nothing-like-it",
)


@pytest.mark.parametrize("command", REAL)
def test_real_tools_are_understood_with_and_without_their_exit_code(command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1; ( {command} )"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode != 0
    assert ran(command, done.stdout, done.returncode) == "yes"
    assert ran(command, done.stdout) == "yes"
    assert ran(f"{command} || true", done.stdout, 0) == "yes"
    quiet = subprocess.run(["bash", "-c", f"cat <<'E'\n{done.stdout}\nE"], capture_output=True, text=True, check=True)
    assert ran("cat words.txt", quiet.stdout, 0) == "no"


def test_the_texts_of_errors_in_an_output_are_those_of_the_c_library() -> None:
    output = (
        "psql: connection to localhost (::1) failed: Cannot assign requested address\ncat: x: No such file or directory"
    )
    assert errors_in(output) == {"Cannot assign requested address", "No such file or directory"}
    assert errors_in("could not translate: Temporary failure in name resolution") == {
        "Temporary failure in name resolution"
    }
    assert errors_in("all went well; nothing is missing") == frozenset()


@pytest.mark.parametrize(
    ("line", "code", "failed"),
    [
        ("zcat lane.gz | awk -f gc.awk", 1, "yes"),
        ("set -o pipefail; zcat lane.gz | awk -f gc.awk", 1, "unknown"),
        ("zcat lane.gz | grep -c A", 1, "unknown"),
        ("zcat lane.gz | awk -f gc.awk", 0, "no"),
    ],
    ids=["its own code is the line's", "the code may be another's", "it only looks", "no failure of its own"],
)
def test_what_stands_last_in_a_pipe_ended_the_line_with_its_own_code(line: str, code: int, failed: str) -> None:
    said = "gzip: lane.gz: unexpected end of file\nlines: 34223 of 60000\n"
    assert step_failures(line, said, code)[-1] == failed


def test_what_led_to_an_exception_is_what_python_says_it_was() -> None:
    code = (
        "try:\n    open('/nowhere/a')\nexcept OSError as one:\n    raise ConnectionError('Connection error.') from one"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    assert exception_in(said) == "ConnectionError: Connection error."
    assert root_in(said) == "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/a'"
    logged = f"{said}Traceback (most recent call last):\n  File \"a\", line 1, in <module>\nKeyError: 'weight'\n"
    assert root_in(logged) is None, "what was caught and told of before led to nothing"
    assert root_in("Connection error.") is None


def test_git_s_own_complaint_is_git_s_though_it_only_looks() -> None:
    said = "rm -f tides\nfatal: not a git repository (or any of the parent directories): .git\nMakefile"
    assert step_failures("make clean; git status 2>&1; ls", said, 0) == ("unknown", "yes", "no")
    doubted = "fatal: detected dubious ownership in repository at '/w'\n\n\tgit config --global --add safe.directory /w"
    assert step_failures("cd /w && git log --oneline | head -3", doubted, None)[1] == "yes"
    assert step_failures("git show HEAD:notes.txt", "Notes\nfatal: is what git says", None) == ("unknown",)


def test_of_two_calls_of_a_program_that_failed_is_whose_words_it_names() -> None:
    said = "awk: cannot open data/a.csv (No such file or directory)\nmawk 1.3.4"
    line = "awk '{print $1}' data/a.csv; awk -W version"
    assert step_failures(line, said, None) == ("yes", "unknown")
    assert step_failures("awk 1 data/a.csv; awk 2 data/a.csv", said, None) == ("yes", "yes")
