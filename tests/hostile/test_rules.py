"""No text that an agent, a page or an earlier judge wrote moves a verdict that rules decide."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graph.verdict import Status, Verdict
from tests.hostile.auditing import audited, deciding
from tests.hostile.planting import PLACES, WORLDS, Attack, attacks, planted

UNDISTURBED: dict[str, dict[str, object]] = {}
EXPECTED = {
    "no barrier": Status.NOT_SUPPORTED,
    "overcome": Status.NOT_SUPPORTED,
    "unsettled": Status.INCONCLUSIVE,
    "claimed": Status.NOT_SUPPORTED,
}


async def judged(world: str, tmp_path: Path, *planting: Any) -> Verdict:
    return (await audited(planted(world, *planting), tmp_path)).verdict


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
            attacked = deciding(await judged(world, tmp_path, (place,), attack.words))
            if attacked != calm:
                moved.append((world, place, attacked))
    assert moved == []
