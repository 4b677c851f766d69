"""Real files, where they lie beside the checkout; see their README for where they come from."""

import time
from pathlib import Path

import pytest

from cases import Case, Events, InputError
from cases.events import events_of
from cases.library import Inputs, Library

REAL = Path(__file__).parents[2].parent / "shared" / "real"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not there")


def one(name: str) -> tuple[Case, Events]:
    library = Library.open(Inputs(runs=(REAL / "transcripts" / name,)))
    (task,) = library.tasks()
    case = library.case(task)
    transcript = case.runs[0].transcript
    assert transcript is not None
    return case, events_of(transcript)


def capsule(generation: str) -> tuple[Case, Events]:
    return one(f"hal_corebench_1624349_gpt41_{generation}_UPLOAD.json")


def test_both_generations_of_one_run_have_the_same_blocks() -> None:
    first, second = (capsule(name)[0].runs[0].transcript for name in ("v1", "v2"))
    assert first is not None
    assert second is not None
    assert (len(first.blocks), len(second.blocks)) == (26, 27)
    assert [(b.role, b.text) for b in first.blocks] == [(b.role, b.text) for b in second.blocks[:26]]
    assert not first.complete
    assert "exactly 2000 characters" in first.notes[0]


@pytest.mark.parametrize("generation", ["v1", "v2"])
def test_the_capsules_commands(generation: str) -> None:
    _, found = capsule(generation)
    shell = [run for run in found.commands if run.kind == "shell"]
    assert [(run.exit_code, run.blocks) for run in shell if "jupyter: not found" in (run.output or "")] == [(127, (0,))]
    made = {run.command: run for run in shell if run.command.startswith("mkdir") and run.output}
    assert (made["mkdir ../results"].exit_code, made["mkdir results"].exit_code) == (1, 0)
    assert "Permission denied" in (made["mkdir ../results"].output or "")


def test_a_missing_module_and_its_installation() -> None:
    case, found = one("whowhen_ag120.json")
    assert case.benchmark == "assistantbench"
    assert case.task.gold is not None
    failed, installed, *_ = found.commands
    assert (failed.kind, failed.exit_code, failed.blocks) == ("python", 1, (1, 2))
    assert "ModuleNotFoundError: No module named 'googlemaps'" in (failed.output or "")
    assert (installed.kind, installed.command, installed.exit_code, installed.blocks) == (
        "shell",
        "pip install googlemaps",
        0,
        (3, 4),
    )


def test_a_refusal_and_a_later_success() -> None:
    _, found = one("whowhen_ag123.json")
    assert [run.exit_code for run in found.commands] == [1, 1, 0]
    assert "status code 403" in (found.commands[0].output or "")
    assert "nominatim.openstreetmap.org" in found.commands[2].command


def test_a_read_timeout() -> None:
    _, found = one("whowhen_ag109.json")
    assert [run.exit_code for run in found.commands] == [0, 1, 1, 1]
    assert "Read timed out. (read timeout=1)" in (found.commands[3].output or "")


def test_pages_of_a_browsing_agent() -> None:
    case, found = one("whowhen_hc10.json")
    assert len(found.visits) == 10
    assert [(visit.url, visit.error, visit.blocks) for visit in found.visits if visit.error] == [
        ("https://www.marianos.com/", "DNS_PROBE_FINISHED_NXDOMAIN", (31,))
    ]
    (label,) = case.claims
    assert (label.kind, label.score) == ("person", None)


def test_disputed_assistantbench_tasks() -> None:
    library = Library.open(Inputs(claims=(REAL / "claims" / "assistantbench",)))
    tasks = library.tasks()
    assert (len(tasks), sum(task.disputed for task in tasks)) == (33, 19)
    assert not library.problems


def test_of_the_capsules_judged_impassable_all_but_one_were_passed() -> None:
    inputs = Inputs(claims=(REAL / "judged" / "corebench*.csv",), outcomes=(REAL / "outcomes" / "hal_cross_runs.csv",))
    judged = [task for task in Library.open(inputs, "corebench").tasks() if task.impassable_claims]
    assert len(judged) == 12
    assert [task.task_id for task in judged if not task.passed] == ["capsule-3821950"]
    (capsule_,) = [task for task in Library.open(inputs).tasks() if task.task_id == "capsule-1624349"]
    assert (capsule_.runs, capsule_.passed) == (66, 16)


def test_outcomes_of_thousands_of_runs_load_fast() -> None:
    before = time.process_time()
    library = Library.open(Inputs(outcomes=(REAL / "outcomes" / "hal_cross_runs.csv",)))
    assert time.process_time() - before < 0.5
    assert sum(task.runs for task in library.tasks()) == 9014
    assert not library.problems


def test_a_merged_file_says_that_it_holds_no_transcripts() -> None:
    library = Library.open(Inputs(runs=(REAL / "transcripts" / "hal_corebench_earth_UPLOAD.json",)))
    assert ["no transcripts" in str(problem) for problem in library.problems] == [True]
    assert not any(task.transcripts for task in library.tasks())


@pytest.mark.parametrize(
    ("name", "looks_like"),
    [
        ("inspect_intercode_ctf.eval", "an Inspect AI .eval log"),
        ("openhands_ponyc4588.jsonl", "OpenHands output"),
        ("LICENSE.whowhen", "plain text"),
    ],
)
def test_foreign_files_are_named(name: str, looks_like: str) -> None:
    with pytest.raises(InputError, match=looks_like):
        Library.open(Inputs(runs=(REAL / "transcripts" / name,)))


def test_the_whole_folder_can_be_given() -> None:
    library = Library.open(Inputs(runs=(REAL,)))
    assert sum(task.transcripts for task in library.tasks()) == 5
    for task in library.tasks():
        if task.transcripts or task.disputed:
            assert library.case(task).task_id == task.task_id
