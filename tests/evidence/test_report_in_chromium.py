"""The report in a real browser: hostile content is inert, nothing is requested, everybody can read it."""

import http.server
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from cases import Block, Transcript
from evidence import write_pack
from evidence.text import INVISIBLE
from graph.verdict import Audit
from probes import ArtifactStore, Observation, Route, Tier
from tests.evidence.synthetic_audits import ALL, cite, judged, not_supported, supported

pytestmark = pytest.mark.browser

HOSTILE = (
    "<script>window.pwned=1</script>",
    "</script></style></title></pre><script>pwned=1</script>",
    "\"'><img src=http://127.0.0.1:9/x onerror=pwned=1>",
    "<svg onload=pwned=1><a xlink:href='javascript:pwned=1'>x</a></svg>",
    "<style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/s><base href=http://127.0.0.1:9/>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><iframe src=http://127.0.0.1:9/></iframe>",
    "{{ 7*7 }}{% raw %}{# x #} `<b onclick=pwned=1>`",
    "javascript:pwned=1//",
    "data:text/html,<script>pwned=1</script>",
    'https://shop.example/" onmouseover="pwned=1',
    "user\u202etxt.exe\u202c \u2066x\u2069 \u200bzero\u200d\ufeff \U000e0041tag",
    "\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b5m\x08\x00\r\x7f\u2028",
    "[link=javascript:pwned=1]rich[/link]",
    "W" * 3000,
)
ALL_OF_IT = "\n".join(HOSTILE)
CONTRAST = """() => {
  const channel = v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 };
  const numbers = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = numbers(c); return .2126*channel(r) + .7152*channel(g) + .0722*channel(b) };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if ((numbers(c)[3] ?? 1) === 1) return c; } return 'rgb(255,255,255)' };
  document.querySelectorAll('details').forEach(d => d.open = true);
  const bad = [];
  for (const e of document.body.querySelectorAll('*')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = light(getComputedStyle(e).color), b = light(ground(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push([e.outerHTML.slice(0, 80), ratio]);
  }
  return bad;
}"""
STRUCTURE = """() => ({
  lang: document.documentElement.lang,
  levels: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1]),
  emptyHeadings: [...document.querySelectorAll('h1,h2,h3,h4')].filter(h => !h.textContent.trim()).length,
  bareHeaders: [...document.querySelectorAll('th:not([scope])')].length,
  noAlt: document.querySelectorAll('img:not([alt])').length,
  doubleIds: [...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i),
  deadLinks: [...document.querySelectorAll('a[href^="#"]')]
    .filter(a => !document.getElementById(a.hash.slice(1))).length,
  unfocusable: [...document.querySelectorAll('*')].filter(e => /auto|scroll/.test(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth && e.tabIndex < 0).length,
  mains: document.querySelectorAll('main').length,
})"""


class Watched:
    """A page and everything it did that a report must not do."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))

    def open(self, path: Path) -> "Watched":
        self.page.goto(path.as_uri())
        self.page.wait_for_timeout(300)
        return self

    @property
    def asked(self) -> list[str]:
        """Requests besides the report's own and its inlined pictures."""
        return [url for url in self.requests[1:] if not url.startswith("data:")]


