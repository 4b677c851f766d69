"""A barrier of public runs, caused for real: a mount that forbids execution."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, Question
from tests.probes.replay.made import Replay, hypothesis, shell

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.slow, pytest.mark.timeout(900)]

PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE

NOEXEC = """name = "noexec-tmp"
title = "A synthetic machine whose /tmp is a tmpfs as Docker mounts it"
source = "made for this test"
[envelope]
image = "impassable/base"
user = "agent"
sudo = false
network = "indexes"
shell = true
python = "3.11"
workdir = "/home/agent"
memory_mb = 4096
seconds = 3600
tmpfs = ["/tmp:size=1G,mode=1777"]
"""
SOURCES = """mkdir -p escapes
cat > escapes/pyproject.toml <<'EOF'
[build-system]
requires = ["setuptools", "markupsafe"]
build-backend = "setuptools.build_meta"
EOF
cat > escapes/setup.py <<'EOF'
import markupsafe._speedups
from setuptools import setup
setup(name="escapes", version="1.0", py_modules=["escapes"])
EOF
echo 'answer = 42' > escapes/escapes.py"""
NO_SEGMENT = (
    "ImportError: /tmp/pip-build-env-x/overlay/lib/python3.11/site-packages/markupsafe/_speedups.so: "
    "failed to map segment from shared object"
)


@pytest.mark.exhaustive
async def test_pip_on_a_noexec_tmp_fails_with_the_loaders_own_words_and_tmpdir_passes_it(
    replay: Replay, tmp_path: Path
) -> None:
    profile = tmp_path / "noexec.toml"
    profile.write_text(NOEXEC, encoding="utf-8")
    asked = hypothesis(Barrier.PERMISSION, event=1, paths=("/tmp",))
    found = await replay(asked, shell(SOURCES), shell("pip install ./escapes", NO_SEGMENT, 1), profile=str(profile))
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert found[PASSABLE].valid_answer is Answer.YES, found[PASSABLE]
    assert next(route.id for route in found[PASSABLE].routes if route.result == "passed") == "tmpdir"
