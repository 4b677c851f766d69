"""Whether a page shows the expected answer, in three values."""

from collections.abc import Iterable
from typing import Literal

from cases import Task
from cases import patterns as re
from cases.answers.places import Place, content, found, values_of
from cases.answers.text_match import needed_texts, telling, visible
from cases.answers.values import tokens

Presence = Literal["shown", "maybe", "absent"]
_DIGITS = 3
"""Of a number, that its presence says something."""
_GROUPING = r"[.,'’\s]?"
_AROUND, _LINES = 120, 2
"""Characters before a number, and lines of them at most, in which stands what it is about."""
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


def traced(text: str, task: Task, url: str) -> Presence:
    """The same of one text where a number may stand without its unit, or grouped in another way.

    It is shown where the task's own words stand before it, and may be wherever else it stands.
    """
    state = presence([text], task, url)
    digits = "".join(filter(str.isdigit, task.gold or ""))
    if state != "absent" or len(digits) < _DIGITS or len(values_of(task.gold or "")) > 1:
        return state
    stands = re.compile(rf"(?<!\d){_GROUPING.join(digits)}(?!\d)")
    asked = content(tokens(task.prompt or ""))
    for match in stands.finditer(text):
        state = "maybe"
        before = text[max(0, match.start() - _AROUND) : match.start()].splitlines()
        line = tokens(" ".join(before[-_LINES:]))
        if len(content(line) & asked) >= _SUBJECT:
            return "shown"
    return state


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
