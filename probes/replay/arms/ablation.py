"""Whether the run brought its failure about: its earlier commands again, without some or all of them."""

import posixpath
import shlex
from collections.abc import Sequence
from dataclasses import replace

from cases import CommandRun, Events
from cases import patterns as re
from cases.failing.forms import ran_tests
from cases.sentences import Sentences
from cases.shell import Command, looks, steps_of
from cases.task_words import prompt_of
from cases.touches import canonical
from cases.touches.names import things
from probes.barriers import RoutePlan
from probes.model import Route, Tier
from probes.replay.arms.going_on import reached
from probes.replay.arms.own_calls import names_a_barrier, settle_way
from probes.replay.arms.workarounds import RESERVE_SECONDS
from probes.replay.handlers.base import without_report, without_wait
from probes.replay.handlers.failing_part import to_its_failure
from probes.replay.resources.log import Log, run
from probes.replay.resources.outcome import Outcome, Tried
from probes.replay.resources.run import ReplayRun
from probes.replay.restore.repeating import repeat_prior
from probes.replay.restore.workspace_restore import Furnishing
from probes.replay.routes.judging import short
from probes.replay.target.changes import changed
from probes.replay.target.script import script, takes_away
from sandboxes import Executed, Session, Spec

say = Sentences(__name__)

SOURCE = "what a run takes away from its machine is no defect of that machine"
LEFT_OUT = RoutePlan(id="without-own-step", tier=Tier.T2, commands=(), source=SOURCE)
_SINCE = "/tmp/.since-left-out"  # noqa: S108 - in a container
_CHANGED = (
    r"find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /opt/impassable \) -prune "
    rf"-o -type f -newer {_SINCE} -print 2>/dev/null | head -1"
)
_BESIDE = frozenset({"", "cd", "set", "export"})
_RIGHTS = frozenset({"chmod", "chown", "chgrp", "setfacl", "chattr"})
_TESTS = {"read": "r", "write": "w", "execute": "x", "enter": "x"}
ALL_LEFT_OUT = RoutePlan(id="without-earlier-steps", tier=Tier.T2, commands=(), source=SOURCE)
ANOTHER_ALONE = RoutePlan(id="another-try-alone", tier=Tier.T2, commands=(), source=SOURCE)
MOST = 2
"""Of the run's other tries that are made alone."""


def leave_out(work: ReplayRun, command: str, found: Spec) -> None:
    """Where the command works on the machine as it was found, without the run's harmful steps, that is a way past;
    where it fails there for a reason that no barrier has, what it met before is the run's own doing.
    """
    steps, _ = script(work.subject)
    emptied = _emptied(work, found)
    harmful = [step for step in steps if _takes_away(work, step) or _writes(step, emptied)]
    if harmful:
        named = ", ".join(f"`{short(step.command)}`" for step in harmful)
        note = say("ablation.same_command_works", named=named)
        done = _leave_out(work, LEFT_OUT, harmful, command, found, f"without {named}", note)
        met = work.subject.handler.met(work.subject, done) and not (emptied and _ends_otherwise(work, done))
        if not done.ok and not done.limit and not met and not names_a_barrier(done):
            work.outcome.shut = say("ablation.not_met_without", named=named)


def _takes_away(work: ReplayRun, step: CommandRun) -> bool:
    """Whether it takes away what the run had found: no look does, nor what puts back files that the run had changed."""
    if step.only_looks or not takes_away(step.command):
        return False
    before = work.subject.prior[: work.subject.prior.index(step)]
    acting = [one.command for one in step.steps if not looks(one.command)]
    back = [command for command in acting if takes_away(command.text) and _puts_back(command, before)]
    return not step.steps or any(takes_away(command.text) for command in acting if command not in back)


def _puts_back(command: Command, before: Sequence[CommandRun]) -> bool:
    """Whether all the files that git is told to take from its history were changed by the run before."""
    files = {posixpath.basename(word) for word in command.arguments[1:] if not word.startswith("-")}
    return command.program == "git" and bool(files) and changed(files, Events(commands=tuple(before))) == files


def _emptied(work: ReplayRun, found: Spec) -> tuple[str, ...]:
    """The files without anything in them that the failing command names, and that the machine had with something."""
    empty = work.outcome.emptied
    if not empty:
        return ()
    ask = f'for f in {shlex.join(empty)}; do test -s "$f" && echo "$f"; done; true'
    aside = replace(work, subject=replace(work.subject, prior=()), outcome=Outcome(), spec=found)
    with aside.containers.start(found) as session:
        furnishing = Furnishing(aside, session)
        furnishing.begin()
        furnishing.end()
        return tuple(session.run(ask, seconds=30, looks=True).output.splitlines())


