"""A second opinion on a page: which vendor somebody else's signatures would name. It is told and never decides."""

from pydantic import Field, field_validator

from cases import Model
from cases import patterns as re
from cases.loading import load
from probes.web.rules import HTML_LIMIT, Page


class Vendor(Model):
    """One vendor's marks, any of which names it; `url` and `status` must hold together."""

    name: str
    headers: dict[str, str] = Field(default_factory=dict)
    """A pattern for the value; an empty one asks only whether the header is there."""
    cookies: tuple[str, ...] = ()
    html: tuple[str, ...] = ()
    url: str | None = None
    status: tuple[int, ...] = ()

    @field_validator("cookies", "html")
    @classmethod
    def _patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in value:
            re.compile(pattern)
        return value

    def named_by(self, page: Page) -> bool:
        """Whether a mark is on the page."""
        headers = any(
            name in page.headers and re.search(pattern, page.headers[name]) for name, pattern in self.headers.items()
        )
        cookies = any(re.search(pattern, name) for pattern in self.cookies for name in page.cookies)
        refused = bool(self.url and re.search(self.url, page.url) and page.status in self.status)
        return headers or cookies or refused or any(re.search(mark, page.html[:HTML_LIMIT]) for mark in self.html)


class Opinions(Model):
    """The data file."""

    source: str = Field(min_length=5)
    vendor: tuple[Vendor, ...] = Field(min_length=1)


def opinions() -> Opinions:
    """What stands in `waf_fingerprints.toml`."""
    return load(Opinions, __package__, "waf_fingerprints.toml")


def second_opinion(page: Page) -> tuple[str, ...]:
    """Names of the vendors whose marks are on the page, blocked or not."""
    return tuple(vendor.name for vendor in opinions().vendor if vendor.named_by(page))
