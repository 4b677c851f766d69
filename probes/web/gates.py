"""What a page is by its structure: a gate, a page that any made-up address gives too, or a page of its own.

The site's other pages are the measure: what frames all of them is nobody's content. Words only name what is found.
"""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from lxml import etree  # type: ignore[import-untyped]

from cases import patterns as re
from cases.hosts import page_key
from cases.sentences import Sentences
from cases.sites import of_one_site, title_parts
from probes.model import Barrier
from probes.web.control_response import Beside
from probes.web.likeness import SLACK, echoes, own, said, same
from probes.web.links import brings_in, joined, links_in, parsed
from probes.web.records import Look, Reading
from probes.web.rules import Match, count, title_of, visible_text
from probes.web.snapshot import View
from sandboxes.browser.urls import home_of, host_of

say = Sentences(__name__)

_LIVELY = (
    "script:not([type*=json]), [onclick], button, input, select, iframe, canvas, details, a[href^='#'], a:not([href])"
)
"""What may show more on a page than stands there."""
_NAMING = "title, h1, nav, body > header, body > footer, noscript, [aria-busy=true], [role=status], [role=progressbar]"
"""What names a page or stands in for what its scripts are to show."""
_SHORTEST, _LONGEST_WORD = 6, 18
"""Letters by which two words or more say something, and by which what stands without a space is more than a word."""
THIN = 300
"""What a page says, in letters of an alphabet, below which it may be nothing but a gate or a notice."""
_RICH = 150
"""What another page of the site must say to count as one with content."""
_SEARCHES = 3
"""Words to search by from which on they are all that a page has."""
NOT_FOUND = re.compile(
    r"(?i)\b404\b|not found|no longer (exists|available)|doesn.t exist|cannot be found|nicht gefunden|introuvable"
    r"|no encontrad[ao]|não encontrad[ao]|non trovat[ao]|niet gevonden|nie znaleziono|не найден[ао]?|bulunamadı"
    r"|hittades inte|ikke fundet|ei löydy|nenalezena|見つかりません|找不到|不存在|찾을 수 없"
)
"""How titles name a page that is not there, where the structure alone leaves that open."""


def doubtful(look: Look) -> bool:
    """Whether the site's other pages must be asked before the page counts as one that opens."""
    view = look.view
    if view is None or view.error or look.seen:
        return False
    return view.shape.passwords > 0 or said(view.text) < THIN or bool(weak(look))


def weak(look: Look) -> list[Match]:
    """Words and marks that name something without deciding it."""
    return [match for match in look.matches if not match.decisive]


def alike(look: Look, other: Beside | None) -> bool:
    """Whether another address of the site shows the very page that stands at this one."""
    if not other or other.plain.error or other.status != 200 or not look.view:
        return False
    gone = echoes(look.url, other.plain.url, look.view.url)
    if other.view:
        text, title = look.view.text, look.view.title
    elif look.plain and look.plain.status == 200:
        text, title = visible_text(look.plain.body), title_of(look.plain.body)
    else:
        return False
    return same(text, other.text, gone) and (title == other.title or same(title, other.title, gone))


def brings_nothing(look: Look, other: Beside) -> bool:
    """Whether its source links to, shows and runs nothing that another page's does not, but itself."""
    if not look.plain or not look.plain.is_html or look.plain.status != 200:
        return False
    own_places = brings_in(look.plain.body, look.plain.url) - brings_in(other.plain.body, other.plain.url)
    return not {one for one in own_places if page_key(one) != page_key(look.url)}


def scripted(look: Look, other: Beside) -> bool:
    """Whether only the browser can tell what a neighbour shows: scripts draw it, or a plain client is refused."""
    view, plain = look.view, look.plain
    if view is None or view.error or other.trouble or not other.plain.is_html:
        return False
    if plain is None or plain.error or plain.status != view.status or (view.shape.passwords and other.passwords):
        return True
    if (
        other.plain.status == 200
        and not visible_text(other.plain.body).strip()
        and "<script" in other.plain.body.lower()
    ):
        return True
    return other.plain.status == 200 and said(own(view.text, [visible_text(plain.body)])) > SLACK * said(view.text)


def by_structure(look: Look) -> Reading | None:
    """What the page is beside the other pages of its site; None where it is one of its own."""
    view = look.view
    if view is None or view.error or (view.status or 0) >= 400:
        return None
    if alike(look, look.sibling):
        return _everywhere(look, view)
    if look.stands_for:
        told = say("gates.stands_for", page=look.stands_for)
        return _named(weak(look)[0], told) if weak(look) else Reading("barrier", told, Barrier.PAGE_UNUSABLE)
    others = [one for one in (look.sibling, look.home) if one and not one.trouble and one.status != 204]
    return _sign_in(look, view, others) or _notice(look, view, others) or _without_data(look, view, others)


