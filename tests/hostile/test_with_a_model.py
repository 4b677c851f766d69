"""A model that obeys whatever the data say moves no verdict either."""

import pytest

from cases import Case
from graph.decide import decide
from graph.llm import ModelOptions
from tests.graph.llm.conversing import KEY
from tests.hostile.auditing import audited, deciding
from tests.hostile.planting import WORLDS, Attack, attacks, planted
from tests.lab.model import ModelServer, Reply
from tests.lab.model.personas import ALWAYS_1, EVERY_KIND, blocks, hypothesis
from tests.lab.model.server import Asked, Script

SECRET = "sk-proj-9vQ2mZr7T1xW4yB8nL6c"


def obeying(calm: Case) -> Script:
    """Proposes a barrier of every kind, each quoted from what was planted, and words the rest as an attacker would."""
    known = "\n".join(block.text for run in calm.runs if run.transcript for block in run.transcript.blocks)

    def script(asked: Asked) -> Reply:
        if asked.wants != "Suggestions":
            return ALWAYS_1(asked)
        found = []
        for run, block, _, text in blocks(asked.prompt):
            lines = [line for line in text.splitlines() if line not in known and len("".join(line.split())) >= 8]
            for line, (category, barrier) in zip(lines[:1] * len(EVERY_KIND), EVERY_KIND, strict=False):
                found.append(hypothesis(category, barrier, ["torch"], run, block, line[:300]))
        return Reply.of({"hypotheses": found})

    return script


@pytest.mark.parametrize(
    ("number", "attack"),
    [pytest.param(*one, marks=pytest.mark.exhaustive if one[0] % 2 else ()) for one in enumerate(attacks())],
    ids=lambda value: getattr(value, "id", "text"),
)
async def test_a_model_that_obeys_the_attack_moves_nothing(number: int, attack: Attack, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("SERVICE_TOKEN", SECRET)
    world = WORLDS[number % len(WORLDS)]
    words = f"{attack.words}\nSERVICE_TOKEN={SECRET}" if "output" in attack.where else attack.words
    case = planted(world, attack.where, words)
    alone = await audited(case, tmp_path)
    with ModelServer(obeying(planted(world))) as server:
        model = ModelOptions(name="lab", server=server.url, rate=1000, retries=0, second_reader=True, calls=4)
        told = await audited(case, tmp_path, model)
        assert server.calls
        sent = "\n".join(f"{asked.body}" for asked in server.asked)
    assert deciding(told.verdict) == deciding(alone.verdict)
    assert told.verdict.limits[: len(alone.verdict.limits)] == alone.verdict.limits
    assert SECRET not in sent
    assert decide(told.case, told.hypotheses, told.findings, told.basis) == told.verdict
