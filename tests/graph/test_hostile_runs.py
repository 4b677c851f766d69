"""Runs that an attacker wrote to keep an audit busy: twice as many failures take no more than about twice as long."""

import time
from collections.abc import Callable

import pytest

from cases import Events
from graph.classifier import MOST_IN_ONE, classify
from probes.transcript.passed import passage
from tests.probes.recording import Record

FAILURES: dict[str, Callable[[int], tuple[str, str, int]]] = {
    "program": lambda n: (f"tool{n} --all", f"bash: tool{n}: command not found", 127),
    "permission": lambda n: (f"echo a > /etc/f{n}", f"bash: /etc/f{n}: Permission denied", 1),
    "page": lambda n: (f"curl https://h{n}.test/p", "curl: (22) The requested URL returned error: 403", 22),
}


def failing(count: int, failure: Callable[[int], tuple[str, str, int]]) -> Record:
    record = Record()
    record.said("Do it.", "user")
    for number in range(count):
        record.ran(*failure(number))
    return record


def classified(record: Record):
    return classify(record.case(), {"r1": Events(commands=tuple(record.commands))}, "auto")


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_many_failures_are_weighed_in_time_that_grows_with_their_number(failure):
    def seconds(count: int) -> float:
        record = failing(count, failure)
        begun = time.process_time()
        assert classified(record)[0]
        return time.process_time() - begun

    classified(failing(10, failure))
    assert seconds(1_600) < 24 * seconds(200)


def test_of_very_many_failures_in_one_output_the_first_and_the_last_are_asked_about_and_that_is_said():
    lines = [f"bash: line {number}: tool{number}: command not found" for number in range(6_000)]
    record = Record()
    record.ran("\n".join(f"tool{number}" for number in range(6_000)), "\n".join(lines), 127)
    begun = time.process_time()
    hypotheses, notes = classified(record)
    assert time.process_time() - begun < 20
    assert hypotheses[0].targets.programs[0] in {"tool0", "tool5999"}
    assert f"{6_000 - MOST_IN_ONE} failures that stand between many others" in "\n".join(notes)


def test_that_another_request_reached_a_host_is_looked_up_once_for_all_hypotheses():
    record = failing(600, FAILURES["page"])
    [one, *_], _ = classified(record)
    hypotheses = [one.model_copy(update={"event": number}) for number in range(600)]
    events = Events(commands=tuple(record.commands))
    begun = time.process_time()
    assert not any(passage(hypothesis, events) for hypothesis in hypotheses)
    assert time.process_time() - begun < 10


def test_a_failing_command_of_nothing_but_assignments_is_weighed():
    record = Record()
    record.ran("A=1 B=2", "kaputt", 1)
    classified(record)
