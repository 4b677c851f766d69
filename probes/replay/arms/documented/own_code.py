"""Code of the run's own that a step of the failing command runs."""

import ast
import shlex
from collections.abc import Iterator

from cases.shell import Step
from cases.touches.calls import nodes_of
from probes.replay.arms.documented.survey import Survey

LONGEST = 300


def own_code(survey: Survey, step: Step, language: str = "python", *, any_script: bool = False) -> str:
    """The words that a step hands to an interpreter of the language, or the script that the run wrote, `any_script`
    whoever wrote it; else empty.
    """
    code, file = step.command.code, step.command.file
    if code:
        return code.text if code.language == language else ""
    place = step.at(file.text, survey.folder) if file else None
    if place is None or not (any_script or survey.of_the_run(place)):
        return ""
    return "\n".join(survey.ask("own-script", f"head -c 100000 {shlex.quote(place)}"))


def texts(code: str) -> Iterator[str]:
    """What a piece of Python spells in quotation marks within a line, 300 characters at most."""
    constants = (node.value for node in nodes_of(code) if isinstance(node, ast.Constant))
    return (text for text in constants if isinstance(text, str) and 0 < len(text) < LONGEST and "\n" not in text)
