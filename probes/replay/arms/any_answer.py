"""Whether it matters what a host that cannot be reached would have said: two answers are given in its place."""

import shlex

from cases.sentences import Sentences
from probes.model import Barrier
from probes.replay.arms.difference import MARK, PRODUCTS_ANYWHERE
from probes.replay.handlers.hooking import hook
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun

say = Sentences(__name__)

ANSWERS = ("0", "1.0")
LONGER = "0\n1\n1\n"
"""One of several lines, in which what looks for a table finds rows."""
_FOLDER = "$HOME/.route-answers"
_CLIENTS = ("curl", "wget")


def ask_anybody(work: ReplayRun, command: str) -> None:
    """Leaves a missing network open where the failing command works whichever answer it gets, writes the same, and says
    the same at its end, which it did not say without one; also with a longer one, unless it fails on that.
    """
    outcome = work.outcome
    if work.subject.barrier is not Barrier.NETWORK or outcome.unread or outcome.decisive is None:
        return
    log = Log("replay-any-answer")
    first, second = (_with(work, log, answer, command) for answer in ANSWERS)
    last, _ = first
    alike = bool(last) and first == second and last not in outcome.decisive.done.output.splitlines()
    alike = alike and _with(work, log, LONGER, command) in (first, ("", ""))
    told = say("any_answer.alike" if alike else "any_answer.otherwise")
    work.observe("any answer", told, None, work.keep(log))
    if alike:
        outcome.unread = say("any_answer.says_the_same", line=last[:120])


def _with(work: ReplayRun, log: Log, answer: str, command: str) -> tuple[str, str]:
    """The last line that it prints and what it writes; empty where it fails."""
    log.note(f"answer: {answer}")
    clients = (
        f"printf %s {shlex.quote(hook('any_answer.sh'))} > {_FOLDER}/{name} && chmod +x {_FOLDER}/{name}"
        for name in _CLIENTS
    )
    own = f"printf %s {shlex.quote(hook('any_answer.py'))} > {_FOLDER}/sitecustomize.py"
    exports = (
        f'export ANY_ANSWER={shlex.quote(answer)} PATH="{_FOLDER}:$PATH"',
        f'export PYTHONPATH="{_FOLDER}${{PYTHONPATH:+:$PYTHONPATH}}"',
    )
    with work.containers.start(work.spec) as session:
        session.run(" && ".join((f"mkdir -p {_FOLDER}", *clients, own, f"touch {MARK}")), seconds=30, looks=True)
        done = run(session, log, "\n".join((*exports, command)), work.seconds(), shell=work.subject.shell)
        listed = run(session, log, PRODUCTS_ANYWHERE, 60, looks=True)
    lines = [line for line in done.output.splitlines() if line.strip()]
    return (lines[-1], listed.output) if done.ok and lines else ("", "")