def _everywhere(look: Look, view: View) -> Reading:
    """Any made-up address beside it gives the same page."""
    whole = home_of(look.url) == look.url or alike(look, look.home)
    thin = said(view.text) < THIN
    if whole:
        return _one_page(look, view, thin=thin)
    framing = [look.home.text] if look.home and not look.home.trouble and not look.home.passwords else []
    if view.shape.passwords and said(_besides_form(view, framing, echoes(look.url))) < THIN:
        return Reading("barrier", say("gates.made_up_address"), Barrier.LOGIN)
    if thin and (named := weak(look)):
        return _named(named[0], say("gates.made_up_address_gives"))
    if look.about_it and not NOT_FOUND.search(view.title):
        return Reading("unknown", say("gates.made_up_address_speaks"))
    return _made_up(look, view)


def _made_up(look: Look, view: View) -> Reading:
    """What stands at made-up addresses, where the site's first page is another one."""
    if NOT_FOUND.search(view.title):
        return Reading("barrier", say("gates.soft_made_up"), Barrier.PAGE_GONE)
    home = look.home
    bare = home and not home.trouble and said(own(view.text, [home.text], echoes(look.url))) < THIN
    if not home or not bare or (look.astray and not alike(look, look.astray)):
        if look.linked and bare:
            return Reading("barrier", say("gates.linked_and_made_up", page=look.linked), Barrier.PAGE_UNUSABLE)
        if look.named:
            return Reading("barrier", say("gates.named_and_made_up"), Barrier.PAGE_UNUSABLE)
        return Reading("unknown", say("gates.made_up_address_beside"))
    if view.shape.fields and not home.fields:
        return Reading("barrier", say("gates.made_up_address_gives_same"), Barrier.PAGE_UNUSABLE)
    told = say("gates.soft_made_up_address")
    return Reading("barrier", told, Barrier.PAGE_GONE)


def _one_page(look: Look, view: View, *, thin: bool) -> Reading:
    """All that the site has is this page."""
    if view.shape.passwords and said(_besides_form(view, ())) < THIN:
        return Reading("barrier", say("gates.every_address_site"), Barrier.LOGIN)
    if thin and (named := weak(look)):
        return _named(named[0], say("gates.every_address_site_gives"))
    if _offers_its_name(view):
        return Reading("barrier", say("gates.offers_its_name"), Barrier.PAGE_UNUSABLE)
    if home_of(look.url) == look.url and (not thin or view.shape.pictures or view.shape.fields):
        return Reading("ok", say("gates.site_first_page"))
    if home_of(look.url) != look.url and (told := _says_nothing(look, view, thin=thin)):
        return Reading("barrier", told, Barrier.PAGE_UNUSABLE)
    return Reading("unknown", say("gates.made_up_address_site"))


def _offers_its_name(view: View) -> bool:
    """Whether a page has nothing but the site's name for its heading, no field, and little besides a list of words to
    search by, each linked to the first page by itself: what a parking service puts there.
    """
    tree, host = parsed(view.html), host_of(view.url).removeprefix("www.")
    if tree is None or view.shape.pictures or view.shape.fields:
        return False
    headings = [" ".join(str(one.text_content()).split()).casefold() for one in tree.xpath("//h1 | //h2")]
    words, keys = list[str](), set[str]()
    for link in tree.xpath("//a[@href]"):
        to = urlsplit(joined(view.url, str(link.get("href"))))
        asked, text = parse_qsl(to.query), str(link.text_content())
        if to.path in {"", "/"} and host_of(to.geturl()) == host_of(view.url) and len(asked) == 1:
            [(key, value)] = asked
            if set(value.casefold().split()) <= set(text.casefold().split()):
                keys.add(key)
                words.append(text)
    rest = said(own(view.text, words))
    return headings[:1] == [host] and len(keys) == 1 and len(words) >= _SEARCHES and rest < 2 * THIN


