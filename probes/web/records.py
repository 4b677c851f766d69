"""What was seen of one address, and what it means: records only."""

from dataclasses import dataclass, field
from typing import Literal

from probes.model import Barrier, Control
from probes.web.control_response import Beside
from probes.web.plain import Plain
from probes.web.rules import Match
from probes.web.snapshot import View
from sandboxes.browser.layers import Handshake, Names


@dataclass(frozen=True)
class Look:
    """Everything seen in one visit to one address."""

    url: str
    names: Names
    handshake: Handshake | None = None
    plain: Plain | None = None
    view: View | None = None
    matches: tuple[Match, ...] = ()
    """Rules that hold for what the browser saw, or for the plain answer where there was no browser."""
    seen: tuple[str, ...] = ()
    """Needed texts visible in the browser."""
    seen_plain: tuple[str, ...] = ()
    sibling: Beside | None = None
    """The answer to an address beside it that no site has on purpose."""
    astray: Beside | None = None
    """The answer to a made-up address at the site's root, where the one beside the page shows the same as the page."""
    home: Beside | None = None
    """The answer to the site's first page."""
    linked: str = ""
    """The page of the site that links to the address, where that was asked."""
    stands_for: str = ""
    """The page of the site that lists the address among others, under names of their own, which all show the same."""
    named: bool = False
    """The benchmark itself says that the answer stands at the address."""
    about_it: bool = False
    """Words of what the task is about stand on the page, and not on the site's first one."""
    strange: bool = False
    """The page surely speaks of something else than the task."""
    asked_for: bool = False
    """The task names the site, and the page surely shows nothing of what is expected."""
    lacking: bool = False
    """The page surely shows nothing of what is expected."""
    withheld: bool = False
    """The page says of itself that it is not free, and surely shows nothing of what is expected."""
    onward: Names | None = None
    """What the resolvers said about a host that the page led to in vain."""
    crashed: str = ""
    refused: str = ""
    """Why the address was not visited at all."""


@dataclass(frozen=True)
class Reading:
    """What one visit, or several that agree, mean."""

    kind: Literal["ok", "barrier", "unknown"]
    detail: str
    barrier: Barrier | None = None
    markers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What is known of one address after all its visits."""

    url: str
    reading: Reading
    visits: int
    looks: tuple[Look, ...] = field(default=(), repr=False)
    controls: tuple[Control, ...] = ()
    """What the barrier had to show besides itself."""
