"""Pages that a run asked for: those that a browser or a tool showed, and those that its commands printed."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from cases import patterns as re
from cases.failing import TRACEBACK, exception_in, telling_lines
from cases.model import BARE_TEXT, CommandRun, Events, PageVisit, Task
from cases.shell import Command
from cases.sites import names_site

_ADDRESS = re.compile(r"(?i)https?://[^\s'\"<>|]+")
_PRINTS = {
    "curl": True,
    "lynx": True,
    "w3m": True,
    "links": True,
    "http": True,
    "https": True,
    "xh": True,
    "wget": False,
}
"""Programs that fetch a page, and whether they print it by themselves."""
_WHOLE = frozenset({"head", "cat", "tr", "html2text", "sed", "pandoc", "iconv", "fold", "cd", "echo", "sleep"})
"""Programs after which a page can still be told from none."""
_KEEPS = re.compile(r"--output\b|--remote-name|-[A-Za-z]*[oO]\Z|-o\S|-O\S*")
_PYTHON = re.compile(
    r"""\b(?:get|urlopen|Request|goto|read_html)\(\s*(?:url\s*=\s*)?[rRuU]?"""
    r"""(?:'(?P<url>https?://[^'"{}]+)'|"(?P<quoted>https?://[^'"{}]+)")"""
)
"""How Python's own ways to fetch a page name it."""


def pages_of(task: Task, events: Events) -> tuple[PageVisit, ...]:
    """Every page shown, and of the sites that the task names also what a command printed; in the record's order."""
    printed = [
        visit
        for command in events.commands
        for visit in _printed(command)
        if (host := _host(visit.url)) and names_site(task, host)
    ]
    shown = {(visit.url, visit.blocks) for visit in events.visits}
    more = [visit for visit in printed if (visit.url, visit.blocks) not in shown]
    return tuple(sorted((*events.visits, *more), key=lambda visit: visit.blocks[0]))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _printed(run: CommandRun) -> Iterator[PageVisit]:
    """What one command fetched; the text is its output where that was one page."""
    if run.kind == "python":
        urls = [match["url"] or match["quoted"] for match in _PYTHON.finditer(run.command)]
    else:
        urls = [url for step in run.steps for url in _asked(step.command)]
    text = run.output if len(urls) == 1 else None
    whole = bool(text) and bool(run.steps) and all(_shows(step.command) for step in run.steps)
    error = _raised(run) if text else None
    for url in dict.fromkeys(urls):
        yield PageVisit(url=url, title=None, error=error, text=text, picked=not whole, blocks=run.blocks)


def _raised(run: CommandRun) -> str | None:
    """The exception that stands where a page would, of Python that printed nothing before it; else None."""
    output = run.output or ""
    exception = exception_in(output)
    if exception is None and (run.kind != "python" or run.failed != "yes"):
        return None
    line = exception or telling_lines(output)[-1]
    before = output.partition(TRACEBACK)[0] if exception else output.replace(line, "")
    return line if len(before.strip()) < BARE_TEXT else None


def _shows(command: Command) -> bool:
    """Whether what a command prints is the page, or its beginning."""
    return command.program in _WHOLE or bool(_asked(command))


def _asked(command: Command) -> list[str]:
    """The addresses whose pages a command prints."""
    if command.program not in _PRINTS or any(one.writes and one.fd in (None, 1) for one in command.redirects):
        return []
    words = list(command.arguments)
    keeps = any(_KEEPS.fullmatch(word) and not word.endswith(("O-", "o-")) for word in words)
    stdout = any(word.endswith(("O-", "o-")) for word in words) or "-" in words
    if (keeps and not stdout) or not (_PRINTS[command.program] or stdout):
        return []
    return [match[0] for word in words if (match := _ADDRESS.match(word))]
