"""Bans of the run's own interpreter: the real one, at the run's version, with the run's list."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from cases import CommandRun, Events
from probes import LIFTED, Answer, Barrier, Question, Settings, Tier
from probes.replay.deriving import subject_of
from probes.replay.handlers.import_ban import BanDetails, reaches, wanted
from probes.replay.handlers.interpreter import allowed_of, version_of
from probes.replay.resources.outcome import Outcome
from probes.replay.routes.ladder import ladder_for
from probes.replay.target.model import ReplayTarget
from tests.probes.replay.made import Replay, context, hypothesis, python

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
IN_CONTAINERS = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]
RECKONING = "['collections', 'itertools', 'math', 'random', 're', 'time']"
LIST = "['collections', 'datetime', 'itertools', 'math', 'os', 'queue', 'random', 're', 'stat', 'time']"


def refused(code: str, words: str) -> CommandRun:
    output = f"Error:\nCode execution failed at line '{code.splitlines()[-1]}' due to: InterpreterError: {words}"
    return python(code, output).model_copy(update={"tool": "python_interpreter", "exit_code": None})


def interpreter_alone(folder: Path, version: str, *imports: str, tools: str = '["python_interpreter", "final_answer"]'):
    """A machine whose agent has an interpreter and no shell."""
    path = folder / "alone.toml"
    path.write_text(
        f'name = "alone"\nextends = "debian"\n[envelope]\nshell = false\ntools = {tools}\n'
        f'interpreter = "smolagents"\ninterpreter_version = "{version}"\nallowed_imports = {list(imports)}\n'
    )
    return str(path)


def subject(tmp_path: Path, failed: CommandRun, about: str, profile: str = "debian"):
    made = context(tmp_path / "store", profile, Events(commands=(failed,)), AsyncExitStack(), Settings())
    found = subject_of(hypothesis(Barrier.IMPORT_BAN, modules=(about,)), made)
    assert isinstance(found, ReplayTarget)
    profile_told = {"envelope": made.envelope.model_dump(mode="json")}
    return found, made.envelope, Outcome(profile=profile_told)


def test_the_run_s_own_block_goes_before_the_least_that_is_forbidden(tmp_path: Path) -> None:
    failed = refused("import nbformat\nnbformat.read('x', 4)", "Import of nbformat is not allowed.")
    found, _, _ = subject(tmp_path, failed, "nbformat")
    assert [attempt.reconstructed for attempt in found.attempts] == [False, True]
    assert "import nbformat\nnbformat.read('x', 4)" in found.attempts[0].command
    assert str(found.expected) == "import not allowed: nbformat"


def test_the_interpreter_s_version_is_told_by_the_envelope_or_else_by_its_own_words(tmp_path: Path) -> None:
    failed = refused("import x", "Import of x is not allowed.")
    _, envelope, _ = subject(tmp_path, failed, "x")
    _, known, _ = subject(tmp_path, failed, "x", interpreter_alone(tmp_path, "1.24.0"))
    words = {
        "regex pattern ```(?:py|python)?\\n(.*?)\\n``` was not found": "1.13.0",
        "regex pattern ```(?:py|python)?\\s*\\n(.*?)\\n``` was not found": "1.18.0",
        "regex pattern <code>(.*?)</code> was not found": "1.26.0",
        "Forbidden access to module: posixpath": "1.18.0",
        "Forbidden access to module: os": "1.18.0",
    }
    assert {text: version_of(text, envelope).version for text in words} == words
    assert version_of("regex pattern <code>(.*?)</code>", known).version == "1.24.0"


def test_the_list_of_imports_is_the_failure_s_own_before_the_envelope_s(tmp_path: Path) -> None:
    failed = refused("import x", "Import of x is not allowed.")
    _, envelope, _ = subject(tmp_path, failed, "x", interpreter_alone(tmp_path, "1.24.0", "numpy"))
    assert allowed_of("Authorized imports are: ['re', 'os']", envelope) == ("re", "os")
    assert allowed_of("Authorized imports are: ['re', ...]", envelope) == ("re",)
    assert allowed_of("nothing", envelope) == ("numpy",)


def test_only_what_the_code_uses_of_the_list_is_installed_with_the_interpreter(tmp_path: Path) -> None:
    failed = refused("import sklearn\nimport os\nopen('x')", "Forbidden function evaluation: 'open'")
    profile = interpreter_alone(tmp_path, "1.26.0", "sklearn.*", "numpy", "os", "torch")
    found, envelope, _ = subject(tmp_path, failed, "open", profile)
    commands = found.handler.extras(found, envelope)
    assert any(command.endswith("smolagents==1.26.0") for command in commands)
    assert [command.split()[-3] for command in commands if "||" in command] == ["scikit-learn", "numpy"]


def test_a_function_that_the_agent_made_up_is_no_ban(tmp_path: Path) -> None:
    failed = refused(
        "read_all()", "Forbidden function evaluation: 'read_all' is not among the explicitly allowed tools"
    )
    found, _, outcome = subject(tmp_path, failed, "read_all")
    assert "had not defined" in (found.handler.meaningless(found, outcome) or "")
    failed = refused("open('x')", "Forbidden function evaluation: 'open' is not among the explicitly allowed tools")
    found, _, outcome = subject(tmp_path, failed, "open")
    assert found.handler.meaningless(found, outcome) is None


def test_a_tool_taken_for_a_module_is_no_ban(tmp_path: Path) -> None:
    failed = refused(
        "from execute_bash import run", f"Import from execute_bash is not allowed. Authorized imports are: {LIST}"
    )
    profile = interpreter_alone(tmp_path, "1.24.0", tools='["execute_bash"]')
    found, _, outcome = subject(tmp_path, failed, "execute_bash", profile)
    assert "one of the run's tools" in (found.handler.meaningless(found, outcome) or "")


@pytest.mark.parametrize(
    ("about", "tools", "allowed", "expected"),
    [
        ("textwrap", '["python_interpreter"]', RECKONING, "written by hand"),
        ("tomli", '["python_interpreter"]', RECKONING, "written by hand"),
        ("eval", '["python_interpreter"]', RECKONING, "written by hand"),
        ("subprocess", '["python_interpreter", "final_answer"]', RECKONING, None),
        ("os.path", '["python_interpreter"]', RECKONING, None),
        ("glob", '["python_interpreter"]', LIST, "allows os"),
        ("open", '["python_interpreter"]', "['math', 'pandas.*', 'somebodys']", "allows pandas.*, somebodys"),
        ("glob", '["python_interpreter"]', "['*']", "allows *"),
        ("glob", '["python_interpreter"]', "['math', ...]", "we do not know which"),
        ("tomli", '["python_interpreter", "inspect_file_as_text"]', RECKONING, "inspect_file_as_text"),
        ("tomli", "[]", RECKONING, "not all known"),
    ],
)
def test_failed_routes_settle_nothing_where_another_tool_module_or_the_agent_s_own_hand_may_do(
    tmp_path: Path, about: str, tools: str, allowed: str, expected: str | None
) -> None:
    code = f"import {about}\nprint({about}.anything('x'))"
    failed = refused(code, f"Import of {about} is not allowed. Authorized imports are: {allowed}")
    found, _, outcome = subject(tmp_path, failed, about, interpreter_alone(tmp_path, "1.24.0", tools=tools))
    if "..." in allowed:
        outcome.profile["envelope"]["allowed_imports"]["value"] = None
    doubt = found.handler.unsettled(found, outcome)
    assert (doubt is None) if expected is None else expected in (doubt or "")


@pytest.mark.parametrize("promised", [True, False])
def test_a_function_that_nobody_has_is_the_agent_s_own_unless_it_was_told_of_it(
    tmp_path: Path, *, promised: bool
) -> None:
    failed = refused("read_file('a')", "Forbidden function evaluation: 'read_file' is not among the explicitly allowed")
    profile = interpreter_alone(tmp_path, "1.24.0", tools='["python_interpreter"]')
    found, _, _ = subject(tmp_path, failed, "read_file", profile)
    told = found.handler.consequence(replace(found, details=BanDetails(promised=promised)))
    assert (told is None) is promised


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("import linecache\nprint(linecache.getline('/w/ci/runs.jsonl', 1))", ["/w/ci/runs.jsonl"]),
        ("import os\nprint(os.listdir('/w/ci'))", ["/w/ci"]),
        ("import subprocess\nsubprocess.run('head -3 /w/a.txt', shell=True)", ["/w/a.txt"]),
        ("import urllib.request as u\nu.urlopen('file:///w/a.txt').read()", ["/w/a.txt"]),
        ("import io\nio.open('/w/a.txt', 'w')", []),
        ("import os\nos.open('/w/a.txt', os.O_WRONLY | os.O_CREAT)", []),
        ("import shutil\nshutil.copyfile('/w/a.txt', '/w/b.txt')", []),
        ("import subprocess\nsubprocess.run('python3 /w/train.py', shell=True)", []),
        ("import os\nos.getcwd()", []),
        ("import urllib.request as u\nu.urlopen('https://example.org/w/a.txt')", []),
        ("open('/w/a.txt'", []),
    ],
)
def test_what_forbidden_code_was_to_read_is_known_where_it_does_no_more(code: str, read: list[str]) -> None:
    assert wanted(code) == read


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("import os; print(os.listdir('/etc'))", True),
        ("import os\nprint(os.path.join('a', 'b').upper() + os.sep)", False),
        ("import os.path as p\np.join('a', 'b')", False),
        ("from os.path import exists\nexists('a')", True),
        ("from os import *", True),
        ("import os", False),
        ("import os\n(", True),
    ],
)
def test_code_that_only_reckons_with_a_forbidden_module_needs_it_not(code: str, wanted: bool) -> None:
    assert reaches(code, "os") is wanted


def test_the_shell_is_a_route_only_for_who_has_one(tmp_path: Path) -> None:
    failed = refused("import subprocess", f"Import of subprocess is not allowed. Authorized imports are: {LIST}")
    for profile, here in (("debian", True), (interpreter_alone(tmp_path, "1.24.0"), False)):
        found, envelope, _ = subject(tmp_path, failed, "subprocess", profile)
        ladder = ladder_for(found, envelope, found.attempts[0].command, offline=False)
        assert ("shell-python" in {ready.plan.id for ready in ladder.ready}) is here
        assert "os-popen" in {plan.id for plan, _ in ladder.not_permitted}


class TestInContainers:
    pytestmark = IN_CONTAINERS

    @pytest.mark.exhaustive
    async def test_a_forbidden_import_comes_back_and_the_shell_tool_passes_it(self, replay: Replay) -> None:
        code = "x = execute_bash('echo here')\nprint(x)\nimport tomli"
        failed = refused(code, f"Import of tomli is not allowed. Authorized imports are: {LIST}")
        found = await replay(hypothesis(Barrier.IMPORT_BAN, modules=("tomli",)), failed)
        assert found[PRESENT].valid_answer is Answer.YES
        assert not any("reconstructed" in limit for limit in found[PRESENT].limits)
        assert found[PASSABLE].valid_answer is Answer.YES
        assert found[PASSABLE].tier is Tier.T2
        results = {route.id: route.result for route in found[PASSABLE].routes}
        assert (results["shell-python"], results["shell-python-pip"]) == ("failed", "passed")
        assert results["os-popen"] == "not_permitted"

    @pytest.mark.exhaustive
    async def test_open_is_passed_by_an_allowed_library_s_own_output(self, replay: Replay, tmp_path: Path) -> None:
        words = "Forbidden function evaluation: 'open' is not among the explicitly allowed tools"
        failed = refused("import numpy\nf = open('out.txt', 'w')", words)
        profile = interpreter_alone(tmp_path, "1.26.0", "numpy")
        found = await replay(hypothesis(Barrier.IMPORT_BAN, modules=("open",)), failed, profile=profile)
        assert found[PRESENT].valid_answer is Answer.YES
        assert found[PASSABLE].valid_answer is Answer.YES
        assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "numpy-io"
        assert any("does what the code wanted" in limit for limit in found[PASSABLE].limits)

    @pytest.mark.parametrize(
        ("about", "code", "words"),
        [
            ("glob", "import glob\nprint(glob.glob('/etc/host*'))", "Import of glob is not allowed."),
            pytest.param(
                "open",
                "print(open('/etc/hostname').read())",
                "Forbidden function evaluation: 'open' is not allowed.",
                marks=pytest.mark.exhaustive,
            ),
        ],
    )
    async def test_with_nothing_but_the_interpreter_a_forbidden_way_to_the_machine_is_impassable(
        self, about: str, code: str, words: str, replay: Replay, tmp_path: Path
    ) -> None:
        failed = refused(code, f"{words} Authorized imports are: {RECKONING}")
        profile = interpreter_alone(tmp_path, "1.13.0", "math")
        found = await replay(hypothesis(Barrier.IMPORT_BAN, modules=(about,)), failed, profile=profile)
        assert found[PRESENT].valid_answer is Answer.YES
        assert found[PASSABLE].valid_answer is Answer.NO, found[PASSABLE]
        lifted = next(control for control in found[PASSABLE].controls if control.name == LIFTED)
        assert lifted.observed == "the same command succeeds"
