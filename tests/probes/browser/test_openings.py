"""What a page lets its visitors open besides links: what can be asked is asked, and the rest leaves a site open."""

import pytest

from probes.browser.openings import (
    choices_in,
    embedded_in,
    has_more_than_text,
    pages_with_controls,
    pages_with_pictures,
    pages_with_queries,
    search_address,
)
from probes.web.plain import Plain

SITE = "http://lamps.test/"
SEARCH = "<form action='/find'><input type='hidden' name='in' value='all'><input type='search' name='words'></form>"
YEARS = "<form action='/by'><select name='year'><option value='2019'>2019<option>2020</select></form>"
RECORDS = "<form method='post' action='/records'><input name='number'><button>Show</button></form>"


def page(body: str, url: str = SITE, kind: str = "text/html") -> Plain:
    return Plain(url, status=200, headers={"content-type": kind}, body=body)


def test_a_form_with_one_text_searches_whatever_its_field_is_called() -> None:
    assert search_address(page(SEARCH), "old lamps") == f"{SITE}find?in=all&words=old+lamps"


@pytest.mark.parametrize(
    "form",
    [
        RECORDS,
        "<form action='/news'><input name='email_address'></form>",
        "<form action='/news'><input type='email' name='to'></form>",
        "<form action='https://elsewhere.test/'><input name='q'></form>",
        "<form action='/cart/add-to-cart'><input name='q'></form>",
    ],
)
def test_what_sends_something_or_leads_elsewhere_is_no_search(form: str) -> None:
    assert search_address(page(form), "old lamps") == ""


def test_each_choice_of_a_form_is_an_address() -> None:
    assert choices_in(page(YEARS)) == [f"{SITE}by?year=2019", f"{SITE}by?year=2020"]
    assert choices_in(page(SEARCH)) == []


def test_frames_are_pages_too() -> None:
    body = "<iframe src='//prices.test/1'></iframe><iframe src='about:blank'></iframe><frame src='side.html'>"
    assert embedded_in(page(body)) == ["http://prices.test/1", f"{SITE}side.html"]


@pytest.mark.parametrize(
    ("body", "open_still"),
    [
        (RECORDS, True),
        ("<button onclick='more()'>Load more</button>", True),
        ("<span role='button'>Show all</span>", True),
        ("<a href='JavaScript:more()'>More</a>", True),
        ("<a href='#/prices'>Prices</a>", True),
        ("<div onclick='more()'>More</div>", True),
        ("<form method='post'><input type='hidden' name='page' value='2'><button>Next</button></form>", True),
        (SEARCH, False),
        (YEARS, False),
        ("<form method='post' action='/login'><input name='user'><input type='password' name='word'></form>", False),
        ("<form method='post' action='/contact'><input name='name'><textarea name='text'></textarea></form>", False),
        (
            "<form method='post' action='/letters'><input type='email' name='to'><button>Subscribe</button></form>",
            False,
        ),
    ],
)
def test_a_query_or_a_button_that_only_this_page_has_may_open_more(body: str, *, open_still: bool) -> None:
    pages = {SITE: page(body)}
    assert bool(pages_with_controls(pages) or pages_with_queries(pages)) is open_still


def test_buttons_that_frame_all_pages_open_nothing_of_their_own() -> None:
    menu = "<button class='burger'>Menu</button>"
    assert pages_with_controls({f"{SITE}{number}": page(menu) for number in range(3)}) == []


@pytest.mark.parametrize(
    ("one", "more"),
    [
        (page("<p>Closed.</p>"), False),
        (page(""), False),
        (page("<img src='prices.png'>"), True),
        (page("", kind="application/vnd.ms-excel"), True),
    ],
)
def test_pictures_and_files_may_say_what_no_text_says(one: Plain, *, more: bool) -> None:
    assert has_more_than_text(one) is more


def test_a_picture_belongs_to_a_page_where_no_other_shows_it() -> None:
    badge, board = "<img src='/badge.png'>", "<img src='board.svg'>"
    pages = {
        f"{SITE}{name}": page(badge + more, f"{SITE}{name}") for name, more in (("a", board), ("b", ""), ("c", ""))
    }
    assert pages_with_pictures(pages) == {f"{SITE}a"}
    told = f"<figure>{board}<figcaption>The old quay</figcaption></figure>"
    assert pages_with_pictures({SITE: page(told)}) == set()
