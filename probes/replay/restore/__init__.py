"""The machine as the run had it when its command failed."""
