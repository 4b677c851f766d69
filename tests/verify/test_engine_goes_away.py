"""The engine goes away in the middle of an audit: nothing is claimed; once it is back, the same command settles it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine_line import Line
from tests.verify.synthetic import Verify, upload

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.timeout(600)]

SOCKET = "/var/run/docker.sock"
DENIED = "mkdir: cannot create directory \u2018../results\u2019: Permission denied"


def run_file(work: Path) -> Path:
    """A synthetic run that gave up at a directory that it may not make."""
    function = {"name": "execute_bash", "arguments": json.dumps({"command": "sleep 5; mkdir ../results"})}
    messages = [
        {"role": "user", "content": "Write the report into a directory for results."},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": f"Exit Code: 1\nStdout:\n\nStderr:\n{DENIED}"},
        {"role": "assistant", "content": "I could not make the directory and give up."},
    ]
    path = work / "run_UPLOAD.json"
    path.write_text(json.dumps(upload("no-results", messages)), encoding="utf-8")
    return path


@pytest.mark.exhaustive
def test_an_engine_that_goes_away_proves_nothing_and_the_same_command_goes_on_once_it_is_back(
    verify: Verify, work: Path
):
    if not Path(SOCKET).is_socket():
        pytest.skip("the engine is not behind the usual socket")
    arguments = ["no-results", "--run", str(run_file(work)), "--profile", "offline", "--json", "--exit-code", "-v"]
    line = Line(SOCKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "verify", *arguments],
        cwd=work,
        env={**os.environ, "DOCKER_HOST": line.address},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line.wait_for(b"mkdir ../results")
    line.cut()
    out, err = process.communicate(timeout=300)
    assert process.returncode == 12, err
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["verdict"]["status"] == "inconclusive"
    replayed = [one for one in document["findings"] if one["probe"] == "replay"]
    assert [one["answer"] for one in replayed] == ["unknown"]
    assert "engine" in replayed[0]["summary"]

    again = verify(*arguments)
    assert again.returncode == 11, again.stderr
    assert "mkdir ./results" in json.loads(again.stdout)["verdict"]["capable_agent"]
