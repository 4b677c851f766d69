"""`known-remedy`: what a program's own manual offers where it refuses or does not find something."""

from cases.shell import steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.documented.asking import strictly
from probes.replay.documented.survey import Survey
from probes.replay.documented.versions import interpreter
from probes.replay.documented.way import Try, Way
from probes.replay.documented.words import table

PLAN = RoutePlan(
    id="known-remedy",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: settings that programs' own manuals name",
)


def known_remedy(survey: Survey) -> Way:
    """The failing command behind one setting after another."""
    used = {step.command.program for step in steps_of(survey.command)} | set(survey.trial.outcome.ended)
    used.add(interpreter(survey))
    known = [one for one in table().remedy if used & one.programs]
    worth = [one.set_up for one in known if survey.holds(one.given)]
    tries = tuple(Try(strictly(survey.command, one), (one, survey.command)) for one in worth)
    return Way(PLAN, tries, "" if tries else "no setting is known for what the command uses")
