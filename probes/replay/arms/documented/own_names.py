"""`as-the-data-spell-it`: code of the run's own with a name as the file has it that the code reads."""

import shlex

from cases.sentences import Sentences
from cases.shell import Step, steps_of
from cases.touches.names import SOURCE
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.own_code import own_code, texts
from probes.replay.arms.documented.spelling import NONSENSE, plain
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.target.data_parts import names_in, renamed, replaced
from sandboxes.tracing.used import OF_LIBRARIES

say = Sentences(__name__)

PLAN = RoutePlan(
    id="as-the-data-spell-it",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="the data: a name that they do not have was meant for theirs that has the same letters, whatever their size",
)
MOST = 4
FILES = 3
NAMES = 200


def as_the_data_spell_it(survey: Survey) -> Way:
    """With one such name after another."""
    opened = survey.trial.outcome.opened
    data = [path for path in opened if not (SOURCE.search(path) or OF_LIBRARIES.search(path))][:FILES]
    codes = [(step, text) for step in steps_of(survey.command) if (text := own_code(survey, step))] if data else []
    told = [name for path in data for name in names_in(survey.trial.session, path, NAMES)] if codes else []
    tries = [
        _try(survey, step, own, other)
        for step, code in codes
        for own in dict.fromkeys(texts(code))
        if own not in told
        for other in dict.fromkeys(told)
        if plain(own) and plain(own) == plain(other)
    ]
    return Way(PLAN, tuple(tries[:MOST]), lacking="" if tries else say("own_names.none_alike"))


def _try(survey: Survey, step: Step, own: str, other: str) -> Try:
    done, refuted = (_with(survey, step, own, name) for name in (other, f"{other}{NONSENSE}"))
    return Try(strictly(done[-1], *done[:-1]), done, strictly(refuted[-1], *refuted[:-1]))


def _with(survey: Survey, step: Step, own: str, other: str) -> tuple[str, ...]:
    """Commands that run the code with another name in the place of one; a script keeps a copy of what it was."""
    file = step.command.file
    if step.command.code or file is None:
        return (replaced(survey.command, own, other),)
    place = shlex.quote(step.at(file.text, survey.folder) or file.text)
    kept = f"{place}.route-own"
    return f"cp -n {place} {kept}; {renamed(own, other)} {kept} > {place} || exit", survey.command
