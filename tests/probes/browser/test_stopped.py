"""What a recorded page was, beside what stands there now."""

from dataclasses import replace

import pytest

from cases import Block, Case, Events, PageVisit, Run, Task, Transcript
from cases.sites import with_sites
from probes import Answer, Barrier, Hypothesis, Targets
from probes.browser.stopped import stopped
from probes.web.records import Look, Outcome, Reading
from probes.web.snapshot import View
from sandboxes.browser.layers import Names

URL = "https://www.lamps.test/price-list"
NOW = View(URL, status=403, text="Access to this page has been denied.")
OUTCOME = Outcome(URL, Reading("barrier", "", Barrier.REFUSED), 3, (Look(URL, Names(None), view=NOW),))
LAMPS = "The Aurora lamp costs 12 euros and has a green shade. "
SCRIPT = "<script>window.x = 'a long script that nobody sees';</script>" * 9


def caused(recorded: str, site: str = "www.lamps.test", url: str = URL, before: tuple[Block, ...] = ()) -> Answer:
    asked = f"According to {site}, what is the price?"
    block = Block(index=len(before), role="tool", kind="result", text=recorded)
    run = Run(run_id="r", transcript=Transcript(blocks=(*before, block)), source="synthetic")
    case = Case(benchmark="synthetic", task_id="t", task=with_sites(Task(prompt=asked)), runs=(run,))
    events = Events(visits=(PageVisit(url=url, title=None, error=None, text=recorded, blocks=(block.index,)),))
    targets = Targets(urls=(url,))
    hypothesis = Hypothesis(
        id="h",
        rubric="assistantbench",
        category="1.1",
        barrier=Barrier.PAGE_UNUSABLE,
        statement="synthetic",
        targets=targets,
        citations=(),
        proposer="structure",
    )
    return stopped(hypothesis, case, run, events, (replace(OUTCOME, url=url),))[0]


@pytest.mark.parametrize(
    "recorded",
    [
        "",
        "Nein.",
        "Sorry, you have been blocked. You have no permission to access this page. "
        + "Ray ID: 1a2b3c4d. " * 10
        + "Access denied.",
        f"<!doctype html><html><head>{SCRIPT}</head><body><p>Please wait.</p></body></html>",
        f"<html><title>X</title><body><p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>{SCRIPT}</body></html>",
    ],
)
def test_a_notice_is_no_page_that_the_run_got(recorded: str) -> None:
    assert caused(recorded) is Answer.YES


@pytest.mark.parametrize("recorded", [LAMPS * 6, f"<html><body><p>{LAMPS * 6}</p>{SCRIPT}</body></html>"])
def test_a_page_with_content_is(recorded: str) -> None:
    assert caused(recorded) is Answer.NO


def test_a_long_page_that_speaks_of_refusals_is_one_too() -> None:
    assert caused(LAMPS * 40 + "Access denied? Ask the shop.") is Answer.NO


def test_another_host_of_the_task_s_site_is_needed_unless_the_agent_thought_of_it() -> None:
    other = "https://prices.lamps.com/list"
    call = Block(index=1, role="assistant", kind="call", text=f"goto {other}")
    page = Block(index=0, role="tool", kind="result", text=f"Lamps. Our prices: {other}")
    assert caused("", "lamps.com", other, (page, call)) is Answer.YES
    assert caused("", "lamps.com", other, (call.model_copy(update={"index": 0}),)) is Answer.UNKNOWN
    assert caused("", "prices.lamps.com", other, (call.model_copy(update={"index": 0}),)) is Answer.YES
    assert caused("", "lamps.com", "https://www.lamps.com/list", ()) is Answer.YES
