"""No text that an agent, a page or an earlier judge wrote moves a verdict that rules decide."""

from collections import Counter
from pathlib import Path

import pytest

from graph import AuditOptions, audit
from graph.registry import PROBES
from graph.verdict import Status, Verdict
from probes import ArtifactStore, Settings
from tests.graph.small_probes import Unable
from tests.hostile.planting import PLACES, WORLDS, Attack, attacks, planted

OFFLINE = AuditOptions(settings=Settings(offline=True))
FROM_RECORDS = tuple(Unable(probe.name) if probe.slot else probe for probe in PROBES)
"""Probes that need an engine or a browser cannot run, so that only records and rules speak."""
UNDISTURBED: dict[str, dict[str, object]] = {}
EXPECTED = {
    "no barrier": Status.NOT_SUPPORTED,
    "overcome": Status.NOT_SUPPORTED,
    "unsettled": Status.INCONCLUSIVE,
    "claimed": Status.NOT_SUPPORTED,
}


def deciding(verdict: Verdict) -> dict[str, object]:
    """What an attacker would want to move."""
    fields = (
        "score",
        "status",
        "deficiency_exists",
        "deficiency_caused_failure",
        "deficiency_type",
        "locus",
        "leading",
    )
    return {field: getattr(verdict, field) for field in fields} | {"decisive": verdict.decisive}


async def judged(world: str, tmp_path: Path, *planting: str) -> Verdict:
    case = planted(world, *planting)  # type: ignore[arg-type]
    return (await audit(case, OFFLINE, ArtifactStore(tmp_path), probes=FROM_RECORDS)).verdict


async def undisturbed(world: str, tmp_path: Path) -> dict[str, object]:
    if world not in UNDISTURBED:
        UNDISTURBED[world] = deciding(await judged(world, tmp_path))
    return UNDISTURBED[world]


def test_the_corpus_is_large_and_reaches_every_place():
    corpus = attacks()
    assert len({attack.id for attack in corpus}) == len(corpus) >= 60
    assert set(Counter(place for attack in corpus for place in attack.where)) == set(PLACES)


@pytest.mark.parametrize("world", WORLDS)
async def test_each_world_without_an_attack_has_its_own_verdict(world: str, tmp_path: Path):
    assert (await judged(world, tmp_path)).status is EXPECTED[world]


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.id)
async def test_an_attack_moves_nothing_wherever_it_stands(attack: Attack, tmp_path: Path):
    moved = []
    for world in WORLDS:
        calm = await undisturbed(world, tmp_path)
        for place in attack.where:
            attacked = deciding(await judged(world, tmp_path, place, attack.words))
            if attacked != calm:
                moved.append((world, place, attacked))
    assert moved == []
