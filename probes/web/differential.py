"""Controls of one address: what must hold beside a barrier before it is believed. Pure functions.

Each class is asked only what an ordinary odd site would also show: a host without a first page, one that answers
made-up addresses with a page, or one that refuses plain clients does not void a page that is truly gone.
"""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from cases.sentences import Sentences
from probes.model import Barrier, Control
from probes.web.gates import alike
from probes.web.likeness import same
from probes.web.records import Look, Outcome, Reading
from probes.web.rules import classify, visible_text
from probes.web.settling import ENOUGH_TEXT
from sandboxes.browser.urls import home_of, led_home

say = Sentences(__name__)

_Check = Callable[[tuple[Look, ...]], Control | None]


def controlled(outcome: Outcome) -> Outcome:
    """The outcome with its controls; a barrier that one of them contradicts is unknown."""
    if outcome.reading.kind != "barrier":
        return outcome
    found = [check(outcome.looks) for check in _CHECKS.get(outcome.reading.barrier, ())]
    controls = tuple(control for control in found if control)
    failed = [control for control in controls if not control.passed]
    if not failed:
        return replace(outcome, controls=controls)
    told = say(
        "differential.but_control_contradicts",
        detail=outcome.reading.detail,
        name=failed[0].name,
        observed=failed[0].observed,
    )
    return replace(outcome, reading=Reading("unknown", told), controls=controls)


def _home(looks: tuple[Look, ...]) -> Control | None:
    """A page is gone from a site only where the site itself is there and lets us in."""
    url = home_of(looks[0].url)
    asked = [look.home for look in looks if look.home]
    if url == looks[0].url:
        return None
    trouble = next((one.trouble for one in asked if one.trouble), "") if asked else say("differential.not_asked")
    return Control(
        name=f"same-host home page ({url})",
        expected=say("differential.site_first_page"),
        observed=trouble or f"status {asked[0].plain.status}",
        passed=not trouble,
    )


def _sibling(looks: tuple[Look, ...]) -> Control | None:
    """A server that walls or fails made-up addresses too has not spoken about this one."""
    asked = [look.sibling for look in looks if look.sibling]
    if not urlsplit(looks[0].url).path.strip("/"):
        return None
    trouble = next((one.trouble for one in asked if one.trouble), "") if asked else say("differential.not_asked")
    return Control(
        name=f"random sibling path ({looks[0].url})",
        expected=say("differential.made_up_address"),
        observed=trouble or f"status {asked[0].plain.status}",
        passed=not trouble,
    )


def _plain(looks: tuple[Look, ...]) -> Control | None:
    """What stands in everybody's way also stands in the way of a plain client, or the client is refused outright."""
    asked = [look for look in looks if look.plain]
    if not asked:
        return None
    served = next((look for look in asked if _served(look)), None)
    first = asked[0].plain
    told = say("differential.gets_page_own") if served else (first.error or f"status {first.status}") if first else ""
    return Control(
        name=f"plain against browser ({looks[0].url})",
        expected=say("differential.plain_http_not"),
        observed=told,
        passed=served is None,
    )


def _served(look: Look) -> bool:
    plain = look.plain
    if not plain or plain.error or plain.status != 200 or not plain.is_html or led_home(look.url, plain.url):
        return False
    text = visible_text(plain.body)
    others = [visible_text(one.plain.body) for one in (look.sibling, look.home) if one]
    opened = look.view and not look.view.error and (look.view.status or 0) < 400
    if opened and look.view and same(text, look.view.text):
        return False
    if home_of(look.url) != look.url and any(same(text, other) for other in others):
        return False
    if alike(look, look.sibling) or any(match.decisive for match in classify(plain.page(look.url))):
        return False
    return len(text) >= ENOUGH_TEXT


def _scripts(looks: tuple[Look, ...]) -> Control | None:
    """A page is empty by itself only where its source holds no text that our own browser might have lost."""
    if any(look.view and look.view.text.strip() for look in looks):
        return None
    plain = [len(visible_text(look.plain.body)) for look in looks if look.plain and look.plain.status == 200]
    most = max(plain, default=0)
    return Control(
        name=f"scripts against none ({looks[0].url})",
        expected=say("differential.source_shows_no"),
        observed=say("differential.source_holds_text") if most >= ENOUGH_TEXT else say("differential.source_holds_no"),
        passed=most < ENOUGH_TEXT,
    )


_CHECKS: dict[Barrier | None, tuple[_Check, ...]] = {
    Barrier.PAGE_GONE: (_home, _sibling, _plain),
    Barrier.REDESIGNED: (_home, _sibling, _plain),
    Barrier.SERVER_ERROR: (_plain,),
    Barrier.REFUSED: (_plain,),
    Barrier.TIMEOUT: (_plain,),
    Barrier.GEO_BLOCK: (_plain,),
    Barrier.SESSION: (_plain,),
    Barrier.JAVASCRIPT: (_scripts,),
    Barrier.PAGE_UNUSABLE: (_scripts,),
}
"""By class. Walls and sign-ins that a rule decides stand whatever a plain client is given; that is a route."""
