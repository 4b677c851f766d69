"""What a page lets its visitors open besides its links: searches, choices, queries, buttons, embedded pages."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import urlencode, urljoin

import lxml.html  # type: ignore[import-untyped]

from probes.web.links import parsed
from probes.web.plain import Plain
from sandboxes.browser.urls import UrlRefusedError, action_like, host_of, normalise_url

MOST_CHOICES = 12
"""Addresses to which the choices of one form lead."""
SHARED = 3
"""Pages of a site that have a button before it counts as part of its frame."""
_TYPED = ".//input[not(@type) or @type='text' or @type='search' or @type='number' or @type='date' or @type='month']"
_LETTER = " | ".join(
    f".//{field}"
    for field in ("textarea", *(f"input[@type='{kind}']" for kind in ("password", "email", "tel", "file")))
)
_BUTTON = " | ".join(
    (
        "//button[not(ancestor::form)]",
        "//*[@role='button'][not(ancestor::form)]",
        "//a[starts-with(@href, 'javascript:')]",
    )
)

Purpose = Literal["search", "choice", "query", "other"]


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
    """The addresses to which the choices of a page's forms lead."""
    found = []
    for form in _forms(page):
        where, lists = _target(form, page), form.xpath(".//select[@name]")
        if purpose(form) == "choice" and where and len(lists) == 1:
            name = str(lists[0].get("name"))
            others = [(other, value) for other, value in form.form_values() if other != name]
            values = [option.get("value", option.text or "") for option in lists[0].iter("option")]
            found += [f"{where.partition('?')[0]}?{urlencode([*others, (name, one)])}" for one in values[:MOST_CHOICES]]
    return found


def embedded_in(page: Plain) -> list[str]:
    """Pages that a page shows within itself."""
    tree = parsed(page.body) if page.is_html else None
    found = [] if tree is None else [str(one.get("src") or "") for one in tree.iter("iframe", "frame")]
    return [urljoin(page.url, place) for place in found if place and not place.startswith(("about:", "data:"))]


def has_more_than_text(page: Plain) -> bool:
    """Whether it is a file, or a page with pictures and the like: what it says may not be in its text."""
    tree = parsed(page.body) if page.is_html else None
    if tree is None:
        return not page.is_html
    return next(tree.iter("img", "svg", "canvas", "object", "embed", "video", "picture"), None) is not None


def untried(pages: Mapping[str, Plain]) -> list[str]:
    """Pages with a query or a button of their own, which only a visitor who acts there gets past."""
    buttons = {url: set(_buttons(page)) for url, page in pages.items()}
    count = Counter(label for labels in buttons.values() for label in labels)
    own = [url for url, labels in buttons.items() if any(count[label] < SHARED for label in labels)]
    asking = [url for url, page in pages.items() if any(purpose(form) == "query" for form in _forms(page))]
    return list(dict.fromkeys((*own, *asking)))


def purpose(form: lxml.html.FormElement) -> Purpose:
    """What a form is for, by its fields: one text to search for, a list to choose from, or more than that.

    Those that send a letter, a file or a password, or that do something, are others.
    """
    if (
        form.xpath(_LETTER)
        or form.xpath(".//input[contains(@name, 'mail')]")
        or action_like(f"http://form.invalid/{(form.get('action') or '').lstrip('/')}")
    ):
        return "other"
    named, lists, get = _named(form), form.xpath(".//select[@name]"), form.method.upper() == "GET"
    if get and len(named) == 1 and not lists:
        return "search"
    if get and not named and len(lists) == 1:
        return "choice"
    return "query" if named or lists else "other"


def _forms(page: Plain) -> Iterator[lxml.html.FormElement]:
    tree = parsed(page.body) if page.is_html and page.status == 200 else None
    yield from () if tree is None else tree.forms


def _named(form: lxml.html.FormElement) -> list[str]:
    return [str(field.get("name")) for field in form.xpath(_TYPED) if field.get("name")]


def _target(form: lxml.html.FormElement, page: Plain) -> str:
    """Where a form asks on its own site; empty where that is elsewhere or does something."""
    try:
        where = normalise_url(urljoin(page.url, form.get("action") or ""), from_prose=False)
    except (UrlRefusedError, ValueError):
        return ""
    return where if host_of(where) == host_of(page.url) and not action_like(where) else ""


def _buttons(page: Plain) -> Iterator[str]:
    tree = parsed(page.body) if page.is_html and page.status == 200 else None
    for button in [] if tree is None else tree.xpath(_BUTTON):
        yield " ".join(str(button.get("aria-label") or button.text_content()).split()).casefold()
