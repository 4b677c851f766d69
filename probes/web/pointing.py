"""Where on the screenshot the deciding element stands: what a wall's rule found, or the text that was needed."""

import asyncio
from typing import Any

from playwright.async_api import Error
from playwright.async_api import Page as Tab

from cases import patterns as re
from cases.answers.text_match import visible
from probes.web.rules import Match, Page, Rule, load_rules

NEEDED = "the text that the task needs"
_SECONDS = 3
_LONGEST = 120

# The box of the first visible element of a selector, or of the innermost one that holds a text; clipped to the window.
_FIND = """([selectors, texts]) => {
  const box = element => {
    const at = element.getBoundingClientRect(), style = getComputedStyle(element);
    const left = Math.max(0, at.left), top = Math.max(0, at.top);
    const width = Math.min(innerWidth, at.right) - left, height = Math.min(innerHeight, at.bottom) - top;
    return width < 2 || height < 2 || style.visibility === 'hidden' ? null : [left, top, width, height];
  };
  for (const selector of selectors)
    for (const element of [...document.querySelectorAll(selector)].slice(0, 50)) {
      const found = box(element);
      if (found) return [...found, selector];
    }
  const plain = text => text.replace(/\\s+/g, ' ').toLowerCase();
  const holding = (parent, text) => [...parent.children].find(child =>
    !/^(script|style|template|noscript)$/i.test(child.tagName) && plain(child.textContent).includes(text)
      && (box(child) || child.children.length));
  for (const text of texts) {
    let element = null, next = document.body;
    while (next && (next = holding(next, plain(text)))) element = next;
    const found = element && box(element);
    if (found) return [...found, text];
  }
  return null;
}"""


# How far down anything reaches that a visitor sees: words, pictures, fields and frames, within the window.
_EXTENT = """() => {
  let down = 0;
  const reach = at => {
    if (at.width > 1 && at.height > 1 && at.top < innerHeight && at.left < innerWidth && at.right > 0)
      down = Math.max(down, Math.min(at.bottom, innerHeight));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let seen = 0, node; seen < 5000 && (node = texts.nextNode()); seen++)
    if (node.data.trim() && node.parentElement.checkVisibility({visibilityProperty: true})) {
      range.selectNodeContents(node);
      reach(range.getBoundingClientRect());
    }
  for (const element of [...document.querySelectorAll(
    'img, svg, canvas, video, input, button, select, textarea, iframe, object, embed')].slice(0, 2000))
    if (element.checkVisibility({visibilityProperty: true})) reach(element.getBoundingClientRect());
  return Math.ceil(down);
}"""
BELOW = 24
"""Pixels below the content that belong to it."""


async def extent(tab: Tab) -> str:
    """`WxH of WxH` in pixels: how much of the window has content, or nothing where that cannot be told."""
    try:
        async with asyncio.timeout(_SECONDS):
            down = await tab.evaluate(_EXTENT)
    except (Error, TimeoutError):
        return ""
    size = tab.viewport_size
    if not size or not isinstance(down, int) or not 0 < down <= size["height"]:
        return ""
    return f"{size['width']}x{min(down + BELOW, size['height'])} of {size['width']}x{size['height']}"


async def point(tab: Tab, page: Page, needed: tuple[str, ...], walls: tuple[Match, ...]) -> str:
    """`x,y,width,height of WxH: what` in pixels of the window, or nothing where no element decides."""
    wanted = visible(needed, page.text or "", page.url)
    rules = {rule.id: rule for rule in load_rules()}
    deciding = [rules[wall.rule] for wall in walls if wall.decisive and wall.rule in rules and not wanted]
    selectors = [selector for rule in deciding for selector in (*rule.when.css, *rule.when.any_css)]
    texts = [text for rule in deciding for text in _said(rule, page)]
    try:
        async with asyncio.timeout(_SECONDS):
            found = await tab.evaluate(_FIND, [selectors, [*texts, *wanted]])
    except (Error, TimeoutError):
        return ""
    size = tab.viewport_size
    if not size or not _sound(found, size["width"], size["height"]):
        return ""
    left, top, width, height = (int(number) for number in found[:4])
    what = NEEDED if wanted else str(found[4])[:_LONGEST]
    return f"{left},{top},{width},{height} of {size['width']}x{size['height']}: {what}"


def _said(rule: Rule, page: Page) -> list[str]:
    """The page's own words that the rule's patterns match."""
    text = " ".join((page.text or "").split())
    return [hit[0][:_LONGEST] for pattern in rule.when.text if (hit := re.search(pattern, text))]


def _sound(found: Any, width: int, height: int) -> bool:  # noqa: ANN401 - what a page's own world returned
    """Whether that is a box inside the window; a hostile page may have bent the functions that measure."""
    if not isinstance(found, list) or len(found) != 5:
        return False
    numbers = found[:4]
    if not all(isinstance(number, int | float) and 0 <= number <= max(width, height) for number in numbers):
        return False
    left, top, across, down = (int(number) for number in numbers)
    return across > 0 and down > 0 and left + across <= width and top + down <= height
