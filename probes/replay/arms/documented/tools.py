"""`another-tool`: where a tool is refused or missing, another one of the machine that reads the same file."""

import ast
import posixpath
import shlex
from collections.abc import Collection, Iterator, Sequence

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Step, steps_of
from cases.task_words import PROMPT, demanded
from cases.touches import any_means, names_program
from cases.touches.calls import nodes_of
from cases.touches.names import of_the_system
from probes.barriers import RoutePlan
from probes.model import Barrier, Tier
from probes.replay.arms.documented.asking import STRICT, inputs
from probes.replay.arms.documented.own_code import LONGEST, own_code, texts
from probes.replay.arms.documented.survey import SBIN, Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import OtherTool, table
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-tool",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="documented/words.toml: tools that read the same file as an ordinary user",
)
_QUOTED = re.compile(r"""(["'])([^"'\n]{1,300})\1""")
TO = "$HOME/.another-tool"
READABLE = f'test -n "$(find {TO} -type f -size +0 -print -quit)" && find {TO} -type f -exec cat {{}} + > /dev/null'
"""Something lies there now, and all of it can be read."""


def another_tool(survey: Survey) -> Way:
    """Each tool for each file that the refused one was to read."""
    steps = steps_of(survey.command)
    if survey.trial.subject.barrier in (Barrier.MODULE, Barrier.R_PACKAGE):
        return _instead_of_library(survey, steps)
    names = {step.command.program for step in steps if step.command.program}
    here = survey.programs(names) if names else {}
    asked = {name for name in names if names_program(survey.prompt, name)}
    refused = {step: known for step in steps if (known := _known(step, here, asked))}
    if not refused:
        return Way(PLAN, lacking=say("tools.uses_no_tool"))
    files = survey.existing(place for step in refused for _, place in inputs(step))
    able = [tool for known in refused.values() for tool in known if not _told(tool, survey.prompt)]
    fitting = list(dict.fromkeys((tool, file) for tool in able for file in files))
    there = survey.programs(tool.tool for tool, _ in fitting)
    place = next((place for step in refused for place in _demanded(survey, step)), "")
    tries = [_try(tool, file, place=place) for tool, file in fitting if tool.tool in there and file != place]
    if tries:
        return Way(PLAN, tuple(tries))
    if not files:
        return Way(PLAN, lacking=say("tools.what_refused_tool"))
    absent = " or ".join(dict.fromkeys(tool.tool for tool, _ in fitting))
    return Way(PLAN, lacking=say("tools.there_no_here", absent=absent))


def _instead_of_library(survey: Survey, steps: Sequence[Step]) -> Way:
    """For files that code of the run's own, or of the task's where any means will do, was to read with a library, where
    nothing asks for that very library.
    """
    about, in_r = survey.trial.subject.about, survey.trial.subject.barrier is Barrier.R_PACKAGE
    top = about if in_r else about.partition(".")[0]
    asked = survey.trial.subject.asked and not any_means(survey.prompt)
    known = [tool for tool in table().other_tool if top in (tool.packages if in_r else tool.modules)]
    spelled = [text for step in steps for text in _in_code(survey, step, in_r=in_r)]
    spelled += [] if in_r else [text for code in _cell(survey.trial.subject) for text in texts(code)]
    if not known or not spelled:
        return Way(PLAN, lacking=say("tools.no_tool_for_code", module=top))
    if asked or re.search(rf"(?<![\w.-]){re.escape(top)}(?![\w-])", survey.prompt):
        return Way(PLAN, lacking=say("tools.task_asks", module=top))
    paths = [posixpath.join(survey.folder, text) for text in spelled]
    files = survey.existing(paths)
    for path in paths:
        if path not in files and any(path.lower().endswith(tool.suffixes) for tool in known if not tool.plain):
            return Way(PLAN, lacking=say("tools.writes", module=top, path=posixpath.basename(path)))
    fitting = [(tool, file) for tool in known for file in files if file.lower().endswith(tool.suffixes or ("",))]
    there = survey.programs(tool.tool for tool, _ in fitting)
    codes = [step.command.code.text for step in steps if step.command.code and step.command.code.language == "python"]
    key = next((key for code in (*codes, *_cell(survey.trial.subject)) for key in _keys(code)), "")
    tries = [_try(tool, file, key) for tool, file in fitting if tool.tool in there]
    return Way(PLAN, tuple(tries), "" if tries else say("tools.no_file_in_code", module=top))


def _in_code(survey: Survey, step: Step, *, in_r: bool) -> Iterator[str]:
    """What could be a path in code of the run's own that a step runs, or in any where the task lets any means do."""
    code = own_code(survey, step, "R" if in_r else "python", any_script=bool(any_means(survey.prompt)))
    yield from (match[2] for match in _QUOTED.finditer(code)) if in_r else texts(code)


def _cell(subject: ReplayTarget) -> list[str]:
    """The Python that an interpreter ran for the agent, where that is what failed."""
    event = subject.events.commands[subject.event] if subject.event is not None else None
    return [event.command] if event and event.kind == "python" else []


def _keys(code: str) -> Iterator[str]:
    """Bytes that a piece of Python spells: what archives are opened with."""
    constants = (node.value for node in nodes_of(code) if isinstance(node, ast.Constant))
    return (
        value.decode("utf-8", "replace") for value in constants if isinstance(value, bytes) and len(value) < LONGEST
    )


def _told(tool: OtherTool, prompt: str) -> bool:
    return bool(tool.unless_told and re.search(tool.unless_told, prompt))


def _known(step: Step, here: Collection[str], asked: Collection[str]) -> list[OtherTool]:
    """Those for a program that is not there, or that an ordinary user may not use; one that is named with its directory
    is the task's own.
    """
    name = step.command.program
    if not step.command.words or (step.command.file and not of_the_system(step.command.words[0].text)):
        return []
    known = [tool for tool in table().other_tool if name in tool.programs and not (tool.reads and name in asked)]
    return [tool for tool in known if tool.privileged or step.command.program not in here]


def _demanded(survey: Survey, step: Step) -> Iterator[str]:
    """Folders in which a command was to put what is in the files, as far as the task's text speaks of them."""
    for word in step.command.arguments:
        place = posixpath.normpath(word)
        if word.startswith("/") and demanded(place, [(PROMPT, survey.prompt)]):
            yield from [place] if survey.holds(f"test -d {shlex.quote(place)}") else ()


def _try(tool: OtherTool, file: str, key: str = "", place: str = "") -> Try:
    """Read a file into a folder, and take what is in it to the place where it is wanted."""
    command = tool.command.format(file=shlex.quote(file), to=TO, key=shlex.quote(key))
    make = f"rm -rf {TO} && mkdir -p {TO}"
    end = f"{READABLE} && cp -r {TO}/. {shlex.quote(place)}/" if place else READABLE
    script = "\n".join((STRICT, f'export PATH="$PATH{SBIN}"', make, command, end))
    return Try(script, (f"{make} && {command}", end))
