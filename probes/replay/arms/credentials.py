"""A command that ends itself for want of a credential: what stops it behind that, whatever the credential is."""

from dataclasses import replace

from cases import patterns as re
from cases.secrets.variables import names_credential
from cases.sentences import Sentences
from probes.barriers.measured import telling
from probes.model import Barrier
from probes.replay.arms.documented.programs import AWAY
from probes.replay.arms.measuring import MEASURED, measure
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Credentials, Replayed
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from probes.replay.target.data_state import unopened
from probes.replay.target.model import Attempt
from probes.replay.target.symptom import last_line, symptoms
from sandboxes import Executed, Session

say = Sentences(__name__)

STAND_IN = "stand-in-0123456789abcdef"
MOST = 3
"""Credentials that are stood in for, one after another."""
_WORD = re.compile(r"\w+")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def past_credentials(work: ReplayRun, decisive: Replayed) -> Replayed:
    """The failing command with a stand-in for each credential whose variable it printed and nobody set, where it then
    fails for a host that cannot be reached, or to open what OpenSSL sealed; else as it was. That a variable holds a
    credential its name tells, or that something sealed is to be opened with it.

    Any value does to meet these: what it is does not matter to a host that is not there, and which one opens the sealed
    thing is asked of the machine.
    """
    subject, outcome = work.subject, work.outcome
    if subject.barrier is not Barrier.COMMAND_FAILS or telling(outcome.facts):
        return decisive
    log, first = Log("replay-credentials"), decisive.command
    with work.containers.start(work.spec) as session:
        names, done = _stood_in(work, session, log, decisive)
        arm = arm_of("the failing command", "replay", session, session.journal[-1:], "")
    if not names or done.ok:
        return decisive
    before = {name: getattr(outcome, name) for name in MEASURED}
    command = _with(names, first)
    measure(work, command)
    away = all(map(names_credential, names)) and any(fact.kind in AWAY for fact in telling(outcome.facts))
    if not away and not unopened(outcome.called):
        for name, value in before.items():
            setattr(outcome, name, value)
        return decisive
    work.observe("credentials", say("credentials.behind", names=", ".join(names)), done.seconds, work.keep(log))
    outcome.credentials = Credentials(names, first)
    expected = last_line(done.output) or subject.expected
    work.subject = replace(
        subject, attempts=(Attempt(command, reconstructed=False),), expected=expected, output=done.output
    )
    found = tuple(symptoms(subject.barrier, done.output))
    outcome.replays.insert(0, Replayed(command, False, done, same=True, found=found, arm=arm))
    return outcome.replays[0]


def _stood_in(work: ReplayRun, session: Session, log: Log, decisive: Replayed) -> tuple[tuple[str, ...], Executed]:
    names, done = list[str](), decisive.done
    while len(names) < MOST and not done.ok and (name := _wanted(session, done.output, names)):
        names.append(name)
        done = run(session, log, _with(tuple(names), decisive.command), work.seconds(), shell=work.subject.shell)
    return tuple(names), done


def _wanted(session: Session, output: str, given: list[str]) -> str | None:
    """The first variable that the output names and that is not set, or empty."""
    words = dict.fromkeys(match[0] for match in _WORD.finditer(output))
    names = (word for word in words if _VARIABLE.fullmatch(word))
    return next((name for name in names if name not in given and _is_empty(session, name)), None)


def _is_empty(session: Session, name: str) -> bool:
    return session.run(f'[ -z "${{{name}}}" ]', seconds=10, looks=True).ok


def _with(names: tuple[str, ...], command: str) -> str:
    return f"export {' '.join(f'{name}={STAND_IN}' for name in names)}; {command}"
