"""The page that the benchmark names opens and says something else in the place of what is expected."""

from dataclasses import replace

import pytest

from cases import Events, PageVisit, Run, Task
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


async def asked(
    lab, tmp_path, *, more: str = "", then: str = "£16.20", was: str = "", gold: str = "£14.60", pages=None
):
    own = NOTICE + FARES.format(now="17.40") + "</tr></table>" + more
    task = TASK.model_copy(update={"gold": gold})
    was = was or f"{TEXT} Ferry fares Adult day return {then} Bicycle £2.45"
    visit = PageVisit(url=OWN, title=None, error=None, text=was, blocks=(1,))
    first = f'{NOTICE}<a href="/fares">Fares</a> <a href="/pier">Pier</a>'
    with served({"/": first, "/fares": own, "/pier": f"{NOTICE}The pier is open."} | (pages or {})) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=task, runs=(Run(run_id="r", source="r.json"),)) as alone:
            context = replace(alone, events={"r": Events(visits=(visit,))})
            claim = hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE)
            return {finding.question: finding for finding in await probe()(claim, context)}


async def test_an_expected_value_that_its_own_page_had_replaced_when_it_was_shown_is_replaced(lab, tmp_path):
    found = await asked(lab, tmp_path)
    assert {question: one.valid_answer for question, one in found.items()} == {
        Question.PRESENT: Answer.YES,
        Question.PASSABLE: Answer.NO,
        Question.CAUSED: Answer.YES,
    }
    assert found[Question.PRESENT].barrier is Barrier.REPLACED
    assert OWN in found[Question.PRESENT].summary


@pytest.mark.parametrize(
    "changes",
    [
        {"then": "£14.60"},
        {"was": "The harbour in winter, by lamplight: a walk with the warden, who knows every boat and its owner." * 3},
        {"more": '<figure><img src="/winter-fares.png"></figure>'},
        {"gold": "£34.80"},
        {"gold": "£14.95"},
        {"gold": "£39.70"},
        {"gold": "£15.66", "more": "<p>Members pay 10% less.</p>"},
        {"gold": "Adults £14.60"},
        {"pages": {"/pier": f"{NOTICE}<select><option>2024</option></select>"}},
        {"pages": {"/pier": f"{NOTICE}In winter: £14.60"}},
    ],
    ids=[
        "shown what is expected",
        "shown another page",
        "a picture",
        "two of them",
        "a difference",
        "two of one and two of another",
        "less by a share",
        "more than a number",
        "a choice not made",
        "elsewhere",
    ],
)
async def test_where_it_may_be_told_all_the_same_nothing_is_replaced(lab, tmp_path, changes):
    found = await asked(lab, tmp_path, **changes)
    assert found[Question.PRESENT].valid_answer is not Answer.YES, found
