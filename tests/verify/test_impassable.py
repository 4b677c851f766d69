"""A failure that really was impassable, told by the run's own record alone: no profile is named."""

import json
from pathlib import Path

import pytest

from tests.verify.synthetic import Verify, upload

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.network, pytest.mark.timeout(300)]

SOURCES = """mkdir -p glyphs && cat > glyphs/setup.py <<'EOF'
from setuptools import Extension, setup
extension = Extension("glyphs", ["glyphs.c"], include_dirs=["/usr/include/freetype2"])
setup(name="glyphs", version="1.0", ext_modules=[extension])
EOF
cat > glyphs/glyphs.c <<'EOF'
#include <Python.h>
#include <ft2build.h>
#include FT_FREETYPE_H
static struct PyModuleDef glyphs = {PyModuleDef_HEAD_INIT, "glyphs", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_glyphs(void) { return PyModule_Create(&glyphs); }
EOF"""
HEADER_MISSING = """Building wheel for glyphs (setup.py): finished with status 'error'
  glyphs/glyphs.c:2:10: fatal error: ft2build.h: No such file or directory
      2 | #include <ft2build.h>
  compilation terminated.
ERROR: Failed building wheel for glyphs"""
NO_NETWORK = """WARNING: Retrying after connection broken by 'NewConnectionError: Temporary failure in name resolution'
ERROR: Could not find a version that satisfies the requirement freetype-py (from versions: none)
ERROR: No matching distribution found for freetype-py"""
NO_APT = (
    "Err:1 bookworm libfreetype-dev\n  Temporary failure resolving 'mirror.example'\nE: Failed to fetch libfreetype-dev"
)
STEPS = [
    ("pip download freetype-py", NO_NETWORK, 1),
    ("apt-get download libfreetype-dev", NO_APT, 100),
    (SOURCES, "", 0),
    ("pip install --no-build-isolation --no-deps ./glyphs", HEADER_MISSING, 1),
    ("sudo apt-get install -y libfreetype-dev", "/bin/sh: 1: sudo: not found", 127),
    ("pip install freetype-py", NO_NETWORK, 1),
]


def transcript() -> list[dict[str, object]]:
    """A synthetic run without sudo and without a network that tries the ordinary ways around and gives up."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "Build ./glyphs and import it."}]
    for number, (command, output, code) in enumerate(STEPS):
        function = {"name": "execute_bash", "arguments": json.dumps({"command": command})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        shown = f"Exit Code: {code}\nStdout:\n\nStderr:\n{output}"
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": shown})
    messages.append({"role": "assistant", "content": "I was unable to build it: FreeType's headers are missing."})
    return messages


@pytest.mark.exhaustive
def test_a_missing_header_without_sudo_and_network_is_impassable_as_the_record_alone_shows(verify: Verify, work: Path):
    path = work / "run_UPLOAD.json"
    path.write_text(json.dumps(upload("capsule-0000009", transcript(), "corebench_hard")), encoding="utf-8")
    done = verify("capsule-0000009", "--run", path, "--json", "--exit-code")
    assert done.returncode == 10, done.stderr
    document = json.loads(done.stdout)
    verdict = document["verdict"]
    assert (verdict["score"], verdict["status"], verdict["locus"]) == (1, "supported", "image build")
    assert verdict["deficiency_type"] == "Missing system headers"
    assert verdict["leading"].startswith("header-")
    decisive = [finding for finding in document["findings"] if finding["id"] in verdict["decisive"]]
    replayed = next(finding for finding in decisive if finding["question"] == "PASSABLE")
    assert "works once the barrier is removed" in {control["name"] for control in replayed["controls"]}
    results = {route["result"] for route in replayed["routes"]}
    assert "failed" in results
    assert results <= {"failed", "not_permitted", "not_applicable"}
    assert "ft2build.h: No such file or directory" in verdict["evidence"]


@pytest.mark.exhaustive
def test_the_same_failure_on_a_machine_with_an_index_is_the_agents_own(verify: Verify, work: Path):
    path = work / "run_UPLOAD.json"
    messages = transcript()
    path.write_text(
        json.dumps(upload("capsule-0000009", [messages[0], *messages[5:9], messages[-1]], "corebench_hard")),
        encoding="utf-8",
    )
    done = verify("capsule-0000009", "--run", path, "--json", "--exit-code")
    assert done.returncode == 11, done.stderr
    assert "debs" in json.loads(done.stdout)["verdict"]["capable_agent"]
