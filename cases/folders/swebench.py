"""One row of SWE-bench's data set: its instance's image, the gold patch, the tests and which of them must pass."""

import json
import shlex
from pathlib import Path
from typing import Any

from cases.folders.model import Machine, Part, TaskFolder
from cases.folders.parsing import table
from cases.readers.fields import text_of
from cases.sentences import Sentences

say = Sentences(__name__)

FIELDS = frozenset({"instance_id", "patch", "test_patch", "FAIL_TO_PASS"})
"""What a row has by which a solution can be checked."""
IMAGE = "swebench/sweb.eval.x86_64.{name}:latest"
_PLACE = "/testbed"
_GOLD, _TESTS = "/oracle/gold.patch", "/oracle/tests.patch"
_ACTIVATED = "if [ -f /opt/miniconda3/bin/activate ]; then . /opt/miniconda3/bin/activate testbed; fi; "
_SECONDS = 1800


def is_row(data: dict[str, Any]) -> bool:
    """Whether a record is such a row."""
    return data.keys() >= FIELDS


def of_row(place: Path, data: dict[str, Any]) -> TaskFolder:
    """The task of a row; what it lacks to be checked stands in `lacks`."""
    fails, passes = _names(data.get("FAIL_TO_PASS")), _names(data.get("PASS_TO_PASS"))
    command, lacks = _command(data, (*fails, *passes))
    patches = {_GOLD: str(data.get("patch") or ""), _TESTS: str(data.get("test_patch") or "")}
    solution = Part(texts=((_GOLD, patches[_GOLD]),), command=_applied(_GOLD), seconds=_SECONDS)
    tests = f"{_applied(_TESTS)} && {command}" if patches[_TESTS].strip() else command
    return TaskFolder(
        layout="SWE-bench",
        place=place.resolve(),
        prompt=text_of(data.get("problem_statement")),
        machine=Machine(image=_image(data), user="root", workdir=_PLACE),
        solution=solution if patches[_GOLD].strip() else None,
        checks=Part(texts=((_TESTS, patches[_TESTS]),), command=f"{_ACTIVATED}{tests}", seconds=_SECONDS),
        marks="named tests",
        wanted=(*fails, *passes),
        lacks=lacks if patches[_GOLD].strip() else say("folders.swebench.row_holds_no_gold"),
    )


def _image(data: dict[str, Any]) -> str:
    """As the row says, or as the images of instances are called."""
    named = next((found for key in ("image_name", "docker_image", "image") if (found := text_of(data.get(key)))), None)
    return named or IMAGE.format(name=str(data.get("instance_id") or "").replace("__", "_1776_").lower())


def _command(data: dict[str, Any], wanted: tuple[str, ...]) -> tuple[str, str]:
    """How its tests are run: as the row says, or by pytest where that is what its names are of; or why they cannot."""
    told = data.get("test_cmd") or table(data, "install_config").get("test_cmd")
    command = " && ".join(map(str, told)) if isinstance(told, list) else text_of(told)
    files = dict.fromkeys(name.partition("::")[0] for name in wanted)
    if not wanted:
        return "true", say("folders.swebench.row_names_no_test")
    if command:
        return f"cd {_PLACE} && {command}", ""
    if all("::" in name and name.partition("::")[0].endswith(".py") for name in wanted):
        return f"cd {_PLACE} && python -m pytest -rA {shlex.join(files)}", ""
    return "true", say("folders.swebench.row_not_say_how")


def _applied(patch: str) -> str:
    """A patch as SWE-bench's harness applies it: by git, or else by patch with some fuzz."""
    return f"cd {_PLACE} && {{ git apply -v {patch} || patch --batch --fuzz=5 -p1 -i {patch}; }}"


def _names(value: object) -> tuple[str, ...]:
    """Names of tests, which some rows hold as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return ()
    return tuple(str(name) for name in value) if isinstance(value, list) else ()
