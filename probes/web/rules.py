"""Block rules as data, and the one function that reads a page with them, raw body or rendered DOM alike."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin

import lxml.etree  # type: ignore[import-untyped]
import lxml.html  # type: ignore[import-untyped]
from cssselect import SelectorError
from lxml.cssselect import CSSSelector  # type: ignore[import-untyped]
from pydantic import Field, field_validator, model_validator

from cases import Model
from cases import patterns as re
from probes.model import Barrier

HTML_LIMIT = 3_000_000
"""Characters of a page's source that the rules look at."""

_REFRESH = re.compile(r"(?i)\s*(?P<seconds>\d{1,4})[\d.]*\s*[;,]\s*(url\s*=)?\s*(?P<url>\S.*)")
_INVISIBLE = ("script", "style", "template", "head", "title", "svg")


class Conditions(Model):
    """What must hold together; regular expressions are searched, not anchored."""

    status: tuple[int, ...] = ()
    headers: dict[str, str] = Field(default_factory=dict)
    cookies: tuple[str, ...] = ()
    """Each must match some cookie's name."""
    url: str | None = None
    """Against the final address."""
    redirected: bool | None = None
    """Whether the final address is another page than the one asked for."""
    title: str | None = None
    text: tuple[str, ...] = ()
    """Each must match the visible text."""
    html: tuple[str, ...] = ()
    any_html: tuple[str, ...] = ()
    css: tuple[str, ...] = ()
    any_css: tuple[str, ...] = ()
    no_css: tuple[str, ...] = ()
    max_text: int | None = None
    """Characters of visible text at most."""

    @field_validator("url", "title")
    @classmethod
    def _one_pattern(cls, value: str | None) -> str | None:
        return value if value is None else _compiled(value)

    @field_validator("text", "html", "any_html", "cookies")
    @classmethod
    def _patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_compiled(pattern) for pattern in value)

    @field_validator("css", "any_css", "no_css")
    @classmethod
    def _selectors(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for selector in value:
            try:
                _selector(selector)
            except SelectorError as error:
                raise ValueError(f"not a selector: {selector} ({error})") from error
        return value

    @model_validator(mode="after")
    def _says_something(self) -> "Conditions":
        if not (self.model_fields_set - {"max_text", "redirected", "no_css"}):
            raise ValueError("a rule needs a positive condition")
        return self


class Rule(Model):
    """One signature."""

    id: str
    barrier: Barrier = Field(alias="class")
    vendor: str
    confidence: Literal["decisive", "supporting"]
    source: str = Field(min_length=5)
    trap: str
    may_clear: bool = False
    """A script challenge that lets patient browsers through by itself."""
    when: Conditions


@dataclass(frozen=True)
class Page:
    """What the rules see of one answer."""

    url: str
    """Final address."""
    asked: str = ""
    status: int | None = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Lower-case names."""
    cookies: tuple[str, ...] = ()
    html: str = ""
    text: str | None = None
    """Visible text where a browser knows it; otherwise it is taken from the source."""
    title: str | None = None


@dataclass(frozen=True)
class Match:
    """A rule that holds for a page, with the markers that show it."""

    rule: str
    barrier: Barrier
    vendor: str
    decisive: bool
    markers: tuple[str, ...]
    may_clear: bool = False


def classify(page: Page, rules: tuple[Rule, ...] | None = None) -> tuple[Match, ...]:
    """The rules that hold: decisive ones first, a vendor's own before the general ones."""
    reading = _Reading(page)
    found = [
        Match(rule.id, rule.barrier, rule.vendor, rule.confidence == "decisive", markers, rule.may_clear)
        for rule in (load_rules() if rules is None else rules)
        if (markers := reading.holds(rule.when)) is not None
    ]
    return tuple(sorted(found, key=lambda match: (not match.decisive, match.rule.startswith(("generic.", "site.")))))


@cache
def load_rules(directory: Path = Path(__file__).parent / "rules") -> tuple[Rule, ...]:
    """All rules of a directory's TOML files.

    Raises:
        ValueError: a malformed file or a repeated id, with the file's name.
    """
    rules: dict[str, Rule] = {}
    for path in sorted(directory.glob("*.toml")):
        for entry in tomllib.loads(path.read_text("utf-8")).get("rule", []):
            try:
                rule = Rule.model_validate(entry)
            except ValueError as error:
                raise ValueError(f"{path.name}, rule {entry.get('id')}: {error}") from error
            if rule.id in rules:
                raise ValueError(f"{path.name}: rule {rule.id} stands twice")
            rules[rule.id] = rule
    return tuple(rules.values())


def visible_text(html: str) -> str:
    """The text of a page's source as a reader without scripts would see it."""
    tree = _tree(html)
    return "" if tree is None else _text_of(tree)


def title_of(html: str) -> str:
    """The title in a page's source."""
    return _title(_tree(html))


def _title(tree: Any | None) -> str:  # noqa: ANN401 - lxml has no types
    node = None if tree is None else tree.find(".//title")
    return "" if node is None else " ".join(str(node.text_content()).split())


def count(html: str, selector: str) -> int:
    """How many such elements a page's source has."""
    tree = _tree(html)
    return 0 if tree is None else len(_selector(selector)(tree))


def refreshes(html: str, url: str) -> float | None:
    """After how many seconds a page sends its readers to another address by itself."""
    tree = _tree(html)
    for node in () if tree is None else tree.xpath("//meta[@http-equiv][not(ancestor::noscript)]"):
        if str(node.get("http-equiv")).lower() == "refresh":
            told = _REFRESH.match(str(node.get("content") or ""))
            if told and urljoin(url, told["url"].strip("'\" ")) != url:
                return float(told["seconds"])
    return None


class _Reading:
    """One page, parsed once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.html = page.html[:HTML_LIMIT]
        self.tree = _tree(self.html)
        self.text = " ".join((page.text if page.text is not None else visible_text(self.html)).split())
        self.title = page.title if page.title is not None else _title(self.tree)

    def holds(self, when: Conditions) -> tuple[str, ...] | None:
        """The markers found, or None when a condition fails."""
        markers: list[str] = []
        for check in (self._outside, self._inside, self._structure):
            found = check(when)
            if found is None:
                return None
            markers += found
        return tuple(markers)

    def _outside(self, when: Conditions) -> list[str] | None:
        """Status, headers, cookies, address."""
        page, found = self.page, list[str]()
        if when.status:
            if page.status not in when.status:
                return None
            found.append(f"status {page.status}")
        for name, pattern in when.headers.items():
            value = page.headers.get(name)
            if value is None or not re.search(pattern, value):
                return None
            found.append(f"header {name}: {value[:80]}")
        for pattern in when.cookies:
            names = [name for name in page.cookies if re.search(pattern, name)]
            if not names:
                return None
            found.append(f"cookie {names[0][:80]}")
        if when.redirected is not None and when.redirected != (_place(page.asked) != _place(page.url)):
            return None
        if when.url:
            if not (hit := re.search(when.url, page.url)):
                return None
            found.append(f"address {hit[0][:120]}")
        return found

    def _inside(self, when: Conditions) -> list[str] | None:
        """Title, text, source."""
        found = list[str]()
        if when.max_text is not None and len(self.text) > when.max_text:
            return None
        if when.title:
            if not re.search(when.title, self.title):
                return None
            found.append(f"title {self.title[:80]!r}")
        for patterns, subject, kind in ((when.text, self.text, "text"), (when.html, self.html, "source")):
            for pattern in patterns:
                if not (hit := re.search(pattern, subject)):
                    return None
                found.append(f"{kind} {_short(hit[0])!r}")
        if when.any_html:
            hits = [hit[0] for pattern in when.any_html if (hit := re.search(pattern, self.html))]
            if not hits:
                return None
            found.append(f"source {_short(hits[0])!r}")
        return found

    def _structure(self, when: Conditions) -> list[str] | None:
        """Elements."""
        if any(self._has(selector) for selector in when.no_css):
            return None
        if not all(self._has(selector) for selector in when.css):
            return None
        found = [f"element {selector}" for selector in when.css]
        if when.any_css:
            hits = [selector for selector in when.any_css if self._has(selector)]
            if not hits:
                return None
            found.append(f"element {hits[0]}")
        return found

    def _has(self, selector: str) -> bool:
        return self.tree is not None and bool(_selector(selector)(self.tree))


def _tree(html: str) -> Any | None:  # noqa: ANN401 - lxml has no types
    if not html.strip():
        return None
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        return lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return None


def _text_of(node: Any) -> str:  # noqa: ANN401 - lxml has no types
    pieces: list[str] = []
    walk = lxml.etree.iterwalk(node, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event == "start" and (element.tag in _INVISIBLE or _hidden(element)):
            walk.skip_subtree()
        elif event == "start":
            pieces.append(element.text or "")
        else:
            pieces.append(element.tail or "")
    return " ".join("\n".join(pieces).split())


def _hidden(element: Any) -> bool:  # noqa: ANN401 - lxml has no types
    style = str(element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style


def _compiled(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a pattern: {pattern} ({error})") from error
    return pattern


@cache
def _selector(selector: str) -> CSSSelector:
    return CSSSelector(selector, translator="html")


def _place(url: str) -> str:
    return re.sub(r"^https?://(www\.)?|/?([?#].*)?$", "", url)


def _short(text: str) -> str:
    return " ".join(text.split())[:80]
