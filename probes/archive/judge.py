"""From then and now to the three answers: pure functions. In doubt unknown."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cases import Model, Run, Task
from cases import patterns as re
from cases.answers.equivalence import compare
from cases.answers.places import Place, content, kind_of, matches, places, restated, values_of
from cases.answers.values import quantity, tokens
from cases.loading import Expression, load
from cases.sentences import Sentences
from probes.archive.copies import Captures, Copy
from probes.archive.live import VISITS, Live
from probes.model import Answer, Barrier, Control

say = Sentences(__name__)

_SUBJECT = 2 / 3
"""Share of the task's words on a copy that the page must still hold to be about the same thing."""
Asked = Literal["past", "today", "unclear"]


class _Phrase(Model):
    """One pattern with where it was met."""

    pattern: Expression
    source: str


class _Times(Model):
    """The content of `times.toml`."""

    past: tuple[_Phrase, ...]
    today: tuple[_Phrase, ...]
    unclear: tuple[_Phrase, ...]


def times() -> _Times:
    """Validated."""
    return load(_Times, __package__, "times.toml")


def time_asked(prompt: str | None) -> Asked:
    """The time that a task's text asks about; plain present tense asks for today."""
    if not (prompt or "").strip():
        return "unclear"
    past, today, unclear = (_any(phrases, prompt or "") for phrases in (times().past, times().today, times().unclear))
    if past:
        return "unclear" if today else "past"
    return "unclear" if unclear else "today"


def _any(phrases: tuple[_Phrase, ...], text: str) -> bool:
    return any(re.search(phrase.pattern, text, re.IGNORECASE) for phrase in phrases)


@dataclass(frozen=True)
class Facts:
    """What was seen of all the task's pages."""

    barrier: Barrier
    task: Task
    lives: tuple[Live, ...]
    captures: tuple[Captures, ...]
    left_out: tuple[str, ...]
    """Why pages of the task were not looked at."""
    runs: tuple[Run, ...]
    """The failed runs that the hypothesis explains."""
    dated: bool
    """Whether task or run has a date."""

    @property
    def gold(self) -> str:
        return self.task.gold or ""

    @property
    def prompt(self) -> str:
        return self.task.prompt or ""

    @property
    def copies(self) -> tuple[Copy, ...]:
        return tuple(copy for found in self.captures for copy in found.copies)

    @property
    def held(self) -> tuple[Copy, ...]:
        """Copies of the task's time that show the expected answer."""
        return tuple(copy for copy in self.copies if copy.near and copy.shows == "shown")

    @property
    def shown(self) -> tuple[Live, ...]:
        return tuple(live for live in self.lives if live.state == "shown")

    @property
    def absent(self) -> bool:
        """Whether every page of the task opens and shows no expected answer."""
        return bool(self.lives) and not self.left_out and all(live.state == "absent" for live in self.lives)

    @property
    def asked(self) -> Asked:
        return time_asked(self.task.prompt)


def present(facts: Facts) -> tuple[Answer, str]:
    """Whether the barrier is there, with the sentence that says so."""
    if facts.shown:
        return Answer.NO, say("judge.expected_answer_stands", url=facts.shown[0].url)
    if facts.barrier is Barrier.WRONG_GOLD and facts.held:
        return Answer.NO, say("judge.right", held=_then(facts.held[0]))
    unclear = [live for live in facts.lives if live.state not in {"absent", "gone"}]
    if unclear or facts.left_out or not facts.lives:
        told = "; ".join([*(f"{live.url}: {live.detail}" for live in unclear), *facts.left_out])
        return Answer.UNKNOWN, told or say("judge.task_names_no")
    if facts.barrier is Barrier.WRONG_GOLD and contradiction(facts):
        return Answer.YES, _contradicted(facts)
    if not facts.held:
        return Answer.UNKNOWN, _not_held(facts)
    return _changed(facts)


def _changed(facts: Facts) -> tuple[Answer, str]:
    then, url = _then(facts.held[0]), facts.held[0].url
    if late := _late(facts):
        return Answer.UNKNOWN, say("judge.copy_younger_run", then=then, day=late.day)
    gone = [live for live in facts.lives if live.state == "gone"]
    if facts.barrier is Barrier.PRODUCT_GONE:
        if url in {live.url for live in gone}:
            return Answer.YES, say("judge.page_gone_now", then=then, visits=VISITS)
        return Answer.UNKNOWN, say("judge.page_still_opens", then=then)
    if gone:
        return Answer.UNKNOWN, say("judge.but_gone_now", then=then, url=gone[0].url)
    return Answer.YES, say("judge.page_not_show", then=then, visits=VISITS)


def _then(copy: Copy) -> str:
    return say("judge.copy_shows_expected", url=copy.url, day=copy.day)


def _late(facts: Facts) -> Copy | None:
    """A copy younger than the run that still shows the expected answer: then the run could have seen it too."""
    dates = [run.date for run in facts.runs if run.date]
    after = max(dates, default=dt.date.max)
    return next((copy for copy in facts.copies if copy.shows == "shown" and copy.day > after), None)


