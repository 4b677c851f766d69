"""Many audits in one command: which, what became of each, what they add up to."""
