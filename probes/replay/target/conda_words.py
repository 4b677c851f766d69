"""The words of conda commands: what they ask for, where it goes, and how they would be said otherwise."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.shell import Command, Edit, Word, edited, steps_of
from probes.names import conda_packages

FAMILY = {"conda", "mamba", "micromamba"}
VERBS = {"install", "create", "update"}
SPEC = re.compile(r"(?:[\w.-]+::)?[A-Za-z][\w.-]*(?:[=<>!~][\w.*,<>=!~-]+)?")
TARGET = {"-n": "-n", "--name": "-n", "-p": "-p", "--prefix": "-p"}
CHANNEL = {"-c", "--channel"}
FILE = {"-f", "--file"}
DEFAULTS = {"defaults", "main", "r"}
"""Channels whose terms have to be accepted."""
RUNTIME = {"python", "pip", "setuptools", "wheel"}


@dataclass(frozen=True)
class CondaCall:
    """One `conda install`, `create` or `update` of a command line."""

    verb: str
    specs: tuple[str, ...]
    """As conda writes them, without channels."""
    channels: tuple[str, ...]
    target: str
    """`-n NAME`, `-p PATH` or nothing for the active environment."""
    from_file: bool
    """Whether what it asks for stands in a file."""
    alone: bool
    """Whether the channels are the only ones, the defaults left out."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Names of what it asks for, in lower case."""
        return tuple(name_of(spec) for spec in self.specs)


def conda_call(text: str) -> CondaCall | None:
    """The line's first call of conda that installs; None when there is none."""
    return next((call for step in steps_of(text) if (call := _call(step.command))), None)


def _call(command: Command) -> CondaCall | None:
    verb, words = _asking(command)
    if not verb:
        return None
    texts = [word.text for word in words]
    specs: list[str] = []
    channels: list[str] = []
    target, from_file = "", False
    queue = [part for text in texts for part in (text.split("=", 1) if text.startswith("--") else [text])]
    while queue:
        word = queue.pop(0)
        if word in TARGET and queue:
            target = f"{TARGET[word]} {shlex.quote(queue.pop(0))}"
        elif word in CHANNEL and queue:
            channels.append(queue.pop(0))
        elif word in FILE and queue:
            from_file = bool(queue.pop(0))
        elif SPEC.fullmatch(word):
            channel, _, spec = word.rpartition("::")
            channels += [channel] if channel else []
            specs.append(spec)
    named, alone = tuple(dict.fromkeys(channels)), "--override-channels" in texts
    return CondaCall(verb, tuple(specs), named, target, from_file or "env" in verb, alone)


def _asking(command: Command) -> tuple[str, Sequence[Word]]:
    """The verb of a call that installs, and the words behind it."""
    texts = [word.text for word in command.words]
    start = 2 if texts[1:2] == ["env"] else 1
    if command.program not in FAMILY or not VERBS & set(texts[start : start + 1]):
        return "", ()
    return " ".join(texts[1 : start + 1]), command.words[start + 1 :]


def name_of(spec: str) -> str:
    """A spec's package, in lower case."""
    return re.split(r"[=<>!~]", spec)[0].lower()


def over_conda_forge(text: str, gone: str | None = None) -> str | None:
    """The same line from conda-forge and its other channels alone, without the one that is gone.

    None where a file names what it asks for.
    """
    call = conda_call(text)
    left = DEFAULTS | {"conda-forge"} | ({gone} if gone else set())
    return edited(text, lambda command: _from_forge(command, left)) if call and not call.from_file else None


def _from_forge(command: Command, left: set[str]) -> Iterator[Edit]:
    call = _call(command)
    if call is None or call.from_file:
        return
    _, words = _asking(command)
    start = command.words[command.words.index(words[0]) - 1].end if words else command.end
    yield start, start, " --override-channels -c conda-forge"
    for place, word in enumerate(words):
        option = words[place - 1].text if place else ""
        name, _, value = word.text.partition("=")
        if word.text == "--override-channels" or (name in CHANNEL and value in left):
            yield word.start, word.end, ""
        elif option in CHANNEL and word.text in left:
            yield words[place - 1].start, word.end, ""
        elif "::" in word.text and word.text.partition("::")[0] in DEFAULTS:
            yield word.start, word.end, shlex.quote(word.text.partition("::")[2])


def with_tool(text: str, tool: str) -> str:
    """The same line said to another of the family, such as mamba."""

    def other(command: Command) -> Iterator[Edit]:
        if command.program == "conda" and _asking(command)[0]:
            yield command.words[0].start, command.words[0].end, tool

    return edited(text, other)


def over_pip(call: CondaCall) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """pip requirements for the same packages and the modules they bring; None where one is not known to be the same."""
    requirements: list[str] = []
    modules: list[str] = []
    for spec in call.specs:
        name = name_of(spec)
        if name in RUNTIME:
            continue
        known = conda_packages().get(name)
        if known is None:
            return None
        requirements.append(f"{known.package}{_pip_version(spec[len(name) :])}")
        modules.append(known.module)
    return (tuple(requirements), tuple(modules)) if requirements else None


def python_pin(call: CondaCall) -> str | None:
    """The Python version that is asked for, such as 3.9."""
    pins = (re.search(r"=+\s*(\d+\.\d+)", spec) for spec in call.specs if name_of(spec) == "python")
    return next((pin[1] for pin in pins if pin), None)


def _pip_version(version: str) -> str:
    if not version or re.match(r"==|[<>!~]", version):
        return version
    number = version.lstrip("=").split("=")[0]
    return f"=={number}" if number.endswith("*") or number.count(".") >= 2 else f"=={number}.*"


def with_option(text: str, option: str) -> str | None:
    """The same line with one more option for its calls that install; None where there is none."""

    def more(command: Command) -> Iterator[Edit]:
        verb, _ = _asking(command)
        if verb:
            end = command.words[verb.count(" ") + 1].end
            yield end, end, f" {option}"

    return edited(text, more) if conda_call(text) else None


def run_inside(text: str) -> str | None:
    """What the line has `conda run` run in an environment."""
    calls = (step.command for step in steps_of(text) if FAMILY & set(step.command.wrappers))
    return next((text[call.words[0].start : call.end] for call in calls), None)


def activated(text: str) -> str | None:
    """The environment that the line's `conda activate` names."""
    calls = (step.command for step in steps_of(text) if step.command.program in FAMILY)
    named = ([word.text for word in call.words[1:]] for call in calls)
    return next(((words[1:2] or ["base"])[0] for words in named if words[:1] == ["activate"]), None)
