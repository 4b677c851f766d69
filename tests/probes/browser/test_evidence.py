"""What a visit leaves behind, and what the audits of a batch share."""

import asyncio
import io
import json
import zipfile

import pytest

from cases import Citation, Run
from cases.answers.text_match import visible
from probes import Answer, ArtifactStore, Question, Resources, WebCaps
from probes.browser import BrowserProbe
from probes.web.observe import look
from probes.web.record import Record
from probes.web.shelf import Shelf
from probes.web.web import open_web
from sandboxes.browser.chromium import BrowserPool
from sandboxes.browser.har import LIMIT, REMOVED, without_secrets
from tests.lab.web import Lab
from tests.probes.conftest import SILENT, audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]


def probe() -> BrowserProbe:
    return BrowserProbe(resolvers=(SILENT, SILENT), backoff=(0.05,), patience=(1.0, 0.6))


async def test_the_first_visit_leaves_an_http_archive_without_cookies(tmp_path):
    async with Lab(hosts={"www.sets.test": "sensors"}) as lab, audit(tmp_path, in_lab(lab)) as context:
        findings = await probe()(hypothesis("https://www.sets.test/page"), context)
    archives = [one for one in findings[0].artifacts if one.name.endswith(".har.zip")]
    assert len(archives) == 1
    with zipfile.ZipFile(context.store.path(archives[0].sha256)) as zipped:
        [name] = [one for one in zipped.namelist() if one.endswith(".har")]
        told = json.loads(zipped.read(name))
    entries = told["log"]["entries"]
    assert entries[0]["request"]["url"] == "https://www.sets.test/page"
    headers = [header for entry in entries for side in ("request", "response") for header in entry[side]["headers"]]
    secret = [one["value"] for one in headers if one["name"].lower() in {"cookie", "set-cookie", "authorization"}]
    assert set(secret) == {REMOVED}


def test_an_archive_that_is_too_large_keeps_the_exchange_and_loses_the_bodies(tmp_path):
    path = tmp_path / "big.zip"
    header = {"name": "Authorization", "value": "Bearer secret"}
    entry = {
        "request": {"headers": [header], "postData": {"text": "secret"}},
        "response": {"cookies": [{"value": "s"}]},
    }
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("har.har", json.dumps({"log": {"entries": [entry]}}))
        zipped.writestr("body.bin", b"x" * (LIMIT + 1))
    cleaned = without_secrets(path)
    with zipfile.ZipFile(io.BytesIO(cleaned)) as zipped:
        assert zipped.namelist() == ["har.har"]
        assert b"secret" not in zipped.read("har.har")
    path.write_bytes(b"no zip")
    assert without_secrets(path) == b""


async def test_what_the_site_asks_of_robots_is_noted(tmp_path):
    record = Record(ArtifactStore(tmp_path))
    async with Lab(routes=True) as lab, open_web(in_lab(lab), (SILENT,)) as web:
        await look(web, "https://moved.test/old/x", (), record, patience=0.5)
        await look(web, "https://moved.test/new/house-on-wheeler-avenue", (), record, patience=0.5)
        asked = [path for host, path, _ in lab.asked if host == "moved.test" and path == "/robots.txt"]
    told = [item.value for item in record.observations if item.name == "robots"]
    assert "asks robots to stay away from this address" in told[0]
    assert "allows this address" in told[1]
    assert len(asked) == 1


@pytest.mark.exhaustive
async def test_same_host_controls_are_asked_once_for_a_batch_until_they_are_old_and_never_for_another_vantage(
    tmp_path, monkeypatch
):
    shelf, asked = Shelf(), []
    async with Lab() as one, Lab() as other:
        for lab, age in ((one, 600.0), (one, 600.0), (other, 600.0), (one, -1.0)):
            monkeypatch.setattr("probes.web.shelf.TTL", age)
            before = len(lab.asked)
            async with open_web(in_lab(lab), (SILENT,), shelf=shelf) as web:
                seen = await look(web, "https://gone-404.lab.example/page", (), Record(ArtifactStore(tmp_path)))
            assert seen.home.plain.status == 200
            assert seen.sibling.plain.status == 404
            asked.append({path for _, path, _ in lab.asked[before:]} - {"/robots.txt", "/favicon.ico", "/page"})
    beside = {"/", "/impassable-no-such-page-7f3a"}
    assert asked == [beside, set(), beside, beside]


@pytest.mark.exhaustive
async def test_the_audits_of_a_batch_share_browser_and_controls(lab, tmp_path):
    claim = hypothesis("https://sensors.lab.example/page")
    batch = Resources()
    async with batch.stack:
        for number in (1, 2):
            async with audit(tmp_path / str(number), in_lab(lab), batch=batch) as context:
                findings = await probe()(claim, context)
            assert findings[0].valid_answer is Answer.NO
            assert findings[0].controls[0].passed
        pool = batch.held["browser.pool"]
        assert pool.started == 1
    assert lab.visits("article.lab.example") == 1
    assert lab.visits("sensors.lab.example") == 1


