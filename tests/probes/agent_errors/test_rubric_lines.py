"""Every line that a pattern names stands in a rubric, and every group and pattern of the rubrics is covered."""

import re

from graph.rubric import rubrics
from probes.agent_errors import DETECTORS
from probes.agent_errors.data import patterns


def _issues(name: str) -> str:
    text = rubrics()[name].wording()
    start = re.search(r"agent capability issues \(score", text, re.IGNORECASE)
    end = re.search(r"## Evidence Requirements|EVALUATION PROCESS", text)
    assert start
    assert end
    return text[start.start() : end.start()]


def test_every_pattern_has_its_detector_and_the_other_way_round():
    assert patterns().keys() == DETECTORS.keys()


def test_the_five_groups_are_all_covered_by_lines_that_the_rubric_holds():
    text = _issues("assistantbench")
    groups = dict.fromkeys(re.findall(r"^### \d+\. (.+)$", text, re.MULTILINE))
    assert len(groups) == 5
    assert {pattern.assistantbench.group for pattern in patterns().values()} == set(groups)
    for pattern in patterns().values():
        section = text.split(f"{pattern.assistantbench.group}\n")[1].split("###")[0]
        assert f"- {pattern.assistantbench.text}" in section


def test_the_eight_patterns_are_all_covered_word_for_word():
    lines = re.findall(r"^\d+\. (.+)$", _issues("environmental_barrier"), re.MULTILINE)
    assert len(lines) == 8
    assert {pattern.environmental_barrier.text for pattern in patterns().values()} == set(lines)
