"""The events' data files, checked when first used."""

from functools import cache

from cases import patterns as re
from cases.loading import Expression, load
from cases.model import Model

KINDS = ("shell", "python", "visit", "write")


class ToolKind(Model):
    """Tools that do the same thing."""

    names: tuple[str, ...]
    arguments: tuple[str, ...]
    """Names of the argument that matters, the likeliest first."""
    words: frozenset[str] = frozenset()
    """Words in the name of a tool that is of the kind when it has such an argument."""
    never: frozenset[str] = frozenset()
    """Words in the names of tools that do something else with it."""
    source: str


class Sign(Model):
    """A pattern that means something in a tool's output."""

    pattern: str
    source: str


class Envelope(Sign):
    """What a tool writes around a command's output; the group `output` is what the command printed."""

    unsaid: int | None = None
    """The exit code where none is told."""


class Tools(Model):
    """`tools.toml`."""

    shell: ToolKind
    python: ToolKind
    visit: ToolKind
    write: ToolKind
    exit_code: tuple[Sign, ...]
    envelope: tuple[Envelope, ...]


class Frame(Model):
    """How a tool frames the page that it shows."""

    begin: Expression
    end: Expression | None = None
    source: str


class PageSigns(Model):
    """`pages.toml`."""

    frame: tuple[Frame, ...]
    error: tuple[Sign, ...]
    title: tuple[Sign, ...]


@cache
def tools() -> Tools:
    """Names of tools and forms of exit codes."""
    return load(Tools, __package__, "tools.toml")


@cache
def page_signs() -> PageSigns:
    """Texts that stand in place of a page."""
    return load(PageSigns, __package__, "pages.toml")


def is_tool(kind: ToolKind, name: str) -> bool:
    """Whether a tool of this name is of the kind."""
    lower = name.lower()
    return lower in kind.names or re.split(r"[./:]|__", lower)[-1] in kind.names


def sounds_like(kind: ToolKind, name: str) -> bool:
    """Whether a tool of an unknown name is of the kind by the words that its name is made of."""
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    return bool(words & kind.words) and not words & kind.never


def within(text: str) -> str | None:
    """What stands in the frame that a tool puts around a page; None where there is no known one."""
    for frame in page_signs().frame:
        begins = list(re.finditer(frame.begin, text, re.MULTILINE))
        if begins:
            rest = text[begins[0].end() :]
            end = re.search(frame.end, rest, re.MULTILINE) if frame.end else None
            return rest[: end.start()] if end else rest
    return None


def kind_of(name: str) -> str:
    """`shell`, `python`, `visit` or `write`; empty for any other tool."""
    return next((kind for kind in KINDS if is_tool(getattr(tools(), kind), name)), "")


def exit_code_of(output: str) -> int | None:
    """The last exit code that a tool's output states on a line of its own, or leaves unsaid because all went well."""
    found = [int(match[1]) for pattern in _exit_codes() for match in pattern.finditer(output) if len(match[1]) < 10]
    if found:
        return found[-1]
    return next((one.unsaid for one, pattern in _envelopes() if one.unsaid is not None and pattern.match(output)), None)


def unwrapped(output: str) -> str:
    """What a command printed, without what its tool wrote around it."""
    match = next((match for _, pattern in _envelopes() if (match := pattern.match(output))), None)
    if match is None:
        return output
    parts = match.groupdict()
    return "\n".join(filter(None, (parts.get("output"), parts.get("errors"))))


def page_error(title: str | None, text: str) -> str | None:
    """The error shown instead of a page."""
    for pattern in _errors("error"):
        if match := pattern.search(text):
            return match[0]
    if title and any(pattern.fullmatch(title.strip()) for pattern in _errors("title")):
        return title.strip()
    return None


@cache
def _exit_codes() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(sign.pattern, re.MULTILINE) for sign in tools().exit_code)


@cache
def _envelopes() -> tuple[tuple[Envelope, re.Pattern[str]], ...]:
    return tuple((one, re.compile(one.pattern)) for one in tools().envelope)


@cache
def _errors(kind: str) -> tuple[re.Pattern[str], ...]:
    signs = page_signs().error if kind == "error" else page_signs().title
    return tuple(re.compile(sign.pattern, re.MULTILINE) for sign in signs)
