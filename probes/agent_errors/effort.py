"""How far the agent tried: what it left untried, said without doing, or gave up."""

from collections.abc import Sequence

from cases import CommandRun
from cases import patterns as re
from cases.hosts import hosts_of
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.touches.installing import installs
from probes.agent_errors import data
from probes.agent_errors.record import Record, Seen, Step, shortened

say = Sentences(__name__)

_TOLD = ("limit", "error", "exit_status")
"""What readers keep of a run's end in its environment."""
_LAST = 3
"""Blocks, from the end, in which a harness says so."""


def budget_error(text: str) -> bool:
    """Whether a harness's words say that a budget was spent."""
    return data.search("budget", text) is not None


def budget_spent(record: Record) -> Seen | None:
    """The run was ended by its budget while the agent was still working.

    From the run's own metadata, or from what stands last in its record.
    """
    for block in reversed(record.blocks[-_LAST:]):
        own = block.role == "assistant" or block.kind == "call"
        match = None if own else data.search("budget", block.text)
        if match:
            told = say("budget_spent.run_ended_before", match=shortened(match[0]))
            return Seen(told, record.cite((block.index,), match[0]))
    for key in _TOLD:
        value = record.run.environment.get(key, "")
        if value and (key == "limit" or budget_error(value)):
            return Seen(say("budget_spent.run_ended_limit", value=shortened(value)))
    return None


def gave_up(record: Record) -> Seen | None:
    """The agent ended after its first failure, saying that it cannot be done.

    The first step that failed must be the last of all, and the end must say so.
    """
    last = record.steps[-1] if record.steps else None
    if last is None or not last.failed or any(step.failed for step in record.steps[:-1]) or not record.complete:
        return None
    after = [block for block in record.spoken if block.index > last.blocks[-1]]
    refusals = [(block, match) for block in after if (match := data.search("refusal", block.text))]
    if not refusals:
        return None
    block, match = refusals[-1]
    told = say("gave_up.first_failure_also", name=last.name, match=match[0])
    return Seen(told, record.cite((block.index,), match[0]), {"what": last.name})


def only_said(record: Record) -> Seen | None:
    """The agent says that it checks something by hand, and the record shows no step that did.

    No step may follow, and no page may have been opened in the whole run.
    """
    if not record.complete or record.events.visits:
        return None
    last = max((step.blocks[-1] for step in record.steps), default=-1)
    for block in reversed(record.spoken):
        match = data.search("by_hand", block.text) if block.index > last else None
        if match:
            told = say("only_said.agent_says_no", match=shortened(match[0], 120))
            return Seen(told, record.cite((block.index,), match[0]))
    return None


def not_retried(record: Record) -> Seen | None:
    """A transient error was not tried again.

    The first such error after which nothing asked the same host, ran the same command, or met the error again.
    """
    if not record.complete:
        return None
    for at, step in enumerate(record.steps):
        match = data.search("transient", step.output) if step.failed else None
        if match and not any(_again(step, match[0], later) for later in record.steps[at + 1 :]):
            told = say("not_retried.pass_agent_not", match=match[0], step=_what(step))
            return Seen(told, record.cite(reversed(step.blocks), match[0]), {"what": _what(step)})
    return None


def _again(step: Step, error: str, later: Step) -> bool:
    number = re.search(r"\d{3,}", error)
    if re.search(rf"(?<!\d){number[0]}(?!\d)" if number else re.escape(error), later.output):
        return True
    mine = set(hosts_of(f"{step.text}\n{step.output}"))
    if mine:
        return bool(mine & set(hosts_of(f"{later.text}\n{later.output}")))
    return step.text.split() == later.text.split()


def _what(step: Step) -> str:
    hosts = hosts_of(f"{step.text}\n{step.output}")
    return hosts[0] if hosts else step.name


_MISSING = (
    re.compile(r"No module named '(?P<name>[A-Za-z]\w*)[.\w]*'"),
    re.compile(r"^(?:.*: )?(?P<name>[\w.+-]+): (?:command )?not found$", re.MULTILINE),
    re.compile(r"there is no package called [‘'](?P<name>[\w.]+)[’']"),
)


def not_installed(record: Record) -> Seen | None:
    """A module or program was missing, and the agent never tried to install anything.

    The first that was missing; attempts to install anything at all excuse the agent.
    """
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
