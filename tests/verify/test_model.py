"""A model by the real program: asked for by name, never needed, never deciding."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandboxes import Engine
from tests.graph.llm.conversing import KEY, MISSED
from tests.lab.model import ModelServer, Reply
from tests.lab.model.missed import SET, helpful, missed_by_rules, missed_worlds, recorded
from tests.lab.model.personas import ADVERSARIES, NOTHING
from tests.verify.forking import Forking
from tests.verify.synthetic import Verify
from verify.labelled.machine import image_of
from verify.labelled.running import judge

SECRET = "b7Kq3vXz91LmPd05RtYw"
WORLDS = {world.id: world for world in missed_worlds()}


def run_of(folder: Path) -> list[str | Path]:
    """A synthetic run that met something no rule knows, and a claim about it."""
    output = f"export DEPLOY_TOKEN={SECRET}\n{MISSED}\n"
    call = {"id": "c1", "type": "function", "function": {"name": "execute_bash", "arguments": '{"command": "make"}'}}
    messages = [
        {"role": "user", "content": "Build it."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": f"Exit Code: 2\nStdout:\n{output}\nStderr:\n"},
        {"role": "assistant", "content": "I was unable to build it."},
    ]
    named = "corebench_hard_model-lab"
    logged = {"messages": messages, "call_metadata": [], "model": "lab", "call_count": 1}
    upload = {
        "config": {"agent_name": "a", "benchmark_name": "corebench_hard", "date": "2026-01-15", "run_id": named},
        "results": {"accuracy": 0.0, "successful_tasks": [], "failed_tasks": ["model-task"], "latencies": {}},
        "raw_eval_results": {"model-task": {"score": 0.0}},
        "raw_logging_results": {"model-task": logged},
        "total_usage": {},
        "total_cost": 0.0,
        "git_info": {},
        "task_prompts": {"model-task": "Build it."},
    }
    (folder / "run_UPLOAD.json").write_text(json.dumps(upload))
    (folder / "claims.csv").write_text(
        "task_id,criteria,grade,correct,explanation,model_run\n"
        f"model-task,corebench_hard,1,0,It could not be done here.,{named}\n"
    )
    return ["--run", folder / "run_UPLOAD.json", "--claims", folder / "claims.csv", "--out", folder / "packs"]


def environment(server: ModelServer, **more: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, **more}


def test_a_model_without_a_key_is_exit_4_with_the_remedy(verify: Verify, tmp_path: Path):
    done = verify("model-task", *run_of(tmp_path), "--model", "lab")
    assert done.returncode == 4
    assert "OPENAI_API_KEY is not set" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_ceiling_of_costs_without_a_price_is_refused_with_the_remedy(verify: Verify, tmp_path: Path):
    arguments = ("model-task", *run_of(tmp_path), "--model", "nobody-knows-it", "--max-cost", "1")
    done = verify(*arguments, env={"OPENAI_API_KEY": KEY})
    assert done.returncode == 2
    assert "VERIFY_MODEL_PRICE" in done.stderr


def test_an_audit_without_a_model_never_imports_its_library(tmp_path: Path):
    arguments = [str(part) for part in ("model-task", *run_of(tmp_path), "--json", "--offline")]
    for line in (arguments, ["--help"]):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "verify", *line],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
        )
        imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
        assert "typer" in imported
        assert not {"langchain_openai", "openai", "tiktoken"} & imported


@pytest.mark.exhaustive
def test_what_was_asked_is_told_costs_nothing_twice_and_holds_no_secret(verify: Verify, tmp_path: Path):
    arguments = ("model-task", *run_of(tmp_path), "--json", "--model", "lab", "--second-reader")
    with ModelServer(ADVERSARIES["inventions"]) as server:
        known = environment(server, VERIFY_MODEL_PRICE="1/2", PLANTED_API_KEY="q7fZ81mmKp0xyz")
        first = verify(*arguments, env=known)
        assert first.returncode == 0, first.stderr
        count = server.calls
        second = verify(*arguments, env=known)
        offline = verify(*arguments, "--offline", env={"OPENAI_BASE_URL": server.url})
    spent = json.loads(first.stdout)["verdict"]["assistance"]
    assert (count, spent["calls"]) == (2, 2)
    assert spent["cost"] > 0
    assert server.calls == 2
    again = [json.loads(done.stdout)["verdict"]["assistance"] for done in (second, offline)]
    assert [(one["calls"], one["cached"]) for one in again] == [(0, 2), (0, 2)]
    explained = verify("explain", "model-task")
    assert MISSED in explained.stdout
    assert "Kernel panic" in explained.stdout
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "run_UPLOAD.json"]
    everything = explained.stdout + str([asked.body for asked in server.asked]) + str(kept)
    assert SECRET not in everything
    assert "q7fZ81mmKp0xyz" not in everything
    assert KEY not in everything
    assert verify("explain", "another-task").returncode == 2


def test_no_adversary_changes_the_verdict_that_the_program_prints(verify: Verify, tmp_path: Path):
    arguments = ("model-task", *run_of(tmp_path), "--json")
    spoken = ("limits", "assistance", "existence_reasoning", "causation_reasoning", "against")

    def verdict(**env: str):
        done = verify(*arguments, env=env)
        assert done.returncode == 0, done.stderr
        return {field: value for field, value in json.loads(done.stdout)["verdict"].items() if field not in spoken}

    alone = verdict()
    scripts = {"inventions": ADVERSARIES["inventions"], "failing": lambda asked: Reply(status=500)}
    scripts["silent"] = lambda asked: Reply.of(NOTHING)
    for name, script in scripts.items():
        with ModelServer(script) as server:
            told = verdict(**environment(server, VERIFY_MODEL="lab", VERIFY_STATE=str(tmp_path / name)))
        assert told == alone, name
        assert server.calls


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [world.id for world in missed_by_rules()])
def test_without_a_model_rules_leave_these_worlds_open(name: str, forking: Forking):
    judged = judge(WORLDS[name], recorded(WORLDS[name]), "impassable/base", program=forking.run)
    assert judged.said
    assert judged.said.status == "inconclusive"


@pytest.mark.exhaustive
@pytest.mark.docker
@pytest.mark.network
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", WORLDS)
def test_a_valid_hypothesis_or_route_that_rules_missed_leads_to_the_truth(name: str, forking: Forking):
    world = WORLDS[name]
    engine = Engine.connect()
    try:
        image = image_of(world, SET, engine)
    finally:
        engine.close()
    with ModelServer(helpful(world)) as server:
        settings = environment(server, VERIFY_MODEL="lab")
        judged = judge(world, recorded(world), image, settings=settings, program=forking.run)
    assert judged.differences == (), judged.said
    assert server.calls <= 2
