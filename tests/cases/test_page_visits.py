"""Page visits: address, title and error of what a browser showed."""

import pytest

from cases import Block, Events, Transcript
from cases.events import events_of


def events(*spoken: tuple[str, str]) -> Events:
    blocks = [Block(index=n, role=role, kind="message", text=text) for n, (role, text) in enumerate(spoken)]
    return events_of(Transcript(blocks=tuple(blocks)))


class TestPages:
    """Pages that a browser showed."""

    STATE = (
        "[Current state starts here]\nCurrent url: https://shop.invalid/a?b=1\nAvailable tabs:\n"
        "[TabInfo(page_id=0, url='about:blank', title=''), "
        "TabInfo(page_id=1, url='https://shop.invalid/a?b=1', title=\"The shop's door\")]\n"
        "Interactive elements:\n[0]<a>"
    )

    def test_a_browser_use_state(self) -> None:
        (visit,) = events(("user", self.STATE)).visits
        assert (visit.url, visit.title, visit.error) == ("https://shop.invalid/a?b=1", "The shop's door", None)

    def test_each_time_a_page_is_shown_is_a_visit(self) -> None:
        assert [visit.blocks for visit in events(("user", self.STATE), ("user", self.STATE)).visits] == [(0,), (1,)]

    def test_an_empty_tab_is_no_visit(self) -> None:
        assert events(("user", "Current url: about:blank\nAvailable tabs:\n[]")) == Events()

    def test_a_screenshot_of_web_surfer(self) -> None:
        text = "I clicked 'x'.\n\nHere is a screenshot of [A [b] c](https://wiki.invalid/A_(b)). The viewport shows 9%"
        (visit,) = events(("WebSurfer", text)).visits
        assert (visit.url, visit.title) == ("https://wiki.invalid/A_(b)", "A [b] c")

    def test_a_browsers_error_page_names_the_host_in_its_title(self) -> None:
        text = (
            "Here is a screenshot of [www.shop.invalid](chrome-error://chromewebdata/). The viewport shows 100%\n"
            "This site can’t be reached\n\nDNS_PROBE_FINISHED_NXDOMAIN\n"
        )
        (visit,) = events(("WebSurfer", text)).visits
        assert (visit.url, visit.error) == ("https://www.shop.invalid/", "DNS_PROBE_FINISHED_NXDOMAIN")

    def test_an_error_of_navigation(self) -> None:
        text = "Action error 1/1: Page.goto: net::ERR_NAME_NOT_RESOLVED at https://gone.invalid/\nCall log:"
        (visit,) = events(("user", text)).visits
        assert (visit.url, visit.error) == ("https://gone.invalid/", "net::ERR_NAME_NOT_RESOLVED")

    @pytest.mark.parametrize("title", ["Access Denied", "403 Forbidden", "Just a moment...", "404"])
    def test_a_title_that_is_an_error(self, title: str) -> None:
        text = f"Here is a screenshot of [{title}](https://shop.invalid/). The viewport shows 100%"
        assert events(("WebSurfer", text)).visits[0].error == title

    @pytest.mark.parametrize("title", ["How to fix Access Denied", "404 Avenue Hotel", "Forbidden City"])
    def test_a_title_that_is_none(self, title: str) -> None:
        text = f"Here is a screenshot of [{title}](https://shop.invalid/). The viewport shows 100%"
        assert events(("WebSurfer", text)).visits[0].error is None
