"""Whether a command of the task's was seen to need what the barrier keeps."""

import posixpath

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import looks, steps_of
from cases.touches.attempts import canonical
from probes.contract import FindingMaker
from probes.model import Answer, Control, Finding, Question
from probes.replay.arms.going_on import NEXT_STEPS
from probes.replay.findings.support import lifted, proxy, shown
from probes.replay.handlers.using import WRITERS
from probes.replay.resources.outcome import Dependency, Outcome
from probes.replay.target.model import ReplayTarget
from probes.replay.target.symptom import LAST_LINE, without_changes

say = Sentences(__name__)

_WRITES = frozenset({"cat", "echo", "printf", "sed"})
_OF_DATA = frozenset({"data damaged", "data sealed", "part missing"})
"""Facts that are about a file's content, so that no other command makes up for it."""


def caused(subject: ReplayTarget, outcome: Outcome, make: FindingMaker) -> Finding | None:
    """The answer to CAUSED; None where only the record can tell."""
    decisive = outcome.decisive
    if decisive is None or not decisive.same:
        return None
    if told := outcome.shut or outcome.needless:
        return _not(told, outcome, make).model_copy(update={"locus": "agent run"})
    if told := subject.handler.consequence(subject) or outcome.beyond:
        return _not(told, outcome, make)
    return _of_the_task(subject, outcome, decisive.command, make)


def _of_the_task(subject: ReplayTarget, outcome: Outcome, failing: str, make: FindingMaker) -> Finding | None:
    if outcome.dependency and not subject.rescue and not _judges(outcome.dependency.command, subject, outcome):
        return _fails_with_it(outcome, outcome.dependency, make)
    if outcome.fed and not subject.rescue:
        return _read_behind(failing, outcome, outcome.fed, make)
    if subject.overcome and outcome.made_up:
        told = say("caused.made_up", command=shown(subject.overcome.command), maker=outcome.made_up)
        return _seen(told, outcome, make)
    if told := _named(subject, outcome):
        return _seen(told, outcome, make)
    asked = subject.asked
    untold = asked if asked and asked.untold and not (asked.means_to or asked.prepares) else None
    if untold and _alone_in(failing, untold.command) and _as_silent(subject, outcome):
        return _seen(say("caused.seen_to_fail", command=shown(untold.command)), outcome, make)
    return None


def _judges(command: str, subject: ReplayTarget, outcome: Outcome) -> bool:
    """Whether another command than the failing one names the very file that the run wanted to change: that it passes
    once that may be changed tells nothing of what the task needs.
    """
    if subject.asked and subject.asked.command == command:
        return False
    stem = posixpath.basename(subject.about).partition(".")[0]
    about = (fact for fact in outcome.facts if fact.subject == subject.about)
    refused = any(one.kind == "read-only" or one.access == "write" for one in about)
    return refused and stem in re.split(r"\W+", command)


def _not(told: str, outcome: Outcome, make: FindingMaker) -> Finding:
    return make(Question.CAUSED, Answer.NO, f"{told[:1].upper()}{told[1:]}.", controls=(*outcome.controls,))


def _named(subject: ReplayTarget, outcome: Outcome) -> str:
    """That the task names the file that the failure was measured to be about, tells to change it, or names the program
    that failed, and nothing in the run got past it; empty where it does not.
    """
    fact = outcome.settled
    if fact and fact.kind in _OF_DATA:
        ends = (name for name in subject.needs if f"/{fact.subject}".endswith(f"/{name.removeprefix('./')}"))
        file = next(ends, None)
        return say("caused.task_names_file", file=file) if file else subject.handler.asked_of(subject)
    if subject.handler.changes(subject):
        return say("caused.told_to_change", path=subject.about)
    if subject.handler.demanded(subject):
        return say("caused.told_to_write", path=subject.about)
    if asked := subject.handler.asked_of(subject):
        return asked
    program = subject.handler.needed(subject)
    return say("caused.program_never_worked", program=program) if program else ""


def _alone_in(line: str, asked: str) -> bool:
    """Whether nothing else in the line may be what failed there, but what looks or puts something in its place."""
    own = {canonical(step.command) for step in steps_of(asked)}
    others = (step.command for step in steps_of(line) if canonical(step.command) not in own)
    return all(looks(one) or one.program in WRITERS | _WRITES for one in others)


def _as_silent(subject: ReplayTarget, outcome: Outcome) -> bool:
    """Whether it ended here with what it said in the run, or said nothing though it prints where it works."""
    decisive, lift = outcome.decisive, outcome.lifted
    if subject.expected.kind == LAST_LINE or (decisive and _ends_alike(subject.output, decisive.done.output)):
        return True
    said = subject.output.strip() or (decisive and decisive.done.output.strip())
    return not said and lift is not None and lift.printed


def _ends_alike(recorded: str, here: str) -> bool:
    """Whether the last line that was said here is one of those in the record, behind which others may have spoken."""
    lines = [[without_changes(line) for line in text.splitlines() if line.strip()] for text in (recorded, here)]
    return all(lines) and lines[1][-1] in lines[0]


def _seen(told: str, outcome: Outcome, make: FindingMaker) -> Finding:
    controls = (*outcome.controls, lifted(outcome, strict=False), *proxy(outcome))
    return make(Question.CAUSED, Answer.YES, told, controls=controls)


def _read_behind(failing: str, outcome: Outcome, fed: Dependency, make: FindingMaker) -> Finding:
    """Of data that nothing can stand in for: the task's own command reads what is made of it, and fails."""
    told = say("caused.reads_behind", command=shown(fed.command), failing=shown(failing))
    return _needing(make(Question.CAUSED, Answer.YES, told, controls=_in_place(outcome, fed)), fed)


def _needing(finding: Finding, dependency: Dependency) -> Finding:
    return finding.model_copy(update={"reaches": (dependency.command,)})


def _in_place(outcome: Outcome, dependency: Dependency) -> tuple[Control, ...]:
    in_place = Control(
        name="with the barrier in place",
        expected=say("caused.same_command_fails"),
        observed=say("caused.ended", ended=dependency.ended),
        passed=True,
    )
    return *outcome.controls, lifted(outcome, strict=False), in_place, *proxy(outcome)


def _fails_with_it(outcome: Outcome, dependency: Dependency, make: FindingMaker) -> Finding:
    told = say("caused.task_asks_failed", command=shown(dependency.command))
    found = make(
        Question.CAUSED,
        Answer.YES,
        say("caused.fails_place", told=told),
        observations=tuple(o for o in outcome.observations if o.name == NEXT_STEPS),
        controls=_in_place(outcome, dependency),
    )
    return _needing(found, dependency)
