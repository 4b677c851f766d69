"""A transient error was not tried again."""

from cases.hosts import hosts_of
from cases.sentences import Sentences
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, Step

say = Sentences(__name__)


def find(record: Record) -> Seen | None:
    """The first such error after which nothing asked the same host, or ran the same command, again."""
    if not record.complete:
        return None
    for at, step in enumerate(record.steps):
        match = data.search("transient", step.output) if step.failed else None
        if match and not any(_again(step, later) for later in record.steps[at + 1 :]):
            told = say("not_retried.pass_agent_not", match=match[0], step=_what(step))
            return Seen(told, record.cite(reversed(step.blocks), match[0]), {"what": _what(step)})
    return None


def _again(step: Step, later: Step) -> bool:
    mine = set(hosts_of(f"{step.text}\n{step.output}"))
    if mine:
        return bool(mine & set(hosts_of(f"{later.text}\n{later.output}")))
    return step.text.split() == later.text.split()


def _what(step: Step) -> str:
    hosts = hosts_of(f"{step.text}\n{step.output}")
    return hosts[0] if hosts else step.name
