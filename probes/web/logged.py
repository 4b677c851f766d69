"""The screenshot that a run's log keeps of a page, drawn by our own browser and never by this process."""

import asyncio
import base64
from dataclasses import dataclass

from playwright.async_api import Error

from cases import Run
from cases.screenshots import Screenshot, screenshot
from probes.web.pointing import BELOW
from probes.web.record import Record, slug
from probes.web.web import Web

LOGGED = "screenshot in the log"
"""The name of the observation that holds it."""
_SECONDS = 15
_WIDEST, _HIGHEST = 1280, 4000
_MOST_PIXELS = 40_000_000
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Markers of the segments in which a JPEG states its size."""
_KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}

# The picture as JPEG, at most so wide, and how far down its lines differ from the last one.
_DRAW = """async ([source, widest, highest]) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const scale = Math.min(1, widest / image.naturalWidth, highest / image.naturalHeight);
  const canvas = document.createElement('canvas');
  const width = canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  const height = canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const drawn = canvas.getContext('2d', {willReadFrequently: true});
  drawn.fillStyle = '#fff';
  drawn.fillRect(0, 0, width, height);
  drawn.drawImage(image, 0, 0, width, height);
  const pixels = drawn.getImageData(0, 0, width, height).data, line = width * 4;
  let down = height;
  while (down > 1) {
    const at = (down - 1) * line;
    let plain = true;
    for (let x = 0; x < line && plain; x++)
      plain = Math.abs(pixels[at + x] - pixels[(height - 1) * line + (x % 4)]) < 6;
    if (!plain) break;
    down--;
  }
  return [canvas.toDataURL('image/jpeg', 0.7), width, height, down];
}"""


@dataclass(frozen=True)
class _Drawn:
    jpeg: bytes
    extent: str


async def keep_logged(web: Web, run: Run, url: str, record: Record) -> bool:
    """Write down the last screenshot that a run's files keep of a page; whether they keep one that can be drawn."""
    found = await asyncio.to_thread(screenshot, run, url)
    drawn = await _drawn(web, found) if found else None
    if found is None or drawn is None:
        return False
    shot = record.keep(drawn.jpeg, f"{slug(url)}-in-the-log.jpg", "image/jpeg", private=True)
    record.note(LOGGED, f"at {url}; run {run.run_id}, block {found.block}", artifact=shot)
    record.note("content", drawn.extent, artifact=shot)
    return True


async def _drawn(web: Web, found: Screenshot) -> _Drawn | None:
    """In a tab that has no network; None for what is no picture."""
    kind = next((kind for begins, kind in _KINDS.items() if found.data.startswith(begins)), None)
    if kind is None or not 0 < _pixels(found.data) <= _MOST_PIXELS:
        return None
    source = f"data:{kind};base64,{base64.b64encode(found.data).decode()}"
    try:
        async with asyncio.timeout(_SECONDS), web.pool.browser() as started:
            context = await started.browser.new_context(offline=True, service_workers="block", permissions=[])
            try:
                tab = await context.new_page()
                uri, width, height, down = await tab.evaluate(_DRAW, [source, _WIDEST, _HIGHEST])
            finally:
                await context.close()
    except (Error, TimeoutError):
        return None
    jpeg = base64.b64decode(uri.partition(",")[2])
    return _Drawn(jpeg, f"{width}x{min(down + BELOW, height)} of {width}x{height}")


def _pixels(data: bytes) -> int:
    """As the picture itself states them: what few bytes may unfold to is known before anything unfolds it."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20]) * int.from_bytes(data[20:24])
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAMES:
            return int.from_bytes(data[at + 5 : at + 7]) * int.from_bytes(data[at + 7 : at + 9])
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return 0
