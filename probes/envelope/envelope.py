"""The envelope: a profile's values, what it leaves out assumed, what transcripts show above both."""

from collections.abc import Mapping
from typing import Any

from cases import Case, Events
from probes.envelope.observed import Sighting, observe
from probes.envelope.profile import ASSUMED, Profile, load_profile
from probes.model import Envelope, Value

FIELDS = tuple(name for name in Envelope.model_fields if name != "profile")
RANK = {"none": 0, "indexes": 1, "open": 2}


def envelope_for(case: Case, events: Mapping[str, Events], profile: Profile) -> Envelope:
    """What an agent on this case may do; observed values carry the citation that shows them."""
    seen = observe(case, events)
    values = {name: _value(name, profile, seen) for name in FIELDS}
    return Envelope.model_validate({"profile": profile.name, **values})


def _value(name: str, profile: Profile, seen: dict[str, Sighting]) -> Value[Any]:
    stated = getattr(profile.envelope, name)
    origin = "assumed" if profile.name == ASSUMED or stated is None else "profile"
    if name == "allowed_imports" and stated is None and profile.name != ASSUMED:
        origin = "profile"
    value = stated if stated is not None else getattr(load_profile(ASSUMED, "").envelope, name)
    if name not in seen:
        return Value[Any](value=value, origin=origin)
    observed, citation = seen[name]
    if name == "network" and RANK[observed] > 0:
        observed = max(observed, value, key=RANK.__getitem__)  # a download shows that much, not that there was no more
    return Value[Any](value=observed, origin="observed", citation=citation)
