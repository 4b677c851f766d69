"""A module or program was missing, and the agent never tried to install anything."""

from collections.abc import Sequence

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches.installing import installs
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, Step

say = Sentences(__name__)

_MISSING = (
    re.compile(r"No module named '(?P<name>[A-Za-z]\w*)[.\w]*'"),
    re.compile(r"^(?:.*: )?(?P<name>[\w.+-]+): (?:command )?not found$", re.MULTILINE),
    re.compile(r"there is no package called [‘'](?P<name>[\w.]+)[’']"),
)


def find(record: Record) -> Seen | None:
    """The first that was missing; attempts to install anything at all excuse the agent."""
    if not record.complete or any(_installs(step) for step in record.steps):
        return None
    for at, step in enumerate(record.steps):
        found = (pattern.search(step.output) for pattern in _MISSING)
        match = next((match for match in found if match), None) if step.output else None
        if match and match["name"] in step.text and not _worked(match["name"], record.steps[at + 1 :]):
            told = say("not_installed.agent_never_tried", match=match["name"])
            return Seen(told, record.cite(reversed(step.blocks), match[0].strip()), {"what": match["name"]})
    return None


def _installs(step: Step) -> bool:
    if isinstance(step.event, CommandRun) and step.event.only_looks:
        return False
    commands = [one.command for one in steps_of(step.text)]
    return any(map(installs, commands)) or data.search("installs", step.text) is not None


def _worked(name: str, later: Sequence[Step]) -> bool:
    """Whether the agent got it all the same, or did without."""
    return any(name in step.text and not step.failed for step in later)
