"""Expected answers that are out of date or still right, told from the command line with the lab in the web's place."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.lab.web import Lab
from tests.lab.web.archive import Archived, archived
from tests.verify.synthetic import Verify, upload

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300)]
CONTROL = "https://article.lab.example/page"


def inputs(page: Archived, folder: Path) -> list[object]:
    """A run that opened the task's page as it is now and answered what stands there, its score, and the task."""
    function = {"name": "visit_page", "arguments": json.dumps({"url": page.url})}
    seen = f"Aurora standard lamp\nThe Aurora standard lamp costs {page.answer} including the shade."
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": page.prompt},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": seen},
        {"role": "assistant", "content": f"The final answer is: {page.answer}"},
    ]
    runs = folder / "runs"
    runs.mkdir()
    uploaded = upload(page.id, messages, "assistantbench") | {"task_prompts": {page.id: page.prompt}}
    (runs / f"assistantbench_{page.id}_UPLOAD.json").write_text(json.dumps(uploaded))
    answers = {page.id: {"answer": page.answer}}
    (runs / f"assistantbench_{page.id}_RAW_SUBMISSIONS.jsonl").write_text(json.dumps(answers) + "\n")
    task = {"id": page.id, "task": page.prompt, "answer": page.gold, "gold_url": page.url, "created": "2024-06-01"}
    (folder / "tasks.jsonl").write_text(json.dumps(task) + "\n")
    return ["--run", runs, "--tasks", folder / "tasks.jsonl"]


async def audited(verify: Verify, name: str, folder: Path) -> tuple[int, dict[str, Any]]:
    page = archived()[name]
    async with Lab(routes=True) as lab:
        mapped = [part for host, address in lab.resolve.items() for part in ("--resolve", f"{host}={address}")]
        web = [*mapped, "--lab-ca", lab.ca, "--control", CONTROL]
        done = await asyncio.to_thread(verify, name, *inputs(page, folder), *web, "--json", "--exit-code")
    assert done.stdout, done.stderr
    assert page.gold not in done.stdout
    document = json.loads(done.stdout)
    assert "verdict" in document, (document, done.stderr)
    return done.returncode, document


@pytest.mark.exhaustive
async def test_a_run_that_answered_what_the_page_says_today_is_supported(verify: Verify, tmp_path: Path):
    code, document = await audited(verify, "outdated", tmp_path)
    verdict = document["verdict"]
    told = [(one["id"], one["answer"], one["summary"]) for one in document["findings"]]
    assert (code, verdict["status"], verdict["score"]) == (10, "supported", 1), told
    assert (verdict["deficiency_type"], verdict["locus"]) == ("Answer Validity Problems", "task text")
    assert verdict["leading"].startswith("outdated-")
    decisive = [one for one in document["findings"] if one["id"] in verdict["decisive"]]
    assert {(one["probe"], one["question"]) for one in decisive} == {
        ("archive", "PRESENT"),
        ("archive", "PASSABLE"),
        ("archive", "CAUSED"),
    }
    assert all(one["controls"] and all(control["passed"] for control in one["controls"]) for one in decisive)


@pytest.mark.exhaustive
async def test_a_page_that_still_shows_the_expected_answer_refutes_it(verify: Verify, tmp_path: Path):
    code, document = await audited(verify, "still-right", tmp_path)
    assert (code, document["verdict"]["status"]) == (11, "not_supported"), document["verdict"]
    assert archived()["still-right"].url in document["verdict"]["capable_agent"]
