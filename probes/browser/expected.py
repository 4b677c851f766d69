"""What a visited page shows of the expected answer, and what it cannot show."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases import Task
from cases.answers.places import content
from cases.answers.presence import derivable, tells_by_absence, traced
from cases.answers.text_match import telling
from cases.answers.values import tokens
from cases.hosts import host_of
from cases.sites import names_site
from probes.web.links import parsed
from probes.web.records import Look, Outcome

TEASER, ABOUT = 4000, 4
"""Characters that a page of which only a teaser is free may have, and words that say what a task is about."""
FIGURES = 3
"""Of a number that stands in a text as such or not at all."""
_KEY = "isAccessibleForFree"
_ARTICLES = ("Article", "BlogPosting", "Report")
"""With what the types of schema.org end that are read; of places and events the key means their entrance."""
_BLOCKS = "//script[contains(translate(@type, 'LDJSON', 'ldjson'), 'ld+json')]"
_DEEPEST = 20


@dataclass(frozen=True)
class Expected:
    """What a task's pages are to show."""

    task: Task
    needed: tuple[str, ...]
    """Texts that one of them must show."""

    def tells(self, url: str) -> bool:
        """Whether it says something that a page does not show the expected answer."""
        return bool(telling(self.needed, url)) or tells_by_absence(self.task.gold or "")

    def lacks(self, item: Outcome) -> bool:
        """Whether a page opens and surely shows nothing of what is expected."""
        return item.reading.kind == "ok" and self._shows_nothing(item.looks)

    def is_withheld(self, seen: Look) -> bool:
        """Whether an article says of itself that it is not free, and the little that it shows is surely not the answer.

        That may be said in other words, unless it is a number that no words stand for.
        """
        view = seen.view
        if view is None or seen.seen or len(view.text) > TEASER or not is_paid(view.html):
            return False
        return tells_by_absence(self.task.gold or "") and self._shows_nothing((seen,))

    def is_asked_for(self, seen: Look) -> bool:
        """Whether the task names the site of a page that surely shows nothing of what is expected: a number of so many
        figures that nobody writes it in words.
        """
        figures = sum(char.isdecimal() for char in self.task.gold or "") >= FIGURES
        return figures and names_site(self.task, host_of(seen.url)) and self._shows_nothing((seen,))

    def is_strange(self, seen: Look) -> bool:
        """Whether next to no word of what the task is about stands on a page; false where its text is not known."""
        asked = content(tokens(self.task.prompt or ""))
        return bool(seen.view and len(asked) >= ABOUT and len(content(tokens(seen.view.text)) & asked) < 2)

    def _shows_nothing(self, looks: Sequence[Look]) -> bool:
        """Whether a page surely shows nothing of what is expected, nor anything from which that may follow."""
        texts = [look.view.said for look in looks if look.view]
        if not texts or not self.tells(looks[0].url):
            return False
        absent = all(traced(text, self.task, looks[0].url) == "absent" for text in texts)
        return absent and not derivable(texts, self.task)


def is_paid(html: str) -> bool:
    """Whether a page's structured data say of an article that it is not free, as JSON-LD or as microdata."""
    tree = parsed(html) if _KEY.casefold() in html.casefold() else None
    if tree is None:
        return False
    scope = " or ".join(f"contains(@itemtype, '{kind}')" for kind in _ARTICLES)
    told = [str(value) for value in tree.xpath(f"//*[{scope}]//*[@itemprop='{_KEY}']/@content")]
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
        if _KEY in node and any(isinstance(kind, str) and kind.endswith(_ARTICLES) for kind in kinds):
            yield node[_KEY]
        yield from _values(node.get("@graph", []), depth + 1)
