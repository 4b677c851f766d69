"""Ways around a wall, each really tried in the lab; `tests/verify/test_walled.py` has the verdicts that follow."""

import asyncio

import pytest

from probes import Answer, Question
from probes.browser import BrowserProbe
from probes.web.ladder import ladder
from tests.lab.web import Lab
from tests.probes.conftest import SILENT, audit, hypothesis, in_lab

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


@pytest.mark.exhaustive
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
    assert passable.summary.startswith(("All ", "The only permitted way around it failed: "))
    assert sum("/web/2024" in path for path in tried) >= 3


@pytest.mark.exhaustive
async def test_an_archive_that_cannot_be_reached_leaves_it_open(tmp_path):
    hosts = {"www.walled.com": "px-wall", "www.walled.test": "px-wall"}
    async with Lab(hosts=hosts) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis("https://www.walled.com/page"))
        nobodys = await passable_of(lab, tmp_path, hypothesis(WALL))
    assert passable.valid_answer is Answer.UNKNOWN
    assert results(passable)["archived-copy: https://www.walled.com/page"] == "not_tried"
    assert "could not be settled: archived-copy" in passable.summary
    assert nobodys.valid_answer is Answer.NO, "a name that is reserved for tests no archive has"
    assert results(nobodys)[f"archived-copy: {WALL}"] == "not_applicable"


@pytest.mark.exhaustive
async def test_an_archive_that_does_not_know_a_known_page_leaves_it_open(tmp_path):
    hosts = {"www.walled.test": "px-wall", "web.archive.org": "article"}
    async with Lab(hosts=hosts) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(WALL))
    assert passable.valid_answer is Answer.UNKNOWN
    assert "not the JSON of an index" in passable.summary


@pytest.mark.exhaustive
async def test_an_archived_copy_with_the_needed_text_passes_the_wall(tmp_path):
    async with Lab(hosts={"www.kept.test": "px-wall"}, routes=True) as lab:
        asked = [hypothesis(KEPT, needed=needed) for needed in (NEEDED, ("a chandelier",), ())]
        passable, lacking, unknown = await asyncio.gather(*(passable_of(lab, tmp_path, one) for one in asked))
    assert passable.valid_answer is Answer.YES
    assert passable.tier == "T2"
    assert "the copy of 2024-05-06 shows the text that the task needs" in passable.summary
    assert lacking.valid_answer is Answer.NO
    assert unknown.valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
async def test_a_search_engines_wall_is_passed_by_another_engine(tmp_path):
    asked = "https://www.google.com/search?q=house+wheeler"
    async with Lab(routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(asked))
        queries = [path for host, path, _ in lab.asked if host == "html.duckduckgo.com"]
    assert passable.valid_answer is Answer.YES
    assert passable.tier == "T1"
    assert passable.routes[-4].id == "other-search-engine: https://html.duckduckgo.com/html/?q=house+wheeler"
    assert "/html/?q=house+wheeler" in queries


@pytest.mark.exhaustive
@pytest.mark.parametrize("host", ["moved.test", "searched.test"])
async def test_a_page_that_moved_is_found_by_the_sites_own_means(tmp_path, host):
    lost = f"https://{host}/old/house-on-wheeler-avenue.html"
    async with Lab(routes=True) as lab:
        passable = await passable_of(lab, tmp_path, hypothesis(lost, barrier="page_gone", needed=NEEDED))
    assert passable.valid_answer is Answer.YES
    told = "the text that the task needs is visible"
    assert f"https://{host}/new/house-on-wheeler-avenue: {told}" in passable.summary


def test_every_entry_of_the_ladder_has_a_source_and_none_of_the_forbidden_has_an_address():
    data = ladder()
    assert {one.id for one in data.forbidden} == {"stealth-browser", "captcha-solver", "residential-proxy"}
    assert all(one.source for one in (*data.engine, *data.forbidden, data.archive))


@pytest.mark.exhaustive
async def test_a_page_that_needs_a_session_opens_by_way_of_the_first_page(lab, tmp_path):
    passable = await passable_of(lab, tmp_path, hypothesis("https://entrance.lab.example/deep", barrier="session"))
    assert passable.valid_answer is Answer.YES
    assert "by-the-first-page: https://entrance.lab.example/deep" in passable.summary
