"""A synthetic web: one port that speaks TLS and plain HTTP, many host names, scenarios as data."""

from .scenarios import Scenario, load_scenarios
from .server import Lab

__all__ = ["Lab", "Scenario", "load_scenarios"]
