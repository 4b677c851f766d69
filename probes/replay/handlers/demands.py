"""Whether a task's own words demand the very place that could not be written, so that another one is no way past."""

import posixpath
import shlex
from dataclasses import dataclass
from functools import cache

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import ORDINARY, PROMPT, demanded, in_full, prompt_of, spelled_outside, texts_of
from cases.touches.names import things
from cases.touches.origins import sentences
from cases.touches.promises import made_by_run
from probes.model import Barrier
from probes.replay.resources.context import ContainerContext
from probes.replay.target.needs import gone_to, paths_of, script_of, scripts_of

say = Sentences(__name__)

ELSEWHERE = say("demands.whether_task_accepts")


UNWRITTEN = frozenset({Barrier.DISK_FULL, Barrier.READ_ONLY, Barrier.PERMISSION})
"""Barriers that meet what writes."""
_DEFAULT = re.compile(r"(?i)\b(?:unless|by default|default(?:s)? to|otherwise)\b")
RECIPES = ["Makefile", "makefile", "GNUmakefile"]
WRITABLE = "find {place} -name .git -prune -o \\( -type f -o -type d \\) -writable -print -quit 2>/dev/null"
GIVEN = 'test -f {place} -a -s {place} || test -n "$(ls -A {place}/ 2>/dev/null)"'


@dataclass(frozen=True)
class Demand:
    """One of a task's texts that demands a place."""

    title: str
    """The text's."""
    place: str
    """Absolute."""
    sure: bool = True
    """Whether the text plainly means it."""
    by_goals: bool = False
    """Whether what else the task asks for tells it, so that another place is tried all the same."""


def demand_for(trial: ContainerContext, path: str, *, from_here: bool = False) -> Demand | None:
    """The text that demands the path, as the failing command spells it; `from_here` where the prompt may spell it from
    the working directory.
    """
    subject, context = trial.subject, trial.context
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    place = posixpath.normpath(posixpath.join(here, path))
    texts = list(texts_of(context.case, context.settings.workspace, trial.outcome.task_files or ()))
    base = trial.session.spec.workdir if from_here else ""
    texts = [(title, in_full(text, place, base) if title == PROMPT else text) for title, text in texts]
    given = cache(lambda spelled: _given(trial, spelled, own=spelled == place))
    found = demanded(place, texts, given, written=_written(trial, place))
    if (found is None or not found.sure) and changes_given(trial, place):
        around = demanded(place, texts, given, changed=True)
        found = around._replace(sure=around.sure and _all_shut(trial, place)) if around else found
    if found is None:
        return None
    sure = found.sure or (found.title == PROMPT and _written_by_the_task_s_own(trial, place))
    prompt = in_full(prompt_of(context.case), place, base)
    sure = sure and not _in_another_form(place, prompt) and not _unless_told(place, prompt)
    trial.observe("demanded place", f"{place}, by {found.title}{'' if sure else ', perhaps'}", None, None)
    return Demand(found.title, place, sure, by_goals=not sure and told_by_goals(trial, path))


def told_by_goals(trial: ContainerContext, path: str) -> bool:
    """Whether the task asks for more that was not seen to work, and that is not told where to look: another place will
    then do where that works behind it.
    """
    subject, here = trial.subject, trial.session.spec.workdir
    goals = subject.goals or subject.unsure
    names = set(posixpath.normpath(posixpath.join(here, path)).split("/")) - set(here.split("/"))
    spoken = {part for goal in goals for part in re.split(r"[^\w.-]+", goal.command)}
    return bool(goals) and not subject.unrepeatable and names.isdisjoint(spoken)


def _given(trial: ContainerContext, place: str, *, own: bool) -> bool:
    """Whether something lies there that the failing command did not put there; `own` where it was to."""
    subject = trial.subject
    failing = CommandRun(
        kind="shell", command=subject.attempts[0].command, tool=None, output=None, exit_code=None, blocks=()
    )
    if own and made_by_run(place, "", (*subject.prior, failing), ()):
        return False
    [there] = trial.run("replay-demanded", GIVEN.format(place=shlex.quote(place)), user="root")
    return there.ok


