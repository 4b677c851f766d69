"""What this package says, by the names in `sentences.toml`."""

from cases.sentences import Sentences

say = Sentences("probes.replay.resources")
