"""Code of the run's own, as its record shows it."""

import posixpath

from cases.model import CommandRun, Events


def own_code(events: Events, place: int) -> str:
    """The code of the run's own that an event runs, with whatever wrote the scripts; empty where it runs none."""
    event = events.in_order[place]
    if not isinstance(event, CommandRun):
        return ""
    if event.kind == "python":
        return event.command
    texts = [step.command.code.text for step in event.steps if step.command.code]
    scripts = {posixpath.basename(step.command.file.text) for step in event.steps if step.command.file}
    texts += [write.content for write in events.writes if posixpath.basename(write.path) in scripts]
    earlier = (one for one in events.in_order[: place + 1] if isinstance(one, CommandRun) and one.kind == "shell")
    texts += [one.command for one in earlier if not scripts.isdisjoint(_written(one))]
    return "\n".join(texts)


def _written(event: CommandRun) -> list[str]:
    """Names of files into which a line of shell redirects what its commands print."""
    return [posixpath.basename(file) for step in event.steps for file in step.command.outputs]
