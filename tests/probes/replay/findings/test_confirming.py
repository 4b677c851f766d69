"""What an isolating runtime answers counts only where the plain one answers the same."""

from pathlib import Path

import pytest

from probes import Answer, Barrier, FindingMaker, Question, Settings
from probes.model import Finding
from probes.replay import ReplayProbe
from probes.replay.findings import confirmed, doubtful
from sandboxes import ContainerPool, Engine, Spec
from sandboxes.images import ensure_base
from tests.probes.replay.made import Replay, hypothesis, shell

PRESENT, PASSABLE, YES, NO, UNKNOWN = Question.PRESENT, Question.PASSABLE, Answer.YES, Answer.NO, Answer.UNKNOWN
SAME = "io.containerd.runc.v2"
"""The engine's default runtime under its other name."""


def answered(question: Question, answer: Answer) -> Finding:
    return FindingMaker(ReplayProbe(), hypothesis(Barrier.CRASH))(question, answer, f"It says {answer.value}.")


@pytest.mark.parametrize(
    ("question", "isolated", "plain", "counts"),
    [
        (PRESENT, YES, YES, YES),
        (PRESENT, YES, NO, UNKNOWN),
        (PRESENT, YES, None, UNKNOWN),
        (PASSABLE, NO, NO, NO),
        (PASSABLE, NO, YES, UNKNOWN),
        (PASSABLE, NO, UNKNOWN, UNKNOWN),
    ],
)
def test_a_barrier_of_the_runtime_s_own_is_none(question, isolated, plain, counts):
    found = [answered(question, isolated)]
    assert doubtful(found)
    [told] = confirmed(found, [answered(question, plain)] if plain else [], "runsc")
    assert told.valid_answer is counts
    assert told.controls[-1].name == "plain runtime"


def test_a_way_that_works_there_needs_no_second_word():
    assert not doubtful([answered(PASSABLE, YES), answered(PRESENT, NO)])


@pytest.mark.exhaustive
@pytest.mark.docker
async def test_a_replay_in_another_runtime_says_so_and_is_repeated_in_the_plain_one(
    replay: Replay, tmp_path: Path
) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "count.sh").write_text("wc -l data.csv\n")
    (tmp_path / "task" / "README.md").write_text("The measurements are in data.csv; count.sh counts them.\n")
    settings = Settings(offline=True, runtime=SAME, workspace=tmp_path / "task")
    missing = shell("sh count.sh", "wc: data.csv: No such file or directory", 1)
    found = await replay(hypothesis(Barrier.MISSING_DATA), missing, profile="offline", settings=settings)
    assert found[PRESENT].answer is YES, found[PRESENT].summary
    [plain] = [control for control in found[PRESENT].controls if control.name == "plain runtime"]
    assert plain.passed, plain.observed


@pytest.mark.docker
def test_containers_are_of_the_runtime_that_was_asked_for() -> None:
    engine = Engine.connect()
    with ContainerPool(engine, SAME) as containers, containers.start(Spec(image=ensure_base(engine))) as session:
        assert engine.api.inspect_container(session.container)["HostConfig"]["Runtime"] == SAME
        assert session.profile()["runtime"] == SAME
    engine.close()