def hostile(store: ArtifactStore) -> Audit:
    """An audit whose every text is an attack."""
    audit = not_supported(store)
    run = audit.case.runs[0]
    assert run.transcript
    blocks = tuple(block.model_copy(update={"text": f"{block.text}\n{ALL_OF_IT}"}) for block in run.transcript.blocks)
    big = Block(index=len(blocks), role=HOSTILE[0], kind="result", tool=HOSTILE[2], text=ALL_OF_IT + "<b>" * 1_700_000)
    run = run.model_copy(
        update={"transcript": Transcript(blocks=(*blocks, big)), "agent": HOSTILE[0], "model": HOSTILE[10]}
    )
    claims = tuple(claim.model_copy(update={"text": ALL_OF_IT, "category": HOSTILE[3]}) for claim in audit.case.claims)
    task = audit.case.task.model_copy(update={"prompt": ALL_OF_IT})
    case = audit.case.model_copy(
        update={"task_id": HOSTILE[1], "task": task, "claims": claims, "runs": (run, *audit.case.runs[1:])}
    )
    citations = (*(cite(case, "run-a", 3, text) for text in HOSTILE), cite(case, "run-a", 5, "<b>" * 100_000))
    names = [store.put(text, text, "text/html") for text in HOSTILE[:-1]]
    first = audit.findings[0].model_copy(
        update={
            "summary": ALL_OF_IT,
            "citations": citations,
            "artifacts": (*names, store.put(f"<!doctype html><body>{ALL_OF_IT}", "page.html", "text/html")),
            "observations": tuple(Observation(name=text, value=text) for text in HOSTILE),
            "routes": tuple(
                Route(id=text, tier=Tier.T1, commands=(text,), result="failed", note=text) for text in HOSTILE
            ),
            "limits": HOSTILE,
        }
    )
    leading = audit.hypotheses[0]
    targets = leading.targets.model_copy(update={"urls": HOSTILE, "commands": HOSTILE})
    thought = leading.model_copy(update={"statement": ALL_OF_IT, "targets": targets, "citations": citations})
    way_out = Route(id="way out", tier=Tier.T1, commands=HOSTILE, result="passed", note=ALL_OF_IT)
    second = audit.findings[1].model_copy(update={"summary": ALL_OF_IT, "routes": (way_out,)})
    return judged(case, (thought,), (first, second, *audit.findings[2:]), audit.envelope, *HOSTILE)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack of the hostile audit."""
    folder = tmp_path_factory.mktemp("hostile")
    store = ArtifactStore(folder / "store")
    return write_pack(hostile(store), store, folder / "packs")


@pytest.fixture
def hits() -> Iterator[tuple[int, list[str]]]:
    """A local server's port and the paths it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Stay silent."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1], asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("bypass_csp", [False, True], ids=["with policy", "escaping alone"])
def test_hostile_content_runs_nothing_and_asks_for_nothing(bypass_csp: bool, attacked: Path, chromium: Browser) -> None:
    with chromium.new_context(bypass_csp=bypass_csp) as context:
        seen = Watched(context).open(attacked / "report.html")
        seen.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        seen.page.mouse.move(300, 300)
        assert seen.page.evaluate("typeof window.pwned") == "undefined"
        assert seen.asked == []
        assert seen.complaints == []
        assert seen.page.locator("script, iframe, object, embed, form, base, main style, main link").count() == 0
        assert seen.page.locator("h1").inner_text() == "Not impassable"
        assert "<script>window.pwned=1</script>" in seen.page.locator(".reason").inner_text()


