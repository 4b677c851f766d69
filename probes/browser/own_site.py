"""Where pages of the benchmark's own site open: whether what is expected stands there, or on the rest of the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from cases import Events, Task
from cases import patterns as re
from cases.answers.places import content, places
from cases.answers.presence import numbers_in, tells_by_absence, traced
from cases.answers.text_match import visible
from cases.answers.values import quantity, tokens
from cases.fetched import pages_of
from cases.hosts import page_key
from cases.sentences import Sentences
from cases.sites import names_site
from probes.browser.archive import archived_copies
from probes.browser.expected import Expected
from probes.browser.open_site import may_show, rest_of_site
from probes.browser.stopped import alike
from probes.model import Answer, Route
from probes.web.documents import document_of
from probes.web.ladder import Ways
from probes.web.links import parsed
from probes.web.records import Outcome
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

NUMBERS, TIMES, OTHER_TIMES = 24, 12, 4
"""Numbers of a page from which others are reckoned, and how many times one is taken, alone and with another."""
_SHARE = re.compile(r"\d[\d.,]*(?=\s?%)")
_ASKED = 2
"""Words of the task that stand around a value which answers it."""
_FRAME = "ancestor::header or ancestor::nav or ancestor::footer"
_PICTURES = "//*[self::img or self::svg or self::canvas or self::object or self::embed or self::video or self::iframe]"


@dataclass(frozen=True)
class OwnSite:
    """What follows for PRESENT of open pages of the benchmark's own site."""

    answer: Answer
    summary: str
    routes: tuple[Route, ...] = ()
    """Where the answer is yes: the ways to what is expected, each tried in vain."""


async def own_site(
    expected: Expected, outcomes: Sequence[Outcome], ways: Ways, events: Mapping[str, Events]
) -> OwnSite | None:
    """What follows where pages of the benchmark's own open, and whether what is expected stands elsewhere on the site.

    Its own are those that it names, or, where a number is expected, of a site that it names. None where these show it,
    or may, or where it is so short that its absence tells nothing. It is replaced where the page that the benchmark
    names says something else in its place, nothing on its site says it, and it was no other when the run was shown it.
    """
    task = expected.task
    opened = [item for item in outcomes if item.reading.kind == "ok"]
    named = [item for item in opened if any(look.named for look in item.looks)]
    sure = tells_by_absence(task.gold or "")
    own = named or [item for item in opened if sure and names_site(task, host_of(item.url))]
    if not own or not expected.tells(own[0].url) or await _may_say(own, expected, ways):
        return None
    url = own[0].url
    rest = await rest_of_site(home_of(url), (), ways)
    if rest.result == "passed":
        return OwnSite(Answer.NO, say("own_site.shows_elsewhere", url=url, where=rest.commands[0]))
    if may_show(rest) or (not named and rest.result != "failed"):
        return None
    if named and rest.result == "failed" and _says_another(named, task) and _said_then(named, task, events):
        copies = [one async for one in archived_copies(tuple(item.url for item in named), ways)]
        if all(one.result in ("failed", "not_applicable") for one in copies):
            return OwnSite(Answer.YES, say("own_site.says_another", url=url), (rest, *copies))
    told = say("own_site.opens_without", url=url) if named else say("own_site.shows_nowhere", url=url)
    return OwnSite(Answer.UNKNOWN, told)


async def _may_say(own: Sequence[Outcome], expected: Expected, ways: Ways) -> bool:
    """Whether pages say what is expected, or something that may be it."""
    looks = [look for item in own for look in item.looks]
    said = [(look.url, look.view.text) for look in looks if look.view]
    said += [(look.url, (await document_of(look.plain)).text) for look in looks if look.plain]
    shown = any(visible(expected.needed, text, url) or ways.says(text, url) != "absent" for url, text in said)
    return shown or any(look.seen for look in looks)


def _says_another(own: Sequence[Outcome], task: Task) -> bool:
    """Whether pages say another value in the place of the expected one, which surely is none of what they say."""
    views = [look.view for item in own for look in item.looks if look.view]
    gold, prompt = task.gold or "", task.prompt or ""
    if not views or not tells_by_absence(gold) or any(_has_pictures(view.html) for view in views):
        return False
    return any(_in_its_place(view.text, gold, prompt) for view in views) and not _follows(
        [view.text for view in views], gold
    )


def _in_its_place(text: str, gold: str, prompt: str) -> bool:
    """Whether a value of the same unit stands among words of the task."""
    asked, wanted = content(tokens(prompt)), quantity(gold)
    for place in places(text, gold):
        other = quantity(place.text)
        same_unit = other is not None and wanted is not None and wanted.unit and other.unit == wanted.unit
        if same_unit and len(content((*place.before, *place.after)) & asked) >= _ASKED:
            return True
    return False


def _follows(texts: Sequence[str], gold: str) -> bool:
    """Whether the expected number may be reckoned from those on the page: a part of one or many times it, a difference,
    a sum of up to three of which each is taken a few times, or such a sum more or less by a share that stands there.
    """
    numbers, wanted = list(islice(dict.fromkeys(numbers_in(texts)), NUMBERS + 1)), quantity(gold)
    if wanted is None or len(numbers) > NUMBERS:
        return True
    shares = [share / 100 for text in texts for share in numbers_in(_SHARE.findall(text))]
    several = [number * times for number, times in product(numbers, range(1, OTHER_TIMES + 1))]
    reckoned = {sum(some) for many in (1, 2, 3) for some in combinations(several, many)}
    reckoned |= {number * times for number, times in product(numbers, range(1, TIMES + 1))}
    reckoned |= {number / times for number, times in product(numbers, range(2, TIMES + 1))}
    reckoned |= {one - two for one, two in product(numbers, repeat=2)}
    aims = [value for value in (wanted.value, wanted.other) if value is not None]
    parts = [part for share in shares for part in (share, 1 - share, 1 + share) if part]
    return any(aim in reckoned or any(aim / part in reckoned for part in parts) for aim in aims)


def _has_pictures(html: str) -> bool:
    """Whether there is something else than text on a page, but for what frames all pages."""
    tree = parsed(html)
    return tree is None or bool(tree.xpath(f"{_PICTURES}[not({_FRAME})]"))


def _said_then(own: Sequence[Outcome], task: Task, events: Mapping[str, Events]) -> bool:
    """Whether the runs that were shown these pages were shown what stands there now but for figures, and not what is
    expected.
    """
    keys = {page_key(item.url) for item in own}
    texts = [look.view.text for item in own for look in item.looks if look.view]
    seen = [
        visit
        for each in events.values()
        for visit in pages_of(task, each)
        if page_key(visit.url) in keys and visit.shows
    ]
    return bool(seen) and all(
        traced(visit.page, task, visit.url) == "absent" and any(alike(visit.page, text) for text in texts)
        for visit in seen
    )