def _writes(step: CommandRun, files: Sequence[str]) -> bool:
    """Whether it puts what it prints, or one of its outputs, into a file of such a name."""
    names = {posixpath.basename(file) for file in files}
    return any(posixpath.basename(output) in names for one in step.steps for output in one.command.outputs)


def _ends_otherwise(work: ReplayRun, done: Executed) -> bool:
    """Whether its last words are not those of the failure."""
    decisive = work.outcome.decisive
    return decisive is not None and decisive.done.output.splitlines()[-1:] != done.output.splitlines()[-1:]


def start_over(work: ReplayRun, command: str, found: Spec) -> None:
    """The same without any of the run's earlier commands, where no route worked: it may have broken something unseen.

    Where the command then fails as well, nothing follows, unless its tests run there that do not even begin behind what
    the run did.
    """
    steps, _ = script(work.subject)
    if not steps or _wanted_by_an_edit(work):
        return
    if work.left() < RESERVE_SECONDS:
        note = say("ablation.could_not_tried")
        route = Route(id=ALL_LEFT_OUT.id, tier=ALL_LEFT_OUT.tier, commands=(command,), result="not_tried", note=note)
        work.outcome.tried.append(Tried(ALL_LEFT_OUT, route))
        return
    note, how = say("ablation.same_command_works_machine"), "without the run's earlier commands"
    done = _leave_out(work, ALL_LEFT_OUT, steps, command, found, how, note)
    decisive = work.outcome.decisive
    named = decisive is None or names_a_barrier(decisive.done) or work.outcome.settled is not None
    begins = ran_tests(done.output) and decisive is not None and not ran_tests(decisive.done.output)
    if not done.ok and not done.limit and begins and not named and not names_a_barrier(done):
        work.outcome.shut = say("ablation.tests_began_without")


def try_another_alone(work: ReplayRun, command: str, found: Spec) -> None:
    """Another of the run's tries that met the same, on the machine as it was found, where the task's other commands
    work behind it: what one try left there had stopped the next.
    """
    if not any(not goal.prepares for goal in work.subject.goals) or _wanted_by_an_edit(work):
        return
    for other in [one for one in _tries(work) if one != command][:MOST]:
        if work.outcome.passed is not None or work.left() < RESERVE_SECONDS:
            return
        note, how = say("ablation.another_try_works", command=short(other)), "another try of the run's, alone"
        _leave_out(work, ANOTHER_ALONE, list(work.subject.prior), other, found, how, note)


def _tries(work: ReplayRun) -> list[str]:
    """The run's tries that met the same, each up to where it failed, as the failing command itself is told."""
    events = {one.command: one for one in work.subject.events.commands if one.kind == "shell"}
    cut = {text: without_wait(without_report(to_its_failure(one))) for text, one in events.items()}
    return list(dict.fromkeys(cut.get(text, text) for text in work.subject.targets.commands))


def _wanted_by_an_edit(work: ReplayRun) -> bool:
    """Whether what is missing is wanted for a word that the prompt tells and an earlier step put into another file that
    the prompt names.
    """
    name, prompt = posixpath.basename(work.subject.about), prompt_of(work.context.case)
    told = re.findall(r"[^\W_]{3,}", posixpath.splitext(name)[0])
    words = [word for word in told if re.search(rf"(?<!\w){word}(?!\w)", prompt)]
    edits = [step for step in work.subject.prior if name not in step.command and _changes_what_is_named(work, step)]
    return any(re.search(rf"(?<![^\W_]){word}(?![^\W_])", step.command) for step in edits for word in words)


def shut_by_itself(work: ReplayRun, found: Spec) -> None:
    """Where every path that is denied to the failing command was open to the same user on the machine as it was found,
    what the run did has shut it: no barrier of that machine. Who owns it no test of access tells.
    """
    told = [fact for fact in work.outcome.facts if fact.kind == "denied"]
    named = any(fact.named for fact in told) and all(fact.access for fact in told)
    if not named or not any(map(_changes_rights, (*work.subject.prior, *_failing(work)))):
        return
    denied = {fact.subject: fact.access for fact in told if fact.access}
    tests = " && ".join(f"test -{_TESTS[access]} {shlex.quote(path)}" for path, access in denied.items())
    log = Log("replay-as-found")
    with work.containers.start(found) as session:
        done = run(session, log, tests, 30, looks=True)
    digest = work.keep(log)
    if done.ok:
        some = ", ".join(list(denied)[:2])
        work.outcome.shut = say("ablation.open_run_user", some=some)
    work.observe(
        "as found",
        say("ablation.what_denied", how="open" if done.ok else say("ablation.denied_too")),
        done.seconds,
        digest,
    )


