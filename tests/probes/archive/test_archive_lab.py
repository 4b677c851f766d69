"""Pages of the archive lab through the real probe, Chromium and judge: each its status."""

import asyncio
import json
from contextlib import AsyncExitStack

import pytest

from graph.decide import decide
from probes import Answer, ArtifactStore, ProbeContext, Question, Resources, Settings
from probes.archive import ArchiveProbe
from sandboxes.browser.chromium import BrowserPool
from tests.lab.web import Lab
from tests.probes.archive.tasks import TASKS, case_of, hypothesis_of
from tests.probes.conftest import ENVELOPE, SILENT, in_lab

pytestmark = [pytest.mark.browser]
AT_ONCE = 4
REAL = [page for page in TASKS.values() if page.real]


def probe() -> ArchiveProbe:
    return ArchiveProbe(resolvers=(SILENT, SILENT), backoff=(0.05,), patience=(1.0, 0.6))


@pytest.mark.exhaustive
async def test_real_visits_give_each_page_the_status_that_is_true_of_it(tmp_path):
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(page, batch, lab):
        case, hypothesis = case_of(page), hypothesis_of(page)
        async with gate, AsyncExitStack() as stack:
            context = ProbeContext(
                case=case,
                envelope=ENVELOPE,
                store=ArtifactStore(tmp_path / "artifacts"),
                settings=Settings(web=in_lab(lab)),
                events={},
                stack=stack,
                batch=batch,
            )
            findings = await probe()(hypothesis, context)
        return page, findings, decide(case, (hypothesis,), findings)

    async with (
        Lab(routes=True, hosts={"m.outdated.test": "px-wall"}) as lab,
        BrowserPool() as pool,
        AsyncExitStack() as stack,
    ):
        batch = Resources(stack, held={"browser.pool": pool})
        results = await asyncio.gather(*(one(page, batch, lab) for page in REAL))

    told = {page.id: (verdict.status.value, [f.summary for f in findings]) for page, findings, verdict in results}
    assert {name: status for name, (status, _) in told.items()} == {page.id: page.truth for page in REAL}, json.dumps(
        told, indent=1, ensure_ascii=False
    )
    for page, findings, verdict in results:
        whole = "\n".join((verdict.existence_reasoning, verdict.causation_reasoning, *(f.summary for f in findings)))
        assert page.says in whole, (page.id, whole)
        assert page.gold not in whole.replace(page.says, "")
        supports = {finding.question for finding in findings if finding.id in verdict.decisive}
        assert supports == set(Question) or verdict.score == 0
    gone = next(findings for page, findings, _ in results if page.id == "product-gone")
    assert [finding.valid_answer for finding in gone if finding.question is Question.PRESENT] == [Answer.YES]
    outdated = next(findings for page, findings, _ in results if page.id == "outdated")
    present = next(finding for finding in outdated if finding.question is Question.PRESENT)
    assert [control.name for control in present.controls if control.passed] == [
        "positive control (lab)",
        "archive control (Wayback Machine)",
        "the page is still about what the task asks",
    ]
    assert any(one.name.endswith(".diff.txt") for one in present.artifacts)
    passable = next(finding for finding in outdated if finding.question is Question.PASSABLE)
    assert [(route.id.partition("/web/")[0], route.result) for route in passable.routes] == [
        ("gold-url: https://www.outdated.test/aurora", "failed"),
        ("archived-copy: https://web.archive.org", "not_permitted"),
        ("variant: https://m.outdated.test/aurora", "failed"),
        ("variant: http://www.outdated.test/aurora", "failed"),
    ]


async def asked(tmp_path, case, **settings) -> list:
    """The probe's findings where nothing may be sent."""
    context = ProbeContext(
        case=case, envelope=ENVELOPE, store=ArtifactStore(tmp_path), settings=Settings(**settings), events={}
    )
    findings = await probe()(hypothesis_of(TASKS["outdated"]), context)
    assert context.resources == {}
    return [(finding.question, finding.valid_answer, finding.summary) for finding in findings]


async def test_offline_nothing_is_sent_and_nothing_is_known(tmp_path):
    told = "Offline, as you asked."
    assert await asked(tmp_path, case_of(TASKS["outdated"]), offline=True) == [
        (question, Answer.UNKNOWN, told) for question in (Question.PRESENT, Question.PASSABLE, Question.CAUSED)
    ]


async def test_without_an_expected_answer_or_its_pages_there_is_nothing_to_look_for(tmp_path):
    case = case_of(TASKS["outdated"])
    for lack, words in ({"gold": None}, "we know no expected answer"), ({"gold_urls": ()}, "no page that goes with"):
        lacking = case.model_copy(update={"task": case.task.model_copy(update=lack)})
        ((question, answer, told),) = await asked(tmp_path, lacking)
        assert (question, answer) == (Question.PRESENT, Answer.UNKNOWN)
        assert words in told
