"""Pages that a browser showed: browser-use states, Magentic-One's WebSurfer, and errors of navigation."""

from collections.abc import Iterator, Sequence

from cases import patterns as re
from cases.events.data import page_error, within
from cases.model import Block, PageVisit

SURFER = "Here is a screenshot of "
SHOWN = re.compile(r"\[(?P<title>.*?)\]\((?P<url>\S+?)\)\.(?= |$)", re.DOTALL | re.MULTILINE)
STATE = re.compile(
    r"^\[?(?:Current (?:url|URL|page URL)|(?P<mcp>- Page URL)): *(?P<url>[^\s\]]+)"
    r"|\A\W*(?:Observation:\s*)?(?i:page )?URL: *(?P<headed>https?://\S+)$",
    re.MULTILINE,
)
"""browser-use's and WebSurfer's words, Playwright MCP's, and an address that heads what a tool shows."""
TITLE = re.compile(r"^(?:- Page )?Title: *(?P<title>.*)$", re.MULTILINE)
TAB = re.compile(
    r"TabInfo\(.*?url=(?:'(?P<url>.*?)'|\"(?P<url2>.*?)\"), "
    r"title=(?:'(?P<title>.*?)'|\"(?P<title2>.*?)\")(?:\)|, )"
)
TAB_LINE = re.compile(r"^Tab \S+: (?P<url>\S+) - (?P<title>.*)$", re.MULTILINE)
NAVIGATION = re.compile(r"(?P<error>net::ERR_[A-Z0-9_]+) at (?P<url>https?://[^\s'\"<>]+)")
HOST = re.compile(r"\A(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?\Z", re.IGNORECASE)
_CONSOLE = re.compile(
    r"(?P<error>Failed to load resource: [^\n@]{1,200}[45]\d\d[^\n@]{0,60}?) @ (?P<url>\S+?)(?::\d+)?$", re.MULTILINE
)
NOT_PAGES = ("about:blank", "about:newtab", "chrome://")


def visits(blocks: Sequence[Block], told: frozenset[int] = frozenset()) -> list[PageVisit]:
    """Every page shown, each time it was shown; empty tabs are none, and `told` are blocks that a call tells of."""
    return [
        visit
        for block in blocks
        if block.kind != "call" and block.role not in ("assistant", "system")
        for visit in _visits(block, told)
    ]


def _visits(block: Block, told: frozenset[int]) -> Iterator[PageVisit]:
    failed = {}
    for match in NAVIGATION.finditer(block.text):
        failed[match["url"].rstrip(".,)")] = match["error"]
    for url, error in failed.items():
        yield PageVisit(url=url, title=None, error=error, text=None, blocks=(block.index,))
    for part in block.text.split(SURFER)[1:]:
        if shown := SHOWN.match(part):
            yield _visit(block, shown["url"], shown["title"].strip(), block.text)
    states = list(STATE.finditer(block.text))
    for number, match in enumerate(states):
        end = states[number + 1].start() if number + 1 < len(states) else len(block.text)
        text = block.text[match.start() : end]
        url = match["url"] or match["headed"]
        if not url.startswith(NOT_PAGES) and not (match["mcp"] and block.index in told):
            visit = _visit(block, url, _title(url, text), text)
            error = visit.error or console_error(url, block.text)
            yield visit.model_copy(update={"error": error})
    if not states and block.index not in told and (block.url or "").startswith(("http://", "https://")):
        yield _visit(block, block.url or "", None, block.text)


def console_error(url: str, text: str) -> str | None:
    """What Chromium's console says of the page itself, where a tool passes that on: the server refused it."""
    there = _CONSOLE.finditer(text)
    return next((match["error"] for match in there if match["url"].rstrip("/") == url.rstrip("/")), None)


def _title(url: str, text: str) -> str | None:
    """The title of the tab that shows the address."""
    if named := TITLE.search(text):
        return named["title"].strip() or None
    tabs = [(tab["url"] or tab["url2"], tab["title"] or tab["title2"] or "") for tab in TAB.finditer(text)]
    tabs += [(tab["url"], tab["title"]) for tab in TAB_LINE.finditer(text)]
    return next((title.strip() or None for shown, title in tabs if shown == url), None)


def _visit(block: Block, url: str, title: str | None, text: str) -> PageVisit:
    """One visit; a browser's own error page names the host in its title only."""
    error = page_error(title, text)
    address = url
    if url.startswith("chrome-error:"):
        error = error or "the browser showed an error page"
        if title and HOST.match(title):
            address = f"https://{title}/"
    shown = within(text)
    return PageVisit(url=address, title=title or None, error=error, text=text, inside=shown, blocks=(block.index,))