def _failing(work: ReplayRun) -> tuple[CommandRun, ...]:
    place = work.subject.event
    return work.subject.events.commands[place : place + 1] if place is not None else ()


def _changes_rights(command: CommandRun) -> bool:
    """Whether the run's own words change who may do what; what a script of the task's does is not the run's doing."""
    programs = {step.command.program for step in command.steps}
    return bool(programs & _RIGHTS) or re.search(r"\bch(?:mod|own)\(", command.command) is not None


def _leave_out(
    work: ReplayRun, plan: RoutePlan, left_out: list[CommandRun], command: str, found: Spec, how: str, note: str
) -> Executed:
    subject = work.subject
    # Emptied rather than removed: the places of the others, which the run's files go by, stay what they are.
    prior = tuple(step.model_copy(update={"command": ""}) if step in left_out else step for step in subject.prior)
    aside = replace(work, subject=replace(subject, prior=prior), outcome=Outcome(), spec=found)
    log = Log(f"replay-route-{plan.id}")
    log.note(how)
    with aside.containers.start(found) as session:
        done = _without(aside, session, command, log)
        anew = _only_builds(command) and any(_asked_for(work, step) for step in left_out)
        if done.ok and (anew or _carries_on(left_out, command)) and _does_nothing(session, command, anew=anew):
            work.observe(plan.id, say("ablation.does_nothing", how=how), done.seconds, work.keep(log))
            return done
        behind = reached(work, session, log) if done.ok and not names_a_barrier(done) else ()
    asked, others = subject.asked, [goal for goal in subject.goals if not goal.prepares]
    goals = behind if asked is None or others or subject.unsure else (asked.command,)
    settle_way(work, plan, command, done, log, note, how, goals)
    return done


def _carries_on(left_out: Sequence[CommandRun], command: str) -> bool:
    """Whether another call of a program that the command runs was left out, as `git commit` before `git push`."""
    programs = {step.command.program for step in steps_of(command)}
    return any(one.command.program in programs for step in left_out for one in step.steps)


def _only_builds(command: str) -> bool:
    """Whether it builds and does nothing else: what it prints then is about that."""
    programs = {step.command.program for step in steps_of(command)} - _BESIDE
    return bool(programs) and programs <= things().builders.programs


def _asked_for(work: ReplayRun, step: CommandRun) -> bool:
    """Whether the prompt names a file that a step changes, or spells the command that takes something away: a build
    without that is not what is asked for.
    """
    spelled = (canonical(one.command) for one in step.steps if takes_away(one.command.text))
    return _changes_what_is_named(work, step) or any(command in prompt_of(work.context.case) for command in spelled)


def _changes_what_is_named(work: ReplayRun, step: CommandRun) -> bool:
    prompt = prompt_of(work.context.case)
    named = {posixpath.basename(word) for word in re.findall(r"[\w./-]+\.\w+", prompt)}
    return bool(changed(named, Events(commands=(step,))))


def _does_nothing(session: Session, command: str, *, anew: bool) -> bool:
    """Whether it wrote no file and prints nothing but remarks: what it was to carry on was left out with the rest. What
    something that is to be built `anew` prints then is about that.
    """
    if session.run(_CHANGED, seconds=60, looks=True).output.strip():
        return False
    prints = f"( {command}\n) 2>/dev/null < /dev/null | head -c 1"
    return anew or not session.run(prints, seconds=60, looks=True).output


def _without(aside: ReplayRun, session: Session, command: str, log: Log) -> Executed:
    furnishing = Furnishing(aside, session)
    furnishing.begin()
    repeat_prior(aside, session, furnishing)
    furnishing.end()
    aside.subject.handler.furnish(aside.trial(session))
    session.run(f"touch {_SINCE}; sleep 0.1", seconds=10, looks=True)
    shell = aside.subject.shell
    piped = f"set -o pipefail\n{command}" if shell == "bash" else command
    return run(session, log, piped, aside.seconds(), shell=shell)
