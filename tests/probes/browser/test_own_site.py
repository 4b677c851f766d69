"""The page that the benchmark names opens and says something else in the place of what is expected."""

from dataclasses import replace
from email.message import Message
from urllib.parse import quote

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


async def asked(lab, tmp_path, *, more: str = "", pages=None):
    own = NOTICE + FARES.format(now="17.40") + "</tr></table>" + more
    first = f'{NOTICE}<a href="/fares">Fares</a> <a href="/pier">Pier</a>'
    with served({"/": first, "/fares": own, "/pier": f"{NOTICE}The pier is open."} | (pages or {})) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=TASK) as context:
            claim = hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE)
            return {finding.question: finding for finding in await probe()(claim, context)}


async def met(lab, tmp_path, address, barrier, visits):
    """What is found of its own page where a run visited it so."""
    web = in_lab(lab, resolve={SITE: address})
    async with audit(tmp_path, web, task=TASK, runs=(Run(run_id="r", source="r.json"),)) as alone:
        context = replace(alone, events={"r": Events(visits=visits)})
        return await probe()(hypothesis(OWN, barrier=barrier).model_copy(update={"run_id": "r"}), context)


async def test_that_its_own_page_says_another_value_in_its_place_is_told_and_proves_nothing(lab, tmp_path):
    found = await asked(lab, tmp_path)
    assert {question: one.valid_answer for question, one in found.items()} == {Question.PRESENT: Answer.UNKNOWN}
    assert OWN in found[Question.PRESENT].summary
    assert "something else in the place of what is expected" in found[Question.PRESENT].summary


async def test_a_page_to_which_no_other_leads_is_one_of_its_site_with_those_to_which_it_leads(lab, tmp_path):
    pages = {"/": NOTICE, "/winter": f"{NOTICE}Adult day return in winter: £14.60"}
    found = await asked(lab, tmp_path, more='<a href="/winter">In winter</a>', pages=pages)
    assert "/winter" in found[Question.PRESENT].summary


@pytest.mark.parametrize(
    ("before", "error", "times", "told"),
    [
        (2, "429 Too Many Requests", 1, True),
        pytest.param(2, "403 Forbidden", 1, False, marks=pytest.mark.exhaustive),
        pytest.param(2, "net::ERR_CONNECTION_RESET after 429 ms", 1, False, marks=pytest.mark.exhaustive),
        (0, "429 Too Many Requests", 1, False),
        pytest.param(2, "429 Too Many Requests", 2, False, marks=pytest.mark.exhaustive),
    ],
)
async def test_who_was_refused_once_for_a_pace_alone_may_come_first(lab, tmp_path, before, error, times, told):
    pier = PageVisit(url=f"http://{SITE}/pier", title=None, error=None, text=TEXT, blocks=(1,))
    visit = tuple(PageVisit(url=OWN, title=None, error=error, text="", blocks=(2 + n,)) for n in range(times))
    shown = NOTICE + FARES.format(now="14.60") + "</tr></table>"
    with served({"/": NOTICE, "/fares": shown}) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=TASK, runs=(Run(run_id="r", source="r.json"),)) as alone:
            context = replace(alone, events={"r": Events(visits=(pier,) * before + visit)})
            claim = hypothesis(OWN, barrier=Barrier.REFUSED).model_copy(update={"run_id": "r"})
            found = await probe()(claim, context)
    assert [(one.question, one.tier) for one in found[1:]] == ([(Question.PASSABLE, "T1")] if told else [])


FILLED = "<a href='#fares'>Fares</a><script>onhashchange = () => document.body.append('£14' + '.60')</script>"


@pytest.mark.parametrize(
    "more",
    [pytest.param(FILLED, marks=pytest.mark.exhaustive), "<p>Adult day return <span>£14</span><span>.60</span></p>"],
    ids=["a page that scripts fill", "a price in two parts"],
)
async def test_a_site_of_one_page_that_may_show_what_is_expected_is_no_barrier(lab, tmp_path, more):
    with served({}, every=NOTICE * 2 + more) as address:
        web = in_lab(lab, resolve={SITE: address})
        async with audit(tmp_path, web, task=TASK.model_copy(update={"gold_urls": ()})) as context:
            told = await probe()(hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE), context)
    assert Answer.YES not in {one.valid_answer for one in told if one.question is Question.PRESENT}, told[0].summary


