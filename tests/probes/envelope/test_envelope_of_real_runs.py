"""What real transcripts show of their machines; skipped where the real material is absent."""

from pathlib import Path

import pytest

from cases import Case
from cases.events import events_of
from cases.library import Inputs, Library
from probes import Envelope
from probes.envelope import envelope_for, load_profile

REAL = Path(__file__).parents[4] / "shared" / "real" / "transcripts"

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real material is not here")


def envelope_of(file: str, task: str) -> tuple[Case, Envelope]:
    library = Library.open(Inputs(runs=(REAL / file,)))
    case = library.case(library.resolve(task))
    events = {run.run_id: events_of(run.transcript) for run in case.runs if run.transcript}
    return case, envelope_for(case, events, load_profile(None, case.benchmark))


def test_a_terminal_agent_s_tracebacks_show_its_python_and_directory() -> None:
    case, envelope = envelope_of("whowhen_ag120.json", "797f7a5b")
    assert (envelope.python.value, envelope.workdir.value) == ("3.9", "/home/Assist/groupchat")
    assert envelope.python.citation
    assert case.cites(envelope.python.citation)


@pytest.mark.parametrize("generation", ["v1", "v2"])
def test_a_harness_s_prompt_shows_tools_shell_and_imports(generation: str) -> None:
    case, envelope = envelope_of(f"hal_corebench_1624349_gpt41_{generation}_UPLOAD.json", "capsule-1624349")
    assert envelope.profile == "hal"
    assert "execute_bash" in envelope.tools.value
    assert (envelope.shell.value, envelope.shell.origin) == (True, "observed")
    assert envelope.allowed_imports.value
    assert "re" in envelope.allowed_imports.value
    for value in (envelope.tools, envelope.shell, envelope.allowed_imports):
        assert value.citation
        assert case.cites(value.citation)
