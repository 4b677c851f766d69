"""Every scenario of the lab in real Chromium, each in its class, and no open page called blocked."""

import asyncio
import sys
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from probes import ArtifactStore, Barrier, WebCaps
from probes.barriers import Trait, entries, having
from probes.web.judge import read
from probes.web.observe import look
from probes.web.record import Record
from probes.web.web import open_web
from tests.lab.web import load_scenarios
from tests.probes.conftest import SILENT, in_lab

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATIENCE = {"clears": 15.0}
"""Seconds; a challenge that clears by itself does so later on a busy machine. The others need no more than DEFAULT."""
DEFAULT = 2.2
AT_ONCE = 8
"""Pages; most of a look is waiting for one to come to rest."""
CAPS = WebCaps(visits=1000, page_seconds=12, plain_seconds=12, pages_at_once=AT_ONCE)


@pytest.mark.parametrize("of_each", [2, pytest.param(None, marks=pytest.mark.exhaustive)])
async def test_every_scenario_is_seen_for_what_it_is(of_each, lab, tmp_path, capsys):
    classes = defaultdict(list)
    for scenario in load_scenarios().values():
        classes[scenario.one_visit or scenario.truth].append(scenario)
    chosen = [scenario for alike in classes.values() for scenario in alike[:of_each]]
    slow_first = sorted(chosen, key=lambda one: one.truth != "timeout" and one.id not in PATIENCE)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(scenario):
        async with gate:
            record = Record(ArtifactStore(tmp_path))
            seen = await look(
                web,
                scenario.url,
                scenario.needed,
                record,
                patience=PATIENCE.get(scenario.id, DEFAULT),
                with_sibling=Barrier(scenario.barrier) in having(Trait.BESIDE),
            )
            seen = replace(seen, strange=scenario.strange)
            reading = read(seen)
            return scenario, reading.barrier.value if reading.barrier else reading.kind, seen

    async with open_web(in_lab(lab, caps=CAPS), (SILENT, SILENT)) as web:
        results = await asyncio.gather(*map(one, slow_first))

    confusion = Counter((scenario.one_visit or scenario.truth, got) for scenario, got, _ in results)
    table = "\n".join(f"  true {true:13} seen {got:13} {count}" for (true, got), count in sorted(confusion.items()))
    with capsys.disabled():
        sys.stdout.write(f"\n{table}\n")
    wrong = {s.id: (got, read(seen).detail) for s, got, seen in results if got != (s.one_visit or s.truth)}
    assert wrong == {}
    for scenario, _, seen in results:
        rules = {match.rule for match in seen.matches}
        assert scenario.rule is None or scenario.rule in rules, scenario.id
        assert not rules & set(scenario.trap_of), scenario.id
    measured = set(Barrier) & {true for true, _ in confusion}
    assert measured == {barrier for barrier, known in entries().items() if known.on_page}
    assert of_each or len(results) >= 80
