"""Real failed runs whose faults people have labelled; skipped where the material does not lie beside the checkout."""

from pathlib import Path

import pytest

from cases.events import events_of
from cases.library import Inputs, Library
from probes.agent_errors import exclusions_of

REAL = Path(__file__).parents[3].parent / "shared" / "real" / "transcripts"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="no real material beside this checkout")

CTF = "inspect_intercode_ctf.eval"


@pytest.mark.parametrize(
    ("name", "task", "shown"),
    [
        ("whowhen_ag109.json", "", {"only_said", "not_retried"}),
        ("whowhen_ag120.json", "", {"only_said", "placeholder"}),
        ("whowhen_ag123.json", "", {"placeholder"}),
        ("whowhen_hc10.json", "", {"unscrolled"}),
        ("openhands_ponyc4588.jsonl", "", {"budget_spent", "misused_tool"}),
        ("hal_corebench_1624349_gpt41_v2_UPLOAD.json", "", set()),
        (CTF, "56", {"budget_spent", "not_installed"}),
        (CTF, "78", {"budget_spent", "unprinted"}),
        (CTF, "83", {"unprinted"}),
        (CTF, "86", {"budget_spent", "own_code"}),
        (CTF, "15", set()),
        (CTF, "47", set()),
        (CTF, "64", set()),
    ],
)
def test_a_real_run_shows_what_people_see_in_it_and_nothing_else(name, task, shown):
    library = Library.open(Inputs(runs=(REAL / name,)))
    case = library.case(library.resolve(task) if task else library.tasks()[0])
    events = {run.run_id: events_of(run.transcript) for run in case.runs if run.transcript}
    exclusions = exclusions_of(case, events)
    assert {item.pattern for item in exclusions} == shown
    assert all(case.cites(citation) for item in exclusions for citation in item.citations)
    assert not any(item.decisive for item in exclusions)
