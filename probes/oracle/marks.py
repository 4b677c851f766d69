"""What checks say of a machine: read from what they print, or from the file that they write."""

import json
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from cases import patterns as re
from cases.folders import Marks, TaskFolder
from cases.sentences import Sentences

say = Sentences(__name__)

REWARDS = ("/logs/verifier/reward.json", "/logs/verifier/reward.txt")
_SUMMARY = re.compile(r"(?i)^=+ *short test summary info *=+ *$", re.MULTILINE)
_TEST = re.compile(r"(?m)^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+(\S.*?)(?: - .*)?$")
_GOOD = frozenset({"PASSED", "XFAIL", "XPASS", "SKIPPED"})
_NAMED = 3
_LONGEST = 160
"""Characters of a test's name."""


@dataclass(frozen=True)
class Mark:
    """What checks made of one machine."""

    passed: bool | None
    """None where they gave no mark."""
    told: str
    """A clause."""
    tests: Mapping[str, bool] = field(default_factory=dict)
    """By name, which passed; empty where they name none."""

    @property
    def refused(self) -> tuple[str, ...]:
        """The tests that did not pass."""
        return tuple(sorted(name for name, passed in self.tests.items() if not passed))

    @property
    def same_as(self) -> tuple[object, ...]:
        """What makes two marks the same one."""
        return self.passed, self.refused


def mark_of(task: TaskFolder, output: str, exit_code: int | None, rewards: Mapping[str, str]) -> Mark:
    """The mark that a task's checks gave; `rewards` are the texts of the files that say it."""
    tests = tests_in(output)
    readers = {"reward": _reward, "exit code": _exit_code, "pytest": _pytest, "named tests": _wanted}
    return readers[_kind(task.marks)](task, tests, exit_code, rewards)


def _kind(marks: Marks) -> str:
    return marks


def tests_in(output: str) -> dict[str, bool]:
    """The tests of pytest's last summary by name, which passed."""
    found = list(_SUMMARY.finditer(output))
    lines = _TEST.findall(output[found[-1].end() :]) if found else []
    return {_name(name): status in _GOOD for status, name in lines if not name.startswith("[")}


def _name(text: str) -> str:
    """A test without the folders of its file."""
    file, has, rest = text.partition("::")
    return f"{posixpath.basename(file)}{has}{rest}"[:_LONGEST]


def _pytest(_: TaskFolder, tests: dict[str, bool], code: int | None, __: Mapping[str, str]) -> Mark:
    if not tests:
        return Mark(None, say("marks.checks_ended_exit", code=code))
    return Mark(all(tests.values()), _counted(tests), tests)


def _wanted(task: TaskFolder, tests: dict[str, bool], code: int | None, __: Mapping[str, str]) -> Mark:
    """Of all tests those that the data set names."""
    wanted = {_name(name): tests.get(_name(name), False) for name in task.wanted}
    if not tests:
        return Mark(None, say("marks.checks_ended_exit", code=code))
    return Mark(all(wanted.values()), _counted(wanted), wanted)


def _exit_code(_: TaskFolder, tests: dict[str, bool], code: int | None, __: Mapping[str, str]) -> Mark:
    if code in (126, 127, None):
        return Mark(None, say("marks.checks_ended_exit_code", code=code), tests)
    return Mark(code == 0, _counted(tests) if tests else say("marks.checks_ended_exit_code", code=code), tests)


def _reward(_: TaskFolder, tests: dict[str, bool], code: int | None, rewards: Mapping[str, str]) -> Mark:
    value = next((found for path in REWARDS if (found := _number(rewards.get(path, ""))) is not None), None)
    if value is None:
        return Mark(None, say("marks.checks_ended_exit_code_left", code=code), tests)
    counted = f", {_counted(tests)}" if tests else ""
    return Mark(value >= 1, say("marks.checks_gave_reward", value=value, counted=counted), tests)


def _number(text: str) -> float | None:
    """A reward: a number, or the one of that name, or the least of several."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        numbers = [float(one) for one in value.values() if isinstance(one, int | float)]
        value = value.get("reward", min(numbers, default=None))
    return float(value) if isinstance(value, int | float) else None


def _counted(tests: Mapping[str, bool]) -> str:
    failed = sorted(name for name, passed in tests.items() if not passed)
    if not failed:
        return (
            say("marks.all_tests_passed", tests=len(tests))
            if len(tests) > 1
            else say("marks.only_test_passed", tests=next(iter(tests)))
        )
    more = say("marks.more", number=len(failed) - _NAMED) if len(failed) > _NAMED else ""
    return say("marks.tests_failed", failed=len(failed), tests=len(tests), names=", ".join(failed[:_NAMED]), more=more)
