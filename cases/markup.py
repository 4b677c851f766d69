"""What a page's source shows by itself, without its scripts."""

from functools import lru_cache

from cases import patterns as re

_WHOLE = re.compile(r"(?is)^\s*<(?:!doctype html|html)\b.*</(?:body|html)>\s*$")
_UNSEEN = ("head", "script", "style", "template", "noscript")


@lru_cache(maxsize=256)
def seen_in(text: str) -> str:
    """What a browser shows of a text without running scripts, if it is the source of a whole page; else the text."""
    if not _WHOLE.match(text):
        return text
    import lxml.etree  # type: ignore[import-untyped]  # noqa: PLC0415 - few records hold any source
    import lxml.html  # type: ignore[import-untyped]  # noqa: PLC0415

    try:
        parser = lxml.html.HTMLParser(encoding="utf-8")
        tree = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return text
    lxml.etree.strip_elements(tree, *_UNSEEN, with_tail=False)
    return " ".join(str(tree.text_content()).split())
