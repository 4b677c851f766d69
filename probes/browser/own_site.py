"""Where pages of the benchmark's own site open: whether what is expected stands there, or on the rest of the site."""

from collections.abc import Iterator, Sequence

from cases import Task
from cases.answers.places import content, places
from cases.answers.text_match import visible
from cases.answers.values import quantity, tokens
from cases.sentences import Sentences
from cases.sites import calls_itself, names_site
from probes.browser.expected import Expected
from probes.browser.open_site import may_show, rest_of_site
from probes.model import Answer
from probes.web.documents import document_of
from probes.web.ladder import Ways
from probes.web.records import Outcome
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

_ASKED = 2
"""Words of the task that stand around a value which answers it."""


async def own_site(
    expected: Expected, outcomes: Sequence[Outcome], ways: Ways, *, answered: bool
) -> tuple[Answer, str] | None:
    """What follows for PRESENT where pages of the benchmark's own open, and the clause that says why: whether what is
    expected stands elsewhere on the site.

    Its own are those that it names, or of a site that it names. None where these show it, or may, or where it is so
    short that its absence tells nothing. That it is nowhere proves nothing by itself: an answer may be told in ways
    that nobody has thought of. Nor does it where not all of a site could be read, though a run that has not `answered`
    has no other reason to have failed.
    """
    task = expected.task
    opened = [item for item in outcomes if item.reading.kind == "ok"]
    named = [item for item in opened if any(look.named for look in item.looks)]
    own = named or [item for item in opened if _is_named(task, host_of(item.url), opened)]
    if not own or not expected.tells(own[0].url) or await _may_say(own, expected, ways):
        return None
    url = own[0].url
    rest = await rest_of_site(home_of(url), (), ways, tuple(item.url for item in own))
    if rest.result == "passed":
        return Answer.NO, say("own_site.shows_elsewhere", url=url, where=rest.commands[0])
    if may_show(rest) or (not named and rest.result != "failed" and answered):
        return None
    if named and rest.result == "failed" and any(_in_its_place(text, task) for text in _texts(named)):
        return Answer.UNKNOWN, say("own_site.says_another", url=url)
    nowhere = rest.result == "failed" and not named
    told = say("own_site.shows_nowhere", url=url) if nowhere else say("own_site.opens_without", url=url)
    return Answer.UNKNOWN, told


def _is_named(task: Task, host: str, opened: Sequence[Outcome]) -> bool:
    """Whether the task names a host's site, by its address or by the name that its pages bear."""
    views = [look.view for item in opened for look in item.looks if look.view and host_of(item.url) == host]
    return names_site(task, host) or bool(calls_itself(task, {view.url: view.title for view in views}))


async def _may_say(own: Sequence[Outcome], expected: Expected, ways: Ways) -> bool:
    """Whether pages say what is expected, or something that may be it."""
    looks = [look for item in own for look in item.looks]
    said = [(look.url, look.view.said) for look in looks if look.view]
    said += [(look.url, (await document_of(look.plain)).text) for look in looks if look.plain]
    shown = any(visible(expected.needed, text, url) or ways.says(text, url) != "absent" for url, text in said)
    return shown or any(look.seen for look in looks)


def _texts(own: Sequence[Outcome]) -> Iterator[str]:
    return (look.view.text for item in own for look in item.looks if look.view)


def _in_its_place(text: str, task: Task) -> bool:
    """Whether a value of the expected one's unit stands among words of the task."""
    gold = task.gold or ""
    asked, wanted = content(tokens(task.prompt or "")), quantity(gold)
    for place in places(text, gold):
        other = quantity(place.text)
        same_unit = other is not None and wanted is not None and wanted.unit and other.unit == wanted.unit
        if same_unit and len(content((*place.before, *place.after)) & asked) >= _ASKED:
            return True
    return False
