"""Whether a task's own words demand the very place that could not be written, so that another one is no way past."""

import posixpath

from probes.replay.needs import gone_to
from probes.replay.subject import Subject
from probes.replay.trial import Trial
from probes.task_words import PROMPT, demanded, texts_of

ELSEWHERE = "Whether the task accepts another place is for its text to say."


def with_demand(trial: Trial, path: str) -> Subject:
    """The subject with the parameters `demanded`, the text that does, and `demanded_place`, where one does.

    `demand_unsure` says why the text may not mean it.
    """
    subject, context = trial.subject, trial.context
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    place = posixpath.normpath(posixpath.join(here, path))
    found = demanded(place, texts_of(context.case, context.settings.workspace, trial.outcome.task_files or ()))
    if found is None:
        return subject
    trial.observe("demanded place", f"{place}, by {found.title}{'' if found.sure else ', perhaps'}", None, None)
    subject = subject.with_parameters(demanded=found.title, demanded_place=place)
    return subject if found.sure else subject.with_parameters(demand_unsure="yes")


def only_told(subject: Subject) -> str | None:
    """Why the failure of all other routes leaves it open, where no more than a README or a vague word speaks of it."""
    told = subject.parameters
    if "demand_unsure" not in told:
        return None
    title, place = told["demanded"], told["demanded_place"]
    if title == PROMPT:
        return f"{title} speaks of {place} without plainly demanding it, so that it is open"
    return f"{title} speaks of {place} and the task's text does not, so that it is open"


def said_of(subject: Subject) -> str:
    """A remark for the reader."""
    told = subject.parameters
    if "demanded" not in told:
        return ELSEWHERE
    title = told["demanded"]
    if "demand_unsure" in told:
        return f"{title[:1].upper()}{title[1:]} may demand {told['demanded_place']}; {ELSEWHERE.lower()}"
    return f"{title[:1].upper()}{title[1:]} demands {told['demanded_place']}, so that another place is no way past."
