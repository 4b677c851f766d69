"""What a page's source shows by itself, without its scripts."""

from functools import lru_cache
from html.parser import HTMLParser

from cases import patterns as re

_WHOLE = re.compile(r"(?is)^\s*<(?:!doctype html|html)\b.*</(?:body|html)>\s*$")
_UNSEEN = frozenset({"head", "script", "style", "template", "noscript"})


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.within = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self.within -= tag in _UNSEEN and self.within > 0

    def handle_data(self, data: str) -> None:
        if not self.within:
            self.texts.append(data)


@lru_cache(maxsize=256)
def seen_in(text: str) -> str:
    """What a browser shows of a text without running scripts, if it is the source of a whole page; else the text."""
    if not _WHOLE.match(text):
        return text
    parser = _Seen()
    parser.feed(text)
    parser.close()
    return " ".join("".join(parser.texts).split())
