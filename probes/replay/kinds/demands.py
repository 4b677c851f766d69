"""Whether a task's own words demand the very place that could not be written, so that another one is no way past."""

import posixpath

from probes.replay.needs import gone_to
from probes.replay.subject import Subject
from probes.replay.trial import Trial
from probes.task_words import PROMPT, demanded, texts_of

ELSEWHERE = "Whether the task accepts another place is for its text to say."


def with_demand(trial: Trial, path: str) -> Subject:
    """The subject with the parameters `demanded`, the text that does, and `demanded_place`, where one does."""
    subject, context = trial.subject, trial.context
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    place = posixpath.normpath(posixpath.join(here, path))
    title = demanded(place, texts_of(context.case, context.settings.workspace, trial.outcome.task_files or ()))
    if title is None:
        return subject
    trial.observe("demanded place", f"{place}, by {title}", None, None)
    return subject.with_parameters(demanded=title, demanded_place=place)


def only_told(subject: Subject) -> str | None:
    """Why the failure of all other routes leaves it open, where no more than a README speaks of the place."""
    told = subject.parameters
    if told.get("demanded", PROMPT) == PROMPT:
        return None
    return f"{told['demanded']} speaks of {told['demanded_place']} and the task's text does not, so that it is open"


def said_of(subject: Subject) -> str:
    """A remark for the reader."""
    told = subject.parameters
    if "demanded" not in told:
        return ELSEWHERE
    title = told["demanded"]
    return f"{title[:1].upper()}{title[1:]} demands {told['demanded_place']}, so that another place is no way past."
