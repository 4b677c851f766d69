"""What a page is beside the other pages of its site, in languages that no rule knows: pure functions."""

from dataclasses import replace

import pytest

from probes import Barrier
from probes.web.control_response import Beside
from probes.web.gates import brings_nothing, scripted
from probes.web.judge import one_wall, read
from probes.web.likeness import echoes, own, said, same
from probes.web.links import crawl, leads_to, listed_beside
from probes.web.plain import Plain
from probes.web.records import Look, Outcome, Reading
from probes.web.snapshot import View
from sandboxes.browser.layers import Handshake, Names
from sandboxes.browser.shape import Shape

URL, HOME, SIBLING = "https://site.test/a/sivu", "https://site.test/", "https://site.test/a/no-such"
MENU = "Etusivu Tuotteet Palvelut Yhteystiedot Ajankohtaista Rekrytointi "
NEWS = "Uusi myymälä avattiin lauantaina sataman vanhaan makasiiniin, ja jono ulottui torille saakka. " * 4
STORY = "Lamppu on kudottu pellavasta, ja sen varjostin kestää kosteutta paremmin kuin moni muu samanhintainen. " * 6
FORM = "Tunnus Salasana Jatka"
SIGN_IN = Shape(passwords=1, fields=2, asking=FORM)


def beside(url: str, text: str, status: int = 200, title: str = "", *, asks: bool = False) -> Beside:
    field = "<input type=password>" if asks else ""
    return Beside(Plain(url, status, body=f"<title>{title}</title><p>{text}</p>{field}"))


def seen(text: str, shape: Shape | None = None, *, home: Beside | None = None, sibling: Beside | None = None) -> Look:
    return Look(
        URL,
        Names("127.0.0.1:1"),
        Handshake("ok"),
        Plain(URL, 200, body=f"<p>{text}</p>"),
        View(URL, 200, text=text, shape=shape or Shape()),
        home=home or beside(HOME, MENU + NEWS),
        sibling=sibling or beside(SIBLING, MENU + "Sivua ei ole.", 404),
    )


def met(look: Look) -> str:
    reading = read(look)
    return reading.barrier.value if reading.barrier else reading.kind


@pytest.mark.parametrize(
    ("look", "what"),
    [
        (seen(MENU + FORM, SIGN_IN), "login"),
        (seen(MENU + FORM + STORY, SIGN_IN), "ok"),
        (seen(MENU + FORM, SIGN_IN, home=beside(HOME, MENU + NEWS + FORM, asks=True)), "ok"),
        (seen(MENU + NEWS + FORM, SIGN_IN), "ok"),
        (seen("Hae", Shape(fields=1)), "ok"),
        (seen("Summa Korko Laske", Shape(fields=2)), "ok"),
        (seen("Lamppu maksaa 1250 euroa."), "ok"),
    ],
)
def test_a_form_is_a_gate_only_where_the_page_has_nothing_else_of_its_own(look, what):
    assert met(look) == what


GONE = MENU + "Voi ei, täällä ei ole mitään. Palaa etusivulle."


@pytest.mark.parametrize(
    ("look", "what"),
    [
        (seen(GONE, sibling=beside(SIBLING, GONE)), "page_gone"),
        (seen(f"{GONE} a sivu", sibling=beside(SIBLING, f"{GONE} a no-such")), "page_gone"),
        (seen(GONE, sibling=beside(SIBLING, GONE, title="Muu")), "ok"),
        (seen(GONE + STORY, sibling=beside(SIBLING, GONE + STORY)), "unknown"),
        (seen(GONE, Shape(fields=3), sibling=beside(SIBLING, GONE)), "page_unusable"),
        (replace(seen(GONE, sibling=beside(SIBLING, GONE), home=beside(HOME, GONE)), strange=True), "page_unusable"),
        (seen(GONE, sibling=beside(SIBLING, GONE), home=beside(HOME, GONE)), "unknown"),
        (replace(seen(GONE, sibling=beside(SIBLING, GONE)), about_it=True), "unknown"),
        (seen(FORM, SIGN_IN, sibling=beside(SIBLING, FORM), home=beside(HOME, FORM)), "login"),
        (
            seen(
                MENU + NEWS + FORM,
                SIGN_IN,
                sibling=beside(SIBLING, MENU + NEWS + FORM),
                home=beside(HOME, MENU + NEWS + STORY),
            ),
            "login",
        ),
        (seen(MENU + STORY + FORM, SIGN_IN, sibling=beside(SIBLING, MENU + STORY + FORM)), "unknown"),
        (seen(STORY, sibling=beside(SIBLING, STORY), home=beside(HOME, STORY)), "unknown"),
        (seen(GONE, sibling=beside(SIBLING, GONE), home=beside(HOME, "", 503)), "unknown"),
    ],
)
def test_a_page_that_any_made_up_address_gives_is_nobodys(look, what):
    assert met(look) == what


