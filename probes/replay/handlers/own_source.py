"""Whether the source that asks for a header is the run's own and nothing that the task says asks for it."""

from collections.abc import Iterable
from dataclasses import dataclass

from cases import CommandRun
from cases import patterns as re
from cases.task_words import SENTENCE, texts_of
from cases.touches.promises import made_by_run
from probes.replay.resources.context import ContainerContext
from probes.replay.target.model import ReplayTarget

SOURCE = re.compile(r"(?<![\w./-])(?P<path>[\w./-]+\.(?:c|cc|cpp|cxx|C|cu|h|hh|hpp|hxx|pyx))(?![\w.-])")
ASKING = re.compile(
    r"(?m)(?:^|\s)(?P<path>[\w./-]+\.\w+|<stdin>):\d+(?::\d+)?: (?:fatal )?error: "
    r"|included from (?P<from>[\w./-]+\.\w+):\d+"
)
BUILDING = re.compile(r"(?i)\b(?:build|built|compil|install|link|import|librar|headers?\b|extension|wheel|make\b)")
MAKING = re.compile(r"(?i)\b(?:writ|creat|implement|develop|generat)\w*")
TELLING = 5
"""Letters of a library's name that is no everyday word, as `png` or `curl` are."""
STDIN = "<stdin>"


@dataclass(frozen=True)
class OwnSource:
    """A source of the run's own that asks for a header."""

    name: str
    told: bool
    """Whether the task has it, or where it lies, built."""


def own_source(trial: ContainerContext, apt: str | None) -> OwnSource | None:
    """The one that does; `apt` is the Debian package of the header, if it is known."""
    subject, outcome = trial.subject, trial.outcome
    texts = [text for _, text in texts_of(trial.context.case, None, ())]
    if named_by_task(subject.about, apt, texts):
        return None
    given = {_name(path) for path in (*(outcome.task_files or ()), *outcome.given)}
    own = written_sources(subject)
    if not own or any(_name(path) in given for path in own):
        return None
    return OwnSource(_name(own[0]), any(task_builds(path, texts) for path in own))


def written_sources(subject: ReplayTarget) -> tuple[str, ...]:
    """Those that the failure names, or else the command, as the run spelled them; none where one is not its own."""
    commands = subject.events.commands[: subject.event + 1] if subject.event is not None else ()
    failing = commands[-1] if commands else None
    shown = [match["path"] or match["from"] for match in ASKING.finditer(subject.output)]
    given = [match["path"] for match in SOURCE.finditer(failing.command)] if failing else []
    named = dict.fromkeys(_name(path) for path in shown or given)
    writes = [write for write in subject.events.writes if write.how == "whole" and write.after < len(commands)]
    texts = [*(command.command for command in commands), *(write.path for write in writes)]
    spelled = [match["path"] for text in texts for match in SOURCE.finditer(text)]
    found: dict[str, None] = {}
    for name in named:
        if not (name == STDIN and failing and _fed(failing)) and not made_by_run(name, "", commands, writes):
            return ()
        found |= dict.fromkeys([path for path in spelled if _name(path) == name] or [name])
    return tuple(found)


def named_by_task(header: str, apt: str | None, texts: Iterable[str]) -> bool:
    """Whether a text asks for the header or its library."""
    stem = re.sub(r"^lib|(?:\d[\w.+-]*)?(?:-dev)$", "", apt) if apt else ""
    base = _name(header).removeprefix("-l")
    bare = re.sub(r"\.h\w*$", "", base)
    exact = {header, base, f"lib{bare}", *([apt, apt.removesuffix("-dev"), f"lib{stem}"] if apt else [])}
    spoken = re.compile("|".join(rf"(?<![\w./]){re.escape(name)}(?!\w)" for name in exact), re.IGNORECASE)
    loose = {name for name in (stem, bare) if len(name) >= TELLING}
    words = re.compile("|".join(rf"(?<![\w./]){re.escape(name)}" for name in loose), re.IGNORECASE) if loose else None
    for text in texts:
        for sentence in SENTENCE.split(text):
            if spoken.search(sentence) or (words and words.search(sentence) and BUILDING.search(sentence)):
                return True
    return False


def task_builds(path: str, texts: Iterable[str]) -> bool:
    """Whether a text asks to build, and not to write, the source or the directory in which it lies."""
    names = [part for part in path.split("/") if part not in {"", ".", ".."}]
    spoken = re.compile("|".join(rf"(?<![\w.-]){re.escape(name)}(?![\w-])" for name in names)) if names else None
    sentences = (sentence for text in texts for sentence in SENTENCE.split(text))
    return spoken is not None and any(
        spoken.search(sentence) and BUILDING.search(sentence) and not MAKING.search(sentence) for sentence in sentences
    )


def _fed(command: CommandRun) -> bool:
    """Whether its own line gives a command its input."""
    fed = any(one.heredoc or one.operator == "<<<" for step in command.steps for one in step.command.redirects)
    return fed or any(step.feeds and step.command.program in {"echo", "printf", "cat"} for step in command.steps)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
