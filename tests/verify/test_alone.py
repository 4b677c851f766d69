"""A task without any run: its own sites are visited, and what stands there is told; nobody is blamed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.lab.web import Lab
from tests.verify.synthetic import Verify, one_sentence

TASK = "3a9e" * 16
OPEN = "https://article.lab.example/page"


@pytest.mark.exhaustive
def test_a_known_task_needs_no_file_and_offline_nothing_is_asked(verify: Verify, work: Path) -> None:
    done = verify("6b06d186", "--offline", "--json", "--exit-code")
    assert done.returncode == 12, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"]["reason"].startswith("No run was given")
    assert [one["targets"]["urls"] for one in document["hypotheses"]] == [["https://www.zillow.com/"]]
    assert verify("recompute", document["pack"]).returncode == 0


def test_an_unknown_task_is_refused_in_one_sentence(verify: Verify, work: Path) -> None:
    done = verify("no-such-task", "--offline")
    assert done.returncode == 2
    assert "no-such-task" in one_sentence(done)


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(300)
async def test_a_task_of_a_file_is_told_as_it_stands_now(verify: Verify, work: Path) -> None:
    tasks = work / "tasks.jsonl"
    gold = {"id": TASK, "task": "Where is it?", "answer": "1148 Wheeler Avenue", "gold_url": "https://gold.test/page"}
    tasks.write_text(json.dumps(gold) + "\n", encoding="utf-8")
    told = {kind: await audited(verify, tasks, {"gold.test": kind}) for kind in ("article", "px-wall")}
    for document in told.values():
        assert document["verdict"]["status"] == "inconclusive"
        assert document["verdict"]["reason"].startswith("No run was given")
    present = {kind: answer(document) for kind, document in told.items()}
    assert present == {"article": "no", "px-wall": "yes"}


async def audited(verify: Verify, tasks: Path, hosts: dict[str, str]) -> dict[str, Any]:
    async with Lab(hosts=hosts, routes=True) as lab:
        mapped = [part for host, address in lab.resolve.items() for part in ("--resolve", f"{host}={address}")]
        arguments = [TASK[:12], "--tasks", tasks, *mapped, "--lab-ca", lab.ca, "--control", OPEN, "--json"]
        done = await asyncio.to_thread(verify, *arguments)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def answer(document: dict[str, Any]) -> str:
    """The browser's answer to PRESENT."""
    found = (one for one in document["findings"] if (one["probe"], one["question"]) == ("browser", "PRESENT"))
    return str(next(found)["answer"])
