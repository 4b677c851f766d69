"""Ways around a wall, each really tried in the lab, and the verdict that follows from them."""

import datetime as dt
import json

import pytest

from cases import Block, Case, Outcome, Run, Task, Transcript
from graph import AuditOptions
from graph import audit as whole_audit
from graph.registry import PROBES
from probes import Answer, ArtifactStore, Question, Settings
from probes.browser import BrowserProbe
from probes.browser.ladder import ladder
from tests.lab.web import Lab
from tests.probes.browser.conftest import SILENT, audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
WALL = "https://www.walled.test/page"
KEPT = "https://www.kept.test/page"
NEEDED = ("1148 Wheeler Avenue",)


def probe(**more) -> BrowserProbe:
    return BrowserProbe(**{"resolvers": (SILENT, SILENT), "backoff": (0.05,), "patience": (1.0, 0.6)} | more)


async def passable_of(lab, tmp_path, claim, **more):
    async with audit(tmp_path, in_lab(lab), **more) as context:
        found = {finding.question: finding for finding in await probe()(claim, context)}
    return found[Question.PASSABLE]


def results(finding) -> dict[str, str]:
    return {route.id: route.result for route in finding.routes}


async def test_a_wall_around_which_every_way_was_tried_cannot_be_passed(tmp_path):
    hosts = {"www.walled.test": "px-wall", "m.walled.test": "px-wall", "gold.test": "refused-403"}
    gold = ("https://gold.test/page",)
    async with Lab(hosts=hosts, routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(WALL), gold=gold)
        tried = [path for host, path, _ in lab.asked if host == "web.archive.org"]
    assert passable.valid_answer is Answer.NO
    assert results(passable) == {
        f"plain-http: {WALL}": "failed",
        "gold-url: https://gold.test/page": "failed",
        "variant: https://m.walled.test/page": "failed",
        "variant: http://www.walled.test/page": "failed",
        "archived-copy: https://web.archive.org/web/20240506070809/https://www.walled.test/page": "failed",
        "archived-copy: https://gold.test/page": "failed",
        "stealth-browser": "not_permitted",
        "captcha-solver": "not_permitted",
        "residential-proxy": "not_permitted",
    }
    assert [control.name for control in passable.controls] == [
        "positive control (lab)",
        "archive control (Wayback Machine)",
    ]
    assert passable.summary.startswith("Every permitted route was tried and failed: ")
    assert sum("/web/2024" in path for path in tried) >= 3


async def test_an_archive_that_cannot_be_reached_leaves_it_open(tmp_path):
    async with Lab(hosts={"www.walled.test": "px-wall"}) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(WALL))
    assert passable.valid_answer is Answer.UNKNOWN
    assert results(passable)[f"archived-copy: {WALL}"] == "not_tried"
    assert "could not be settled: archived-copy" in passable.summary


async def test_an_archive_that_does_not_know_a_known_page_leaves_it_open(tmp_path):
    hosts = {"www.walled.test": "px-wall", "web.archive.org": "article"}
    async with Lab(hosts=hosts) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(WALL))
    assert passable.valid_answer is Answer.UNKNOWN
    assert "not the JSON of an index" in passable.summary


async def test_an_archived_copy_with_the_needed_text_passes_the_wall(tmp_path):
    async with Lab(hosts={"www.kept.test": "px-wall"}, routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(KEPT, needed=NEEDED))
        lacking = await passable_of(lab, tmp_path, hypothesis(KEPT, needed=("a chandelier",)))
        unknown = await passable_of(lab, tmp_path, hypothesis(KEPT))
    assert passable.valid_answer is Answer.YES
    assert passable.tier == "T2"
    assert "the copy of 2024-05-06 shows the needed text" in passable.summary
    assert lacking.valid_answer is Answer.NO
    assert unknown.valid_answer is Answer.UNKNOWN


async def test_a_search_engines_wall_is_passed_by_another_engine(tmp_path):
    asked = "https://www.google.com/search?q=house+wheeler"
    async with Lab(routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(asked))
        queries = [path for host, path, _ in lab.asked if host == "html.duckduckgo.com"]
    assert passable.valid_answer is Answer.YES
    assert passable.tier == "T1"
    assert passable.routes[-4].id == "other-search-engine: https://html.duckduckgo.com/html/?q=house+wheeler"
    assert "/html/?q=house+wheeler" in queries


