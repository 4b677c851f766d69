"""What lies outside the run's machine: pages are for a visit to tell of, the harness stopped a run that it ended."""

import pytest

from cases import Task
from probes import Answer, Barrier, Question
from tests.probes.recording import Record
from tests.probes.transcript.test_transcript import ask

WORDS = ("I was unable to build it.", "Ich konnte es nicht bauen.", "4 jobs failed.")


async def caused(record, tmp_path, barrier=Barrier.HARNESS, answer=None):
    case = record.case(task=Task(prompt="Build it."), answer=answer)
    return (await ask(record.hypothesis(barrier), case, record, tmp_path))[Question.CAUSED].answer


def stopped() -> Record:
    record = Record()
    record.said("Let me build it.")
    record.ran("make", "Tool execution failed: connection lost", 2)
    return record


async def test_the_harness_stopped_a_run_in_which_it_spoke_last(tmp_path):
    assert await caused(stopped(), tmp_path) is Answer.YES
    assert await caused(stopped(), tmp_path, answer="5") is Answer.UNKNOWN


@pytest.mark.parametrize("words", WORDS)
async def test_no_words_of_the_run_say_that_the_harness_stopped_it(words, tmp_path):
    record = stopped()
    record.said(words)
    assert await caused(record, tmp_path) is Answer.UNKNOWN


async def test_a_run_that_went_on_after_the_harness_failed_leaves_the_cause_open(tmp_path):
    record = stopped()
    record.ran("make", "built", 0)
    assert await caused(record, tmp_path) is Answer.UNKNOWN


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("barrier", [Barrier.BOT_WALL, Barrier.LOGIN, Barrier.SITE_GONE])
async def test_no_words_of_the_run_say_that_a_page_stopped_it(barrier, words, tmp_path):
    record = stopped()
    record.said(words)
    assert await caused(record, tmp_path, barrier) is Answer.UNKNOWN


FORBIDDEN = "Code execution failed at line 'x' due to: InterpreterError: Forbidden function evaluation: 'open'"


@pytest.mark.parametrize(
    ("prompt", "later", "answer"),
    [
        ("Fit data/train.csv.", None, Answer.YES),
        ("Fit the table.", None, Answer.UNKNOWN),
        ("Fit data/train.csv.", "print(len(file_reader('data/train.csv')))", Answer.UNKNOWN),
    ],
)
async def test_a_tool_s_ban_stopped_a_run_that_never_got_at_the_file_which_the_task_names(
    prompt, later, answer, tmp_path
):
    record = Record()
    record.ran("print(open('data/train.csv').read())", FORBIDDEN, 1, "python")
    if later:
        record.ran(later, "180", 0, "python")
    asked = record.hypothesis(Barrier.IMPORT_BAN, modules=("open",))
    found = await ask(asked, record.case(task=Task(prompt=prompt)), record, tmp_path)
    assert found[Question.CAUSED].answer is answer
