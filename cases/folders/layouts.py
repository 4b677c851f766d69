"""The public layouts of Terminal-Bench and Harbor, read: what is asked, how it is solved, how it is checked."""

import shlex
from pathlib import Path
from typing import Any

from cases.folders.compose import machine_of
from cases.folders.model import Machine, Marks, Part, TaskFolder
from cases.folders.parsing import megabytes, number, plain_env, table, text_in, toml_in, yaml_in, yaml_value
from cases.readers.fields import text_of
from cases.sentences import Sentences

say = Sentences(__name__)

AGENT_SECONDS = 900
CHECK_SECONDS = 600
"""Where a task does not say how long the agent and the checks may take."""
TESTS = "/tests"
_ORACLE = "/oracle/solution.sh"
_IN_STEPS = say("folders.layouts.solution_checks_come_steps")
_PLAIN = f"python3 -m pytest {TESTS}/test_outputs.py -rA"
"""What the harness does where a task has tests and no script that runs them."""


def terminal_bench(folder: Path) -> TaskFolder:
    """A folder with `solution.sh` or `solution.yaml`, `tests/` and `run-tests.sh`; `task.yaml` may be missing.

    Raises:
        InputError: a file cannot be read.
    """
    said = yaml_in(folder / "task.yaml") if (folder / "task.yaml").is_file() else {}
    solution, lacks = _typed(folder, _seconds(said.get("max_agent_timeout_sec"), AGENT_SECONDS))
    checks = _run_tests(folder, _seconds(said.get("max_test_timeout_sec"), CHECK_SECONDS))
    parser = str(said.get("parser_name") or "pytest")
    if said and parser != "pytest":
        lacks = lacks or say("folders.layouts.checks_read_parser_program", parser=parser)
    marks: Marks = "pytest" if said else "exit code"
    return TaskFolder(
        layout="Terminal-Bench",
        place=folder.resolve(),
        prompt=text_of(said.get("instruction") or said.get("description")),
        machine=machine_of(folder),
        solution=solution,
        checks=checks,
        marks=marks,
        lacks=lacks or ("" if checks else say("folders.layouts.neither_run_tests_sh")),
    )


def harbor(folder: Path) -> TaskFolder:
    """A folder with `task.toml`, `environment/`, `solution/solve.sh` and `tests/test.sh`.

    Raises:
        InputError: a file cannot be read.
    """
    said = toml_in(folder / "task.toml")
    solve, test = folder / "solution" / "solve.sh", folder / "tests" / "test.sh"
    agent, verifier = table(said, "agent"), table(said, "verifier")
    solution = Part(
        places=((folder / "solution", "/solution"),),
        command="bash /solution/solve.sh",
        env={"DEBIAN_FRONTEND": "noninteractive", **plain_env(table(said, "solution").get("env"))},
        seconds=_seconds(agent.get("timeout_sec"), AGENT_SECONDS),
    )
    checks = Part(
        places=((folder / "tests", TESTS),),
        command=f"mkdir -p /logs/verifier && bash {TESTS}/test.sh",
        env=plain_env(verifier.get("env")),
        seconds=_seconds(verifier.get("timeout_sec"), CHECK_SECONDS),
    )
    steps = _steps(folder, said)
    instructions = [step / "instruction.md" for step in steps] or [folder / "instruction.md"]
    lacking = [name for name, path in (("solution/solve.sh", solve), ("tests/test.sh", test)) if not path.is_file()]
    return TaskFolder(
        layout="Harbor",
        place=folder.resolve(),
        prompt="\n\n".join(text_in(path) for path in instructions if path.is_file()) or None,
        machine=_environment(folder, table(said, "environment"), agent),
        solution=solution if solve.is_file() and not steps else None,
        checks=checks if test.is_file() and not steps else None,
        marks="reward",
        lacks=_IN_STEPS if steps else f"it has no {' and no '.join(lacking)}" if lacking else "",
    )


def _steps(folder: Path, said: dict[str, Any]) -> list[Path]:
    """The folders of a task's steps, in their order; none where it has but one."""
    tables = said.get("steps")
    names = [text_of(one.get("name")) for one in tables if isinstance(one, dict)] if isinstance(tables, list) else []
    return [folder / "steps" / name for name in names if name and Path(name).name == name]


def _environment(folder: Path, said: dict[str, Any], agent: dict[str, Any]) -> Machine:
    found = machine_of(folder / "environment")
    image = text_of(said.get("docker_image"))
    if image and found.dockerfile is None:
        found = Machine(image=image)
    told: dict[str, Any] = {
        "memory_mb": found.memory_mb or _memory(said),
        "cpus": found.cpus or number(said.get("cpus")),
        "network": "none" if said.get("allow_internet") is False else found.network,
    }
    if number(said.get("gpus")):
        told["refused"] = "; ".join(filter(None, (found.refused, say("folders.layouts.task_toml_asks_gpus"))))
    user = text_of(agent.get("user"))
    return found.model_copy(update=told | ({"user": user} if user else {}))


def _memory(said: dict[str, Any]) -> int | None:
    whole = number(said.get("memory_mb"))
    return round(whole) if whole else megabytes(said.get("memory"))


def _typed(folder: Path, seconds: int) -> tuple[Part | None, str]:
    """The solution as a script, also where it stands in YAML as what is typed; or why there is none."""
    script, typed = folder / "solution.sh", folder / "solution.yaml"
    command = f"bash {_ORACLE}"
    if script.is_file():
        return Part(places=((script, _ORACLE),), command=command, seconds=seconds), ""
    if not typed.is_file():
        return None, say("folders.layouts.neither_solution_sh_nor")
    value = yaml_value(typed)
    steps = [item if isinstance(item, dict) else {} for item in value] if isinstance(value, list) else [{}]
    if any(step.get("append_enter") is False or not isinstance(step.get("command"), str) for step in steps):
        return None, say("folders.layouts.solution_yaml_types_keys")
    lines = "\n".join(step["command"] for step in steps)
    return Part(texts=((_ORACLE, f"{lines}\n"),), command=command, seconds=seconds), ""


def _run_tests(folder: Path, seconds: int) -> Part | None:
    tests, script = folder / "tests", folder / "run-tests.sh"
    places = [(tests, TESTS)] if tests.is_dir() else []
    if script.is_file():
        places.append((script, f"{TESTS}/run-tests.sh"))
        command = f"bash {shlex.quote(TESTS)}/run-tests.sh"
    elif (tests / "test_outputs.py").is_file():
        command = _PLAIN
    else:
        return None
    return Part(places=tuple(places), command=command, env={"TEST_DIR": TESTS}, seconds=seconds)


def _seconds(value: object, otherwise: int) -> int:
    found = number(value)
    return max(1, round(found)) if found else otherwise