def _written(trial: ContainerContext, place: str) -> bool:
    """Whether the failing command's own words write that very file, and nothing else that the task asks for could want
    it for its own ends: it makes the file, adds to what is there, or gives a program a name at which nothing lies.
    """
    subject = trial.subject
    command = subject.attempts[0].command
    event = CommandRun(kind="shell", command=command, tool=None, output=None, exit_code=None, blocks=())
    here = posixpath.join(trial.session.spec.workdir, gone_to(command))
    spelled = {posixpath.normpath(posixpath.join(here, path)) for path in paths_of(command)}
    named = place in spelled and subject.barrier in UNWRITTEN
    if not subject.alone or not (named or made_by_run(place, "", (event,), ())):
        return False
    [folder] = trial.run("replay-demanded", f"test -d {shlex.quote(place)}", user="root")
    return not folder.ok and (_adds_to(place, event) or not _given(trial, place, own=False))


def changes_given(trial: ContainerContext, place: str) -> bool:
    """Whether the command was measured to want to write to a file that is there, and may not be written."""
    refused = (
        fact.subject == place and (fact.kind == "read-only" or fact.access == "write") for fact in trial.outcome.facts
    )
    return any(refused) and _given(trial, place, own=False)


def _all_shut(trial: ContainerContext, place: str) -> bool:
    """Whether nothing can be written in the outermost folder around it that is not one of everybody's, folders
    included: there what may not be written may be replaced, and the task's words may mean what may. Where they spell
    the very path, it is the folder around that.
    """
    around = posixpath.dirname(place)
    shut = f"test ! -w {shlex.quote(around)} && test ! -w {shlex.quote(place)}"
    if place in spelled_outside(prompt_of(trial.context.case), trial.session.spec.workdir):
        return trial.run("replay-demanded-shut", shut, seconds=20)[0].ok
    while posixpath.dirname(around) not in ORDINARY:
        around = posixpath.dirname(around)
    [found] = trial.run("replay-demanded-shut", WRITABLE.format(place=shlex.quote(around)), seconds=20)
    return found.ok and not found.output.strip()


def _adds_to(place: str, event: CommandRun) -> bool:
    name = posixpath.basename(place)
    targets = ((one.operator, one.target) for step in event.steps for one in step.command.redirects)
    appended = any(
        operator.endswith(">>") and target is not None and posixpath.basename(target.text) == name
        for operator, target in targets
    )
    tees = (step.command.arguments for step in event.steps if step.command.program == "tee")
    return appended or any(
        not {"-a", "--append"}.isdisjoint(words) and name in map(posixpath.basename, words) for words in tees
    )


def _written_by_the_task_s_own(trial: ContainerContext, place: str) -> bool:
    """Whether a script or a recipe that the run did not write writes there of itself: no choice of the agent's."""
    subject = trial.subject
    command = subject.attempts[0].command
    builds = [step for step in steps_of(command) if step.command.program in things().builders.programs]
    runs = [step for step in steps_of(command) if script_of(step.command)] or builds
    scripts = scripts_of(command) or (RECIPES if builds else [])
    writes = [write for write in subject.events.writes if write.after <= (subject.event or 0)]
    own = any(made_by_run(path, "", subject.prior, writes) for path in scripts)
    name = posixpath.basename(place)
    return bool(scripts) and not own and not any(name in step.command.text for step in runs)


def _in_another_form(place: str, prompt: str) -> bool:
    """Whether the prompt names the file with a further ending, too: `full.bin` or `full.bin.gz`."""
    name = posixpath.basename(place)
    return "." in name and re.search(rf"(?<![\w.-]){re.escape(name)}\.[a-z]\w", prompt) is not None


def _unless_told(place: str, prompt: str) -> bool:
    """Whether the prompt names the place, or a folder around it, as what holds where nothing else is told."""
    named = [one for one in sentences(prompt) if any(place.startswith(path) for path in spelled_outside(one))]
    return any(_DEFAULT.search(one) for one in named)


def only_told(demand: Demand | None) -> str | None:
    """Why the failure of all other routes leaves it open, where no more than a README or a vague word speaks of it."""
    if demand is None or demand.sure or demand.by_goals:
        return None
    if demand.title == PROMPT:
        return say("demands.speaks_without_plainly", title=demand.title, place=demand.place)
    return say("demands.speaks_task_text", title=demand.title, place=demand.place)


def said_of(demand: Demand | None) -> str:
    """A remark for the reader."""
    if demand is None:
        return ELSEWHERE
    title = f"{demand.title[:1].upper()}{demand.title[1:]}"
    if demand.by_goals:
        return say("demands.demand_another_way", title=title, place=demand.place)
    if not demand.sure:
        return say("demands.demand", title=title, place=demand.place, elsewhere=ELSEWHERE.lower())
    return say("demands.demands_another_place", title=title, place=demand.place)