def test_links_lead_only_into_the_pack_or_to_http_without_a_referrer(attacked: Path, chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = Watched(context).open(attacked / "report.html").page
        links = page.evaluate("[...document.querySelectorAll('a')].map(a => [a.getAttribute('href'), a.rel])")
    outside = [(href, rel) for href, rel in links if not href.startswith("#") and not (attacked / href).is_file()]
    assert all(href.startswith(("http://", "https://")) and rel == "noreferrer" for href, rel in outside), outside


def test_captured_pages_open_as_plain_text(attacked: Path, chromium: Browser) -> None:
    captures = [path for path in (attacked / "data" / "evidence").iterdir() if "html" in path.name]
    assert captures
    with chromium.new_context() as context:
        for path in captures:
            seen = Watched(context).open(path)
            assert seen.page.evaluate("document.contentType") == "text/plain"
            assert seen.page.evaluate("typeof window.pwned") == "undefined"


def test_the_policy_holds_even_where_escaping_would_fail(
    store: ArtifactStore, tmp_path: Path, chromium: Browser, hits: tuple[int, list[str]]
) -> None:
    port, asked = hits
    report = write_pack(supported(store), store, tmp_path) / "report.html"
    attack = (
        f"<script>pwned=1;fetch('http://127.0.0.1:{port}/f')</script>"
        f"<img src='http://127.0.0.1:{port}/i' onerror=pwned=1>"
        f"<link rel=stylesheet href='http://127.0.0.1:{port}/c'><style>main{{display:none}}</style>"
        f"<iframe src='http://127.0.0.1:{port}/p'></iframe><main"
    )
    broken = tmp_path / "broken.html"
    broken.write_text(report.read_text("utf-8").replace("<main", attack, 1), "utf-8")
    with chromium.new_context() as context:
        seen = Watched(context).open(broken)
        assert seen.page.evaluate("typeof window.pwned") == "undefined"
        assert seen.page.locator("h1").is_visible()
        assert len([text for text in seen.complaints if "Content Security Policy" in text]) >= 4
    assert asked == []


def test_nothing_invisible_is_left_in_the_report_or_the_records(attacked: Path) -> None:
    for path in [attacked / "report.html", *attacked.glob("*.json"), attacked / "bag-info.txt"]:
        left = INVISIBLE.search(path.read_text("utf-8"))
        assert left is None, (path.name, left)
    report = (attacked / "report.html").read_text("utf-8")
    assert "user⟨U+202E⟩txt.exe" in report
    assert "⟨ESC⟩[31mred" in report
    assert "⟨U+200B⟩zero" in report


def test_five_megabytes_of_tags_keep_the_report_small(attacked: Path) -> None:
    assert (attacked / "case.json").stat().st_size > 5_000_000
    assert (attacked / "report.html").stat().st_size < 2_000_000


@pytest.mark.parametrize("width", [320, 1100])
def test_nothing_scrolls_the_page_sideways(
    width: int, attacked: Path, store: ArtifactStore, tmp_path: Path, chromium: Browser
) -> None:
    packs = [attacked, *(write_pack(build(store), store, tmp_path / "packs") for build in ALL.values())]
    with chromium.new_context(viewport={"width": width, "height": 800}) as context:
        for pack in packs:
            page = Watched(context).open(pack / "report.html").page
            page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert page.evaluate("document.documentElement.scrollWidth") == width, pack.name


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_status_is_quiet_and_readable_in_light_and_dark(
    scheme: Any, name: str, store: ArtifactStore, tmp_path: Path, chromium: Browser
) -> None:
    pack = write_pack(ALL[name](store), store, tmp_path)
    with chromium.new_context(color_scheme=scheme) as context:
        seen = Watched(context).open(pack / "report.html")
        assert seen.asked == []
        assert seen.complaints == []
        assert seen.page.evaluate("getComputedStyle(document.body).maxWidth") == "none"
        ground = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(244, 245, 247)", "dark": "rgb(15, 18, 22)"}[scheme]
        assert seen.page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("name", ["hostile", *ALL])
def test_its_structure_serves_a_screen_reader(
    name: str, attacked: Path, store: ArtifactStore, tmp_path: Path, chromium: Browser
) -> None:
    pack = attacked if name == "hostile" else write_pack(ALL[name](store), store, tmp_path)
    with chromium.new_context(viewport={"width": 400, "height": 800}) as context:
        found = Watched(context).open(pack / "report.html").page.evaluate(STRUCTURE)
    levels = found.pop("levels")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert found == {
        "lang": "en",
        "emptyHeadings": 0,
        "bareHeaders": 0,
        "noAlt": 0,
        "doubleIds": [],
        "deadLinks": 0,
        "unfocusable": 0,
        "mains": 1,
    }


def test_what_is_folded_prints_open(store: ArtifactStore, tmp_path: Path, chromium: Browser) -> None:
    pack = write_pack(supported(store), store, tmp_path)
    with chromium.new_context() as context:
        page = Watched(context).open(pack / "report.html").page
        folded = page.locator("details.claim .text").first
        assert not folded.is_visible()
        page.emulate_media(media="print")
        box = folded.bounding_box()
        assert box is not None
        assert box["height"] > 0
        assert page.pdf().startswith(b"%PDF")