def test_a_section_that_takes_any_name_for_a_page_leaves_it_open():
    look = seen(GONE, sibling=beside(SIBLING, GONE))
    elsewhere = beside("https://site.test/no-such", "Not here.", 404)
    assert met(look) == Barrier.PAGE_GONE.value
    assert met(replace(look, astray=elsewhere)) == "unknown"
    assert met(replace(look, astray=beside("https://site.test/no-such", GONE))) == Barrier.PAGE_GONE.value


def test_a_page_leads_on_to_a_place_that_is_not_there():
    lost = replace(seen(""), view=View(URL, 200, error="connection refused", onward="https://new.test/x"))
    assert met(replace(lost, onward=Names("127.0.0.1:1"))) == "page_unusable"
    assert met(replace(lost, onward=Names(None))) == "unknown"
    denied = replace(lost, view=replace(lost.view, denied=True))
    assert met(replace(denied, onward=Names("127.0.0.1:1"))) == "unknown"


def test_what_frames_every_page_is_nobodys_content():
    assert own(MENU + STORY, [MENU + NEWS]) == own(STORY, [])
    assert own(MENU, [NEWS + MENU]) == ""
    assert own("新しい店が港の倉庫に土曜日に開きました", ["ホーム 製品 会社概要"]) != ""


def test_one_text_is_the_same_as_another_but_for_the_address_that_both_repeat():
    one, other = "Sivua https://a.test/lamput/123 ei ole täällä.", "Sivua https://a.test/olematon-osoite ei ole täällä."
    gone = echoes("https://a.test/lamput/123", "https://a.test/olematon-osoite")
    assert same(one, other, gone)
    assert not same(one, other)
    assert not same(STORY, STORY + NEWS)
    assert not same("Hae", "Hae")


def test_few_letters_say_more_in_some_scripts():
    assert said("お探しのページは見つかりません") > 2 * said("お探しのページ")
    assert said("見つかりません") == 3 * said("abcdefg")


WALL = "Portinvartija tarkistaa kävijän. Tämä osasto on suljettu."


def test_one_page_for_a_whole_section_is_a_wall_where_the_site_itself_links_there():
    section = seen(WALL, sibling=beside(SIBLING, WALL))
    section = replace(section, astray=beside("https://site.test/no-such", MENU + "Sivua ei ole.", 404))
    assert met(section) == "unknown"
    linked = replace(section, linked=HOME)
    assert met(linked) == "page_unusable"
    assert HOME in read(linked).detail
    assert met(replace(section, named=True)) == "page_unusable"


def test_a_page_whose_scripts_ask_the_site_in_vain_for_what_it_is_to_show_is_of_no_use():
    asked = "https://site.test/data.json: no answer"
    waiting = seen(MENU + "Ladataan")
    for look, what in ((waiting, "ok"), (with_view(waiting, unanswered=(asked,)), "page_unusable")):
        assert met(look) == what
    full = seen(MENU + STORY)
    assert met(with_view(full, unanswered=(asked,))) == "ok"
    told = with_view(waiting, unanswered=(asked,))
    says = (
        "<p>Runko: tammea</p>",
        "<dl><dt>Runko</dt><dd>tammea</dd></dl>",
        "<form><h2>Runko: tammea</h2></form>",
        "<article><header>Runko: tammea</header></article>",
    )
    bare = (
        "<p role='status'>Odota, tietoja haetaan</p>",
        "<p>Tietoja haetaan…</p>",
        "<p>Ladataan</p><!-- oma muistiinpano -->",
    )
    for source, what in (*((one, "unknown") for one in says), *((one, "page_unusable") for one in bare)):
        body = f"<html><body class='preload'><h1>Vene ja sen runko</h1>{source}<p id='z'></p></body></html>"
        page = Plain(told.url, 200, {"content-type": "text/html"}, body=body)
        assert met(replace(told, plain=page)) == what