@pytest.mark.exhaustive
async def test_a_wall_that_several_audits_of_a_batch_met_is_visited_once_and_told_in_each_with_its_files(lab, tmp_path):
    batch = Resources()
    walled = hypothesis("https://refused-403.lab.example/page", barrier="refused")
    asked, kept = [], []
    async with batch.stack:
        for number in (1, 2, 3):
            before = len(lab.asked)
            gold = f"an answer that only task {number} looks for"
            async with audit(tmp_path / str(number), in_lab(lab), batch=batch) as context:
                claim = walled.model_copy(
                    update={"targets": walled.targets.model_copy(update={"needed_text": (gold,)})}
                )
                present = (await probe()(claim, context))[0]
                assert all(context.store.path(one.sha256).exists() for one in present.artifacts)
            assert present.valid_answer is Answer.YES
            asked.append(len(lab.asked) - before)
            kept.append({one.sha256 for one in present.artifacts})
            shared = [one for one in present.observations if one.name == "shared visit"]
            assert bool(shared) is (number > 1)
    assert asked[0] > 3
    assert asked[1:] == [0, 0]
    assert kept[0] == kept[1] == kept[2]


@pytest.mark.exhaustive
async def test_a_visit_speaks_for_others_only_for_a_while(lab, tmp_path):
    batch, asked = Resources(), []
    walled = hypothesis("https://refused-403.lab.example/page", barrier="refused")
    async with batch.stack:
        for number in (1, 2):
            before = lab.visits("refused-403.lab.example")
            async with audit(tmp_path / str(number), in_lab(lab, caps=WebCaps(kept_seconds=0)), batch=batch) as context:
                await probe()(walled, context)
            asked.append(lab.visits("refused-403.lab.example") - before)
    assert asked[0] == asked[1] > 0


@pytest.mark.exhaustive
async def test_a_browser_is_retired_after_its_pages_and_no_more_are_open_than_allowed(lab, tmp_path):
    record = Record(ArtifactStore(tmp_path))
    async with (
        BrowserPool(WebCaps(pages_at_once=2, pages_per_browser=2)) as pool,
        open_web(in_lab(lab), (SILENT,), pool=pool) as web,
    ):
        hosts = ("article", "sensors", "noise", "contact-form", "consent")
        urls = [f"https://{host}.lab.example/page" for host in hosts]
        await asyncio.gather(*(look(web, url, (), record, patience=0.5) for url in urls))
        assert pool.started == 3
        assert pool.most_open == 2


def from_run(quote: str, barrier: str, *urls: str):
    """A claim whose citation shows the harness's own timeout."""
    cited = Citation(run_id="r", block=0, start=0, end=len(quote), quote=quote)
    return hypothesis(*urls, barrier=barrier).model_copy(update={"citations": (cited,)})


@pytest.mark.exhaustive
async def test_a_page_that_needs_longer_than_the_harness_waited_is_the_harness_fault(lab, tmp_path):
    claim = from_run("Page.goto: Timeout 700ms exceeded", "timeout", "https://slow.lab.example/page")
    async with audit(tmp_path, in_lab(lab)) as context:
        found = {finding.question: finding for finding in await probe()(claim, context)}
    present = found[Question.PRESENT]
    assert present.valid_answer is Answer.YES
    assert present.locus == "harness"
    assert "navigation 0.7 s" in present.summary
    told = {item.name: item.value for item in present.observations}
    assert "not readable (timed out) after" in told["under the run's conditions"]
    assert ": readable after" in told["under patient conditions"]
    assert found[Question.PASSABLE].valid_answer is Answer.UNKNOWN


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", ["framed", "shadow"])
async def test_content_in_a_frame_that_the_harness_does_not_read_is_the_harness_fault(lab, tmp_path, page):
    claim = hypothesis(f"https://{page}.lab.example/page", barrier="frames", needed=("1,250.00",))
    run = Run(run_id="r", environment={"scaffold": "synthetic agent with visit_webpage"}, source="synthetic")
    async with audit(tmp_path, in_lab(lab), runs=(run,)) as context:
        blind = await probe()(claim.model_copy(update={"run_id": "r"}), context)
        seeing = await probe()(claim, context)
    assert (blind[0].valid_answer, blind[0].locus) == (Answer.YES, "harness")
    assert "frames not read" in blind[0].summary
    assert (seeing[0].valid_answer, seeing[0].locus) == (Answer.NO, None)


@pytest.mark.exhaustive
async def test_a_harness_that_waits_long_enough_is_not_blamed(lab, tmp_path):
    claim = from_run("Timeout 20000ms exceeded", "timeout", "https://slow.lab.example/page")
    async with audit(tmp_path, in_lab(lab)) as context:
        findings = await probe()(claim, context)
    assert findings[0].valid_answer is Answer.NO
    assert findings[0].locus is None


@pytest.mark.parametrize(
    ("needed", "page"),
    [
        ("March 5, 2023", "It opened on 2023-03-05."),
        ("2023-03-05", "It opened on 5th March 2023, a Sunday."),
        ("5 km", "A walk of 5 kilometres."),
        ("12.5 percent", "It rose by 12.5%."),
        ("$1,250.00", "The lamp costs $1250."),
    ],
)
def test_numbers_dates_and_units_are_compared_as_people_read_them(needed, page):
    assert visible((needed,), page, "https://site.test/") == (needed,)


@pytest.mark.parametrize(
    ("needed", "page"),
    [("March 5, 2023", "It opened on 2023-03-15."), ("5 km", "A walk of 15 km."), ("5 km", "A walk of 5 miles.")],
)
def test_other_dates_and_units_are_not_taken_for_the_needed_ones(needed, page):
    assert visible((needed,), page, "https://site.test/") == ()
