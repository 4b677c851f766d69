"""Routes that put something elsewhere than where the prompt has it: none, where what the task asks for fails behind
them and reads nothing that leads elsewhere.
"""

import posixpath
import shlex
from dataclasses import replace

from cases.sentences import Sentences
from cases.task_words import prompt_of, spelled_around
from probes.model import Barrier
from probes.replay.arms.measuring import traced_in
from probes.replay.handlers.settings import own_settings
from probes.replay.handlers.sources import programs_elsewhere, sources
from probes.replay.resources.run import ReplayRun
from probes.replay.routes.judging import short
from probes.replay.target.model import Attempt, Goal
from sandboxes import SandboxError, Session

say = Sentences(__name__)

_SECONDS = 30
_NEAREST = 'd="$p"; while [ ! -e "$d" ]; do d="$(dirname "$d")"; done'
_OPEN = (
    'if test -d "$p"; then test -n "$(find "$p" -maxdepth 1 -writable -print -quit 2>/dev/null)"; else test -w "$p"; fi'
    ' || { d="$(dirname "$p")"; test -w "$d" && ! test -k "$d"; }'
)
"""Whether the user may write to a place, or put something else there."""
_EVERYBODY_S = ("/tmp/", "/var/tmp/", "/dev/", "/proc/")  # noqa: S108 - of a container


def left_as_it_was(work: ReplayRun) -> None:
    """A route that left a place as it was which the prompt names is none, where a command that the task asks for fails
    behind it and works with the barrier removed: there the place is shut, and that command asks for nothing else that
    the user may write.
    """
    outcome = work.outcome
    needed = outcome.dependency.command if outcome.dependency else ""
    places = [
        place
        for place, tried in enumerate(outcome.tried)
        if needed in tried.unmoved and tried.route.result == "not_tried"
    ]
    goal = next((goal for goal in work.subject.goals if goal.command == needed), None)
    if not places or goal is None or (work.subject.barrier is not Barrier.DISK_FULL and _leads_elsewhere(work, goal)):
        return
    for place in places:
        tried = outcome.tried[place]
        told = {"result": "failed", "note": say("left_as_it_was.fails_behind", command=short(needed))}
        outcome.tried[place] = replace(tried, route=tried.route.model_copy(update=told))


def _leads_elsewhere(work: ReplayRun, goal: Goal) -> str:
    """What may be written all the same, or read in its stead; empty where nothing may."""
    about, folder = work.subject.about, work.spec.workdir
    named = dict.fromkeys((about, *spelled_around(prompt_of(work.context.case), about, folder)))
    try:
        with work.containers.start(work.spec) as session:
            found = _first(session, _OPEN, list(named)) or _read_instead(work, session, goal, list(named))
    except SandboxError as error:
        found = str(error)
    if found:
        work.observe("another place", found, None, None)
    return found


def _read_instead(work: ReplayRun, session: Session, goal: Goal, named: list[str]) -> str:
    traced = traced_in(work, session, goal.line, _SECONDS)
    missing = [place for fact in traced.facts if fact.kind == "file missing" for place in (fact.subject, *fact.places)]
    inside = f"{work.spec.workdir.rstrip('/')}/"
    read = [path for path in dict.fromkeys((*traced.opened, *missing)) if path.startswith("/") and path not in named]
    read = [path for path in read if not f"{path}/".startswith((inside, *_EVERYBODY_S))]
    if found := _first(session, f'{_NEAREST}; test -w "$d"', read):
        return found
    trial = work.trial(session)
    attempt = Attempt(goal.line, reconstructed=True)
    trial = replace(trial, subject=replace(work.subject, attempts=(attempt,)))
    text = sources(trial, goal.line, programs_elsewhere(trial))
    if text is None:
        return say("left_as_it_was.sources_long_many")
    for place in named:
        text = text.replace(place, "")
    return next(iter(own_settings(text, goal.line)), "")


def _first(session: Session, test: str, paths: list[str]) -> str:
    """The first of the paths of which a test holds."""
    if not paths:
        return ""
    asked = f'for p in {shlex.join(map(posixpath.normpath, paths))}; do ( {test} ) && echo "$p"; done; true'
    return next(iter(session.run(asked, seconds=_SECONDS, looks=True).output.splitlines()), "")
