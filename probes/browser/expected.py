"""What a visited page shows of the expected answer, and what it cannot show."""

from collections.abc import Sequence
from dataclasses import dataclass

from cases import Task
from cases.answers.places import content
from cases.answers.presence import derivable, tells_by_absence, traced
from cases.answers.text_match import telling
from cases.answers.values import tokens
from probes.web.paid import is_paid
from probes.web.records import Look, Outcome

TEASER, ABOUT = 4000, 4
"""Characters that a page of which only a teaser is free may have, and words that say what a task is about."""


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

    def is_strange(self, seen: Look) -> bool:
        """Whether next to no word of what the task is about stands on a page; false where its text is not known."""
        asked = content(tokens(self.task.prompt or ""))
        return bool(seen.view and len(asked) >= ABOUT and len(content(tokens(seen.view.text)) & asked) < 2)

    def _shows_nothing(self, looks: Sequence[Look]) -> bool:
        """Whether a page surely shows nothing of what is expected, nor anything from which that may follow."""
        texts = [look.view.text for look in looks if look.view]
        if not texts or not self.tells(looks[0].url):
            return False
        absent = all(traced(text, self.task, looks[0].url) == "absent" for text in texts)
        return absent and not derivable(texts, self.task)
