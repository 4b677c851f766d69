"""What a visited page shows of the expected answer, and what it cannot show."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cases import Task
from cases import patterns as re
from cases.answers.derivation import derivable
from cases.answers.figures import is_year, tells_by_absence
from cases.answers.forms import ADDRESS, YEAR
from cases.answers.places import content, has_numbers, shared
from cases.answers.presence import traced
from cases.answers.text_match import telling
from cases.answers.values import dates, tokens
from cases.answers.words import readable
from cases.hosts import host_of
from cases.sites import names_site
from cases.text import is_unspaced
from probes.web.gates import THIN, alike
from probes.web.likeness import said
from probes.web.links import parsed
from probes.web.records import Look, Outcome

TEASER, ABOUT, SPOKEN, NAMING = 4000, 4, 2, 5
"""Characters that a page of which only a teaser is free may have, words that say what a task is about, how many of
them stand on a page that speaks of it, and letters of one that is hardly a preposition.
"""
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

    def is_lacking(self, seen: Look) -> bool:
        """Whether a page surely shows nothing of what is expected."""
        return seen.view is not None and self._shows_nothing((seen,))

    def is_asked_for(self, seen: Look) -> bool:
        """Whether the task names the site of a page that surely shows nothing of what is expected: a number of so many
        figures that nobody writes it in words.
        """
        figures = sum(char.isdecimal() for char in self.task.gold or "") >= FIGURES
        return figures and names_site(self.task, host_of(seen.url)) and self._shows_nothing((seen,))

    def is_about_it(self, seen: Look) -> bool:
        """Whether words of what the task is about, or of what is expected, stand on a page, but for those that its
        site's first page has too, where that is another page.
        """
        if seen.view is None:
            return False
        home = seen.home.text if seen.home and not alike(seen, seen.home) else ""
        frame = set(tokens(home))
        return self._spoken_of([word for word in tokens(_text(seen)) if word not in frame])

    def is_strange(self, seen: Look) -> bool:
        """Whether a page speaks of something else than the task, in its language; false where that cannot be told.

        On a page that speaks of it, what is expected may stand in any other form, and so it may where a page says
        little, but has a number.
        """
        asked, text = tokens(self.task.prompt or ""), _text(seen)
        words = [word for word in tokens(text) if word not in host_of(seen.url)]
        if len(content(asked)) < ABOUT or self._spoken_of(words) or not self._speaks_its_language(text):
            return False
        gold = self.task.gold or ""
        figures = text if is_year(gold) or dates(gold) else YEAR.sub("", text)
        return not (said(text) < THIN and has_numbers(figures))

    def _spoken_of(self, words: Sequence[str]) -> bool:
        asked, expected = tokens(self.task.prompt or ""), tokens(self.task.gold or "")
        spoken = [word for word in shared(asked, words) if len(word) >= NAMING or is_unspaced(word[0])]
        return len(spoken) >= SPOKEN or bool(shared(expected, words))

    def _speaks_its_language(self, text: str) -> bool:
        """Whether a page has small words of the task's; English is known, where only a number is expected."""
        prompt = ADDRESS.sub(" ", self.task.prompt or "")
        asked, here = tokens(prompt), tokens(text)
        small = {word for word in set(asked).difference(content(asked)) if not has_numbers(word)}
        if small.intersection(here) or (any(map(is_unspaced, prompt)) and any(map(is_unspaced, text))):
            return True
        return has_numbers(self.task.gold or "") and readable(text)

    def _shows_nothing(self, looks: Sequence[Look]) -> bool:
        """Whether a page surely shows nothing of what is expected, nor anything from which that may follow."""
        texts = [look.view.said for look in looks if look.view]
        if not texts or not self.tells(looks[0].url):
            return False
        absent = all(traced(text, self.task, looks[0].url) == "absent" for text in texts)
        return absent and not derivable(texts, self.task)


def _text(seen: Look) -> str:
    """What can be read on a page, without its own addresses."""
    if seen.view is None:
        return ""
    hosts = {host_of(url).removeprefix("www.") for url in (seen.url, seen.view.url)}
    return re.sub("|".join(map(re.escape, sorted(hosts))), " ", ADDRESS.sub(" ", seen.view.said.casefold()))


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
