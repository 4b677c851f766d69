"""How a page is looked at, and what the browser saw of it."""

from dataclasses import dataclass, field
from pathlib import Path

from probes.web.conditions import Conditions
from probes.web.rules import Page
from sandboxes.browser.caps import WebCaps
from sandboxes.browser.shape import Shape

PATIENCE = 8.0
"""How long a page may take, after it has loaded, to show its text or to let a challenge clear by itself."""
PATIENT = Conditions(
    id="patient", width=1280, height=900, timeout=WebCaps().page_seconds, patient=True, source="this program"
)
"""How this program looks at a page: with scripts, frames read, and time to come to rest."""


@dataclass(frozen=True)
class Pressed:
    """What a page showed besides, when it was scrolled and its controls were pressed."""

    shown: tuple[tuple[str, str], ...] = ()
    """What was done, and all that could be seen after it; each text once."""
    links: tuple[str, ...] = ()
    """To which the page then led."""
    whole: bool = False
    """Whether everything was pressed, and asked for nothing but what can be read."""
    still: bool = False
    """Whether it listens to no keys, wheel or dragging, of which only some were tried, and has put nothing off."""
    covered: bool = False
    """Whether something lay over most of the page all the time."""


@dataclass(frozen=True)
class View:
    """What the browser saw."""

    url: str
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    title: str = ""
    html: str = ""
    text: str = ""
    """Visible text of the page and of its frames."""
    apart: str = ""
    """Words of neighbours in one line, which `text` has as one where only their margins keep them apart."""
    main_text: str = ""
    """Visible text of the main frame alone."""
    chain: tuple[str, ...] = ()
    """`status address` of every main-frame answer."""
    shape: Shape = field(default_factory=Shape)
    onward: str = ""
    """An address at another host that the page led to and that could not be opened."""
    error: str = ""
    """Chromium's error name when the navigation failed."""
    denied: bool = False
    """Our own guard refused the main frame."""
    console_errors: int = 0
    closed: tuple[str, ...] = ()
    """Dialogs, popups and downloads that were dismissed."""
    covered: str = ""
    """The text of what lies over most of the page's window."""
    unanswered: tuple[str, ...] = ()
    """What the page's own scripts asked its site for in vain, each with how that ended."""
    screenshot: bytes = b""
    """JPEG."""
    box: str = ""
    """Where on it the deciding element stands: `x,y,width,height of WxH: what`."""
    extent: str = ""
    """How far down its content reaches: `WxH of WxH`."""
    lossless: bytes = b""
    """The same as PNG, where a wall was met."""
    aria: str = ""
    pressed: Pressed = Pressed()
    """Where that was asked for."""
    har: bytes = b""
    """The zipped HTTP archive without secrets, where it was asked for."""
    seconds: float = 0.0
    """From the start of the navigation until the page was read for the last time."""

    @property
    def said(self) -> str:
        """All that can be read, for what is looked for in it."""
        return f"{self.text}\n{self.apart}" if self.apart else self.text

    def page(self, asked: str) -> Page:
        """For the rules."""
        return Page(self.url, asked, self.status, self.headers, self.cookies, self.html, self.text, self.title)


@dataclass(frozen=True)
class Manner:
    """How a page is looked at."""

    needed: tuple[str, ...] = ()
    patience: float = PATIENCE
    conditions: Conditions = PATIENT
    har: bool = False
    pictures: bool = True
    """Whether screenshot and outline are taken."""
    entrance: str = ""
    """An address that is opened first, in the same session."""
    pressing: bool = False
    """Whether the page is also scrolled and its controls are pressed."""
    recorded: Path | None = None
    """A zipped HTTP archive that answers instead of any network."""
