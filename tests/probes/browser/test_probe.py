"""The probe as an audit calls it: real Chromium, the lab, controls and three values."""

from pathlib import Path

import pytest
import trustme

from cases import EnvironmentNotReady
from probes import Answer, ProbeUnavailableError, Question, WebCaps, WebSettings
from probes.browser import BrowserProbe
from tests.lab.web import Lab
from tests.probes.conftest import CONTROL, SILENT, audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
ZILLOW = "https://www.zillow.com/page"


def probe(**more) -> BrowserProbe:
    return BrowserProbe(**{"resolvers": (SILENT, SILENT), "backoff": (0.05,), "patience": (2.5, 1.0)} | more)


def by_question(findings):
    return {finding.question: finding for finding in findings}


@pytest.mark.exhaustive
async def test_the_wall_on_zillow_is_found_by_its_structure_with_working_controls(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        found = by_question(await probe()(hypothesis(ZILLOW), context))
    present, passable = found[Question.PRESENT], found[Question.PASSABLE]
    assert present.valid_answer is Answer.YES
    assert "HUMAN (PerimeterX), rule human.px-captcha: source '_pxAppId', element #px-captcha" in present.summary
    assert "on all 3 visits" in present.summary
    assert [control.passed for control in present.controls] == [True]
    assert present.lab
    assert {"dns", "tcp", "tls", "http", "browser"} <= {item.name for item in present.observations}
    assert all(item.at for item in present.observations if item.name in {"dns", "http", "browser"})
    shots = [artifact for artifact in present.artifacts if artifact.media_type == "image/jpeg"]
    assert shots
    assert context.store.path(shots[0].sha256).read_bytes().startswith(b"\xff\xd8")
    assert lab.visits("www.zillow.com") == 6  # three visits, and three of the plain spelling as a route
    assert passable.answer is Answer.UNKNOWN
    results = {route.id: route.result for route in passable.routes}
    assert results["variant: http://www.zillow.com/page"] == "failed"
    assert results["plain-http: https://www.zillow.com/page"] == "failed"
    assert results["archived-copy: https://www.zillow.com/page"] == "not_tried"  # the archive is out of reach
    assert {results[name] for name in ("stealth-browser", "captcha-solver", "residential-proxy")} == {"not_permitted"}


async def test_the_same_claim_without_a_network_is_unknown(tmp_path):
    async with audit(tmp_path) as context:
        findings = await probe()(hypothesis(ZILLOW), context)
    assert {finding.valid_answer for finding in findings} == {Answer.UNKNOWN}
    control = findings[0].controls[0]
    assert not control.passed
    assert "offline" in control.observed
    assert not findings[0].lab


async def test_offline_sends_nothing_and_needs_no_browser(lab, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    async with audit(tmp_path, in_lab(lab), offline=True) as context:
        findings = await probe()(hypothesis(ZILLOW), context)
    assert {finding.valid_answer for finding in findings} == {Answer.UNKNOWN}
    assert lab.asked == []
    assert "browser.web" not in context.resources


async def test_dead_controls_make_a_standing_wall_unknown(lab, tmp_path):
    settings = in_lab(lab).model_copy(update={"controls": ("https://failing-503.lab.example/page",)})
    async with audit(tmp_path, settings) as context:
        findings = await probe()(hypothesis(ZILLOW), context)
    assert {finding.valid_answer for finding in findings} == {Answer.UNKNOWN}
    assert lab.visits("www.zillow.com") == 0


@pytest.mark.exhaustive
async def test_a_control_in_the_lab_does_not_vouch_for_the_open_web(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        gone = await probe()(hypothesis("https://gone.example/", barrier="site_gone"), context)
        both = await probe()(hypothesis("https://gone.example/", ZILLOW), context)
    assert gone[0].valid_answer is Answer.UNKNOWN
    assert both[0].valid_answer is Answer.YES
    assert "gone.example" not in both[0].summary


async def test_one_living_control_among_dead_ones_is_enough(lab, tmp_path):
    settings = in_lab(lab).model_copy(update={"controls": ("https://empty-403.lab.example/page", CONTROL)})
    async with audit(tmp_path, settings) as context:
        findings = await probe()(hypothesis("https://sensors.lab.example/page"), context)
    assert findings[0].valid_answer is Answer.NO


async def test_a_page_with_the_needed_text_costs_one_visit_and_refutes(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        findings = await probe()(hypothesis("https://noise.lab.example/page", needed=("$1,250",)), context)
    assert [finding.question for finding in findings] == [Question.PRESENT]
    assert findings[0].valid_answer is Answer.NO
    assert "shows the text that the task needs" in findings[0].summary
    assert lab.visits("noise.lab.example") == 1


async def test_an_echo_of_the_query_is_not_the_needed_text(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        claim = hypothesis("https://echo.lab.example/search?q=1148+wheeler+avenue", needed=("1148 Wheeler Avenue",))
        findings = await probe()(claim, context)
    assert findings[0].valid_answer is Answer.NO
    assert findings[0].summary.endswith("opens without a barrier, though the text that the task needs is not on it.")


@pytest.mark.exhaustive
async def test_what_flickers_is_unknown(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        lab._turns["flicker"] = 1  # the plain answer refuses, then the browser is let in
        first = await probe()(hypothesis("https://flicker.lab.example/page", barrier="refused"), context)
    async with audit(tmp_path, in_lab(lab)) as context:
        lab._turns["flicker"] = 0  # the browser is refused at first and let in later
        second = await probe()(hypothesis("https://flicker.lab.example/page", barrier="refused"), context)
    assert first[0].valid_answer is Answer.NO
    assert second[0].valid_answer is Answer.UNKNOWN
    assert "the visits disagree" in second[0].summary


async def test_a_server_that_asks_to_wait_for_an_hour_is_not_asked_again(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        findings = await probe()(hypothesis("https://too-many.lab.example/page", barrier="refused"), context)
    assert findings[0].valid_answer is Answer.UNKNOWN
    assert "seen 1 of 3 times: status 429" in findings[0].summary


@pytest.mark.exhaustive
async def test_a_readable_gold_page_is_a_permitted_route(lab, tmp_path):
    gold = (ZILLOW, "https://refused-403.lab.example/page", "https://article.lab.example/page")
    async with audit(tmp_path, in_lab(lab), gold=gold) as context:
        found = by_question(await probe()(hypothesis(ZILLOW, needed=("1148 Wheeler Avenue",)), context))
    passable = found[Question.PASSABLE]
    assert found[Question.PRESENT].valid_answer is Answer.YES
    assert passable.valid_answer is Answer.YES
    assert passable.tier == "T2"
    assert "gold-url: https://article.lab.example/page: the text that the task needs is visible" in passable.summary
    assert [route.result for route in passable.routes][:3] == ["failed", "failed", "passed"]
    assert passable.limits == ()


@pytest.mark.exhaustive
async def test_another_spelling_must_show_what_is_needed(tmp_path):
    hosts = {"www.shop.com": "empty-403", "shop.com": "article"}
    async with Lab(hosts=hosts) as lab, audit(tmp_path, in_lab(lab)) as context:
        lacking = by_question(await probe()(hypothesis("https://www.shop.com/page", needed=("chandelier",)), context))
        unasked = by_question(await probe()(hypothesis("https://www.shop.com/page"), context))
    assert lacking[Question.PASSABLE].valid_answer is Answer.UNKNOWN
    assert unasked[Question.PASSABLE].valid_answer is Answer.YES
    assert "variant: https://shop.com/page" in unasked[Question.PASSABLE].summary


async def test_bare_hosts_are_visited_and_actions_and_other_schemes_are_not(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        claim = hypothesis(
            "https://article.lab.example/logout", "file:///etc/passwd", hosts=("contact-form.lab.example",)
        )
        findings = await probe()(claim, context)
    told = {item.name: item.value for item in findings[0].observations}
    assert findings[0].valid_answer is Answer.UNKNOWN
    assert "fetching it might change something" in findings[0].summary
    assert "'file'" in told["address refused"]
    assert ("contact-form.lab.example", "/") in {(host, path) for host, path, _ in lab.asked}
    assert not any("logout" in path for _, path, _ in lab.asked)


async def test_a_hypothesis_without_addresses_is_unknown(tmp_path):
    async with audit(tmp_path) as context:
        findings = await probe()(hypothesis("chrome://settings"), context)
    assert [finding.answer for finding in findings] == [Answer.UNKNOWN]
    assert "'chrome'" in findings[0].summary


async def test_visits_are_capped_for_an_audit(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab, caps=WebCaps(visits=2))) as context:
        findings = await probe()(hypothesis(ZILLOW), context)
    assert findings[0].valid_answer is Answer.UNKNOWN
    assert lab.visits("www.zillow.com") == 1


@pytest.mark.exhaustive
async def test_the_same_web_gives_the_same_words(lab, tmp_path):
    told = []
    for run in ("a", "b"):
        async with audit(tmp_path / run, in_lab(lab)) as context:
            findings = await probe()(hypothesis("https://empty-403.lab.example/page", barrier="refused"), context)
            told.append([(f.id, f.answer, f.summary, f.controls, f.routes) for f in findings])
    assert told[0] == told[1]


async def test_the_plain_client_says_who_it_is(lab, tmp_path):
    async with audit(tmp_path, in_lab(lab)) as context:
        await probe()(hypothesis("https://sensors.lab.example/page"), context)
    agents = [headers.get("user-agent", "") for host, _, headers in lab.asked if host.startswith("sensors")]
    assert any(agent.startswith("Impassable/") for agent in agents)


async def test_the_labs_authority_counts_for_mapped_hosts_with_its_certificates_only(tmp_path):
    stranger = Lab(hosts={"other.test": "article"}, ca=trustme.CA())
    async with (
        Lab() as lab,
        stranger,
        audit(tmp_path, in_lab(lab, resolve={"other.test": stranger.address})) as context,
    ):
        foreign = await probe()(hypothesis("https://other.test/page", barrier="refused"), context)
        framed = await probe()(hypothesis("https://article.lab.example/page", needed=("1250",)), context)
    assert framed[0].valid_answer is Answer.NO
    assert foreign[0].valid_answer is Answer.YES
    assert "TLS fails" in foreign[0].summary
    async with Lab() as lab, audit(tmp_path, WebSettings(resolve=lab.resolve, controls=(CONTROL,))) as context:
        untrusted = await probe()(hypothesis(CONTROL), context)
    assert untrusted[0].valid_answer is Answer.UNKNOWN
    assert "TLS fails" in untrusted[0].controls[0].observed


async def test_chromium_itself_refuses_a_certificate_that_the_lab_did_not_issue(tmp_path):
    """A trusted page that leads to a mapped host with a foreign certificate: Chromium has to stop there by itself."""
    stranger = Lab(hosts={"other.test": "article"}, ca=trustme.CA())
    async with stranger, Lab(put={"https://article.lab.example/page": "https://other.test/page"}) as lab:
        settings = in_lab(lab, resolve={"other.test": stranger.address}).model_copy(
            update={"controls": ("https://sensors.lab.example/page",)}
        )
        async with audit(tmp_path, settings) as context:
            findings = await probe()(hypothesis("https://framed.lab.example/page", needed=("1,250.00",)), context)
    assert "text that the task needs is not on it" in findings[0].summary
    assert stranger.asked == []


async def test_without_chromium_the_remedy_is_named(lab, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    async with audit(tmp_path, in_lab(lab), fresh=True) as context:
        with pytest.raises(EnvironmentNotReady, match="playwright install chromium"):
            await probe()(hypothesis(ZILLOW), context)


@pytest.mark.parametrize("broken", [{"resolve": {"a.test": "nowhere"}}, {"lab_ca": Path("missing.pem")}])
async def test_a_setting_that_cannot_be_used_is_named(tmp_path, broken):
    async with audit(tmp_path, WebSettings(**broken)) as context:
        with pytest.raises(ProbeUnavailableError, match=r"a\.test|missing\.pem"):
            await probe()(hypothesis(ZILLOW), context)
