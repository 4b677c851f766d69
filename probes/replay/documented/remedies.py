"""`known-remedy`: what a program's own manual offers where it refuses or does not find something."""

from collections.abc import Collection

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
    used = {*survey.trial.outcome.ended, interpreter(survey)}
    tries = tuple(
        Try(strictly(survey.command, one), (one, survey.command)) for one in set_ups(survey, survey.command, used)
    )
    return Way(PLAN, tries, "" if tries else "no setting is known for what the command uses")


def set_ups(survey: Survey, command: str, used: Collection[str] = ()) -> list[str]:
    """Settings that are known for the programs of a command, and for those that it is known to have used."""
    programs = {step.command.program for step in steps_of(command)}.union(used)
    return [one.set_up for one in table().remedy if programs & one.programs and survey.holds(one.given)]
