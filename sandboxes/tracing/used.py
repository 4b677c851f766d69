"""What a trace tells of the files and programs that a command used, and of what they said."""

import posixpath
from dataclasses import dataclass
from itertools import pairwise

from cases import patterns as re
from sandboxes.tracing.failed_calls import EXECUTES, OPENS, SYSTEM, Names, facts_in, noise, succeeded
from sandboxes.tracing.failing import chain_of, failed_children, failing
from sandboxes.tracing.strace import Process, processes

SAID = 12
"""Lines of one process."""
OPENED = 60
"""Files that one command opened."""
_INTERPRETER = re.compile(r"(?:python|perl|ruby|node|nodejs|Rscript|R|php|julia|lua|bash|dash|sh|zsh|java)[\d.]*")
_COMPILED = re.compile(r"__pycache__/([^/]+)\.[a-z]+-\d+(?:\.opt-\d)?\.pyc$")
_LIBRARY = re.compile(r"\.so(?:\.[\d.]+)?$")
OF_LIBRARIES = re.compile(r"/(?:site-packages|dist-packages|node_modules|R/library)/")
"""Where packages are installed."""


@dataclass(frozen=True)
class Called:
    """A program that ended with a failure, as it was called."""

    words: tuple[str, ...]
    """The program as it was spelled, then its arguments."""
    folder: str
    """From which it was called; empty where the log does not tell."""


def called_of(log: str) -> tuple[Called, ...]:
    """The programs of a log that ended with a failure, the last to begin first."""
    found = []
    for process in reversed(processes(log)):
        run = next((call for call in reversed(process.calls) if call.name in EXECUTES and call.errno is None), None)
        if process.failed and run:
            words = tuple(string.decode("utf-8", "replace") for string in run.strings[1:])
            found.append(Called(words, process.cwd or ""))
    return tuple(found)


def said_of(log: str) -> tuple[str, ...]:
    """The last lines that each process wrote in which a failure began."""
    return tuple(line for one in _leaves(log) for line in one.said.splitlines()[-SAID:] if line.strip())


def ended_in(log: str) -> tuple[str, ...]:
    """The programs in which a failure began, each once."""
    return tuple(dict.fromkeys(one.program for one in _leaves(log) if one.program))


def beside_of(log: str, output: str) -> tuple[str, ...]:
    """Scripts, not of the system, that failed in the same command before the process in which its failure began, with
    nothing measured that says why: what else was missing, they would fail all the same.
    """
    everything = processes(log)
    if not everything:
        return ()
    names, chain = Names(everything, output), chain_of(everything[0])
    found: list[str] = []
    for process, following in pairwise(chain):
        for child in failed_children(process):
            script = _script(child) if child is not following and child.ended < following.ended else ""
            own = (fact for one in failing(child) for fact in facts_in(one, names))
            if script and not any(fact.named for fact in own):
                found.append(script)
    return tuple(dict.fromkeys(found))


def _script(process: Process) -> str:
    """The file, not of the system, that it last executed or had an interpreter run; empty where there is none."""
    calls = [call for call in process.calls if call.name in EXECUTES and call.errno is None and call.path]
    if not calls:
        return ""
    words = [calls[-1].path or "", *(string.decode("utf-8", "replace") for string in calls[-1].strings[2:])]
    opened = {call.path for call in process.calls if call.name in OPENS and succeeded(call) and call.path}
    for place, word in enumerate(words):
        if place and not _INTERPRETER.fullmatch(process.program):
            break
        if not word.startswith(("-", *SYSTEM)) and any(
            f"/{path}".endswith(f"/{word.removeprefix('./')}") for path in opened
        ):
            return word
    return ""


def _leaves(log: str) -> list[Process]:
    everything = processes(log)
    return [one for one in failing(everything[0]) if not failed_children(one)] if everything else []


def opened_of(log: str) -> tuple[str, ...]:
    """Files that any process of a log opened, the last first, without those of the system; where there are too many,
    those of installed packages go first. For what Python keeps compiled stands its source (PEP 3147).
    """
    calls = (call for process in processes(log) for call in process.calls if call.name in OPENS and succeeded(call))
    own = (call.path for call in calls if call.path and not call.path.startswith(SYSTEM))
    paths = dict.fromkeys(_COMPILED.sub(r"\1.py", path) for path in own)
    found = [path for path in reversed(paths) if not noise(path)]
    kept = set(sorted(found, key=lambda path: OF_LIBRARIES.search(path) is not None)[:OPENED])
    return tuple(path for path in found if path in kept)


def loaded_of(log: str) -> tuple[str, ...]:
    """Names of the shared libraries that any process of a log opened, each once."""
    calls = (call for process in processes(log) for call in process.calls if call.name in OPENS and succeeded(call))
    names = (posixpath.basename(call.path) for call in calls if call.path)
    return tuple(dict.fromkeys(name for name in names if _LIBRARY.search(name)))
