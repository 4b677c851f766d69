"""Page visits of many runs that meet few walls: in one batch, and what each wall needs by itself.

`python benchmarks/walls.py [--tasks 20] [--runs 10] [--walls 10]` from the repository's root; the site is a local one,
and what is counted is what it was asked by the browser and by plain clients. Leaves with 1 when a bar is missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.figures import ROOT, say

CONTROL = "control.walls.example"
WALL = b"<!doctype html><title>Access denied</title><h1>Access denied</h1><p>You have no permission to read this.</p>"
OPEN = b"<!doctype html><title>Harbour</title><h1>Harbour</h1><p>An ordinary page that every browser can read.</p>"


class Site(ThreadingHTTPServer):
    """A control page, and hosts that refuse everybody."""

    daemon_threads = True

    def __init__(self) -> None:
        """Listen on a port of loopback."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked = Counter[str]()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer, and count what is asked of walls."""
        assert isinstance(self.server, Site)
        fine = self.headers["Host"].startswith(CONTROL)
        self.server.asked["control" if fine else "wall"] += self.path != "/favicon.ico"
        page = OPEN if fine else WALL
        self.send_response(200 if fine else 403)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[Site]:
    """The site, while it is open."""
    with Site() as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


def write(folder: Path, tasks: int, runs: int, walls: int) -> None:
    """Failed runs of a small result file each: every task's runs met the wall of its number."""
    folder.mkdir(parents=True)
    for task in range(tasks):
        url = f"http://wall-{task % walls}.walls.example/table"
        for run in range(runs):
            call = {"name": "visit_page", "arguments": json.dumps({"url": url})}
            messages = [
                {"role": "user", "content": f"Which figure stands in the table at {url} for row {task}?"},
                {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": call}]},
                {"role": "tool", "tool_call_id": "1", "content": f"{url}: 403 Forbidden. Access denied"},
                {"role": "assistant", "content": "The page refuses me, so I cannot tell the figure."},
            ]
            one = {
                "config": {"agent_name": f"agent {run}", "benchmark_name": "walls", "date": "2026-01-02"},
                "results": {"successful_tasks": [], "failed_tasks": [f"task-{task}"]},
                "raw_logging_results": [
                    {"weave_task_id": f"task-{task}", "inputs": {"messages": messages[:-1]}}
                    | {"output": {"choices": [{"message": messages[-1]}]}}
                ],
            }
            (folder / f"run-{task}-{run}_UPLOAD.json").write_text(json.dumps(one), encoding="utf-8")


def asked(folder: Path, tasks: Sequence[str], site: Site) -> tuple[Counter[str], int]:
    """What the site was asked in a command over these tasks, and how many packs there are."""
    before = Counter(site.asked)
    own = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_CONFIG_HOME": f"{folder}", "VERIFY_STATE": f"{folder}/state"}
    address = f"127.0.0.1:{site.server_address[1]}"
    lab = ["--resolve", f"*.walls.example={address}", "--control", f"http://{CONTROL}/"]
    given = [f"--run={folder}/runs", f"--out={folder}/packs", "--quiet", "--json", *lab]
    command = [sys.executable, "-m", "verify", "audit", *tasks, *given]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **own},
        check=False,
        capture_output=True,
        text=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    met = sum(bool(one["verdict"]["barrier_now"]) for one in told)
    return site.asked - before, met


def main(tasks: int, runs: int, walls: int) -> bool:
    """Measure."""
    with tempfile.TemporaryDirectory(prefix="impassable-bench-") as name, served() as site:
        batch, few = Path(name) / "batch", Path(name) / "few"
        write(batch / "runs", tasks, runs, walls)
        write(few / "runs", walls, 1, walls)
        needed, first = asked(few, [f"task-{number}" for number in range(walls)], site)
        used, met = asked(batch, [f"task-{number}" for number in range(tasks)], site)
    mine, theirs = used.total(), needed.total()
    told = f"{tasks * runs} runs of {tasks} tasks that met {walls} walls: the site was asked {mine} times, "
    told += f"by one run a wall {theirs} times, ratio {mine / theirs:.2f}; walls found in {met} of {tasks} tasks"
    return say(told, mine / theirs, 1.0) and (first, met) == (walls, tasks)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--walls", type=int, default=10)
    given = parser.parse_args()
    sys.exit(0 if main(given.tasks, given.runs, given.walls) else 1)
