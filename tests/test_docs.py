"""README and docs: the site is built strictly and asks nobody anything, no link is dead, every example works."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
import yaml
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from evidence import write_pack
from graph.registry import PROBES
from graph.rules import OF_ALL, OF_ONE
from graph.workflow import compiled
from probes import ArtifactStore
from tests.cases.samples import FEEDBACK
from tests.evidence.synthetic_audits import ALL
from tests.verify.conftest import forking, verify, work
from tests.verify.doors import inspect_log, trial
from tests.verify.synthetic import QUIET_RUN, Verify, environment, upload
from verify.app import app

__all__ = ["forking", "verify", "work"]

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md")))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")

ELSEWHERE = {
    "make": "Makefile",
    ".venv/bin/verify demo": "tests/verify/test_demo.py",
    ".venv/bin/verify demo-missing-header": "tests/verify/test_demo.py",
    ".venv/bin/verify doctor": "tests/verify/test_lacking.py",
    ".venv/bin/verify view": "tests/verify/test_view.py",
    ".venv/bin/verify TASK_ID --run run.json --profile hal": "tests/verify/test_worlds.py",
    ".venv/bin/verify image": "tests/evidence/test_reproduce.py",
    "verify audit - <": "tests/verify/test_batch.py",
    "verify audit --all-failed --agent": "tests/verify/test_batch.py",
    "verify audit --disputed": "tests/verify/test_batch.py",
    ".venv/bin/verify audit --disputed": "tests/verify/test_batch.py",
    "verify audit --sample": "tests/verify/test_batch.py",
    "verify audit --all-failed --outcomes outcomes.csv --engine dask": "tests/verify/test_distributed.py",
    "verify watch": "tests/verify/test_watch.py",
    "verify explain": "tests/verify/test_model.py",
    ".venv/bin/pytest": "Makefile",
    ".venv/bin/python benchmarks/disputed/feedback.py": "tests/verify/test_feedback.py",
    "verify audit --all-failed --run logs/": "tests/verify/test_doors.py",
    ".venv/bin/python -m tests.lab": "tests/verify/test_worlds.py",
    ".venv/bin/python -m tests.faults": "tests/faults/test_faults.py",
    ".venv/bin/python -m tests.mutants": "tests/mutants/test_plan.py",
    ".venv/bin/python benchmarks/": "benchmarks/replay.py",
    ".venv/bin/python scripts/": "scripts/pictures.py",
    "bash PACK/reproduce.sh": "tests/evidence/test_reproduce.py",
    "docker run": "scripts/ci-image",
    "langgraph dev": "tests/graph/test_server.py",
    "verify bench": "tests/verify/test_worlds.py",
    ".venv/bin/verify bench": "tests/verify/test_worlds.py",
    "pip install": "scripts/ci-wheel",
    "export ": "tests/verify/test_model.py",
}
"""Commands that take long, need more than this machine may have, or wait for somebody, with what runs them instead."""


class Example(NamedTuple):
    """A line of a block of commands."""

    page: str
    line: str


def blocks(language: str) -> Iterator[tuple[str, str]]:
    for path in PAGES:
        for kind, text in FENCE.findall(path.read_text("utf-8")):
            if kind == language:
                yield path.name, text


def examples() -> list[Example]:
    found = []
    for name, text in blocks("sh"):
        found += [Example(name, line.partition("  #")[0].strip()) for line in text.splitlines()]
    return [one for one in dict.fromkeys(found) if one.line and not one.line.startswith("#")]


def here(example: Example) -> bool:
    return not any(example.line.startswith(beginning) for beginning in ELSEWHERE)


@pytest.fixture
def world(verify: Verify, work: Path) -> Path:
    """What the examples speak of: two runs, a claim, an outcome, a grader and a pack."""
    (work / "runs").mkdir()
    for task in ("sum-of-two", "sum-of-ten"):
        (work / "runs" / f"{task}_UPLOAD.json").write_text(json.dumps(upload(task, QUIET_RUN)), encoding="utf-8")
    shutil.copy(work / "runs" / "sum-of-two_UPLOAD.json", work / "run.json")
    rubric = "task_id,criteria,grade,correct,explanation,model_run\nsum-of-two,rubric,1.00,0,a wall,run_1\n"
    (work / "rubrics.csv").write_text(rubric, encoding="utf-8")
    (work / "outcomes.csv").write_text("task_id,correct,run_id\nsum-of-ten,1,b\n", encoding="utf-8")
    trial(work / "jobs" / "2026-01-15", "sum-of-two", QUIET_RUN, reward=0.0)
    (work / "logs").mkdir()
    inspect_log(work / "logs" / "2026-01-15_sums.eval")
    (work / "said.json").write_text(json.dumps({"schema": "impassable/1", "feedback": FEEDBACK}), encoding="utf-8")
    (work / "grade.py").write_text("def grade(answer, gold):\n    return answer == gold\n", encoding="utf-8")
    shutil.copytree(ROOT / "verify" / "demo", work / "verify" / "demo")
    store = ArtifactStore(work / "store")
    write_pack(ALL["supported"](store), store, work / "packs")
    return work


@pytest.mark.parametrize(
    "example", {one.line.removeprefix(".venv/bin/"): one for one in examples() if here(one)}.values(), ids=" ".join
)
def test_a_command_of_the_docs_does_what_it_says(example: Example, world: Path, verify: Verify):
    [pack] = (path for path in (world / "packs").iterdir() if path.is_dir())
    line = example.line.replace("PACK", f"packs/{pack.name}").replace("TASK_ID", "sum-of-two")
    words = shlex.split(line)
    if words[0].endswith("verify"):
        if "impassable.key" in line and words[1] != "key":  # what the lines above it have made
            shutil.rmtree(world / "packs")
            for before in ("key new --out impassable.key", "sum-of-two --run runs/ --public --key impassable.key -q"):
                assert verify(*before.split()).returncode == 0
        given = [path for word in words[1:] for path in (sorted(world.glob(word)) if "*" in word else [word])]
        done = verify(*given)
    else:
        place = pack if words[0] == "sha256sum" else world
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_what_runs_elsewhere_is_there_and_no_entry_is_idle():
    for beginning, place in ELSEWHERE.items():
        assert (ROOT / place).is_file()
        spelled = any(one.line.startswith(beginning) for one in examples())
        assert spelled, f"no page has a command that begins with {beginning!r}"
    assert len(examples()) > 30


@pytest.mark.slow
def test_examples_in_python_run(world: Path, tmp_path: Path):
    code = "\n".join(text for _, text in blocks("python"))
    env = environment(tmp_path / "home") | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=world, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("not_supported 0\n")


def test_the_site_is_built_strictly_and_asks_nobody_anything(tmp_path: Path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for built in (tmp_path / "site").rglob("*.html"):
        text = built.read_text("utf-8")
        fetched = re.findall(r"<(?:script|img|iframe|source)[^>]*\ssrc=\"?(https?:[^\s\">]+)", text)
        fetched += re.findall(r"<link[^>]*\shref=\"?(https?:[^\s\">]+)", text)
        assert not fetched, f"{built.name}: {fetched}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_link_in_the_repository_is_dead(path: Path):
    for target in LINK.findall(path.read_text("utf-8")):
        name, _, anchor = target.partition("#")
        if name.startswith("schemas/"):
            name = f"../impassable/{name}"
        found = (path.parent / name) if name else path
        assert found.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", one).strip().lower().replace(" ", "-") for one in headings}, target


def test_pages_say_what_the_code_says():
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    for rule in (*OF_ONE, *OF_ALL):
        assert f"| {rule.number} | {rule.says} |" in rules
    drawn = (ROOT / "docs" / "pictures" / "workflow.svg").read_text("utf-8")
    studio = (ROOT / "docs" / "studio.md").read_text("utf-8")
    nodes = [name for name in compiled().get_graph().nodes if not name.startswith("__")]
    for name in nodes:
        assert f">{name}</text>" in drawn, "run: make generate"
        told = name in {probe.name for probe in PROBES} or f"`{name}`" in studio
        assert told, name


def test_the_job_for_maintainers_is_one_and_its_commands_are_ours():
    job = yaml.safe_load((ROOT / "docs" / "examples" / "audit-failures.yml").read_text("utf-8"))
    steps = job["jobs"]["audit"]["steps"]
    lines = "\n".join(step["run"] for step in steps if "run" in step)
    subprocess.run(["bash", "-n"], input=lines, text=True, check=True)
    commands = typer.main.get_command(app).commands
    for name, rest in re.findall(r"\bverify ([a-z]+)(.*)", lines):
        options = {option for parameter in commands[name].params for option in parameter.opts}
        assert set(re.findall(r" (--[a-z-]+)", rest)) <= options, name


def test_every_pinned_version_can_be_installed_for_the_oldest_python_that_is_promised() -> None:
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    oldest = f"{promised.removeprefix('>=')}.0"
    pins = (line.partition("==") for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines())
    pinned = {canonicalize_name(name): version for name, _, version in pins if version}
    here = {canonicalize_name(one.metadata["Name"]): one for one in distributions()}
    same = {name: one for name, one in here.items() if one.version == pinned.get(name)}
    told = {name: one.metadata.get("Requires-Python") or "" for name, one in same.items()}
    assert len(told) > len(pinned) // 2
    assert [name for name, range_ in told.items() if not SpecifierSet(range_).contains(oldest)] == []
