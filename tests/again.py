"""`python -m tests.again [ARGUMENT…]`: every test on several workers, and what fails among them once more, alone.

What passes then is a flake: it is named, and three of them fail the run. The last line is the count.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

WORKERS = ("-n", "3", "--dist", "loadgroup", "--no-loadscope-reorder")
"""In the order of `conftest.py`, which is not that of the groups' sizes: one long test is more than many quick ones."""
WORTH_ASKING = 6
"""Failures; where there are more, they are no accident."""
TOO_MANY = 3
"""Flakes."""
CACHE = Path(__file__).parents[1] / ".pytest_cache"
SOME_FAILED = 1
"""pytest's own exit code; above it nothing was tested to its end."""


def run(cache: Path, *arguments: str) -> tuple[int, int]:
    """pytest's exit code, and how many tests passed; everything that it says is shown."""
    # The tests start the program hundreds of times: it must not be compiled each time.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.xml")
        command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", f"--junitxml={report}", *arguments]
        status = subprocess.run(command, env=env, check=False).returncode
        if not report.is_file():
            return status, 0
        tests = ElementTree.parse(report).iter("testcase")
        return status, sum(not {"failure", "error", "skipped"} & {part.tag for part in test} for test in tests)


def failing(cache: Path) -> set[str]:
    """The ids of the tests that failed last, without the group that each has among several workers."""
    path = cache / "v" / "cache" / "lastfailed"
    names = json.loads(path.read_text("utf-8")) if path.is_file() else ()
    return {name.rpartition("@")[0] if name.rfind("@") > name.rfind("]") else name for name in names}


def main(arguments: list[str], cache: Path = CACHE) -> int:
    """0 when every test passed, if not at first then alone."""
    status, passed = run(cache, "--cache-clear", *WORKERS, *arguments)
    failed, flakes = failing(cache), set[str]()
    if status == SOME_FAILED and 1 <= len(failed) <= WORTH_ASKING:
        _say(f"\n== the {len(failed)} that failed, again and alone ==")
        status, again = run(cache, "--cache-clear", *sorted(failed))
        flakes, failed, passed = failed - failing(cache), failing(cache), passed + again
    for flake in sorted(flakes):
        _say(f"FLAKE: {flake}")
    if len(flakes) >= TOO_MANY:
        _say(f"{len(flakes)} flakes in one run fail it")
    bad = bool(status) or len(flakes) >= TOO_MANY
    _say(f"tests: {passed} passed, {max(len(failed), int(bad))} failed, {len(flakes)} flaky")
    return int(bad)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
