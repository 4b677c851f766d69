"""The same visits from a second place: real proxies on loopback lead to what another network would be shown."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from probes import Answer, Question
from tests.lab.web import Lab
from tests.lab.web.vantage import PASSWORD, USER, Vantage
from tests.probes.browser.test_probe import by_question, probe
from tests.probes.conftest import audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
PAGE = "https://tides.lab.example/page"
PRESENT, PASSABLE = Question.PRESENT, Question.PASSABLE
NEAR = {"tides.lab.example": "cloudfront-geo"}
FAR = {"tides.lab.example": "article"}


async def seen(
    tmp_path: Path, here: dict[str, str], there: dict[str, str], kind="http", *, broken=False, barrier="geo_block"
):
    """The findings with what the second place was asked, and everything that was written."""
    async with (
        Lab(hosts=here) as near,
        Lab(hosts=there, ca=near._ca) as far,
        Vantage(kind, far.address, refuses=broken) as second,
        audit(tmp_path, in_lab(near).model_copy(update={"vantage": SecretStr(second.url)})) as context,
    ):
        found = by_question(await probe()(hypothesis(PAGE, barrier=barrier), context))
    return found, second, near


def controls(finding, name="second vantage"):
    return [control for control in finding.controls if control.name.startswith(name)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_a_block_that_another_network_is_not_shown_is_no_property_of_the_page(tmp_path, kind):
    found, second, _ = await seen(tmp_path, NEAR, FAR, kind)
    present = found[PRESENT]
    assert present.valid_answer is Answer.UNKNOWN
    assert "it depends on the network" in present.summary.lower()
    assert [control.passed for control in controls(present)] == [False]
    assert found[PASSABLE].valid_answer is not Answer.NO
    assert any(route.id == f"second-vantage: {PAGE}" for route in found[PASSABLE].routes)
    assert second.asked
    assert second.strangers == 0
    assert any(item.name == "second vantage: browser" for item in present.observations)


@pytest.mark.exhaustive
async def test_a_block_that_both_are_shown_stands_with_one_more_control(tmp_path):
    found, second, _ = await seen(tmp_path, NEAR, NEAR)
    assert found[PRESENT].valid_answer is Answer.YES, found[PRESENT]
    assert [control.passed for control in controls(found[PRESENT])] == [True]
    assert f"HTTP proxy at 127.0.0.1:{second.port}" in " ".join(found[PRESENT].limits)


@pytest.mark.exhaustive
async def test_a_page_that_another_network_is_shown_is_a_difference_though_made_up_addresses_give_it_too(tmp_path):
    """That it is the very page cannot be told there; that no wall stands before it can."""
    found, second, _ = await seen(tmp_path, NEAR, FAR, barrier="page_unusable")
    present = found[PRESENT]
    assert second.asked
    assert present.valid_answer is Answer.UNKNOWN, present
    assert "it depends on the network" in present.summary.lower()
    assert [control.passed for control in controls(present)] == [False]
    assert found[PASSABLE].valid_answer is not Answer.NO


@pytest.mark.exhaustive
async def test_a_page_that_opens_here_and_not_there_is_no_refutation(tmp_path):
    found, _, _ = await seen(tmp_path, FAR, NEAR)
    assert found[PRESENT].valid_answer is Answer.UNKNOWN
    assert PASSABLE not in found


@pytest.mark.exhaustive
async def test_a_page_that_opens_in_both_places_is_open(tmp_path):
    found, second, near = await seen(tmp_path, FAR, FAR)
    assert found[PRESENT].valid_answer is Answer.NO
    assert near.visits("tides.lab.example")
    assert second.asked


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_a_proxy_that_does_not_serve_says_nothing_of_the_page(tmp_path, kind):
    found, _, _ = await seen(tmp_path, NEAR, FAR, kind, broken=True)
    assert found[PRESENT].valid_answer is Answer.YES
    assert controls(found[PRESENT]) == []
    assert "told us nothing about" in " ".join(found[PRESENT].limits)


@pytest.mark.exhaustive
async def test_the_password_stands_nowhere_and_goes_to_no_site(tmp_path, caplog):
    async with Lab(hosts=NEAR) as near, Vantage("http") as second:
        settings = in_lab(near).model_copy(update={"vantage": SecretStr(second.url)})
        async with audit(tmp_path, settings) as context:
            findings = await probe()(hypothesis(PAGE, barrier="geo_block"), context)
            told = repr((findings, context.settings)) + context.settings.model_dump_json() + caplog.text
    told += repr(near.asked)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert second.asked
    for secret in (PASSWORD, USER, "s3cret"):
        assert secret not in told
        assert secret.encode() not in kept
