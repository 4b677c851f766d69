"""A wall told from the command line: impassable only where every permitted route was tried and failed."""

import asyncio
import base64
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.synthetic_audits import png
from tests.lab.web import Lab
from tests.lab.web.vantage import PASSWORD, USER, Vantage
from tests.verify.synthetic import Verify, upload

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300)]

TASK = "5f0c" * 16
WALL = "https://www.walled.test/page"
ASKED = f"Where does the lamp stand, by {WALL}?"
REFUSED = f"""Traceback (most recent call last):
requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: {WALL}
Access to this page has been denied"""
GAVE_UP = "I was unable to open the page: access was blocked, so I could not find the address."


def recorded(asked: str = ASKED) -> str:
    """The run as a HAL result file."""
    document = upload(TASK, transcript(), "assistantbench") | {"task_prompts": {TASK: asked}}
    return json.dumps(document)


def transcript() -> list[dict[str, Any]]:
    """A synthetic run whose last act is to meet a wall."""
    code = f"import requests\nr = requests.get('{WALL}')\nr.raise_for_status()"
    function = {"name": "python", "arguments": json.dumps({"code": code})}
    return [
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": REFUSED},
        {"role": "assistant", "content": GAVE_UP},
    ]


OPEN, DEAD = "https://article.lab.example/page", "https://failing-503.lab.example/page"


async def audited(
    verify: Verify,
    work: Path,
    hosts: dict[str, str],
    *more: object,
    controls: tuple[str, ...] = (OPEN,),
    second: dict[str, str] | None = None,
    asked: str = ASKED,
    run: str = "",
) -> tuple[int, dict[str, Any]]:
    """Exit code and document of an audit of that run, with the lab in the place of the web.

    `second` are hosts as another network is shown them, seen through a proxy with a password that must stand nowhere.
    """
    path = work / "run_UPLOAD.json"
    path.write_text(run or recorded(asked), encoding="utf-8")
    async with AsyncExitStack() as stack:
        lab = await stack.enter_async_context(Lab(hosts={"www.walled.test": "px-wall", **hosts}, routes=True))
        if second is not None:
            far = await stack.enter_async_context(Lab(hosts={"www.walled.test": "px-wall", **second}, ca=lab._ca))
            more = (*more, "--vantage", (await stack.enter_async_context(Vantage("socks5", far.address))).url)
        mapped = [part for host, address in lab.resolve.items() for part in ("--resolve", f"{host}={address}")]
        vouching = [part for url in controls for part in ("--control", url)]
        arguments = [TASK[:12], "--run", path, *mapped, "--lab-ca", lab.ca, *vouching, *more, "--json", "--exit-code"]
        done = await asyncio.to_thread(verify, *arguments)
    assert done.stdout, done.stderr
    written = [path.read_bytes() for path in work.parent.rglob("*") if path.is_file()]
    assert not any(secret in done.stdout + done.stderr for secret in (PASSWORD, USER, "s3cret"))
    assert not any(secret.encode() in data for data in written for secret in (PASSWORD, "s3cret"))
    return done.returncode, json.loads(done.stdout)


def history(asked: str) -> dict[str, Any]:
    """The run as browser-use keeps it, with a screenshot of each page: above, lines that differ; below, white."""
    shot = base64.b64encode(png(640, 480, blank=400)).decode()
    page = {
        "url": WALL,
        "title": "Access denied",
        "tabs": [{"url": WALL, "title": "Access denied"}],
        "screenshot": shot,
    }
    thought = {"current_state": {"memory": asked, "next_goal": "Open the page."}}
    opened = thought | {"action": [{"go_to_url": {"url": WALL}}]}
    last = {"is_done": True, "success": False, "extracted_content": GAVE_UP}
    return {
        "task_id": TASK,
        "history": [
            {"model_output": opened, "result": [{"error": REFUSED}], "state": page},
            {"model_output": None, "result": [last], "state": page},
        ],
    }


