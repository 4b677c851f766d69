"""Everybody can read the report: in light and dark, on a small screen, by keyboard, without scripts, on paper."""

import io
import unicodedata
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from pypdf import PdfReader

from evidence import write_pack
from probes import ArtifactStore
from tests.evidence.synthetic_audits import ALL
from tests.evidence.watching import Watched

pytestmark = pytest.mark.browser
REACHED = """async () => {
  const seen = new Set();
  for (const part of document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')) {
    const box = part.getBoundingClientRect();
    if (part.closest('details:not([open])') && part.localName !== 'summary') continue;
    if (box.width && !part.disabled) seen.add(part);
  }
  return seen.size;
}"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of each kind of audit, with few of the runs, which all look alike."""
    folder = tmp_path_factory.mktemp("reports")
    store = ArtifactStore(folder / "store")
    audits = {name: build(store) for name, build in ALL.items()}
    few = {
        name: audit.model_copy(update={"case": audit.case.model_copy(update={"runs": audit.case.runs[:4]})})
        for name, audit in audits.items()
    }
    return {name: write_pack(audit, store, folder / "packs").path / "report.html" for name, audit in few.items()}


@pytest.mark.parametrize("name", ALL)
def test_each_status_is_quiet_accessible_and_narrow_in_light_and_dark(
    name: str, reports: dict[str, Path], chromium: Browser
) -> None:
    with chromium.new_context(color_scheme="light", viewport={"width": 320, "height": 800}) as context:
        seen = Watched(context).open(reports[name]).unfold()
        page = seen.page
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        options = {"resultTypes": ["violations"], "runOnly": ["scrollable-region-focusable", "target-size"]}
        violations = Axe().run(page, options=options).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
        page.set_viewport_size({"width": 1100, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 1100
        for scheme, ground, options in (
            ("light", "rgb(244, 245, 247)", {"resultTypes": ["violations"]}),
            ("dark", "rgb(15, 18, 22)", {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}),
        ):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
            violations = Axe().run(page, options=options).response["violations"]
            assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
        assert seen.asked == []
        assert seen.complaints == []


def test_the_keyboard_reaches_everything_and_the_first_stop_skips_to_the_verdict(
    reports: dict[str, Path], chromium: Browser
) -> None:
    with chromium.new_context() as context:
        page = Watched(context).open(reports["supported"]).unfold().page
        wanted = page.evaluate(REACHED)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        reached = page.evaluate("() => { window.stops = new Set(); return 0 }")
        for _ in range(wanted + 5):
            page.evaluate("window.stops.add(document.activeElement)")
            page.keyboard.press("Tab")
        reached = page.evaluate("[...window.stops].filter(part => part !== document.body).length")
        assert reached == wanted
        assert wanted > 30
        page.locator("nav a", has_text="Tried").focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"


def test_commands_and_digests_are_copied_by_a_button(reports: dict[str, Path], chromium: Browser) -> None:
    with chromium.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = Watched(context).open(reports["not_supported"]).unfold().page
        page.get_by_role("button", name="Copy what route user-prefix does").click()
        page.get_by_text("Copied").first.wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.splitlines()[1:] == [
            "tar -xf zither-dev.tar.gz -C ~/.local",
            'CFLAGS="-I$HOME/.local/include" pip install zither',
        ]
        page.get_by_role("button", name="Copy the SHA-256 of verdict.json").press("Enter")
        assert len(page.evaluate("navigator.clipboard.readText()")) == 64


def test_without_scripts_everything_is_there_and_nothing_promises_more(
    reports: dict[str, Path], chromium: Browser
) -> None:
    with chromium.new_context(java_script_enabled=False) as context:
        page = Watched(context).open(reports["supported"]).page
        assert page.locator("h1").is_visible()
        assert page.locator("button").count() == 0
        page.locator("details.claim summary").first.click()
        assert page.locator("details.claim .text").first.is_visible()


def test_a_link_to_a_folded_line_unfolds_it(reports: dict[str, Path], chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = Watched(context).open(reports["supported"]).page
        line = page.locator(".log span[id$='-L2']").first
        assert not line.is_visible()
        page.evaluate("hash => { location.hash = hash }", line.get_attribute("id"))
        line.wait_for(state="visible")
        assert "fatal error: zither.h" in line.inner_text()


@pytest.mark.parametrize("name", ["supported", "not_supported", "inconclusive"])
def test_paper_holds_the_verdict_and_what_was_folded(
    name: str, store: ArtifactStore, reports: dict[str, Path], chromium: Browser
) -> None:
    audit = ALL[name](store)
    with chromium.new_context(color_scheme="dark") as context:
        printed = Watched(context).open(reports[name]).page.pdf(format="A4")
    told = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(printed)).pages)
    words = " ".join(unicodedata.normalize("NFKC", told).split())
    verdict = audit.verdict
    for text in (verdict.reason, verdict.would_change, verdict.against, audit.case.claims[0].text):
        assert " ".join(text.replace("`", "").split()) in words, text
    assert {"supported": "Impassable", "not_supported": "Not impassable"}.get(name, "Inconclusive") in words


def test_the_whole_log_is_searched_and_a_quotation_leads_into_it(reports: dict[str, Path], chromium: Browser) -> None:
    with chromium.new_context(viewport={"width": 390, "height": 844}) as context:
        page = Watched(context).open(reports["supported"]).page
        check = page.get_by_role("heading", name="Check it yourself")
        assert check.evaluate("part => part.getBoundingClientRect().bottom") < 2 * 844, "two screens of a phone"
        page.locator("#run ~ figure figcaption a").first.click()
        turn = page.locator(page.evaluate("location.hash"))
        assert turn.is_visible()
        assert turn.locator("mark").count()
        page.get_by_label("Search the log").fill("zither.h")
        shown = page.locator(".turn:not([hidden])")
        assert 0 < shown.count() < page.locator(".turn").count()
        assert all("zither.h" in text for text in shown.all_text_contents())
        page.get_by_label("Search the log").fill("")
        assert page.locator(".turn[hidden]").count() == 0
