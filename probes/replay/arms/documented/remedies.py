"""`known-remedy`: what a program's own manual offers where it refuses or does not find something."""

import shlex
from collections.abc import Collection

from cases.sentences import Sentences
from cases.shell import steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.versions import interpreter
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import table

say = Sentences(__name__)

PLAN = RoutePlan(
    id="known-remedy",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: settings that programs' own manuals name",
)


def known_remedy(survey: Survey) -> Way:
    """The failing command behind one setting after another, each made where the command works."""
    used = {*survey.trial.outcome.ended, interpreter(survey)}
    workdir = survey.trial.session.spec.workdir
    here = [f"cd {shlex.quote(survey.folder)}"] if survey.folder != workdir else []
    there = [f"cd {shlex.quote(workdir)}"] if here else []
    tries = tuple(
        Try(strictly(survey.command, *here, one, *there), (*here, one, *there, survey.command))
        for one in set_ups(survey, survey.command, used)
    )
    return Way(PLAN, tries, "" if tries else say("remedies.no_setting_known"))


def set_ups(survey: Survey, command: str, used: Collection[str] = ()) -> list[str]:
    """Settings that are known for the programs of a command, and for those that it is known to have used."""
    programs = {step.command.program for step in steps_of(command)}.union(used)
    known = (one for one in table().remedy if programs & one.programs)
    same = (one for one in known if not one.is_other_work(survey.prompt))
    return [one.line for one in same if survey.holds(one.given)]