def _not_held(facts: Facts) -> str:
    """Why nothing shows that the expected answer was ever right."""
    if not facts.dated:
        return say("judge.neither_task_nor")
    readable = [copy for copy in facts.copies if copy.readable and copy.near]
    if readable:
        days = ", ".join(f"{copy.url} of {copy.day}" for copy in readable[:4])
        unsure = any(copy.shows != "absent" for copy in readable)
        told = say("judge.not_show") if unsure else say("judge.not_show_2")
        return say("judge.no_page_shows", told=told, days=days) + (
            say("judge.person_must_say") if unsure else say("judge.been_wrong_start")
        )
    reasons = [f"{found.url}: {found.problem}" for found in facts.captures if found.problem]
    for copy in facts.copies:
        far = "" if copy.near else say("judge.too_far_task")
        reasons.append(say("judge.copy", url=copy.url, day=copy.day, walled=copy.walled or copy.problem or far))
    return say("judge.nothing_shows_what", reasons="; ".join(reasons) or say("judge.no_copy_looked"))


def successor(facts: Facts) -> Place | None:
    """What stands now, on every visit, in the words in which the expected answer stood then."""
    if not facts.absent or len(values_of(facts.gold)) != 1:
        return None
    answers = tuple(run.answer for run in facts.runs if run.answer)
    for copy in facts.held:
        live = next((one for one in facts.lives if one.url == copy.url), None)
        visits = live.texts if live else ()
        found = [restated(copy.text, text, facts.gold, answers, facts.prompt) for text in visits]
        if found and all(found) and len({place.text for place in found if place}) == 1:
            return found[0]
    return None


def contradiction(facts: Facts) -> Place | None:
    """What all copies of the task's time and all visits say in the words of an expected answer that is a sentence."""
    inside = [place for place in places(facts.gold, "1") if len(content(place.before)) >= 2]
    near = [copy for copy in facts.copies if copy.near]
    if not facts.absent or len(inside) != 1 or not near or not all(copy.readable for copy in near):
        return None
    if any(copy.shows != "absent" for copy in facts.copies):
        return None
    texts = [*(copy.text for copy in near), *(text for live in facts.lives for text in live.texts)]
    found = [restated(facts.gold, text, inside[0].text, (), facts.prompt) for text in texts]
    label = inside[0].before
    whole = [place for place in found if place and place.before[-len(label) :] == label]
    return whole[0] if len(whole) == len(texts) and len({place.text for place in whole}) == 1 else None


def _contradicted(facts: Facts) -> str:
    said = contradiction(facts)
    quote = said.quote if said else ""
    return say("judge.now_says_another", url=facts.lives[0].url, quote=quote)


def caused(facts: Facts, said: Place | None) -> tuple[Answer, str]:
    """Whether the run answered what the page says and was marked by what it said before."""
    judged = [(run, *_answered(facts, run.answer or "", said)) for run in facts.runs]
    for wanted in (Answer.YES, Answer.UNKNOWN, Answer.NO):
        for run, answer, words in judged:
            if answer is wanted:
                return answer, say("judge.agent", run_id=run.run_id, words=words)
    return Answer.UNKNOWN, say("judge.no_failed_run")


def _answered(facts: Facts, answer: str, said: Place | None) -> tuple[Answer, str]:
    likeness = compare(answer, facts.gold, facts.prompt).likeness
    if likeness == "same":
        return Answer.NO, say("judge.gave_expected_answer")
    if said is None or likeness != "different" or not answer.strip():
        unsure = say("judge.gave_answer_person")
        unknown = say("judge.gave_answer_no")
        return Answer.UNKNOWN, say(
            "judge.gave_no_answer"
        ) if not answer.strip() else unknown if said is None else unsure
    if _says(answer, said, facts):
        return Answer.YES, say("judge.answered_what_page", quote=said.quote)
    if kind_of(answer) == kind_of(said.text) != "words" and not _seen(answer, facts):
        return Answer.NO, say("judge.gave_value_page")
    return Answer.UNKNOWN, say("judge.gave_neither_expected")


def _says(answer: str, said: Place, facts: Facts) -> bool:
    if compare(answer, said.text, facts.prompt).likeness == "same":
        return True
    own = places(answer, said.text)
    if kind_of(said.text) == "words" or len(own) != 1:
        return False
    mine, theirs, gold = quantity(own[0].text), quantity(said.text), quantity(facts.gold)
    bare = mine and theirs and gold and not mine.unit and not gold.unit and mine.value == theirs.value
    return bool(bare) or matches(own[0], said.text, facts.prompt) is True


def _seen(answer: str, facts: Facts) -> bool:
    texts = [*(copy.text for copy in facts.copies), *(text for live in facts.lives for text in live.texts)]
    return any(matches(place, answer, facts.prompt) is not False for text in texts for place in places(text, answer))


def same_subject(facts: Facts) -> Control:
    """Whether the page is still about what the task asks: otherwise the lack of a value says nothing."""
    shares = []
    for copy in facts.held or tuple(copy for copy in facts.copies if copy.readable):
        asked = content(tokens(facts.prompt)) & content(tokens(copy.text))
        visits = [text for live in facts.lives if live.url == copy.url for text in live.texts]
        shares += [_share(asked, text) for text in visits]
    least = min(shares, default=0.0)
    return Control(
        name="the page is still about what the task asks",
        expected=say("judge.least_two_thirds"),
        observed=say("judge.of_them", least=least),
        passed=least >= _SUBJECT,
    )


def _share(words: set[str], text: str) -> float:
    return len(words & content(tokens(text))) / len(words) if words else 0.0


def readable_copies(facts: Facts) -> Sequence[Copy]:
    """Copies that say something about their page, the one that shows the expected answer first."""
    return sorted((copy for copy in facts.copies if copy.readable), key=lambda copy: (copy.shows != "shown", copy.day))
