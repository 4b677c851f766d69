"""What an agent on a benchmark may do: profiles as data, overridden by what its transcripts show."""

from probes.envelope.envelope import envelope_for
from probes.envelope.profile import Profile, load_profile, profile_names

__all__ = ["Profile", "envelope_for", "load_profile", "profile_names"]