@pytest.mark.parametrize(("host", "kind"), [("moved.test", "sitemap"), ("searched.test", "site-search")])
async def test_a_page_that_moved_is_found_by_the_sites_own_means(tmp_path, host, kind):
    lost = f"https://{host}/old/house-on-wheeler-avenue.html"
    async with Lab(routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(lost, barrier="page_gone", needed=NEEDED))
    assert passable.valid_answer is Answer.YES
    assert f"{kind}: https://{host}/new/house-on-wheeler-avenue: the needed text is visible" in passable.summary


def test_every_entry_of_the_ladder_has_a_source_and_none_of_the_forbidden_has_an_address():
    data = ladder()
    assert {one.id for one in data.forbidden} == {"stealth-browser", "captcha-solver", "residential-proxy"}
    assert all(one.source for one in (*data.engine, *data.forbidden, data.archive))


GAVE_UP = "I was unable to open the page: access was blocked, so I could not find the address."


def run_that_met_the_wall() -> Case:
    """Synthetic, in the style of a HAL web agent: the wall is the last thing it met, and it says so."""
    code = f"import requests\nr = requests.get('{WALL}')\nr.raise_for_status()"
    refused = f"requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: {WALL}"
    blocks = (
        Block(index=0, role="user", kind="message", text=f"Where does the lamp stand, by {WALL}?"),
        Block(
            index=1,
            role="assistant",
            kind="call",
            text=code,
            tool="python",
            arguments={"code": code},
            call_id="c1",
        ),
        Block(
            index=2,
            role="tool",
            kind="result",
            text=f"Traceback (most recent call last):\n{refused}\nAccess to this page has been denied",
            tool="python",
            call_id="c1",
            exit_code=1,
        ),
        Block(index=3, role="assistant", kind="message", text=GAVE_UP),
    )
    run = Run(
        run_id="run-1",
        outcome=Outcome.FAILED,
        transcript=Transcript(blocks=blocks),
        answer=GAVE_UP,
        date=dt.date(2024, 5, 1),
        source="synthetic",
    )
    task = Task(
        prompt=f"Where does the lamp stand, by {WALL}?",
        gold="1148 Wheeler Avenue",
        gold_urls=("https://gold.test/page",),
    )
    return Case(benchmark="assistantbench", task_id="synthetic-wall", task=task, runs=(run,))


@pytest.mark.parametrize(("gold_page", "status"), [("refused-403", "supported"), ("article", "not_supported")])
async def test_the_verdict_on_a_run_that_met_a_wall_follows_from_the_routes(tmp_path, gold_page, status):
    hosts = {"www.walled.test": "px-wall", "gold.test": gold_page}
    probes = [probe() if one.name == "browser" else one for one in PROBES]
    async with Lab(hosts=hosts, routes=True) as lab:
        settled = await whole_audit(
            run_that_met_the_wall(),
            AuditOptions(settings=Settings(web=in_lab(lab))),
            ArtifactStore(tmp_path / "artifacts"),
            probes=probes,
        )
    told = json.dumps(settled.model_dump(mode="json"), indent=1)
    assert settled.verdict.status == status, told
    assert settled.verdict.score == (1 if status == "supported" else 0)
    if status == "supported":
        decisive = [finding for finding in settled.findings if finding.id in settled.verdict.decisive]
        assert {finding.question for finding in decisive} == set(Question)
        assert all(finding.controls and all(one.passed for one in finding.controls) for finding in decisive)
    else:
        assert "https://gold.test/page" in settled.verdict.capable_agent


async def test_a_page_that_needs_a_session_opens_by_way_of_the_first_page(lab, tmp_path):
    passable = await passable_of(lab, tmp_path, hypothesis("https://entrance.lab.example/deep", barrier="session"))
    assert passable.valid_answer is Answer.YES
    assert "by-the-first-page: https://entrance.lab.example/deep" in passable.summary
