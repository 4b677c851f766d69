"""Whether the task's own words demand, or may demand, the place that a run could not write."""

import posixpath

from cases import Run
from cases.task_words import demanded, files_of, texts_of
from probes.contract import ProbeContext
from probes.model import Hypothesis


def demands(hypothesis: Hypothesis, context: ProbeContext, run: Run) -> bool:
    """Then writing elsewhere passed nothing."""
    workspace = context.settings.workspace
    texts = tuple(texts_of(context.case, workspace, files_of(workspace) if workspace else ()))
    commands = context.events[run.run_id].commands
    mine = hypothesis.run_id == run.run_id and hypothesis.event is not None and hypothesis.event < len(commands)
    cwd = commands[hypothesis.event or 0].cwd if mine else None
    here = posixpath.join(context.envelope.workdir.value, cwd or "")
    places = (posixpath.normpath(posixpath.join(here, path)) for path in hypothesis.targets.paths)
    return any(demanded(place, texts) is not None for place in places)
