"""The same visit from a second place: what differs by network is no property of the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from cases.sentences import Sentences
from probes.model import Artifact, Control, Observation, Route
from probes.web.ladder import route
from probes.web.record import Record
from probes.web.records import Outcome

say = Sentences(__name__)

NAME = "second vantage"


@dataclass(frozen=True)
class Second:
    """What a second place told."""

    shown: str
    """Which place it is."""
    controls: tuple[Control, ...]
    """One an address of which both places told something."""
    silent: tuple[str, ...]
    """Addresses of which it told nothing, with the reason."""
    differs: str
    """What is seen here and not there, or the other way; empty where nothing is."""
    routes: tuple[Route, ...]
    observations: tuple[Observation, ...]
    artifacts: tuple[Artifact, ...]

    @property
    def limits(self) -> tuple[str, ...]:
        """What it leaves open."""
        return tuple(say("vantage.second_vantage_told", shown=self.shown, one=one) for one in self.silent)


def compared(here: Sequence[Outcome], there: Sequence[Outcome], shown: str, record: Record) -> Second:
    """Both places' outcomes of the same addresses, side by side; `record` is the second one's."""
    controls, silent, differences, routes = [], [], [], []
    for mine, theirs in zip(here, there, strict=True):
        let_in = mine.reading.kind == "barrier" and _let_in(theirs)
        if mine.reading.kind == "unknown" or not (_tells(theirs) or let_in):
            reason = theirs.reading.detail if not _tells(theirs) else say("vantage.what_stands_here")
            silent.append(f"{mine.url}: {reason}")
            continue
        same = (mine.reading.kind, mine.reading.barrier) == (theirs.reading.kind, theirs.reading.barrier)
        expected = say("vantage.what_stands_there")
        controls.append(
            Control(name=f"{NAME} ({mine.url})", expected=expected, observed=theirs.reading.detail, passed=same)
        )
        if not same:
            differences.append(
                say(
                    "vantage.here",
                    url=mine.url,
                    detail=mine.reading.detail,
                    shown=shown,
                    other=theirs.reading.detail,
                )
            )
        if let_in or (mine.reading.kind == "barrier" and theirs.reading.kind == "ok"):
            note = say("vantage.opens_whether_run", shown=shown)
            routes.append(route("second-vantage", mine.url, "not_tried", note))
    shots = tuple(one for one in record.artifacts if one.media_type.startswith("image/"))
    kept = {one.sha256 for one in shots}
    told = tuple(
        one.model_copy(
            update={"name": f"{NAME}: {one.name}", "artifact": one.artifact if one.artifact in kept else None}
        )
        for one in record.observations
    )
    place = Observation(name=NAME, value=shown)
    return Second(shown, tuple(controls), tuple(silent), "; ".join(differences), tuple(routes), (place, *told), shots)


def _tells(outcome: Outcome) -> bool:
    """Whether the site itself was met there: a connection that does not come about may be the proxy's own doing."""
    return outcome.reading.kind != "unknown" and _met(outcome)


def _met(outcome: Outcome) -> bool:
    met = [look for look in outcome.looks if look.handshake and look.handshake.state == "ok"]
    return len(met) == len(outcome.looks) > 0


def _let_in(outcome: Outcome) -> bool:
    """Whether the site showed a page there, without any wall that we know, be it the right one or not."""
    views = [look.view for look in outcome.looks if look.view and not look.matches and not look.crashed]
    shown = [view for view in views if not view.error and 200 <= (view.status or 0) < 300]
    return _met(outcome) and len(shown) == len(outcome.looks)