def test_a_neighbour_with_nothing_but_scripts_is_for_the_browser_to_see():
    page = seen(NEWS)
    for body, asks in (("<script>go('/lander')</script>", True), ("<p>Sivua ei ole.</p>", False), ("", False)):
        assert scripted(page, Beside(Plain(SIBLING, 200, body=f"<html><body>{body}</body></html>"))) is asks


def with_view(look: Look, **changes: object) -> Look:
    assert look.view
    return replace(look, view=replace(look.view, **changes))


def test_the_same_page_at_another_address_of_the_site_is_the_same_wall():
    wall, other, fine = (f"https://site.test/{name}" for name in ("a/sivu", "osasto", "muu"))
    page = seen(WALL)
    barrier = Outcome(wall, Reading("barrier", "told", Barrier.PAGE_UNUSABLE), 3, (page,))
    opens = [
        Outcome(url, Reading("ok", ""), 1, (replace(look, url=url),))
        for url, look in ((other, page), (fine, seen(STORY)))
    ]
    assert [item.reading.kind for item in one_wall((barrier, *opens))] == ["barrier", "barrier", "ok"]


async def test_a_site_leads_to_what_a_page_near_it_links_to_and_to_nothing_else():
    pages = {
        HOME: '<a href="/lista">Lista</a> <a href="/logout">Ulos</a> <a href="https://else.test/a/sivu">Muualla</a>',
        "https://site.test/lista": '<a href="a/sivu#alku">Sivu</a>',
        URL: "<p>Sivu</p>",
    }
    asked = []

    async def get(url):
        asked.append(url)
        kind = "text/plain" if url.endswith(".txt") else "text/html"
        return Plain(url, 200 if url in pages else 404, {"content-type": kind}, body=pages.get(url, ""))

    assert await leads_to(URL, get) == "https://site.test/lista"
    assert await leads_to("https://site.test/b", get) == ""
    assert "https://site.test/logout" not in asked
    found, whole = await crawl(HOME, get, 10)
    assert (set(found), whole) == ({HOME, "https://site.test/lista", URL}, True)
    assert not (await crawl(HOME, get, 1))[1]
    pages["https://site.test/robots.txt"] = "User-agent: *\nDisallow: /a/"
    found, whole = await crawl(HOME, get, 10)
    assert (set(found), whole) == ({HOME, "https://site.test/lista"}, False), "robots leave it alone"


def test_a_page_that_the_benchmark_names_is_of_no_use_where_all_the_site_shows_the_same():
    offer = "This domain is for sale. " * 20
    parked = replace(seen(offer, sibling=beside(SIBLING, offer)), home=beside(HOME, offer))
    assert met(parked) == "unknown"
    assert met(replace(parked, named=True)) == "unknown", "it may be an app that speaks of the task"
    bare = replace(parked, strange=True, asked_for=True)
    assert met(bare) == "page_unusable", "without what is expected there"
    assert met(replace(bare, strange=False)) == "unknown", "it may tell it in other words"
    pictured = replace(bare, view=replace(bare.view, shape=Shape(pictures=1)))
    assert met(pictured) == "unknown", "a picture may show it"
    parked = replace(parked, named=True, strange=True)
    assert met(parked) == "page_unusable"
    assert met(replace(parked, view=replace(parked.view, shape=Shape(pictures=1)))) == "unknown"
    assert met(replace(parked, seen=("1 340 kg",))) == "ok"


def test_a_page_that_is_not_free_and_shows_nothing_of_what_is_expected_asks_to_sign_in():
    teaser = seen(MENU + STORY)
    assert met(teaser) == "ok"
    assert met(replace(teaser, withheld=True)) == "login"
    assert met(replace(teaser, withheld=True, seen=("1 340 kg",))) == "ok"


def test_a_sign_in_page_in_the_place_of_another_is_one_though_its_site_s_first_page_says_little_more():
    links = '<a href="/">Etusivu</a><a href="/osasto">Osasto</a><a href="/kirjaudu">Kirjaudu sisään</a>'
    frame = MENU * 4
    form = replace(seen(f"{frame}Kirjaudu sisään"), home=beside(HOME, frame), sibling=beside(SIBLING, frame, 404))
    form = with_view(form, shape=Shape(passwords=1, fields=2), html=f"<body>{links}</body>")
    assert met(with_view(form, title="Muistio | Seura")) == "ok", "a form beside a page of its own"
    stands_in = with_view(form, title="Kirjaudu sisään | Seura")
    assert met(stands_in) == "login"
    assert met(replace(stands_in, url="https://site.test/kirjaudu?takaisin=1")) == "ok", "it was asked for"


