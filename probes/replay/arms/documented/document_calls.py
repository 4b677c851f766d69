"""`as-a-document-calls-it`: what a document has before its own call of the failing program, and the variables there."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import replace

from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches import blocks_in
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import start_of
from probes.replay.arms.documented.commands import WAIT, Told, behind, does_no_harm, lines_of, may_be_tried, walking
from probes.replay.arms.documented.settings import same_work
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="as-a-document-calls-it",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    lenient=True,
    seconds=60,
    source="the task's own documents: what stands before a call of the same program there, and its variables",
)
CALLS = 4
"""Different ones that are tried."""


def as_a_document_calls_it(survey: Survey) -> Way:
    """The failing command behind what a document has before its own call of the same program, with its variables.

    What of that does something else by its own words, such as a stub, is for the task's own commands to judge.
    """
    offline = survey.trial.session.spec.network == "none"
    tries = list[Try]()
    for before, settings in _calls(survey):
        safe = [one for one in before if one.turns or does_no_harm(one.text, offline=offline)]
        exports = [f"export {name}={shlex.quote(value)}" for name, value in settings]
        if len(safe) < len(before) or not (exports or safe):
            continue
        turns = [f"turn {shlex.quote(one)}" for one in exports]
        other = next((one.text for one in before if not may_be_tried(one.text, offline=offline)), "")
        other = next((f"{name}={value}" for name, value in settings if not same_work(name, value)), other)
        made = behind(survey, before, [WAIT, *(line for one in before for line in walking(one)), *turns], *exports)
        open_still = say("document_calls.stands_in", what=other) if other else ""
        tries.append(replace(made, open=open_still, by_goals=bool(other)))
    tries = list(dict.fromkeys(tries))[:CALLS]
    return Way(PLAN, tuple(tries), lacking="" if tries else say("document_calls.no_call"))


def _calls(survey: Survey) -> Iterator[tuple[list[Told], list[tuple[str, str]]]]:
    """For each block that calls the failing program: what stands before that there, and the variables it is given."""
    own = survey.own
    if own is None:
        return
    for path, text in survey.documents:
        for code in blocks_in(text):
            lines = list(lines_of(code))
            for place, line in enumerate(lines):
                for step in steps_of(line):
                    if step.command.words and start_of(step.command, own):
                        before = [Told(one, posixpath.dirname(path)) for one in lines[:place]]
                        yield (
                            before,
                            [(one.name, one.value.text) for one in step.command.assignments if one.value.literal],
                        )
