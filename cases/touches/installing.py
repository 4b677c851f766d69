"""The words of pip commands: what they ask an index for, and what lies on disk."""

from collections.abc import Iterator, Sequence

from cases import patterns as re
from cases.shell import Command, Word, steps_of
from cases.touches.names import things

REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(\[[\w,.-]+\])?([<>=!~]=?[\w.*+!-]+(,[<>=!~]=?[\w.*+!-]+)*)?")
BUILDS = ("install", "build", "develop", "bdist")
DIRECTORY = re.compile(r"\A(?:\.{0,2}/|\.{1,2}$|~|.*/$)")
MANAGERS = frozenset(
    {"conda", "mamba", "micromamba", "apt", "apt-get", "apk", "yum", "dnf", "npm", "yarn", "uv", "poetry", "gem"}
    | {"cargo", "go", "brew"}
)
VERBS = ("install", "add", "create")
VALUES = frozenset({"-n", "-p", "-c", "-t", "-o", "--name", "--prefix", "--channel", "--file", "-f"})
EDITABLE = {"-e", "--editable"}


def requirements(text: str) -> list[str]:
    """What the pip commands of a line ask an index for: options, files and directories left out."""
    return [word for step in steps_of(text) for word in required(step.command)]


def required(command: Command) -> list[str]:
    """The same of one command."""
    targets = (word.text for option, word in pip_words(command) if option not in things().pip.options)
    return [word for word in targets if REQUIREMENT.fullmatch(word)]


def bare(requirement: str) -> str:
    """A requirement's name without extras and version."""
    return re.split(r"[\[<>=!~]", requirement)[0]


def builds_a_directory(text: str) -> bool:
    """Whether it builds sources that lie on disk: a package of the same name in an index is another one."""
    return any(_builds(step.command) for step in steps_of(text))


def unisolated(text: str) -> str | None:
    """The line with pip building in the environment that is there; None where pip installs nothing in it."""
    ends = [step.command.end for step in steps_of(text) if step.inside == "line" and installs_by_pip(step.command)]
    if not ends or "--no-build-isolation" in text:
        return None
    for end in sorted(ends, reverse=True):
        text = f"{text[:end]} --no-build-isolation{text[end:]}"
    return text


def pip_words(command: Command) -> Iterator[tuple[str, Word]]:
    """The words of a pip install command that are no options, each behind the word before it, or behind nothing."""
    words = _behind_install(command)
    for before, word in zip([None, *words], words, strict=False):
        if not word.text.startswith("-"):
            yield before.text if before else "", word


def installs(command: Command) -> bool:
    """Whether it has a package manager install something."""
    return installs_by_pip(command) or bool(_managed(command))


def installed(command: Command) -> list[str]:
    """Names of what it has a package manager install."""
    words = _managed(command)
    pairs = zip([None, *words], words, strict=False)
    named = [word.text for before, word in pairs if not (before and before.text in VALUES)]
    return [bare(name) for name in (*required(command), *named) if REQUIREMENT.fullmatch(name)]


def installs_by_pip(command: Command) -> bool:
    """Whether it is a pip install command."""
    return bool(_behind_install(command))


def _behind_install(command: Command) -> Sequence[Word]:
    texts = [word.text for word in command.words]
    named = re.fullmatch(r"pip[\d.]*", command.program) or (command.program == "uv" and texts[1:2] == ["pip"])
    modular = command.program.startswith("python") and "-m" in texts and texts[texts.index("-m") + 1 :][:1] == ["pip"]
    if not (named or modular) or "install" not in texts:
        return ()
    return command.words[texts.index("install") + 1 :]


def _managed(command: Command) -> Sequence[Word]:
    texts = [word.text for word in command.words]
    verb = next((place for place, text in enumerate(texts[1:4], 1) if text in VERBS), None)
    return command.words[verb + 1 :] if command.program in MANAGERS and verb else ()


def _builds(command: Command) -> bool:
    if command.file and command.file.text.endswith("setup.py"):
        return any(word.startswith(BUILDS) for word in command.arguments)
    targets = (word.text for option, word in pip_words(command) if option not in things().pip.options - EDITABLE)
    return any(DIRECTORY.match(word) for word in targets)
