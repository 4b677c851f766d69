"""Errors of what runs the agent, whoever's message they stand in."""

from collections.abc import Iterator, Sequence

from cases import patterns as re
from cases.events.spans import compiled
from cases.loading import Expression, load
from cases.model import Block, HarnessError, Model

TRACEBACK = "Traceback (most recent call last):\n"
FRAME = re.compile(r'^  File "(?P<file>[^"\n]+)", line \d+', re.MULTILINE)
RAISED = re.compile(
    r"^(?P<error>[A-Za-z_][\w.]*(?:Error|Exception|Timeout|Interrupt|Exit|Failure)\b[^\n]*)$", re.MULTILINE
)


class _Form(Model):
    pattern: Expression
    source: str


class _Harness(Model):
    packages: tuple[str, ...]
    packages_source: str
    ended: tuple[_Form, ...]


def _data() -> _Harness:
    return load(_Harness, __package__, "harness.toml")


def errors(blocks: Sequence[Block]) -> Iterator[HarnessError]:
    """What the harness itself says, tracebacks of its own code, and the lines with which it tells that a run broke."""
    for block in blocks:
        if block.role == "harness" and block.kind == "result":
            yield HarnessError(text=block.text, blocks=(block.index,))
            continue
        if block.kind == "call" or block.role in ("system", "developer"):
            continue
        for text in (*list(_raised(block.text))[-1:], *_ended(block.text)):
            yield HarnessError(text=text, blocks=(block.index,))


def _raised(text: str) -> Iterator[str]:
    """The last line of each traceback that begins and ends in the harness's packages."""
    at = text.find(TRACEBACK)
    while at >= 0:
        end = text.find(TRACEBACK, at + 1)
        part = text[at : end if end >= 0 else len(text)]
        raised = RAISED.search(part)
        frames = [frame["file"] for frame in FRAME.finditer(part, 0, raised.start() if raised else len(part))]
        if raised and frames and _own(frames[0]):
            yield raised[0]
        at = end


def _own(file: str) -> bool:
    """Whether a file belongs to a scaffold, or to a library in which only a scaffold's frames come first."""
    parts = file.replace("\\", "/").split("/")
    return any(part in _data().packages for part in parts)


def _ended(text: str) -> Iterator[str]:
    for form in _data().ended:
        if match := compiled(form.pattern).search(text):
            yield match[0]