@pytest.mark.exhaustive
async def test_what_stands_at_every_address_is_pressed_but_nothing_is_sent(lab, tmp_path):
    agreed = "<script>document.cookie && (document.body.innerHTML = decodeURIComponent('{shown}'))</script>"
    shown = quote(NOTICE + FARES.format(now="14.60") + "</tr></table>")
    gate = "<p>Before you go on</p><button onclick=\"document.cookie='yes=1;path=/'; location.reload()\">Go on</button>"
    sends = "<p>Before you go on</p><form method='post'><button name='plan' value='year'>Go on</button></form>"
    for page, result in ((gate + agreed.replace("{shown}", shown), "passed"), (sends, "not_tried")):
        with served({}, every=page) as address:
            web = in_lab(lab, resolve={SITE: address})
            async with audit(tmp_path, web, task=TASK) as context:
                told = await probe()(hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE), context)
        routes = [one for each in told if each.question is Question.PASSABLE for one in each.routes]
        assert [one.result for one in routes if one.id.startswith("pressed")] == [result]


@pytest.mark.parametrize(
    ("then", "wait", "answer"),
    [
        ("Out of service until Monday", 86_400, Answer.YES),
        pytest.param("Out of service until Monday", 90, Answer.UNKNOWN, marks=pytest.mark.exhaustive),
        ("Welcome", 86_400, Answer.UNKNOWN),
    ],
)
async def test_a_site_out_of_service_for_longer_than_any_run_waits_was_seen_twice_where_the_run_saw_the_same(
    lab, tmp_path, then, wait, answer
):
    visit = PageVisit(url=OWN, title=None, error=None, text=then, blocks=(1,))
    with served({}, every="Out of service until Monday", code=503, headers={"Retry-After": f"{wait}"}) as address:
        [found, *_] = await met(lab, tmp_path, address, Barrier.SERVER_ERROR, (visit,))
    assert (found.question, found.answer) == (Question.PRESENT, answer), found.summary


@pytest.mark.parametrize(
    ("errors", "failing", "told"),
    [
        (("503 Service Unavailable",), 1, True),
        pytest.param(("503 Service Unavailable",) * 2, 1, False, marks=pytest.mark.exhaustive),
        pytest.param(("502 Bad Gateway",), 1, False, marks=pytest.mark.exhaustive),
        pytest.param(("503 Service Unavailable",), 0, False, marks=pytest.mark.exhaustive),
    ],
    ids=["once", "twice", "with another status", "but not now"],
)
async def test_who_asked_once_for_a_page_that_fails_at_its_first_request_may_ask_again(
    lab, tmp_path, errors, failing, told
):
    visits = tuple(PageVisit(url=OWN, title=None, error=error, text="", blocks=(n,)) for n, error in enumerate(errors))
    shown = NOTICE + FARES.format(now="14.60") + "</tr></table>"
    with served({"/": NOTICE, "/fares": shown}, failing=failing) as address:
        found = await met(lab, tmp_path, address, Barrier.SERVER_ERROR, visits)
    assert found[0].valid_answer is Answer.NO, found[0].summary
    assert [(one.question, one.tier) for one in found[1:]] == ([(Question.PASSABLE, "T1")] if told else [])


