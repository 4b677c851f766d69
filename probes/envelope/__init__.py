"""What an agent on a benchmark may do: profiles as data, overridden by what its transcripts show."""

from probes.envelope.envelope import FIELDS, Settled, envelope_for, interprets_only, settled
from probes.envelope.profile import ASSUMED, Profile, load_profile, profile_names, reaching, task_profile
from probes.envelope.startable import bears_on, startable

__all__ = [
    "ASSUMED",
    "FIELDS",
    "Profile",
    "Settled",
    "bears_on",
    "envelope_for",
    "interprets_only",
    "load_profile",
    "profile_names",
    "reaching",
    "settled",
    "startable",
    "task_profile",
]