def test_a_few_words_at_every_address_are_no_barrier_where_they_may_speak_of_the_task():
    words = "Harran Ferries. The office is closed."
    told = replace(seen(words, sibling=beside(SIBLING, words)), home=beside(HOME, words))
    for more in ("", '<a href="https://county.example/boats">Fares</a>', "<script>draw()</script>"):
        other = replace(told, view=replace(told.view, html=told.view.html + more))
        assert met(other) == "unknown", more
        assert met(replace(other, strange=True)) == "page_unusable", "and no word of the task stands there"


@pytest.mark.parametrize(
    ("heading", "query", "what"),
    [
        ("site.test", "kw", "page_unusable"),
        ("Pellavan kutojat", "kw", "unknown"),
        ("site.test", "", "unknown"),
        ("site.test", "p", "unknown"),
        ("site.test", "says", "unknown"),
    ],
    ids=[
        "parked",
        "a site with a name of its own",
        "nothing to search by",
        "numbers of its pages",
        "a page that says more",
    ],
)
def test_a_name_for_a_heading_and_words_to_search_by_at_every_address_are_a_parked_name(heading, query, what):
    words = ("Lamput", "Kankaat", "Matot", "Verhot")
    values = range(4) if query == "p" else words
    links = "".join(
        f'<a href="/?{query}={value}">{word}</a>' if query else f"<li>{word}"
        for word, value in zip(words, values, strict=True)
    )
    text = f"{heading} Aiheeseen liittyvät haut {' '.join(words)} {NEWS * 2 if query == 'says' else ''}"
    look = seen(text, sibling=beside(SIBLING, text))
    look = with_view(look, html=f"<h1>{heading}</h1><h2>Aiheeseen liittyvät haut</h2>{links}")
    assert met(replace(look, home=beside(HOME, text))) == what


LISTING = """<nav><a href="/">Etusivu</a></nav><ul>
<li><a href="/a/sivu">Vuosi 2022</a> <a href="/a/sivu#kommentit">3 kommenttia</a></li>
<li><a href="/a/toinen">Vuosi 2023</a></li>
<li><a href="/a/kolmas">Vuosi 2021</a></li>
<li><a href="/a/kuva">Vuosi 2022</a></li>
<li><a href="/b/muu">Arkisto</a></li></ul>"""


def test_a_list_s_other_entries_are_those_of_the_same_folder_under_other_names() -> None:
    listing = Plain("https://site.test/a", 200, body=LISTING)
    assert listed_beside(URL, listing) == ["https://site.test/a/toinen", "https://site.test/a/kolmas"]
    assert listed_beside("https://site.test/a/ei-listalla", listing) == []


def test_a_page_that_stands_in_for_a_list_s_entries_is_of_no_use() -> None:
    look = seen("Vain jäsenille tasosta kolme alkaen.")
    assert met(look) == "ok"
    assert met(replace(look, stands_for="https://site.test/a")) == "page_unusable"


@pytest.mark.parametrize(
    ("own_source", "nothing"),
    [
        ("<p>Raportti</p><a href='/a/sivu'>tulosta</a>", True),
        ("<p>Raportti</p><img src='/kuvat/2022.png'>", False),
        ("<p>Raportti</p><iframe src='/pdf/2022.pdf'></iframe>", False),
        ("<p>Raportti</p><object data='/2022.pdf'></object>", False),
        ("<p>Raportti</p><script>show([73, 52])</script>", False),
    ],
)
def test_a_page_brings_something_of_its_own_where_it_shows_or_runs_what_another_does_not(
    own_source: str, *, nothing: bool
) -> None:
    look = replace(seen("Raportti"), plain=Plain(URL, 200, body=f"<html>{own_source}</html>"))
    assert brings_nothing(look, beside("https://site.test/a/toinen", "Raportti")) is nothing


async def test_a_site_is_read_from_its_first_page_however_another_text_spells_that() -> None:
    async def get(url: str) -> Plain:
        return Plain(url, 404 if url.endswith("robots.txt") else 200, body="<p>Etusivu</p>")

    pages, whole = await crawl(HOME, get, 5, also=("https://site.test", "https://site.test/a"))
    assert list(pages) == [HOME, "https://site.test/a"]
    assert whole
