"""Routes that somebody suggests: of known forms only, walked in a container, and counted only where they pass."""

from collections.abc import Sequence

from pydantic import Field, field_validator

from cases import Model
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier

say = Sentences(__name__)

MOST_ROUTES = 3
MOST_COMMANDS = 3
_PACKAGE = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,80}(?:==[A-Za-z0-9][A-Za-z0-9.]{0,30})?"


class Rule(Model):
    """A form of command that may be tried."""

    id: str
    pattern: str
    tier: Tier
    needs: tuple[str, ...]
    env: dict[str, str] = Field(default_factory=dict)
    source: str = Field(min_length=1)

    @field_validator("pattern")
    @classmethod
    def _named(cls, text: str) -> str:
        return re.compile(text.replace("NAME", _PACKAGE)).pattern


def rules() -> tuple[Rule, ...]:
    """suggested.toml."""
    return load(tuple[Rule, ...], __package__, "suggested.toml", "rule")


def plans_of(suggested: Sequence[Sequence[str]]) -> tuple[RoutePlan, ...]:
    """Suggestions as routes, their tier and needs by the rules; one with a command of no known form is left out."""
    plans: dict[tuple[str, ...], RoutePlan] = {}
    for commands in suggested:
        said = tuple(" ".join(command.split()) for command in commands[:MOST_COMMANDS])
        known = [rule for command in said if (rule := _rule(command))]
        if said and len(known) == len(said) == len(commands) and said not in plans and len(plans) < MOST_ROUTES:
            plans[said] = _plan(len(plans) + 1, said, known)
    return tuple(plans.values())


def _rule(command: str) -> Rule | None:
    return next((rule for rule in rules() if re.fullmatch(rule.pattern, command)), None)


def _plan(number: int, commands: tuple[str, ...], known: Sequence[Rule]) -> RoutePlan:
    return RoutePlan.model_validate(
        {
            "id": f"suggested-{number}",
            "tier": max(rule.tier for rule in known),
            "needs": tuple(dict.fromkeys(need for rule in known for need in rule.needs)),
            "env": {name: value for rule in known for name, value in rule.env.items()},
            "commands": commands,
            "source": say("suggested.suggested_model_tier", fromkeys=", ".join(dict.fromkeys(r.id for r in known))),
        }
    )
