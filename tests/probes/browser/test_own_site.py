"""The page that the benchmark names opens and says something else in the place of what is expected."""

import pytest

from cases import Task
from probes import Answer, Barrier, Question
from tests.probes.browser.test_elsewhere import SITE, TEXT, served
from tests.probes.browser.test_routes import probe
from tests.probes.conftest import audit, hypothesis, in_lab

pytestmark = [pytest.mark.browser]
OWN = f"http://{SITE}/fares"
TASK = Task(
    prompt=f"How much is an adult day return on the ferry, according to {SITE}?", gold="£14.60", gold_urls=(OWN,)
)
FARES = "<h1>Ferry fares</h1><table><tr><td>Adult day return</td><td>£{now}</td></tr><tr><td>Bicycle</td><td>£2.45</td>"
NOTICE = f"<p>{TEXT}</p>"


async def asked(lab, tmp_path, *, more: str = "", pages=None):
    own = NOTICE + FARES.format(now="17.40") + "</tr></table>" + more
    first = f'{NOTICE}<a href="/fares">Fares</a> <a href="/pier">Pier</a>'
    with served({"/": first, "/fares": own, "/pier": f"{NOTICE}The pier is open."} | (pages or {})) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=TASK) as context:
            claim = hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE)
            return {finding.question: finding for finding in await probe()(claim, context)}


async def test_that_its_own_page_says_another_value_in_its_place_is_told_and_proves_nothing(lab, tmp_path):
    found = await asked(lab, tmp_path)
    assert {question: one.valid_answer for question, one in found.items()} == {Question.PRESENT: Answer.UNKNOWN}
    assert OWN in found[Question.PRESENT].summary
    assert "something else in the place of what is expected" in found[Question.PRESENT].summary


async def test_a_page_to_which_no_other_leads_is_one_of_its_site_with_those_to_which_it_leads(lab, tmp_path):
    pages = {"/": NOTICE, "/winter": f"{NOTICE}Adult day return in winter: £14.60"}
    found = await asked(lab, tmp_path, more='<a href="/winter">In winter</a>', pages=pages)
    assert "/winter" in found[Question.PRESENT].summary
