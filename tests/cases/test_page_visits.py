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


class TestFrames:
    """What a tool puts around a page is not the page's."""

    STATE = (
        "[Current state starts here]\nCurrent url: https://shop.invalid/a\nAvailable tabs:\n"
        "[TabInfo(page_id=0, url='https://shop.invalid/a', title='')]\nInteractive elements from top layer of the "
        "current page inside the viewport:\n{}\nCurrent step: 3/30\nCurrent date and time: 2025-01-01 10:00\n"
    )

    @pytest.mark.parametrize(
        ("text", "page"),
        [
            (STATE.format("[Start of page]\nNo way in.\n[End of page]"), "No way in."),
            (
                "[Current URL: https://shop.invalid/a]\n[Focused element bid: None]\n\n[Action executed.]\n"
                "============== BEGIN accessibility tree ==============\nNo way in.\n"
                "============== END accessibility tree ==============\n[Screenshot saved to: /tmp/x.png]",
                "No way in.",
            ),
            (
                "Here is a screenshot of [](https://shop.invalid/a). The viewport shows 100% of the webpage.\nThe "
                f"following metadata was extracted from the webpage:\n\n{'x' * 300}\n\nAutomatic OCR of the page "
                "screenshot has detected the following text:\n\nNo way in.",
                "No way in.",
            ),
        ],
    )
    def test_only_the_inside_is_the_page(self, text: str, page: str) -> None:
        (visit,) = events(("user", text)).visits
        assert (visit.url, visit.page, visit.shows) == ("https://shop.invalid/a", page, False)


class TestTools:
    """Whatever a tool is called: one that opens an address shows a page."""

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("WebFetch", {"url": "https://shop.invalid/a", "prompt": "What does it cost?"}),
            ("web_browser_go", {"url": "https://shop.invalid/a"}),
            ("mcp__reader__readWebPage", {"link": "https://shop.invalid/a"}),
            ("browser", {"code": "goto('https://shop.invalid/a')\nscroll(0, 200)"}),
        ],
    )
    def test_it_is_a_visit_and_no_other_call(self, tool: str, arguments: dict[str, str]) -> None:
        found = called(tool, arguments)
        assert [visit.url for visit in found.visits] == ["https://shop.invalid/a"]
        assert found.calls == ()

    @pytest.mark.parametrize("tool", ["download_url", "post_to_page", "web_search", "calculator"])
    def test_one_that_does_something_else_with_it_is_none(self, tool: str) -> None:
        assert called(tool, {"url": "https://shop.invalid/a"}).visits == ()

    def test_an_observation_with_an_address_is_a_visit(self) -> None:
        block = Block(index=0, role="tool", kind="result", text="Closed.", url="https://shop.invalid/b")
        assert [visit.url for visit in events_of(Transcript(blocks=(block,))).visits] == ["https://shop.invalid/b"]


def called(tool: str, arguments: dict[str, str]) -> Events:
    call = Block(index=0, role="assistant", kind="call", text="", tool=tool, arguments=arguments, call_id="c")
    came = Block(index=1, role="tool", kind="result", text="Closed.", call_id="c")
    return events_of(Transcript(blocks=(call, came)))


SNAPSHOT = """### Ran Playwright code
```js
await page.getByRole('link', {{ name: 'Topic' }}).click();
```

### New console messages
- [ERROR] Failed to load resource: the server responded with a status of 403 (Forbidden) @ {refused}:0

### Page state
- Page URL: https://forum.example/viewtopic.php?t=2011
- Page Title: Anmelden | Forum
- Page Snapshot:
```yaml
- generic [ref=e1]:
  - heading "Anmelden" [level=1] [ref=e2]
```
"""
"""As Playwright MCP answers any of its tools."""


@pytest.mark.parametrize(
    ("refused", "error"),
    [
        (
            "https://forum.example/viewtopic.php?t=2011",
            "Failed to load resource: the server responded with a status of 403 (Forbidden)",
        ),
        ("https://forum.example/favicon.ico", None),
    ],
    ids=["the page", "a picture of its"],
)
def test_a_page_that_a_click_led_to_is_one_and_the_console_tells_whether_it_was_refused(
    refused: str, error: str | None
) -> None:
    call = Block(index=0, role="assistant", kind="call", tool="browser_click", text='browser_click({"ref": "e29"})')
    shown = SNAPSHOT.format(refused=refused)
    result = Block(index=1, role="tool", kind="result", tool="browser_click", text=shown)
    (visit,) = events_of(Transcript(blocks=(call, result))).visits
    assert (visit.url, visit.title) == ("https://forum.example/viewtopic.php?t=2011", "Anmelden | Forum")
    assert visit.error == error
    assert visit.page == '- generic [ref=e1]:\n  - heading "Anmelden" [level=1] [ref=e2]'


def test_a_page_that_an_observation_heads_with_its_address_is_one_visit_beside_the_call_that_opened_it() -> None:
    given = {"url": '"https://a.example/x"'}
    call = Block(index=0, role="assistant", kind="call", tool="goto", arguments=given, text="goto")
    shown = "Observation:\nURL: {}\nTitle: Sign in\n\nMembers sign in here."
    there, elsewhere = "https://a.example/x", "https://a.example/sign-in?next=/x"
    for url, visited in ((there, [there]), (elsewhere, [there, elsewhere])):
        result = Block(index=1, role="tool", kind="result", tool="goto", text=shown.format(url))
        found = events_of(Transcript(blocks=(call, result))).visits
        assert sorted(visit.url for visit in found) == sorted(visited)
        assert "Sign in" in {visit.title for visit in found}
    (clicked,) = events(("user", shown.format(elsewhere))).visits
    assert (clicked.url, clicked.title) == (elsewhere, "Sign in")
    assert not events(("user", f"The links are:\nURL: {there}")).visits


@pytest.mark.parametrize("given", ["https://a.example/x", "[https://a.example/x]", "http://[::1]"])
def test_brackets_around_an_address_are_webvoyager_s_and_those_within_are_its_own(given: str) -> None:
    call = Block(index=0, role="assistant", kind="call", tool="browser_navigate", arguments={"url": given}, text=given)
    result = Block(index=1, role="tool", kind="result", tool="browser_navigate", text="A page of its own.")
    (visit,) = events_of(Transcript(blocks=(call, result))).visits
    assert visit.url == ("https://a.example/x" if "a.example" in given else given)
