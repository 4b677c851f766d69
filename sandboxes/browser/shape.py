"""The build of a page as the browser laid it out: what it asks to be typed in, and what it shows besides text."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace

from playwright.async_api import Error, Frame
from playwright.async_api import Page as Tab

FRAMES, PICTURES = 20, 40
MOST_COVERED = 600
"""Characters of what may lie over a page and be no page itself."""


@dataclass(frozen=True)
class Shape:
    """What is visible of a page, in whatever language; scripts, frames and shadow trees included."""

    passwords: int = 0
    """Fields for a password."""
    fields: int = 0
    """Fields that are typed into, those for passwords included."""
    asking: str = ""
    """The text around fields for a password, up to their button."""
    pictures: int = 0
    """Pictures, drawings and players that take up more room than an icon; where no element does, those that the page
    loaded and that are larger than one, such as what its styles paint.
    """

    def __add__(self, other: "Shape") -> "Shape":
        """Of a page and a frame in it."""
        return Shape(
            self.passwords + other.passwords,
            self.fields + other.fields,
            f"{self.asking}\n{other.asking}".strip(),
            self.pictures + other.pictures,
        )


# Fields of one form need not stand in a <form>, and a <form> may hold the whole page: what asks is the smallest
# element around a field that has a button too, or what is next to it where that would be the whole page.
_MEASURE = """() => {
  const found = {passwords: 0, fields: 0, asking: '', pictures: 0};
  const untyped = ['hidden', 'submit', 'button', 'image', 'reset', 'checkbox', 'radio', 'file', 'range', 'color'];
  const shown = (element, least) => {
    const box = element.getBoundingClientRect();
    return box.width > least && box.height > least && element.checkVisibility({visibilityProperty: true});
  };
  const presses = 'button, [type=submit], [type=image], [type=button], [role=button]';
  const said = (element) => (element.innerText || '').length;
  const holders = new Set();
  const walk = (root, depth) => {
    if (depth > 8) return;
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot, depth + 1);
      const drawn = element.matches('img, svg, canvas, video, object, embed')
        || (element !== document.body && getComputedStyle(element).backgroundImage.includes('url('));
      if (drawn && shown(element, 60)) found.pictures += 1;
      if (!element.matches('input, textarea, [contenteditable=true]')) continue;
      if (untyped.includes(element.type) || !shown(element, 4)) continue;
      found.fields += 1;
      if (element.type !== 'password') continue;
      found.passwords += 1;
      let holder = element.parentElement;
      while (holder && holder.parentElement && !holder.querySelector(presses)) holder = holder.parentElement;
      const near = (element.parentElement || element).parentElement;
      const fits = [holder, element.closest('form'), near].find(one => one && said(one) < 1000);
      if (fits) holders.add(fits);
    }
  };
  walk(document, 0);
  const outer = [...holders].filter(one => ![...holders].some(other => other !== one && other.contains(one)));
  found.asking = outer.map(one => one.innerText || '').join('\\n').slice(0, 20000);
  return found;
}"""


# What lies over most of the window and stays there while the page is scrolled: a dialog, with what dims the rest.
_COVERED = """most => {
  const over = (x, y) => {
    for (let one = document.elementFromPoint(x, y); one && one !== document.body; one = one.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(one).position)) return one;
    return null;
  };
  const found = [];
  for (const x of [0.2, 0.5, 0.8]) for (const y of [0.2, 0.5, 0.8]) found.push(over(innerWidth * x, innerHeight * y));
  const lying = found.filter(Boolean), beneath = document.body ? document.body.innerText.length : 0;
  const said = [...new Set(lying)].map(one => one.innerText || '').join('\\n').trim();
  return lying.length >= 7 && said.length > 0 && said.length < Math.min(most, beneath) ? said : '';
}"""


async def covering(tab: Tab) -> str:
    """The text of what lies over most of a page's window; empty where nothing does, or that could not be told."""
    try:
        async with asyncio.timeout(3):
            return str(await tab.evaluate(_COVERED, MOST_COVERED))
    except (Error, TimeoutError):
        return ""


_LARGE = """urls => Promise.all(urls.map(url => new Promise(done => {
  const one = new Image();
  one.onload = () => done(Math.max(one.naturalWidth, one.naturalHeight) > 60);
  one.onerror = () => done(false);
  setTimeout(() => done(true), 2000);
  one.src = url;
}))).then(all => all.filter(Boolean).length)"""


async def measure(tab: Tab, *, frames: bool, pictures: Collection[str] = ()) -> Shape:
    """The build of a page and of its visible frames; what cannot be read counts as not there.

    `pictures` are addresses of those that the page loaded.
    """
    whole = Shape()
    for frame in tab.frames[: FRAMES if frames else 1]:
        whole += await _measured(frame)
    return whole if whole.pictures else replace(whole, pictures=await _large(tab, pictures))


async def _large(tab: Tab, pictures: Collection[str]) -> int:
    """How many pictures are larger than an icon, as far as that can be told."""
    if not pictures:
        return 0
    try:
        async with asyncio.timeout(4):
            return int(await tab.evaluate(_LARGE, sorted(pictures)[:PICTURES]))
    except (Error, TimeoutError):
        return len(pictures)


async def _measured(frame: Frame) -> Shape:
    try:
        async with asyncio.timeout(3):
            if frame.parent_frame and not await (await frame.frame_element()).is_visible():
                return Shape()
            return Shape(**await frame.evaluate(_MEASURE))
    except (Error, TimeoutError):
        return Shape()
