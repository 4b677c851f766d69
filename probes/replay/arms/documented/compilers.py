"""`compiler-option`: a compiler that refuses what it was given, started with an option that changes its defaults."""

import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan, Trait, having
from probes.model import Tier
from probes.replay.arms.documented.asking import put_first, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import table

say = Sentences(__name__)

PLAN = RoutePlan(
    id="compiler-option",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: dialects and defaults that a compiler's own manual and porting guides name",
)
OBJECTS = "find . -maxdepth 5 -name '*.o' -type f | grep -q ."
AWAY = "find . -maxdepth 5 -name '*.o' -type f -delete"


def compiler_option(survey: Survey) -> Way:
    """The failing command where each start of the compiler gets the option last; not where what it lacks has a name.

    Objects that were made without the option are made anew.
    """
    outcome, unnamed = survey.trial.outcome, survey.trial.subject.barrier in having(Trait.UNNAMED)
    if outcome.settled or (not unnamed and any(fact.named for fact in outcome.facts)):
        return Way(PLAN, lacking=say("compilers.what_missing_name"))
    ended = set(outcome.ended)
    known = [one for one in table().compiler if ended & one.programs]
    if not known:
        return Way(PLAN, lacking=say("compilers.no_compiler_what"))
    there = survey.programs([driver for one in known for driver in one.drivers])
    anew = [AWAY] if survey.holds(OBJECTS) else []
    tries = [
        _try(survey, anew, {name: there[name] for name in one.drivers if name in there}, option)
        for one in known
        for option in one.options
    ]
    return Way(PLAN, tuple(tries), "" if tries else say("compilers.no_compiler_can"))


def _try(survey: Survey, anew: list[str], drivers: dict[str, str], option: str) -> Try:
    away = [f"cd {shlex.quote(survey.folder)} && {one}" for one in anew]
    back = [f"cd {shlex.quote(survey.trial.session.spec.workdir)}"] if anew else []
    begun = (*away, *back, *put_first(".compilers", drivers, option))
    return Try(strictly(survey.command, *begun), (*begun, survey.command))
