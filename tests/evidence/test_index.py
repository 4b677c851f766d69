"""A folder of packs as one page with filters, a CSV and a JSON; hostile packs included."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from cases import InputError
from evidence import archive_of, write_pack
from evidence.index import as_csv, as_html, as_json, listing, packs_in, write
from evidence.text import INVISIBLE
from probes import ArtifactStore
from tests.evidence.hostile_audits import HOSTILE
from tests.evidence.synthetic_audits import ALL, judged, supported
from tests.evidence.watching import Watched

whole = "".join


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packs of every status, one of them as a zip alone, one hostile, and two that are none."""
    root = tmp_path_factory.mktemp("index")
    packs, store = root / "packs", ArtifactStore(root / "store")
    for build in ALL.values():
        pack = write_pack(build(store), store, packs).path
    assert archive_of(pack).is_file()
    shutil.rmtree(pack)
    audit = supported(store)
    names = {"benchmark": "=cmd|' /C calc'!A0", "task_id": "\n".join(HOSTILE)}
    case = audit.case.model_copy(update=names)
    write_pack(judged(case, audit.hypotheses, audit.findings, audit.envelope), store, packs)
    (packs / "broken").mkdir()
    (packs / "broken" / "verdict.json").write_text("{")
    (packs / "notes.zip").write_bytes(b"no zip")
    (packs / "notes.txt").write_text("not mentioned")
    return packs


def test_each_pack_counts_once_and_what_is_none_is_named(folder: Path) -> None:
    found = listing(folder)
    assert {status.value: count for status, count in found.counts.items()} == {
        "supported": 2,
        "not_supported": 1,
        "inconclusive": 2,
    }
    assert [item.pack for item in found.unreadable] == ["broken", "notes.zip"]
    assert [entry.pack for entry in found.entries if entry.zipped] == [
        entry.pack for entry in found.entries if entry.task_id == "x"
    ]
    assert len(packs_in(folder)) == 7


def test_csv_and_json_say_the_same_and_no_cell_is_a_formula(folder: Path) -> None:
    found = listing(folder)
    rows = list(csv.DictReader(io.StringIO(whole(as_csv(found)), newline="")))
    packs = json.loads(whole(as_json(found)))["packs"]
    assert [row["pack"] for row in rows] == [pack["pack"] for pack in packs] == [entry.pack for entry in found.entries]
    assert {row["status"] for row in rows} == {"supported", "not_supported", "inconclusive"}
    claimed = [(row["claims"], row["claims_impassable"], row["claims_sources"]) for row in rows if row["claims"] != "0"]
    assert claimed
    assert all(int(impassable) <= int(number) and sources for number, impassable, sources in claimed)
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    assert [row["benchmark"] for row in rows if "cmd" in row["benchmark"]] == ["'=cmd|' /C calc'!A0"]
    for form in (whole(as_csv(found)).replace("\r\n", "\n"), whole(as_json(found)), whole(as_html(found, served=True))):
        assert INVISIBLE.search(form) is None


def test_links_lead_to_the_reports_and_into_zips_only_where_they_are_served(folder: Path) -> None:
    found = listing(folder)
    [zipped] = [entry.pack for entry in found.entries if entry.zipped]
    assert f'href="{zipped}/report.html"' in whole(as_html(found, served=True))
    assert f'href="{zipped}"' in whole(as_html(found, served=False))
    assert whole(as_html(found, served=False)).count('/report.html"') == len(found.entries) - 1


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a pack or a folder of packs"):
        listing(tmp_path / "nowhere")


@pytest.mark.exhaustive
@pytest.mark.browser
def test_filters_live_in_the_address_and_the_page_is_quiet_narrow_and_accessible(
    folder: Path, chromium: Browser
) -> None:
    page_file = write(listing(folder), folder)
    with chromium.new_context(viewport={"width": 320, "height": 800}, color_scheme="light") as context:
        seen = Watched(context).open(page_file, settle=100)
        page = seen.page
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        page.set_viewport_size({"width": 1100, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert Axe().run(page).response["violations"] == []
        rows = page.locator("tbody tr:visible")
        assert rows.count() == 5
        page.get_by_label("Search").fill("CAPSULE")
        found = rows.count()
        assert 0 < found < 5
        assert page.locator("#showing").inner_text() == f"{found} of 5 shown"
        page.get_by_label("Search").fill("")
        orders = []
        for way in ("ascending", "descending"):
            page.get_by_role("button", name="Task").click()
            assert page.locator(f'th[aria-sort="{way}"]').inner_text().startswith("Task")
            orders.append([one.get_attribute("data-text") for one in page.locator("tbody th").all()])
        assert orders[0][0] == orders[1][-1] != orders[1][0]
        page.evaluate("location.hash = ''")
        page.set_viewport_size({"width": 390, "height": 800})
        why = page.locator("td.why").first.bounding_box()
        assert why
        assert why["x"] >= 0
        assert why["x"] + why["width"] <= 390
        assert Axe().run(page).response["violations"] == []
        page.set_viewport_size({"width": 1100, "height": 800})
        page.get_by_label("Status").select_option("supported")
        assert rows.count() == 2
        page.get_by_label("Benchmark").select_option("corebench_hard")
        assert rows.count() == 1
        assert page.url.endswith("#status=supported&benchmark=corebench_hard")
        assert page.locator("#showing").inner_text() == "1 of 5 shown"
        page.evaluate("location.hash = '#status=inconclusive&category=<img src=x onerror=pwned=1>'")
        page.get_by_text("2 of 5 shown").wait_for()
        page.reload()
        assert rows.count() == 2
        page.goto(page_file.as_uri())
        page.get_by_role("link", name="capsule-0000001").first.click()
        assert page.locator("h1").inner_text() in {"Impassable", "Not impassable", "Inconclusive"}
        assert not seen.pwned
        assert not [url for url in seen.requests if not url.startswith(("file:", "data:"))]
        assert seen.complaints == []
    with chromium.new_context(java_script_enabled=False) as context:
        page = Watched(context).open(page_file).page
        assert page.locator("tbody tr:visible").count() == 5
        assert page.locator("select:visible").count() == 0
