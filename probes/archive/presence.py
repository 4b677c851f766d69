"""Whether a page shows the expected answer, in three values."""

from collections.abc import Iterable
from typing import Literal

from cases import Task
from cases.answers.text_match import needed_texts, telling, visible
from cases.answers.values import tokens
from probes.archive.places import Place, content, found, values_of

Presence = Literal["shown", "maybe", "absent"]
_SUBJECT = 2
"""Words of the task that stand around a short value where it is meant."""


def presence(texts: Iterable[str], task: Task, url: str) -> Presence:
    """Whether the texts of one page hold every value of the expected answer.

    A value so short that it stands on any page counts only among the task's own words.
    """
    pages = [text for text in texts if text]
    states = [_value(pages, value, task, url) for value in values_of(task.gold or "")]
    if not states or "absent" in states:
        return "absent"
    return "shown" if all(state == "shown" for state in states) else "maybe"


def telling_value(value: str, task: Task, url: str = "") -> bool:
    """Whether the mere presence of a value on a page says something."""
    return bool(telling(needed_texts((), Task(prompt=task.prompt, gold=value)), url))


def _value(pages: list[str], value: str, task: Task, url: str) -> Presence:
    prompt = task.prompt or ""
    results = [found(page, value, prompt) for page in pages]
    hits = [place for places, _ in results for place in places]
    spelt = any(visible((value,), page, url) for page in pages)
    if not hits and not spelt:
        return "maybe" if any(doubtful for _, doubtful in results) else "absent"
    firm = telling_value(value, task, url) or any(_meant(place, prompt) for place in hits)
    return "shown" if firm else "maybe"


def _meant(place: Place, prompt: str) -> bool:
    return len(content((*place.before, *place.after)) & content(tokens(prompt))) >= _SUBJECT
