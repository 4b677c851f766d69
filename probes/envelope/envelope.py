"""The envelope: a profile's values, what it leaves out assumed, what transcripts show above both."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cases import Case, Citation, Events
from cases.sentences import Sentences
from probes.envelope.mounts import combined, docker_mount, docker_tmpfs
from probes.envelope.observed import Sighting, observe
from probes.envelope.patterns import patterns
from probes.envelope.profile import ASSUMED, Profile, is_own, load_profile
from probes.model import Envelope, Value

say = Sentences(__name__)

FIELDS = tuple(name for name in Envelope.model_fields if name not in {"profile", "chosen"})
OF_INTERPRETER = ("interpreter_version", "allowed_imports")
"""What a machine without a restricted interpreter does not have."""
HOST_S = ("memory_mb", "cpus", "disk_mb")
"""In a container the usual commands tell the host's: that is no more than a profile says, but may be less."""
NOT_ROOT = "not root"
ORDINARY = "agent"
RANK = {"none": 0, "indexes": 1, "task": 2, "open": 3}


class Settled(NamedTuple):
    """A value as profiles give it."""

    value: Any
    origin: Literal["profile", "assumed"]
    by: str
    """The name of the profile that says it."""


def envelope_for(case: Case, events: Mapping[str, Events], profile: Profile) -> Envelope:
    """What an agent on this case may do; observed values carry the citation that shows them."""
    seen = observe(case, events)
    values = {name: _value(name, profile, seen) for name in FIELDS}
    chosen = None if is_own(profile, case.benchmark) else profile.source or say("envelope.envelope.names_no_source")
    return Envelope.model_validate({"profile": profile.name, "chosen": chosen, **values})


def settled(name: str, profile: Profile) -> Settled:
    """One value of the envelope as the profile, those it extends, or else the assumptions give it.

    Raises:
        InputError: a profile that it extends cannot be used.
    """
    if name in {"image", "dockerfile"}:
        return _image(name, profile)
    if name == "mounts":
        return _mounts(profile)
    stated = _stated(name, profile)
    if stated is None and name in OF_INTERPRETER and settled("interpreter", profile).value == "none":
        return Settled(None, "assumed" if profile.name == ASSUMED else "profile", profile.name)
    if stated is None:
        return Settled(getattr(load_profile(ASSUMED, "").envelope, name), "assumed", ASSUMED)
    return stated


def _stated(name: str, profile: Profile) -> Settled | None:
    for one in profile.lineage:
        value = getattr(one.envelope, name)
        if value is not None:
            return Settled(value, "assumed" if one.name == ASSUMED else "profile", one.name)
    return None


def _image(name: str, profile: Profile) -> Settled:
    """The nearest profile that says either an image or a Dockerfile decides about both."""
    known = (*profile.lineage, load_profile(ASSUMED, ""))
    one = next(one for one in known if one.dockerfile or one.envelope.image)
    value = one.dockerfile if name == "dockerfile" else one.dockerfile or one.envelope.image
    return Settled(value, "assumed" if one.name == ASSUMED else "profile", one.name)


def _mounts(profile: Profile) -> Settled:
    tmpfs = settled("tmpfs", profile)
    others = _stated("mounts", profile)
    docker = tuple(docker_mount(text) for text in tmpfs.value)
    if others is None:
        return tmpfs._replace(value=docker)
    return others._replace(value=combined(docker, others.value))


def _value(name: str, profile: Profile, seen: dict[str, Sighting]) -> Value[Any]:
    value, origin, _ = settled(name, profile)
    if name == "tmpfs" and "mounts" in seen:
        tmpfs = docker_tmpfs(value, seen["mounts"][0])
        return Value[Any](value=value, origin=origin) if tmpfs is None else _observed(tmpfs, seen["mounts"][1])
    if name == "sudo" and name not in seen and "user" in seen:
        stated_for = settled("user", profile).value
        origin = origin if (stated_for == "root") == (seen["user"][0] == "root") else "assumed"
    if name not in seen:
        return Value[Any](value=value, origin=origin)
    observed, citation = seen[name]
    if name in HOST_S and origin == "profile" and value is not None and value < observed:
        return Value[Any](value=value, origin=origin)
    return _observed(_with(name, value, observed), citation)


def _observed(value: object, citation: Citation) -> Value[Any]:
    return Value[Any](value=value, origin="observed", citation=citation)


def _with(name: str, value: Any, observed: Any) -> Any:  # noqa: ANN401 - each field has its own type
    """What was observed, completed by what the profile says."""
    match name:
        case "network" if RANK[observed] > 0:
            return max(observed, value, key=RANK.__getitem__)  # a download shows that much, not that there was no more
        case "user" if observed == NOT_ROOT:
            return ORDINARY if value == "root" else value
        case "mounts":
            return combined(value, observed)
        case "read_only":
            return tuple(dict.fromkeys((*value, *observed)))
    return observed


def interprets_only(envelope: Envelope) -> bool:
    """Whether the agent could do nothing but run Python and answer: less than with a shell."""
    tools = envelope.tools.value
    return bool(tools) and set(tools) <= set(patterns().interpreter_tools)
