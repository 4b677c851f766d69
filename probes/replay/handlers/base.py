"""What a kind of barrier says of itself; every hook has the default of a command that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Command, Group, Node, looks, parse, seconds_waited
from probes.model import Answer, Barrier, Control, Envelope, Hypothesis, Targets
from probes.replay.target.details import Details, Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.symptom import ANY, EXIT, LAST_LINE, Symptom, ends_with, shows
from sandboxes import Executed, Limit, Limits

if TYPE_CHECKING:
    from cases import CommandRun
    from probes.replay.resources.contents import Sort
    from probes.replay.resources.context import ContainerContext
    from probes.replay.resources.outcome import Outcome
    from sandboxes.tracing import Fact

say = Sentences(__name__)


_FILTERS = frozenset(
    {
        "cat",
        "column",
        "cut",
        "egrep",
        "fgrep",
        "fold",
        "grep",
        "head",
        "less",
        "more",
        "nl",
        "sed",
        "sort",
        "tail",
        "tr",
    }
    | {"uniq", "wc"}
)
"""Programs that pass on what they read, or part of it, and judge nothing."""
_EARLY = frozenset({"head", "grep", "egrep", "fgrep", "sed"})
"""Of these those that need not read to the end."""
_PIPE_CLOSED = 128 + 13
"""The exit code of what SIGPIPE ended."""
WAIT = 5
"""Seconds for which a line may wait before it does anything."""


def without_report(line: str) -> str:
    """A line without what only reports at its end: from `; echo $?` on, and `| tail` and its like behind what works.

    Both hide how the line itself ended.
    """
    body = parse(line).body
    if body is None or body.kind != "list":
        return line
    cut, last = None, body.parts[-1]
    for number in range(len(body.parts) - 1, 0, -1):
        part = body.parts[number]
        if body.joints[number - 1] != ";" or not isinstance(part, Command) or not looks(part):
            break
        if part.program in ("echo", "printf") and "$?" in part.text:
            cut, last = part.start, body.parts[number - 1]
    cut = _before_filters(last) or cut
    return line[:cut].rstrip("; \n") if cut is not None else line


def sparing(line: str) -> str:
    """A pipeline whose last command may stop reading early: that what feeds it is then ended is no failure."""
    body = parse(line).body
    node = body.parts[-1] if isinstance(body, Group) and body.kind == "list" else body
    last = node.parts[-1] if isinstance(node, Group) and node.kind == "pipeline" else None
    if "<<" in line or not isinstance(last, Command) or last.program not in _EARLY:
        return line
    spared = f"{line.rstrip()} || test $? = {_PIPE_CLOSED}"
    return spared if parse(spared).body is not None else line


def without_wait(line: str) -> str:
    """A line that does not begin with a long wait: nothing that it might wait for is there."""
    first: Node | None = parse(line).body
    while isinstance(first, Group) and first.kind in ("list", "chain"):
        first = first.parts[0]
    if not isinstance(first, Command) or first.program != "sleep" or len(first.arguments) != 1:
        return line
    if first.end == len(line.rstrip()):
        return line
    long = seconds_waited(first) > WAIT
    return f"{line[: first.words[1].start]}{WAIT}{line[first.words[1].end :]}" if long else line


def _before_filters(node: Node) -> int | None:
    """Where what works ends in a pipeline whose last commands only look at what it says."""
    while isinstance(node, Group) and node.kind == "chain":
        node = node.parts[-1]
    if not isinstance(node, Group) or node.kind != "pipeline" or set(node.joints) - {"|", "|&"}:
        return None
    kept = list(node.parts)
    while len(kept) > 1 and isinstance(kept[-1], Command) and kept[-1].program in _FILTERS and looks(kept[-1]):
        kept.pop()
    works = isinstance(kept[0], Command) and not looks(kept[0])
    below = any(isinstance(one, Command) and any(word.heredoc for word in one.redirects) for one in node.parts)
    cut = works and not below and len(kept) < len(node.parts)
    return kept[-1].end if cut and isinstance(kept[-1], Command) else None


def code_attempts(event: CommandRun | None, envelope: Envelope) -> tuple[Attempt, ...]:
    """What a piece of Python says, for the machine's own interpreter; none where it calls the agent's tools."""
    if event is None or event.kind != "python" or any(f"{tool}(" in event.command for tool in envelope.tools.value):
        return ()
    return (Attempt(f"python3 - <<'IMPASSABLE_END'\n{event.command}\nIMPASSABLE_END", reconstructed=True),)


class BarrierHandler:
    """One kind of barrier, or a few that are replayed alike."""

    barriers: ClassVar[tuple[Barrier, ...]]
    noun: ClassVar[str]
    """What the barrier is about, in a sentence."""
    failure: ClassVar[dict[Barrier, str]] = {}
    """The signature to expect where a record names the thing but does not quote the failure."""
    valid: ClassVar[re.Pattern[str] | None] = None
    """What a name must match, so that it can stand in a command."""
    about: ClassVar[str | None] = None
    """What it always is about, where its failure names nothing."""
    details: ClassVar[type[Details]] = Details
    """The form of what it knows of a subject."""
    unknown: ClassVar[dict[str, str]] = {}
    """What to say of a route when a value of this name is not known."""
    present_rests_on: ClassVar[tuple[str, ...]] = ("image",)
    """Values of the envelope that a replay which simply works rests on."""
    routes_rest_on: ClassVar[tuple[str, ...]] = ("user", "sudo", "network", "shell")
    """Values of the envelope that the failure of every route rests on."""
    knows_tools: ClassVar[bool] = False
    """Whether it asks itself what else than a shell the agent had."""
    needs_index: ClassVar[bool] = False
    """Whether the failing command itself asks a package index."""
    limit: ClassVar[Limit | None] = None
    """A limit of the container that is the run's own, so that meeting it is a failure and not our doing."""
    shows_past: ClassVar[bool] = False
    """Whether a route after which the command fails otherwise has got past this failure."""
    gone_suffices: ClassVar[bool] = False
    """Whether it is enough that the barrier is gone, whatever the command then meets."""

    def named(self, targets: Targets) -> tuple[str, ...]:
        """What the hypothesis says it is about."""
        return () if self.about else targets.paths

    def asked(self, command: str) -> tuple[str, ...]:
        """What the command asks for by its own words, more exactly than a failure names it."""
        del command
        return ()

    def candidates(self, hypothesis: Hypothesis, event: CommandRun | None) -> tuple[str, ...]:
        """Further names from the record, the likeliest first."""
        del hypothesis, event
        return (self.about,) if self.about else ()

    def same(self, subject: str, about: str) -> bool:
        """Whether a failure's subject is what the barrier is about."""
        return subject.lower().replace("_", "-") == re.split(r"[\[<>=!~]", about)[0].lower().replace("_", "-")

    def expected(self, barrier: Barrier, about: str) -> Symptom | None:
        """The failure to expect where the record does not quote one."""
        return Symptom(self.failure[barrier], about) if barrier in self.failure else None

    def expected_of(self, event: CommandRun | None) -> Symptom | None:
        """The failure to expect by how the run's own command ended."""
        del event
        return None

    def event_of(self, text: str) -> CommandRun | None:
        """What stands for the failing command where the record's words belong to none; `text` are the cited blocks."""
        del text
        return None

    def measured(self, subject: ReplayTarget, facts: tuple[Fact, ...]) -> str:
        """What it is about once the failure's facts were measured."""
        del facts
        return subject.about

    def must_work(self, subject: ReplayTarget, command: str, commands: tuple[str, ...]) -> bool:
        """Whether a route of these commands shows nothing unless the failing one works behind it."""
        del subject, command, commands
        return False

    def refuses(self, about: str, command: str, output: str, *, told: bool) -> str | None:
        """One sentence why nothing can be replayed, if so; `told` where the task names what it is about."""
        del about, command, output, told
        return None

    def least(self, about: str, envelope: Envelope) -> str | None:
        """The least command that meets the barrier."""
        del about, envelope
        return None

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """Commands that should show the failure, in the order to try them until one does."""
        attempts: list[Attempt] = []
        if event and event.kind == "shell" and event.command.strip():
            attempts.append(Attempt(without_wait(without_report(event.command)), reconstructed=False))
        elif hypothesis.targets.commands and not (event and event.command.strip()):
            attempts.append(Attempt(hypothesis.targets.commands[0], reconstructed=True))
        least = self.least(about, envelope)
        if least:
            attempts.append(Attempt(least, reconstructed=True))
        else:
            attempts += code_attempts(event, envelope)
        return tuple(attempts)

    def plainly(self, subject: ReplayTarget) -> ReplayTarget:
        """The subject, with what the task asks for of the failing line in the place of the whole line."""
        return subject

    def known(self, subject: ReplayTarget) -> Details:
        """What the record alone tells of the subject."""
        del subject
        return self.details()

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """What its routes are filled with beyond `command`, the failing one; always the same names."""
        del subject, command
        return {}

    def held(self, subject: ReplayTarget) -> tuple[Sort, str] | None:
        """What a package must hold to bring what is missing: its sort, and its name; None where that says nothing."""
        del subject
        return None

    def within(self, limits: Limits, envelope: Envelope) -> Limits:
        """What its containers may use up."""
        del envelope
        return limits

    def met(self, subject: ReplayTarget, done: Executed) -> bool:
        """Whether a command ended with the expected failure."""
        expected, failed = subject.expected, done.exit_code not in (0, None) and done.limit is None
        if expected.kind == EXIT:
            return failed and expected.subject in (ANY, str(done.exit_code))
        if expected.kind == LAST_LINE and failed and ends_with(expected, done.output):
            return True
        return shows(subject.told_as or subject.barrier, expected, done.output)

    def extras(self, subject: ReplayTarget, envelope: Envelope) -> tuple[str, ...]:
        """Commands, as root and with the package indexes, that give the image what the run's machine had of itself."""
        del subject, envelope
        return ()

    def furnish(self, trial: ContainerContext) -> bool:
        """Put into the first container, before the failure is repeated, what belongs there; whether anything was."""
        del trial
        return False

    def lacking(self, trial: ContainerContext) -> str | None:
        """What the image lacks without which a replay says nothing of the run's machine; ends a sentence."""
        del trial
        return None

    def learn(self, trial: ContainerContext) -> Details:
        """What is known once the container itself has been asked, before the failure is repeated."""
        return trial.subject.details

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """Whether it learns more once the failure's facts are measured."""
        del subject
        return False

    def controls(self, trial: ContainerContext) -> list[Control]:
        """Controls of its own, under the same policy, once the failure has been repeated."""
        del trial
        return []

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """PRESENT when the command simply works, and the sentence that says so; `said` is its beginning."""
        if len(outcome.replays) > 1:
            return Answer.UNKNOWN, say("base.but_run_own", said=said)
        return Answer.NO, say("base.not_come_back", said=said, expected=subject.expected)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Why the same failure here is no barrier of the run's machine, if it is none; ends a sentence."""
        del subject, outcome
        return None

    def changes(self, subject: ReplayTarget) -> bool:
        """Whether the failure kept the run from changing what the task tells to change."""
        del subject
        return False

    def consequence(self, subject: ReplayTarget) -> str | None:
        """Why it only follows from an earlier failure, if it does; a sentence without its full stop."""
        del subject
        return None

    def demanded(self, subject: ReplayTarget) -> bool:
        """Whether the prompt itself asks for something at the very place that could not be written."""
        del subject
        return False

    def judged_by_goals(self, subject: ReplayTarget) -> bool:
        """Whether a way to another place is one only where all else that the task asks for works behind it."""
        del subject
        return False

    def asked_of(self, subject: ReplayTarget) -> str:
        """What the task's own text asks for that nothing but the failing command brings; a sentence, or empty."""
        del subject
        return ""

    def needed(self, subject: ReplayTarget) -> str:
        """A program that the task's text names and that never got past the barrier; empty where there is none."""
        del subject
        return ""

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Why the failure of every route still does not make it impassable, if so; ends a sentence."""
        del subject, outcome
        return None

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Limits of an answer to PASSABLE."""
        del subject, outcome
        return ()
