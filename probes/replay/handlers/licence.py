"""A licence that a program looks for and does not find."""

import posixpath
import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers.measured import is_licence
from probes.model import Barrier, Targets
from probes.replay.handlers.base import BarrierHandler
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)


@dataclass(frozen=True)
class LicenceDetails(Details):
    """What its program does."""

    places: tuple[str, ...] = ()
    """Where it looks for a licence."""


class Licence(BarrierHandler):
    """Known by a measured fact only: with something in the missing file's place the program says otherwise."""

    barriers = (Barrier.LICENCE,)
    noun = "licence"
    details = LicenceDetails
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file."""
        return targets.paths

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """Where the program looks for it."""
        del command
        places = subject.told(LicenceDetails).places or (subject.about,)
        place = subject.about if subject.about.startswith("/") else places[0]
        return {
            "path": shlex.quote(place),
            "folder": shlex.quote(posixpath.dirname(place) or "."),
            "places": shlex.join(dict.fromkeys((place, *places))),
        }

    def learn(self, trial: ContainerContext) -> LicenceDetails:
        """Every place that was asked."""
        facts = (fact for fact in trial.outcome.facts if is_licence(fact))
        places = (place for fact in facts for place in (fact.subject, *fact.places) if place.startswith("/"))
        return LicenceDetails(tuple(dict.fromkeys(places)))

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What a network may bring leaves it open."""
        del subject
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        return say("licence.network_could_bring") if network != "none" else None
