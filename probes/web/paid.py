"""What a page says of itself for search engines: whether it is free to read (schema.org's `isAccessibleForFree`)."""

import json
from collections.abc import Iterator

from probes.web.links import parsed

KEY = "isAccessibleForFree"
ARTICLES = ("Article", "BlogPosting", "Report")
"""With what the types of schema.org end that are read; of places and events the key means their entrance."""
_BLOCKS = "//script[contains(translate(@type, 'LDJSON', 'ldjson'), 'ld+json')]"
_DEEPEST = 20


def is_paid(html: str) -> bool:
    """Whether a page's structured data say of an article that it is not free, as JSON-LD or as microdata."""
    tree = parsed(html) if KEY.casefold() in html.casefold() else None
    if tree is None:
        return False
    scope = " or ".join(f"contains(@itemtype, '{kind}')" for kind in ARTICLES)
    told = [str(value) for value in tree.xpath(f"//*[{scope}]//*[@itemprop='{KEY}']/@content")]
    for block in tree.xpath(_BLOCKS):
        try:
            told += [str(value) for value in _values(json.loads(str(block.text_content()), strict=False))]
        except (ValueError, RecursionError):
            continue
    return any(value.rpartition("/")[2].casefold() == "false" for value in told)


def _values(node: object, depth: int = 0) -> Iterator[object]:
    """What stands for the key in each article that a document describes, and not in its parts."""
    if isinstance(node, list):
        for value in node:
            yield from _values(value, depth + 1)
    elif isinstance(node, dict) and depth < _DEEPEST:
        kinds = node.get("@type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if KEY in node and any(isinstance(kind, str) and kind.endswith(ARTICLES) for kind in kinds):
            yield node[KEY]
        yield from _values(node.get("@graph", []), depth + 1)
