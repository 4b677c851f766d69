"""Whether what the run itself left running stands in the way: ended, and the failing command once more."""

import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Tried
from probes.replay.resources.recipe import arm_of
from probes.replay.resources.run import ReplayRun
from sandboxes import Session

say = Sentences(__name__)

PLAN = RoutePlan(
    id="without-own-processes",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="kill(1): who started a process may end it",
)
MOST = 6
"""Different commands that are named; a run that left more running is not tried."""
_LONGEST = 300
_LOOK = r"""
for p in /proc/[0-9]*; do
  [ -O $p ] && [ ${p#/proc/} != $$ ] && [ ${p#/proc/} != $PPID ] && [ ${p#/proc/} != 1 ] || continue
  read -r told 2>/dev/null <$p/stat || continue; set -- ${told##*) }
  [ "$2" = 1 ] && [ "$1" != Z ] && tr '\0' ' ' <$p/cmdline && echo
done
"""
_KEEPS = ("sleep infinity", "tail -f /dev/null")
"""What containers are kept running with: nobody's leftovers."""


def end_left_over(work: ReplayRun, stage: Session) -> None:
    """Try it in the container of the replay, the only one in which the run's processes still are."""
    decisive = work.outcome.decisive
    if (
        decisive is None
        or not decisive.same
        or decisive is not work.outcome.replays[0]
        or not work.outcome.prior
        or not work.context.envelope.shell.value
    ):
        return
    log = Log(f"replay-route-{PLAN.id}")
    log.note(f"route {PLAN.id} ({PLAN.tier.value}): {PLAN.source}")
    told = run(stage, log, _LOOK, 20, looks=True).output.splitlines()
    left = [line for line in dict.fromkeys(told) if line.strip() and line.strip() not in _KEEPS]
    if not left or len(left) > MOST or any(len(line) > _LONGEST for line in left):
        return
    before, command = len(stage.journal), decisive.command
    end = _ending(left)
    run(stage, log, end, 20, shell=work.subject.shell)
    done = run(stage, log, command, work.seconds(), shell=work.subject.shell)
    worked = done.ok and not work.subject.handler.met(work.subject, done)
    goals = reached(work, stage, log) if worked else ()
    note = say("left_over.works", left=", ".join(f"`{line.strip()}`" for line in left))
    route = Route(
        id=PLAN.id,
        tier=PLAN.tier,
        commands=(end, command),
        result="passed" if worked else "failed",
        note=note if worked else say("left_over.fails", how=done.how),
        artifact=work.keep(log),
    )
    arm = arm_of(PLAN.id, "route", stage, stage.journal[before:], work.sign)
    work.settle(Tried(PLAN, route, done.seconds, arm=arm, reached=goals))


def _ending(left: list[str]) -> str:
    """A line that ends the processes of these commands, and waits until they are gone."""
    names = "|".join(shlex.quote(line) for line in left)
    words = "$(tr '\\0' ' ' 2>/dev/null <$p/cmdline)"
    return f'for p in /proc/[0-9]*; do case "{words}" in {names}) kill ${{p#/proc/}};; esac; done; sleep 1'
