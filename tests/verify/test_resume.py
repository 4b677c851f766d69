"""A killed audit goes on where it stopped when the same command is run again."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import verify.demo.scenario as demo
from tests.verify.synthetic import Verify

pytestmark = [pytest.mark.slow, pytest.mark.browser]


class Site(ThreadingHTTPServer):
    """A site that keeps its first visitor waiting until it is let go."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Visit)
        self.visited = threading.Event()
        self.let_go = threading.Event()


class Visit(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        if self.headers["Host"].startswith("tides."):
            self.server.visited.set()
            self.server.let_go.wait(120)
        page = b"<title>Tides</title><h1>Tides</h1><p>The first high tide at the pier is at 05:41 in the morning.</p>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.let_go.set()
    server.shutdown()
    server.server_close()


@pytest.mark.exhaustive
def test_after_a_kill_only_the_unfinished_probes_run_again(verify: Verify, site: Site, work: Path):
    mapped = f"127.0.0.1:{site.server_port}"
    arguments = ["demo-bot-wall", "--run", str(demo.HERE / "bot_wall_UPLOAD.json"), "--json", "-v"]
    arguments += ["--resolve", f"tides.saltmarsh.example={mapped}", "--resolve", f"harbour.example={mapped}"]
    arguments += ["--control", "http://harbour.example/"]
    first = subprocess.Popen(
        [sys.executable, "-m", "verify", *arguments],
        cwd=work,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert site.visited.wait(60), "the site was never visited"
    os.killpg(first.pid, signal.SIGKILL)
    first.wait(30)
    assert not (work / "packs").exists() or not list((work / "packs").glob("demo-*"))
    site.let_go.set()

    second = verify(*arguments)
    assert second.returncode == 0, second.stderr
    assert "resuming an interrupted audit" in second.stderr
    assert "deserialization" not in second.stderr
    assert "✓ transcript" not in second.stderr
    assert "✓ browser" in second.stderr
    document = json.loads(second.stdout)
    assert document["verdict"]["status"] == "supported"
    assert {finding["probe"] for finding in document["findings"]} >= {"transcript", "browser"}
    assert (work / document["pack"] / "verdict.json").is_file()
    assert not list((work / ".verify").glob("*/artifacts/*"))


def test_an_interrupted_audit_leaves_with_130_and_no_process_behind(site: Site, work: Path, verify: Verify):
    mapped = f"127.0.0.1:{site.server_port}"
    arguments = ["demo-bot-wall", "--run", str(demo.HERE / "bot_wall_UPLOAD.json")]
    arguments += ["--resolve", f"*.example={mapped}", "--control", "http://harbour.example/"]
    process = subprocess.Popen(
        [sys.executable, "-m", "verify", *arguments],
        cwd=work,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert site.visited.wait(60), "the site was never visited"
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "interrupted; the same command continues where it stopped" in err
    assert "Traceback" not in err
    listed = subprocess.run(
        ["ps", "-o", "stat=,args=", "-g", str(process.pid)], capture_output=True, text=True, check=False
    )
    assert [line for line in listed.stdout.splitlines() if not line.startswith("Z")] == []
