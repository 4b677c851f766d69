"""Observations and artifacts of a visit."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic

import trafilatura
from pydantic import Field, field_validator

from cases import Model
from cases import patterns as re
from cases.loading import load
from cases.sentences import Sentences
from probes.artifacts import ArtifactStore
from probes.model import Artifact, Observation
from probes.web.plain import Plain
from probes.web.rules import HTML_LIMIT, Match, Page, visible_text
from probes.web.snapshot import View
from sandboxes.browser.urls import host_of

say = Sentences(__name__)


@dataclass
class Record:
    """What one visit leaves behind, in the order it was measured."""

    store: ArtifactStore
    observations: list[Observation] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)

    def note(self, name: str, value: str, began: float | None = None, artifact: Artifact | None = None) -> None:
        """One observation, now; `began` is the monotonic time it started at."""
        self.observations.append(
            Observation(
                name=name,
                value=value[:2_000],
                at=datetime.now(UTC),
                seconds=None if began is None else round(monotonic() - began, 3),
                artifact=artifact.sha256 if artifact else None,
            )
        )

    def keep(
        self, data: bytes | str, name: str, media_type: str = "text/plain", *, private: bool = False
    ) -> Artifact | None:
        """Store an artifact unless it is empty; what is `private` stays out of public packs."""
        if not data:
            return None
        artifact = self.store.put(data, name, media_type, private=private)
        self.artifacts.append(artifact)
        return artifact

    def plain(self, plain: Plain, matches: tuple[Match, ...], began: float) -> None:
        """The plain HTTP layer."""
        parts = [plain.error or f"status {plain.status}", f"at {plain.url}", *_hops(plain.chain), _rules(matches)]
        if not plain.error:
            parts.append(say("record.characters_text_before", body=len(visible_text(plain.body))))
        self.note("http", "; ".join(filter(None, parts)), began)

    def _pressed(self, view: View, stem: str) -> None:
        texts = "\n\n".join(f"# {done}\n{text}" for done, text in view.pressed.shown)
        if kept := self.keep(texts, f"{stem}.pressed.txt"):
            self.note("shown", "; ".join(dict.fromkeys(done for done, _ in view.pressed.shown)), artifact=kept)

    def view(self, asked: str, view: View, matches: tuple[Match, ...], began: float, number: int) -> None:
        """The browser layer with its artifacts."""
        stem = f"{slug(asked)}-{number}"
        shot = self.keep(view.screenshot, f"{stem}.jpg", "image/jpeg")
        parts = [
            view.error or f"status {view.status}",
            f"at {view.url}",
            f"title {view.title[:120]!r}" if view.title else "",
            *_hops(view.chain[:-1]),
            _rules(matches),
            say("record.characters_text_frames", text=len(view.text), number=len(view.text) - len(view.main_text)),
            say("record.console_errors", console_errors=view.console_errors),
            f"dismissed: {', '.join(sorted(set(view.closed)))}" if view.closed else "",
        ]
        self.note("browser", "; ".join(filter(None, parts)), began, shot)
        if shot and view.box:
            self.note("box", view.box, artifact=shot)
        if shot and view.extent:
            self.note("content", view.extent, artifact=shot)
        if exact := self.keep(view.lossless, f"{stem}.png", "image/png"):
            self.note("picture without loss", f"{exact.size} bytes", artifact=exact)
        if text := self.keep(view.text, f"{stem}.text.txt"):
            self.note("visible text", f"{len(view.text)} characters", artifact=text)
        if outline := self.keep(view.aria, f"{stem}.aria.txt"):
            self.note("accessibility outline", f"{len(view.aria)} characters", artifact=outline)
        if source := self.keep(view.html, f"{stem}.dom.txt"):
            self.note("document after scripts", f"{len(view.html)} characters", artifact=source)
        if archive := self.keep(view.har, f"{stem}.har.zip", "application/zip"):
            self.note("http archive", "without cookies and credentials", artifact=archive)
        self._pressed(view, stem)
        if named := second_opinion(view.page(asked)):
            self.note("second opinion", say("record.second_opinion", named=", ".join(named)))
        main = main_text(view.html)
        if kept := self.keep(main, f"{stem}.main.txt"):
            self.note("main text", f"{len(main)} characters", artifact=kept)


def main_text(html: str) -> str:
    """The page's own matter without navigation and boilerplate, as trafilatura sees it."""
    if not html.strip():
        return ""
    return trafilatura.extract(html, include_comments=False, favor_recall=True) or ""


def _hops(chain: tuple[str, ...]) -> tuple[str, ...]:
    return (say("record.way", hop=" -> ".join(hop[:200] for hop in chain)),) if chain else ()


def _rules(matches: tuple[Match, ...]) -> str:
    return f"rules: {', '.join(match.rule for match in matches)}" if matches else ""


def slug(url: str) -> str:
    """What the files of a page are called."""
    return re.sub(r"[^a-z0-9]+", "-", host_of(url).lower()).strip("-")[:40] or "page"


class _Vendor(Model):
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


class _Opinions(Model):
    """The data file."""

    source: str = Field(min_length=5)
    vendor: tuple[_Vendor, ...] = Field(min_length=1)


def opinions() -> _Opinions:
    """What stands in `waf_fingerprints.toml`."""
    return load(_Opinions, __package__, "waf_fingerprints.toml")


def second_opinion(page: Page) -> tuple[str, ...]:
    """Vendors whose marks somebody else's signatures find on the page, blocked or not: told, and never decisive."""
    return tuple(vendor.name for vendor in opinions().vendor if vendor.named_by(page))
