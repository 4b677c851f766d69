"""Whether a command, or software, is but a means: the task's own text asks of data, or says that any means will do."""

import posixpath
from collections.abc import Collection
from functools import cache

from cases import patterns as re
from cases.endings import last_words
from cases.model import Case, CommandRun, Events, Run
from cases.task_words import README, prompt_of
from cases.touches.names import SOURCE, things
from cases.touches.origins import Origins, sentences
from cases.touches.own_code import own_code
from cases.touches.promises import made_by_run
from cases.touches.touching import Touch, touches_of

_SOFTWARE = frozenset({"module", "package", "program"})
_FIGURE = re.compile(r"(?<![\w.])\d+\.\d+(?!\w|\.\d)|(?<![\w.])\d{3,}(?!\w|\.\d)")
"""A number that hardly stands in two texts by chance."""
_MARKS = "`'\"*_()[],:;+-\u2022\u201c\u201d\u2018\u2019\u00ab\u00bb"
"""What stands around words: quotes, brackets, points, and marks of lists."""
_NAMED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")


def means_to(command: Touch, case: Case, run: Run, events: Events, lacking: Touch | None = None) -> str:
    """The data file that the task's own text names, where the command is but one means to what it asks of that.

    So it is where only the task's files speak of the command, and the data's form needs no program of its own; or where
    no text of the task spells the command, and neither does the prompt name the software that is `lacking`.

    Empty where the text, or a document that it names, speaks of the command, or of no such file.
    """
    prompt = prompt_of(case)
    own = [word for word in command.name.split() if SOURCE.search(word) or ("/" in word and not _in_open_form(word))]
    touched = touches_of(case, run, events)
    imported = (one for one in touched if one.kind == "module" and not set(one.events).isdisjoint(command.events))
    own += [f"{one.name}.py" for one in imported]
    spoken = any(_says(one, word) and not _begins(one, word) for word in own for one in sentences(prompt))
    unasked = (
        lacking is not None
        and lacking.kind in _SOFTWARE
        and not command.spelled
        and not _says(prompt.lower(), lacking.name.lower())
    )
    if command.kind != "command" or (spoken and not unasked):
        return ""
    data = [
        posixpath.basename(touch.name)
        for touch in touched
        if touch.kind == "file" and touch.outcome != "failed" and _says(prompt, touch.name)
        if (unasked and _holds_data(touch.name)) or _in_open_form(touch.name)
        if not made_by_run(touch.name, "", events.commands, events.writes)
    ]
    return data[0] if data and not Origins(case, run, events, {}).asks(command.name) else ""


def computed_without(case: Case, run: Run, events: Events, lacking: Touch) -> str:
    """The run's own command that computed a number of its answer from data of the task's, without the software that is
    `lacking` and that the prompt does not name; empty where there is none.

    Whether that number is right nobody says: only that this was not what kept the run from the data.
    """
    if lacking.kind not in _SOFTWARE or not lacking.failed or _says(prompt_of(case).lower(), lacking.name.lower()):
        return ""
    last = last_words(run.transcript)
    answer = frozenset(_FIGURE.findall(run.answer or (last.text if last else "")))
    data = [
        posixpath.basename(touch.name)
        for touch in touches_of(case, run, events)
        if touch.kind == "file" and touch.outcome != "failed" and _holds_data(touch.name)
        if not made_by_run(touch.name, "", events.commands, events.writes)
    ]
    told = set(_FIGURE.findall(prompt_of(case)))
    for place, event in enumerate(events.in_order):
        if not isinstance(event, CommandRun):
            continue
        found = set(_FIGURE.findall(event.output or "")) - told
        told |= found
        later = place > lacking.failed[0] and event.failed != "yes"
        if later and any(_rounds_to(figure, answer) for figure in found):
            own = own_code(events, place)
            if any(_says(own, name) for name in data):
                return " ".join(event.command.split())
    return ""


def _rounds_to(figure: str, answer: Collection[str]) -> bool:
    return any(f"{float(figure):.{len(one.partition('.')[2])}f}" == one for one in answer)


def left_open(case: Case, lacking: Touch) -> str:
    """The words with which the task's own text leaves open with what the work is done, where software is `lacking`."""
    if lacking.kind not in _SOFTWARE:
        return ""
    return any_means(prompt_of(case))


def any_means(prompt: str) -> str:
    """The words with which a text lets any means do; empty where it has none such."""
    prompt = " ".join(prompt.split())
    return next((found[0] for found in _any_means().finditer(prompt) if not _ruled_out(prompt[: found.end()])), "")


def freedom(prompt: str) -> str:
    """The first sentence of a text that leaves open how its work is done; empty where none does."""
    return next((" ".join(one.split()) for one in sentences(prompt) if _free(one)), "")


def _free(sentence: str) -> bool:
    known = things()
    told, bound = (re.search("|".join(each.patterns), sentence, re.IGNORECASE) for each in (known.free, known.bound))
    return told is not None and bound is None


def _ruled_out(said: str) -> bool:
    """Whether the sentence that ends there says that it must not be."""
    return bool(re.search("|".join(things().ruled_out.patterns), sentences(said)[-1], re.IGNORECASE))


@cache
def _any_means() -> re.Pattern[str]:
    return re.compile("|".join(things().any_means.patterns), re.IGNORECASE)


def _holds_data(path: str) -> bool:
    """Whether its name has an ending, and none of programs or documents."""
    name = posixpath.basename(path)
    return "." in name.strip(".") and not SOURCE.search(name) and not README.search(name)


def _in_open_form(path: str) -> bool:
    return posixpath.basename(path).rpartition(".")[2].lower() in things().open_forms.endings


def _begins(sentence: str, path: str) -> bool:
    """Whether a sentence begins with that file's name, perhaps behind an article and a noun, with no word of a call
    behind it, and so tells of it and asks nothing: "The script `fit.R` is what they used".
    """
    raw = [word for word in sentence.split()[:5] if word.strip(_MARKS)][:4]
    words = [word.strip(_MARKS) for word in raw]
    article = bool(words) and words[0].lower() in things().articles.words
    for place, word in enumerate(words[: 3 if article else 1]):
        if posixpath.basename(word) == posixpath.basename(path):
            behind = raw[place + 1 : place + 2]
            return any(one not in things().demanding.words and not re.search(r"^-\S|[/.]\w", one) for one in behind)
    return False


def _says(prompt: str, path: str) -> bool:
    name = posixpath.basename(path)
    return bool(name) and _NAMED.within(name, prompt)
