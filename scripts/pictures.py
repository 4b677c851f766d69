#!/usr/bin/env python3
"""Makes docs/pictures/: the workflow as it is compiled and, given packs of `verify demo`, photographs of the report.

.venv/bin/python scripts/pictures.py
.venv/bin/verify demo --out /tmp/demo/packs && .venv/bin/python scripts/pictures.py /tmp/demo/packs
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from evidence.index import listing, write
from graph.assisted import ASSISTANTS
from graph.workflow import compiled

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
DESK, PHONE = (1180, 860), (390, 780)


def taken(browser: Browser, page: Path, name: str, size: tuple[int, int], scheme: str = "light") -> None:
    """One picture of the first screen of a page."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=2 if size == PHONE else 1,
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=78)
    context.close()


STYLE = """text { font: 15px system-ui, sans-serif; fill: #1c2733; text-anchor: middle }
.note { font-size: 12.5px; fill: #53616e }
rect { fill: #fff; stroke: #5b7083; stroke-width: 1.3; rx: 8 }
.decides { fill: #e7f0fa; stroke: #1d5fa6 }
.model { fill: #f4f1e6; stroke: #8a7a3a; stroke-dasharray: 5 3 }
path { fill: none; stroke: #5b7083; stroke-width: 1.4; marker-end: url(#tip) }"""


def workflow() -> str:
    """The compiled graph: what decides in the middle, the probes below, the nodes that ask a model on the right."""
    names = [name for name in compiled().get_graph().nodes if not name.startswith("__")]
    fixed = ("classifier", "planner", "judge", "review")
    models = [name for name in names if name in ASSISTANTS]
    probes = [name for name in names if name not in (*fixed, *models)]
    lines = [
        box("classifier", 70, 60, "decides", "reads, proposes"),
        box("planner", 270, 60, "decides", "what is asked next"),
        box("judge", 470, 60, "decides", "the rules"),
        box("review", 670, 60, "decides", "a person, if asked for"),
        '<path d="M140 60H196"/><path d="M340 50H396"/><path d="M400 72H344"/>',
        '<path d="M270 30C300 4 620 4 664 30"/>',
        '<text class="note" x="130" y="146">one node for each probe</text>',
        '<text class="note" x="560" y="290">may ask</text><text class="note" x="560" y="306">a model</text>',
    ]
    for number, name in enumerate(probes):
        lines.append(box(name, 100 + 130 * (number % 4), 190 + 62 * (number // 4), ""))
    for number, name in enumerate(models):
        lines.append(box(name, 670, 190 + 46 * number, "model"))
    lines += [
        '<path d="M256 84L240 166"/><path d="M400 166L462 86"/>',
        '<path d="M320 84C400 128 560 120 612 160L640 170"/><path d="M700 172C700 110 560 120 500 86"/>',
    ]
    body = "\n".join(lines)
    height = 190 + max(62 * ((len(probes) + 3) // 4), 46 * len(models))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" role="img" aria-label="The workflow">\n'
        f'<style>{STYLE}</style>\n<rect width="760" height="{height}" style="stroke:none;rx:0"/>\n'
        '<defs><marker id="tip" markerWidth="9" markerHeight="9" refX="7" refY="4" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" style="fill:#5b7083;stroke:none;marker-end:none"/></marker></defs>\n{body}\n</svg>\n'
    )


def box(name: str, x: int, y: int, kind: str, note: str = "") -> str:
    """A node around its name."""
    width, height = (140, 48) if note else (116, 34)
    below = f'<text class="note" x="{x}" y="{y + 14}">{note}</text>' if note else ""
    return (
        f'<rect class="{kind}" x="{x - width // 2}" y="{y - height // 2}" width="{width}" height="{height}"/>'
        f'<text x="{x}" y="{y - 3 if note else y + 5}">{name}</text>{below}'
    )


def photographs(packs: Path) -> None:
    """Of the report and the index, from a folder with one pack of each status."""
    index = write(listing(packs), packs)
    system = Path("/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system if system.exists() else None, args=["--no-sandbox"])
        for status in ("supported", "not_supported", "inconclusive"):
            [report] = packs.glob(f"*-{status}-????????????/report.html")
            shown = status.replace("_", "-")
            taken(browser, report, f"report-{shown}", DESK, "dark" if status == "not_supported" else "light")
            if status == "supported":
                taken(browser, report, "report-phone", PHONE)
        taken(browser, index, "index", DESK)
        browser.close()


if __name__ == "__main__":
    (PICTURES / "workflow.svg").write_text(workflow(), encoding="utf-8")
    for folder in sys.argv[1:2]:
        photographs(Path(folder).resolve())
