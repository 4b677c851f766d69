"""`compiler-option`: a compiler that refuses what it was given, started with an option that changes its defaults."""

from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.documented.asking import put_first, strictly
from probes.replay.documented.survey import Survey
from probes.replay.documented.way import Try, Way
from probes.replay.documented.words import table

PLAN = RoutePlan(
    id="compiler-option",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: dialects and defaults that a compiler's own manual and porting guides name",
)


def compiler_option(survey: Survey) -> Way:
    """The failing command where each start of the compiler gets the option last; not where what it lacks has a name."""
    outcome = survey.trial.outcome
    if any(fact.named for fact in outcome.facts):
        return Way(PLAN, lacking="what is missing has a name, and no option brings it")
    ended = set(outcome.ended)
    known = [one for one in table().compiler if ended & one.programs]
    if not known:
        return Way(PLAN, lacking="no compiler is what failed")
    there = survey.programs([driver for one in known for driver in one.drivers])
    tries = [
        _try(survey, {name: there[name] for name in one.drivers if name in there}, option)
        for one in known
        for option in one.options
    ]
    return Way(PLAN, tuple(tries), "" if tries else "no compiler can be started by itself")


def _try(survey: Survey, drivers: dict[str, str], option: str) -> Try:
    begun = put_first(".compilers", drivers, option)
    return Try(strictly(survey.command, *begun), (*begun, survey.command))
