"""Packs judged again where there is nothing but Python: no network, no engine, no browser, no model."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALONE = """
import socket, sys
socket.socket.connect = None
from evidence.checking import check
from evidence.recomputing import recompute
from pathlib import Path
for path in sys.argv[1:]:
    print(recompute(check(Path(path))).status)
heavy = {"docker", "playwright", "langgraph", "langchain_core", "langchain_openai", "httpx", "requests"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


def recompute_alone(packs: Iterable[Path], directory: Path) -> list[str]:
    """The status that the records of each pack give; one text instead that says what is wrong with the first."""
    command = [sys.executable, "-c", ALONE, *map(str, packs)]
    environment = {"PATH": "/nowhere", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=directory)
    return [done.stderr[-500:]] if done.stderr else done.stdout.split()