@pytest.mark.parametrize(
    ("said", "answered", "answer"),
    [
        ("", "", Answer.UNKNOWN),
        pytest.param("", "Jim Hawkins", Answer.NO, marks=pytest.mark.exhaustive),
        pytest.param("Its skipper is Tom Eldridge.", "", Answer.NO, marks=pytest.mark.exhaustive),
    ],
)
async def test_a_site_without_what_is_expected_is_no_clear_field_for_a_run_that_gave_no_answer(
    lab, tmp_path, said, answered, answer
):
    task = Task(prompt=f"What is the name of the ferry's skipper, according to {SITE}?", gold="Tom Eldridge")
    asks = "<form action='/order' method='post'><input name='card'><button>Order</button></form>"
    with served({"/": NOTICE + "<a href='/pier'>Pier</a>", "/pier": NOTICE + said + asks}) as address:
        runs = (Run(run_id="r", source="r.json", answer=answered),)
        async with audit(tmp_path, in_lab(lab, resolve={SITE: address}), task=task, runs=runs) as context:
            claim = hypothesis(f"http://{SITE}/", barrier=Barrier.PAGE_UNUSABLE).model_copy(update={"run_id": "r"})
            [found, *_] = await probe()(claim, context)
    assert found.valid_answer is answer, found.summary


def without_a_browser(headers: Message) -> tuple[int, str] | None:
    return None if headers["Upgrade-Insecure-Requests"] else (403, "<h1>Access Denied</h1>")


@pytest.mark.parametrize(
    ("error", "told"),
    [("403 Client Error: Forbidden", True), ("net::ERR_CONNECTION_RESET", False)],
    ids=["as it is refused now", "otherwise"],
)
async def test_who_was_refused_as_a_plain_client_is_may_come_with_a_browser(lab, tmp_path, error, told):
    shown = NOTICE + FARES.format(now="14.60") + "</tr></table>"
    visits = (PageVisit(url=OWN, title=None, error=error, text="", blocks=(0,)),)
    with served({"/": NOTICE, "/fares": shown}, gate=without_a_browser) as address:
        found = await met(lab, tmp_path, address, Barrier.REFUSED, visits)
    assert found[0].valid_answer is Answer.NO, found[0].summary
    assert [(one.question, one.routes[0].id) for one in found[1:]] == (
        [(Question.PASSABLE, f"in-a-browser: {OWN}")] if told else []
    )


CHECKS = """<title>Verificando</title><p>Aguarde</p><script>
setTimeout(() => { document.cookie = 'checked=1'; location.reload() }, 700)
</script>"""


def checking(headers: Message) -> tuple[int, str] | None:
    return None if "checked=1" in (headers["Cookie"] or "") else (503, CHECKS)


async def test_a_brief_page_that_checks_its_visitor_is_waited_for(lab, tmp_path):
    shown = NOTICE + FARES.format(now="14.60") + "</tr></table>"
    visit = PageVisit(url=OWN, title="Verificando", error=None, text="Aguarde", blocks=(1,))
    with served({"/": NOTICE, "/fares": shown}, gate=checking) as address:
        present, passable = await met(lab, tmp_path, address, Barrier.SERVER_ERROR, (visit,))
    assert (present.question, present.valid_answer) == (Question.PRESENT, Answer.NO), present.summary
    assert [(one.id, one.result) for one in passable.routes] == [(f"waited-for: {OWN}", "passed")]


LIES_OVER = """<div id="over" style="position: fixed; inset: 0; background: #000c"><p>Before you read on</p>
<button onclick="{does}">Accept</button></div>"""


@pytest.mark.parametrize(
    ("does", "answer"),
    [("this.after('It failed.')", Answer.UNKNOWN), ("this.closest('div').remove()", Answer.NO)],
    ids=["stays", "goes"],
)
async def test_a_page_over_which_something_lies_whatever_is_pressed_is_not_said_to_open(lab, tmp_path, does, answer):
    task = Task(prompt=f"Has the ferry of {SITE} a bar?", gold="yes", gold_urls=(OWN,))
    with served({"/": NOTICE, "/fares": NOTICE + LIES_OVER.replace("{does}", does)}) as address:
        async with audit(tmp_path, in_lab(lab, resolve={SITE: address}), task=task) as context:
            [found, *_] = await probe()(hypothesis(OWN, barrier=Barrier.PAGE_UNUSABLE), context)
    assert (found.question, found.answer) == (Question.PRESENT, answer), found.summary
