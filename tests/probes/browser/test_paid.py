"""Pages whose own structured data say that they are not free to read."""

import json

import pytest

from probes.browser.expected import is_paid

ARTICLE = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A mill"}
PAID = ARTICLE | {"isAccessibleForFree": False}
PART = {"@type": "WebPageElement", "isAccessibleForFree": False, "cssSelector": ".paywall"}

MICRODATA = (
    '<html><body><div itemscope itemtype="{}"><meta itemprop="isAccessibleForFree" content="false"></div></body></html>'
)


def page(data: object, kind: str = "application/ld+json") -> str:
    told = data if isinstance(data, str) else json.dumps(data)
    return f'<html><head><script type="{kind}">{told}</script></head><body><p>A mill.</p></body></html>'


@pytest.mark.parametrize(
    ("html", "paid"),
    [
        (page(ARTICLE | {"isAccessibleForFree": False}), True),
        (page(ARTICLE | {"isAccessibleForFree": "False"}), True),
        (page(ARTICLE | {"isAccessibleForFree": "http://schema.org/False"}), True),
        (
            page({"@graph": [{"@type": "WebSite"}, ARTICLE | {"isAccessibleForFree": False}]}, "Application/LD+JSON"),
            True,
        ),
        (MICRODATA.format("https://schema.org/NewsArticle"), True),
        (MICRODATA.format("https://schema.org/Museum"), False),
        (page({"@type": ["Museum", "Place"], "isAccessibleForFree": False}), False),
        (page(ARTICLE | {"isAccessibleForFree": True, "hasPart": [PART]}), False),
        (page(ARTICLE | {"isAccessibleForFree": True}), False),
        (page(ARTICLE), False),
        (page('{"isAccessibleForFree": false'), False),
        ("<html><body>isAccessibleForFree: false</body></html>", False),
        ("", False),
        (page("[" * 20_000 + '"isAccessibleForFree"'), False),
    ],
)
def test_a_page_says_itself_that_it_is_not_free(html: str, *, paid: bool) -> None:
    assert is_paid(html) is paid
