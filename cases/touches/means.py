"""Whether a command is but a means: the task's own text asks of its data, and names no command."""

import posixpath

from cases import patterns as re
from cases.model import Case, Events, Run
from cases.task_words import PROMPT, texts_of
from cases.touches.names import SOURCE, things
from cases.touches.origins import Origins
from cases.touches.promises import made_by_run
from cases.touches.touching import Touch, touches_of

_NAMED = re.Whole(r"[\w.-]", r"[\w-]|\.\w")


def means_to(command: Touch, case: Case, run: Run, events: Events) -> str:
    """The data file, in a form that needs no program of its own, that the task's own text names where only its files
    speak of the command.

    Empty where the text, or a document that it names, speaks of the command, or of no such file.
    """
    prompt = "\n".join(text for title, text in texts_of(case, None, ()) if title == PROMPT)
    own = [word for word in command.name.split() if SOURCE.search(word) or "/" in word]
    if command.kind != "command" or any(_says(prompt, word) for word in own):
        return ""
    data = [
        posixpath.basename(touch.name)
        for touch in touches_of(case, run, events)
        if touch.kind == "file" and touch.outcome != "failed" and _is_data(touch.name) and _says(prompt, touch.name)
        if not made_by_run(touch.name, "", events.commands, events.writes)
    ]
    return data[0] if data and not Origins(case, run, events, {}).asks(command.name) else ""


def _is_data(path: str) -> bool:
    return posixpath.basename(path).rpartition(".")[2].lower() in things().open_forms.endings


def _says(prompt: str, path: str) -> bool:
    name = posixpath.basename(path)
    return bool(name) and _NAMED.within(name, prompt)