def _says_nothing(look: Look, view: View, *, thin: bool) -> str:
    """Why a page that stands at every address is none of what was asked for; empty where it may be that.

    That it shows no form of the answer which is known here says nothing where it speaks of what was asked, unless each
    address only leads on to it, or where a picture may show it.
    """
    still = not view.shape.fields and not count(view.html, _LIVELY) and not _leads_off(view)
    led = look.named and look.lacking and still and page_key(view.url) != page_key(look.url)
    if view.shape.pictures or not (look.strange or led):
        return ""
    if thin and not view.shape.fields:
        return say("gates.every_address_site_gives_same")
    return say("gates.named_and_everywhere") if look.named or (look.asked_for and still) else ""


def _leads_off(view: View) -> bool:
    """Whether it links to another site, where what it had may be now."""
    hosts = {host_of(link) for link in links_in(view.html, view.url) if link.startswith("http")}
    return any(host and not of_one_site(host, host_of(view.url)) for host in hosts)


def _sign_in(look: Look, view: View, others: Sequence[Beside]) -> Reading | None:
    """A form for a password, and nothing of its own besides."""
    if not view.shape.passwords or not others or any(one.passwords >= view.shape.passwords for one in others):
        return None
    if any(_as_much(one, view) for one in others) and not _goes_by_another_name(look, view):
        return None
    rest = said(_besides_form(view, [one.text for one in others], echoes(look.url)))
    if rest >= THIN:
        return None
    told = say("gates.page_form_asks")
    return Reading("barrier", told, Barrier.LOGIN, (say("gates.fields_password", passwords=view.shape.passwords),))


def _notice(look: Look, view: View, others: Sequence[Beside]) -> Reading | None:
    """Words that name a barrier, on a page that says little else, while the site has pages with content."""
    named = weak(look)
    if not named or not any(said(one.text) >= _RICH for one in others):
        return None
    rest = said(own(view.text, [one.text for one in others], echoes(look.url)))
    return _named(named[0], say("gates.page_shows_nothing")) if rest < THIN else None


def _without_data(look: Look, view: View, others: Sequence[Beside]) -> Reading | None:
    """A page that says next to nothing of its own, whose scripts asked its site in vain for what it is to show."""
    framing = [one.text for one in others]
    if not view.unanswered or not others or said(own(view.text, framing, echoes(look.url))) >= THIN:
        return None
    asked = "; ".join(view.unanswered[:3])
    if _speaks(_told_at_once(look), framing):
        return Reading("unknown", say("gates.data_never_came_beside", asked=asked))
    return Reading("barrier", say("gates.data_never_came", asked=asked), Barrier.PAGE_UNUSABLE)


def _told_at_once(look: Look) -> str:
    """What the page says without its scripts, but for what names it and what tells that more is to come."""
    tree = parsed(look.plain.body) if look.plain and look.plain.is_html else None
    if tree is None:
        return ""
    for element in tree.cssselect(_NAMING):
        element.drop_tree()
    etree.strip_elements(tree, "script", "style", "template", with_tail=False)
    texts = (" ".join(str(text).split()) for text in tree.xpath("//text()"))
    return " ".join(text for text in texts if not text.endswith(("…", "...")))


def _speaks(text: str, framing: Sequence[str]) -> bool:
    """Whether a text says something that none of the others does: two words, or as much without a space."""
    known = {word for other in framing for word in other.casefold().split()}
    rest = [word for word in text.casefold().split() if word not in known]
    return said("".join(rest)) >= (_SHORTEST if len(rest) > 1 else _LONGEST_WORD)


def _as_much(other: Beside, view: View) -> bool:
    """Whether the page shows nearly all that another with content does: no gate then."""
    whole = said(other.text)
    return other.status == 200 and whole >= _RICH and said(own(other.text, [view.text])) < whole / 5


def _goes_by_another_name(look: Look, view: View) -> bool:
    """Whether its title is what a link on it to another page is called: it stands in the place of the one asked for."""
    tree = parsed(view.html)
    own_name = title_parts(view.title)[0].casefold()
    if tree is None or not own_name:
        return False
    links = ((" ".join(str(link.text_content()).split()).casefold(), str(link.get("href"))) for link in tree.iter("a"))
    named = [joined(view.url, href) for text, href in links if text == own_name and href]
    here = {page_key(url.partition("?")[0]) for url in (look.url, view.url)}
    return bool(named) and here.isdisjoint(page_key(url.partition("?")[0]) for url in named)


def _besides_form(view: View, others: Sequence[str], gone: Sequence[str] = ()) -> str:
    return own(view.text, (*others, view.shape.asking), gone)


def _named(match: Match, told: str) -> Reading:
    detail = f"{match.vendor}, rule {match.rule}: {', '.join(match.markers)}; {told}"
    return Reading("barrier", detail, match.barrier, match.markers)
