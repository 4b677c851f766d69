"""What of the machine's data a host or a service may have been asked for."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.task_words import README, prompt_of, spelled_outside
from cases.touches.names import SOURCE
from cases.touches.promises import made_by_run
from probes.replay.handlers.settings import OF_THE_MACHINE
from probes.replay.resources.context import ContainerContext

MOST = 6
"""Addresses, and folders."""
_STEM = 5
"""Characters of a name that hardly two files share by chance."""
_SUMS = re.compile(r"(?i)\.(?:md5|sha\d+|sum|sums|asc|sig|url|log|lock)$")
_FIND = (
    "find {roots} -xdev -maxdepth 6 -type f -size +0 -size -50000k -not -path '*/.git/*' -not -path '*/__pycache__/*' "
)


def spells_it(trial: ContainerContext, host: str, source: str) -> str:
    """A file of data that spells an address at the host which sources spell, or bears the name that stands at its end,
    in another form; empty where there is none.
    """
    addresses = re.findall(rf"https?://({re.escape(host)}(?::\d+)?/[\w./%+-]*\w)", source) if host else []
    for address in list(dict.fromkeys(addresses))[:MOST]:
        stem, ending = posixpath.splitext(posixpath.basename(address))
        asks = [f"{_find(trial)} -exec grep -lIF -- {shlex.quote(address)} {{}} +"]
        if len(stem) >= _STEM:
            asks.append(f"{_find(trial)} -name {shlex.quote(f'{stem}.*')} -not -name {shlex.quote(stem + ending)}")
        for path in _data(trial, " ; ".join(asks)):
            return path
    return ""


def lies_where_told(trial: ContainerContext) -> str:
    """A file of data, in a folder outside the task's own that the prompt names, which the failing command did not open;
    empty where there is none.
    """
    told = spelled_outside(prompt_of(trial.context.case), trial.session.spec.workdir)
    for folder in [one for one in told if not one.startswith(OF_THE_MACHINE)][:MOST]:
        place = shlex.quote(folder)
        for path in _data(trial, f"[ -d {place} ] && find {place} -xdev -maxdepth 4 -type f -readable -size +0"):
            return path
    return ""


def _find(trial: ContainerContext) -> str:
    return _FIND.format(roots=shlex.quote(trial.session.spec.workdir))


def _data(trial: ContainerContext, ask: str) -> Iterator[str]:
    """Of the files that are found, what is data, was not opened, and was not made by the run."""
    [done] = trial.run("replay-answers-kept", f"{{ {ask}; }} 2>/dev/null | head -40; true", seconds=30)
    events, opened = trial.subject.events, set(trial.outcome.opened)
    for path in done.output.splitlines():
        no_data = SOURCE.search(path) or README.search(path) or _SUMS.search(path)
        fresh = path.startswith("/") and not no_data and path not in opened
        if fresh and not made_by_run(path, "", events.commands, events.writes):
            yield path
