"""What a page lets its visitors open besides its links: searches, choices, queries, controls, embedded pages."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import urlencode

import lxml.html  # type: ignore[import-untyped]

from probes.web.links import joined, links_in, parsed
from probes.web.plain import Plain
from sandboxes.browser.urls import UrlRefusedError, action_like, host_of, normalise_url

MOST_CHOICES, MOST_FIELDS = 12, 30
"""Addresses to which the choices of one form lead, and fields that a form may have to be asked."""
SHARED = 3
"""Pages of a site that have a control, more than half of all, before it counts as part of its frame."""
_TYPED = ".//input[not(@type) or @type='text' or @type='search' or @type='number' or @type='date' or @type='month']"
_KINDS = ("password", "email", "tel", "file")
_LETTER = " | ".join(f".//{field}" for field in ("textarea", *(f"input[@type='{kind}']" for kind in _KINDS)))
_CONTROL = " | ".join(
    (
        "//*[self::button or self::select or self::input[@type='button'] or @role='button'][not(ancestor::form)]",
        "//*[@role='tab' or (@onclick and not(ancestor::form))]",
        "//a[starts-with(translate(@href, 'JAVSCRIPT', 'javscript'), 'javascript:')]",
        "//a[starts-with(@href, '#/') or starts-with(@href, '#!')]",
    )
)
_PRESSED = ".//button[not(@type) or @type='submit'] | .//input[@type='submit' or @type='image']"

_PICTURES = "//img[not(ancestor::figure[figcaption])]/@src | //object/@data | //embed/@src"

Purpose = Literal["search", "choice", "query", "press", "other"]


def search_address(page: Plain, words: str) -> str:
    """The address that a page's search form would ask for these words; empty where it has none."""
    for form in _forms(page):
        where = _target(form, page)
        if purpose(form) == "search" and where:
            name = _named(form)[0]
            others = [(other, value) for other, value in form.form_values() if other != name]
            return f"{where.partition('?')[0]}?{urlencode([*others, (name, words)])}"
    return ""


def choices_in(page: Plain) -> list[str]:
    """The addresses to which the choices of a page's forms lead, at most `MOST_CHOICES` of each."""
    found = []
    for form in _forms(page):
        where = _target(form, page)
        if purpose(form) == "choice" and where:
            name = str(form.xpath(".//select[@name]")[0].get("name"))
            others = [(other, value) for other, value in form.form_values() if other != name]
            chosen = _options(form)[:MOST_CHOICES]
            found += [f"{where.partition('?')[0]}?{urlencode([*others, (name, one)])}" for one in chosen]
    return found


def embedded_in(page: Plain) -> list[str]:
    """Addresses of the pages that a page shows within itself."""
    tree = parsed(page.body) if page.is_html else None
    found = [] if tree is None else [str(one.get("src") or "") for one in tree.iter("iframe", "frame")]
    places = (joined(page.url, place) for place in found if place)
    return [place for place in places if place.startswith(("http://", "https://"))]


def has_more_than_text(page: Plain) -> bool:
    """Whether it is a file, or a page with pictures and the like: what it says may not be in its text."""
    tree = parsed(page.body) if page.is_html else None
    if tree is None:
        return not page.is_html
    return next(tree.iter("img", "svg", "canvas", "object", "embed", "video", "picture"), None) is not None


def pages_with_pictures(pages: Mapping[str, Plain]) -> set[str]:
    """Pages that show a picture which no other of them shows."""
    shown = {url: _pictures(page) for url, page in pages.items()}
    count = Counter(picture for each in shown.values() for picture in each)
    return {url for url, each in shown.items() if any(count[picture] == 1 for picture in each)}


def pages_with_queries(pages: Mapping[str, Plain]) -> list[str]:
    """Pages with a form that asks what no address of ours asked."""
    return [url for url, page in pages.items() if any(map(_unasked, _forms(page)))]


def pages_with_controls(pages: Mapping[str, Plain]) -> list[str]:
    """Pages with a control that few others have, by which a visitor could open more."""
    labels = {url: set(_controls(page)) for url, page in pages.items()}
    count = Counter(label for each in labels.values() for label in each)
    framing = {label for label, times in count.items() if times >= SHARED and times * 2 > len(pages)}
    return [url for url in pages if labels[url] - framing]


def leads_beyond(page: Plain, known: Mapping[str, Plain]) -> bool:
    """Whether an embedded page links to others of its host that were not read."""
    links = links_in(page.body, page.url) if page.is_html else []
    return any(host_of(link) == host_of(page.url) and link not in known for link in links)


def purpose(form: lxml.html.FormElement) -> Purpose:
    """What a form is for, by its fields: one text to search for, a list to choose from, more than that, a press alone.

    Those that send a letter, a file or a password, or that do something, are others.
    """
    if form.xpath(_LETTER) or form.xpath(".//input[contains(@name, 'mail')]") or _acts(form):
        return "other"
    named, lists, get = _named(form), form.xpath(".//select[@name]"), form.method.upper() == "GET"
    if get and len(form.inputs) <= MOST_FIELDS:
        if len(named) == 1 and not lists:
            return "search"
        if not named and len(lists) == 1:
            return "choice"
    return "query" if named or lists else "press" if form.xpath(_PRESSED) else "other"


def _pictures(page: Plain) -> set[str]:
    """Addresses of what a page shows as pictures, but for those below which it says what they show."""
    tree = parsed(page.body) if page.is_html else None
    found = [] if tree is None else tree.xpath(_PICTURES)
    return {joined(page.url, str(place)) for place in found if place}


def _unasked(form: lxml.html.FormElement) -> bool:
    meant = purpose(form)
    return meant == "query" or (meant == "choice" and len(_options(form)) > MOST_CHOICES)


def _options(form: lxml.html.FormElement) -> list[str]:
    return [str(option.get("value", option.text or "")) for option in form.xpath(".//select[@name]")[0].iter("option")]


def _acts(form: lxml.html.FormElement) -> bool:
    return action_like(joined("http://form.invalid/", str(form.get("action") or "")) or "http://form.invalid/")


def _forms(page: Plain) -> Iterator[lxml.html.FormElement]:
    tree = parsed(page.body) if page.is_html and page.status == 200 else None
    yield from () if tree is None else tree.forms


def _named(form: lxml.html.FormElement) -> list[str]:
    return [str(field.get("name")) for field in form.xpath(_TYPED) if field.get("name")]


def _target(form: lxml.html.FormElement, page: Plain) -> str:
    """Where a form asks on its own site; empty where that is elsewhere or does something."""
    try:
        where = normalise_url(joined(page.url, str(form.get("action") or "")), from_prose=False)
    except UrlRefusedError:
        return ""
    return where if host_of(where) == host_of(page.url) and not action_like(where) else ""


def _controls(page: Plain) -> Iterator[str]:
    """What the controls of a page are called, and the buttons of forms that have nothing else."""
    tree = parsed(page.body) if page.is_html and page.status == 200 else None
    if tree is None:
        return
    pressed = [button for form in tree.forms if purpose(form) == "press" for button in form.xpath(_PRESSED)]
    for control in (*tree.xpath(_CONTROL), *pressed):
        label = control.get("aria-label") or control.get("value") or control.text_content() or control.get("name") or ""
        yield " ".join(str(label).split()).casefold()
