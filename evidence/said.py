"""What reports and issue texts say, by the names in `sentences.toml`."""

from cases.sentences import Sentences

say = Sentences("evidence")
