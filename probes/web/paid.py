"""What a page says of itself for search engines: whether it is free to read (schema.org's `isAccessibleForFree`)."""

import json
from collections.abc import Iterator

from probes.web.links import parsed

KEY = "isAccessibleForFree"
_BLOCKS = "//script[contains(translate(@type, 'LDJSON', 'ldjson'), 'ld+json')]"
_DEEPEST = 20


def is_paid(html: str) -> bool:
    """Whether a page's structured data, JSON-LD or microdata, say that it or a part of it is not free."""
    tree = parsed(html) if KEY.casefold() in html.casefold() else None
    if tree is None:
        return False
    told = [str(value) for value in tree.xpath(f"//*[@itemprop='{KEY}']/@content")]
    for block in tree.xpath(_BLOCKS):
        try:
            told += [str(value) for value in _values(json.loads(str(block.text_content()), strict=False))]
        except (ValueError, RecursionError):
            continue
    return any(value.rpartition("/")[2].casefold() == "false" for value in told)


def _values(node: object, depth: int = 0) -> Iterator[object]:
    """What stands for the key anywhere in a document."""
    if depth > _DEEPEST:
        return
    if isinstance(node, dict):
        if KEY in node:
            yield node[KEY]
        for value in node.values():
            yield from _values(value, depth + 1)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value, depth + 1)