@pytest.mark.exhaustive
async def test_the_screenshot_of_a_log_stands_cropped_beside_what_our_browser_sees(verify: Verify, work: Path):
    code, document = await audited(verify, work, {"m.walled.test": "px-wall"}, run=json.dumps(history(ASKED)))
    assert code in {10, 12}, document["verdict"]
    report = (work / document["pack"] / "report.html").read_text("utf-8")
    pair = report.split('class="pair pictured"')[1].split("</section>")[0]
    then, now = pair.split("<figcaption>Now")
    assert "what the run’s browser showed" in then
    assert 'viewBox="0 0 640 104"' in then, "80 lines that differ, and 24 below them"
    assert "www-walled-test-in-the-log.jpg" in then
    assert "www-walled-test-1.jpg" in now
    assert now.count("data:image/jpeg;base64,") == 1


def passable(document: dict[str, Any]) -> dict[str, Any]:
    """The browser's finding on ways around the wall."""
    found = [one for one in document["findings"] if (one["probe"], one["question"]) == ("browser", "PASSABLE")]
    return next(one for one in found if one["routes"])


@pytest.mark.exhaustive
async def test_a_wall_around_which_every_permitted_route_failed_is_impassable(verify: Verify, work: Path):
    code, document = await audited(verify, work, {"m.walled.test": "px-wall"}, controls=(DEAD, OPEN))
    verdict = document["verdict"]
    assert (code, verdict["status"], verdict["score"]) == (10, "supported", 1), verdict
    assert verdict["lab"] is True
    decisive = [one for one in document["findings"] if one["id"] in verdict["decisive"]]
    assert {one["question"] for one in decisive} == {"PRESENT", "PASSABLE", "CAUSED"}
    assert all(one["controls"] and all(control["passed"] for control in one["controls"]) for one in decisive)
    results = {route["id"].partition(":")[0]: route["result"] for route in passable(document)["routes"]}
    assert {name: result for name, result in results.items() if result != "not_permitted"} == dict.fromkeys(
        ("plain-http", "variant", "archived-copy"), "failed"
    )


@pytest.mark.exhaustive
async def test_a_wall_of_a_site_that_only_the_agent_chose_leaves_it_open_whatever_the_run_said(
    verify: Verify, work: Path
):
    code, document = await audited(verify, work, {"m.walled.test": "px-wall"}, asked="Where does the lamp stand?")
    assert (code, document["verdict"]["status"]) == (12, "inconclusive"), document["verdict"]


@pytest.mark.exhaustive
async def test_one_open_spelling_of_the_page_is_a_way_that_the_verdict_names(verify: Verify, work: Path):
    code, document = await audited(verify, work, {"m.walled.test": "article"})
    assert (code, document["verdict"]["status"]) == (11, "not_supported")
    assert "https://m.walled.test/page" in document["verdict"]["capable_agent"]


@pytest.mark.exhaustive
async def test_a_wall_that_another_network_does_not_meet_settles_nothing(verify: Verify, work: Path):
    second = {"www.walled.test": "article"}
    code, document = await audited(verify, work, {"m.walled.test": "px-wall"}, second=second)
    assert (code, document["verdict"]["status"]) == (12, "inconclusive"), document["verdict"]
    assert "it depends on the network" in str(document["findings"]).lower()


def test_a_second_vantage_that_is_no_proxy_is_refused_without_being_repeated(verify: Verify, work: Path):
    (work / "run_UPLOAD.json").write_text(recorded(), encoding="utf-8")
    for more, env in ((("--vantage", "ftp://u:s3cret@h:1"), {}), ((), {"VERIFY_VANTAGE": "u:s3cret@h"})):
        done = verify(TASK[:12], "--run", work / "run_UPLOAD.json", *more, env=env)
        assert done.returncode == 2
        assert "not a proxy such as" in done.stderr
        assert "s3cret" not in done.stdout + done.stderr
