"""The pictures that runs' own files keep of their pages."""

import base64
import json
from pathlib import Path

from cases import Run
from cases.screenshots import LARGEST, screenshot
from tests.cases import samples
from tests.cases.reading import only
from tests.evidence.synthetic_audits import png

SHOP, DEEPER = "https://shop.test/", "https://shop.test/a"


def read(path: Path) -> Run:
    """The one run of a file."""
    case, _ = only(path, trust_pickle=True)
    return case.runs[0]


def pictured(folder: Path, *pictures: str | None) -> Run:
    """A browser-use history whose steps keep these pictures."""
    path = samples.browser_use(folder / "history.json")
    data = json.loads(path.read_text("utf-8"))
    for entry, picture in zip(data["history"], pictures, strict=True):
        entry["state"] = entry["state"] | {"screenshot": picture}
    path.write_text(json.dumps(data), "utf-8")
    return read(path)


def kept_of(run: Run, url: str) -> bytes | None:
    found = screenshot(run, url)
    return found.data if found else None


def test_the_last_picture_of_a_page_is_found_with_the_block_that_tells_of_it(tmp_path: Path) -> None:
    first, last = png(20, 10), png(30, 10)
    run = pictured(
        tmp_path, base64.b64encode(first).decode(), f"data:image/png;base64,{base64.b64encode(last).decode()}"
    )
    assert run.transcript
    found = screenshot(run, "http://www.shop.test")
    assert found
    assert found.data == last
    assert run.transcript.blocks[found.block].url == SHOP
    assert found.block == max(block.index for block in run.transcript.blocks if block.role == "environment")
    assert screenshot(run, DEEPER) is None


def test_what_is_missing_broken_or_too_large_is_passed_over(tmp_path: Path) -> None:
    kept = base64.b64encode(png(20, 10)).decode()
    for number, other in enumerate((None, "no base64!", "A" * (LARGEST + 4))):
        (tmp_path / str(number)).mkdir()
        assert kept_of(pictured(tmp_path / str(number), kept, other), SHOP) == png(20, 10)
    run = pictured(tmp_path, kept, kept)
    Path(run.source).unlink()
    assert screenshot(run, SHOP) is None


def test_agentlab_keeps_its_pictures_beside_the_summary_and_no_link_is_followed(tmp_path: Path) -> None:
    summary = samples.agentlab(tmp_path / "run_on_webarena.12_3")
    summary.with_name("screenshot_step_0.png").write_bytes(png(20, 10))
    summary.with_name("screenshot_step_1.jpg").symlink_to(summary)
    run = read(summary)
    assert kept_of(run, SHOP) == png(20, 10)
    assert screenshot(run, DEEPER) is None


def test_a_record_of_another_format_keeps_none(tmp_path: Path) -> None:
    assert screenshot(read(samples.mini_swe(tmp_path / "run.json")), SHOP) is None
