"""A service of the machine itself that does not answer: nobody listens at its port or socket."""

import shlex
from dataclasses import dataclass
from itertools import chain

from cases import patterns as re
from cases.sentences import Sentences
from probes.model import Barrier, Targets
from probes.replay.handlers.alternatives import other_arguments, other_calls, other_data, other_schemes, other_variables
from probes.replay.handlers.answers_kept import lies_where_told
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.sources import sources
from probes.replay.handlers.starting import (
    MOST,
    asked_port,
    machine_starts,
    own_server,
    starts_anew,
    task_starts,
    there,
    unit_starts,
)
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data import Anew
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import without_changes
from sandboxes.tracing.listening import listens, port_of, waiting

say = Sentences(__name__)

ROOT_TRIES = 4
"""Commands that root tries."""
SECONDS = 6
"""Until what was started must listen."""


@dataclass(frozen=True)
class ServiceDetails(Details):
    """Commands that may start it."""

    units: tuple[str, ...] = ()
    """As the machine itself would."""
    own: tuple[str, ...] = ()
    """From the task's own files."""
    machine: tuple[str, ...] = ()
    """Programs of the machine."""
    startable: str = ""
    """A program of these, or of a unit, that is there."""
    server: str = ""
    """A server among the task's own files."""
    anew: Anew | None = None
    """How a known server that is installed is started with data of its own."""
    for_root: str = ""
    """What starts it for root, who is nobody's agent here."""
    otherwise: str = ""
    """A variable, a word of the command line or a call that may lead the task's program to other data."""


class Service(BarrierHandler):
    """Known by a measured fact only: a connection to this very machine that nobody takes."""

    barriers = (Barrier.SERVICE,)
    noun = "service"
    valid = re.compile(r"[@/\w][\w./:@+-]{1,200}|\[?[0-9a-f:]+\]?:\d+")
    details = ServiceDetails
    routes_rest_on = ("user", "sudo", "network", "shell", "image")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """Its address."""
        return targets.hosts

    def same(self, subject: str, about: str) -> bool:
        """A service is known by its port or its socket."""
        return (port_of(subject) or subject) == (port_of(about) or about)

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """Where it should listen, and what may start it, as words for a shell's `for`."""
        del command
        told, about = subject.told(ServiceDetails), subject.about
        return {
            "listens": listens(about),
            "waits": waiting(about, SECONDS),
            "waits_longer": waiting(about, 2 * SECONDS),
            "socket": None if port_of(about) or about.startswith("@") else shlex.quote(about),
            "units": _words(told.units),
            "own": _words(told.own[:MOST]),
            "machine": _words(told.machine),
            "anew": told.anew.commands if told.anew else None,
            "port": asked_port(about),
            "brought": told.anew.given if told.anew else None,
            "answers": told.anew.answers if told.anew else None,
        }

    def learn(self, trial: ContainerContext) -> ServiceDetails:
        """What on the machine may start it."""
        units, own, machine = unit_starts(trial), task_starts(trial), machine_starts(trial)
        startable, for_root = there(trial, (*machine, *units)), _for_root(trial, (*units, *machine))
        command = trial.subject.attempts[0].command
        read = sources(trial, command)
        text = read or ""
        others = (other_schemes(text), other_variables(text), other_arguments(text, command))
        told = next(chain(*others, other_calls(text, trial.subject.output)), "")
        otherwise = say("service.unread") if read is None else told or other_data(trial, text) or lies_where_told(trial)
        found = ServiceDetails(
            units, own, machine, startable, own_server(trial), starts_anew(trial), for_root, otherwise
        )
        value = "; ".join((*found.units, *found.own, *found.machine)) or "nothing"
        trial.observe("what may start it", value, None, None)
        return found

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What is not running here must be what did not answer in the run: both say the same."""
        decisive = outcome.decisive
        shown = decisive.done.output.splitlines()[-1:] if decisive else []
        here = {without_changes(line) for line in (*outcome.said, *shown)}
        recorded = {without_changes(line) for line in subject.output.splitlines()}
        if here and recorded and not here & recorded:
            return say("service.run_own_output")
        return None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What an index may bring, or what was not started, leaves it open."""
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        if network != "none":
            return say("service.network_could_bring")
        told = subject.told(ServiceDetails)
        if (there := told.startable) and not told.for_root:
            return say("service.listen_there_machine", there=there)
        if len(told.own) > MOST:
            return say("service.task_files_hold")
        if told.server:
            return say("service.own_server", server=told.server)
        if outcome.lifted and outcome.lifted.minimal and outcome.lifted.worked and outcome.lifted.printed:
            return say("service.silent")
        return say("service.another_kind", setting=told.otherwise) if told.otherwise else None

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Who can start it."""
        del outcome
        told = subject.told(ServiceDetails)
        return (say("service.starts_for_root", command=told.for_root),) if told.for_root else ()


def _for_root(trial: ContainerContext, commands: tuple[str, ...]) -> str:
    """The first of the commands by which root, not the run's user, gets it to listen, once the failure was measured:
    before that, the container is the one in which the run's own command is repeated.
    """
    if not trial.outcome.facts or trial.session.spec.sudo:
        return ""
    listens_soon = waiting(trial.subject.about, SECONDS)
    for command in commands[:ROOT_TRIES]:
        start = f"setsid bash -c {shlex.quote(command)} < /dev/null > /dev/null 2>&1 & {listens_soon}"
        [done] = trial.run("replay-service-for-root", start, user="root")
        if done.ok:
            return command
    return ""


def _words(commands: tuple[str, ...]) -> str | None:
    return shlex.join(commands) if commands else None
