"""What a page has put off: what its scripts and styles are still to do by themselves."""

import contextlib
from math import inf

from playwright.async_api import Error
from playwright.async_api import Page as Tab

# The milliseconds until each: null for what is done again and again.
KEPT = """(() => {
  const due = new Map(), {setTimeout: once, setInterval: often, clearTimeout: drop} = window;
  window.setTimeout = (what, wait, ...given) => {
    const id = once(what, wait, ...given);
    due.set(id, performance.now() + (Number(wait) || 0));
    return id;
  };
  window.setInterval = (what, wait, ...given) => {
    const id = often(what, wait, ...given);
    due.set(id, Infinity);
    return id;
  };
  window.clearTimeout = window.clearInterval = id => { due.delete(id); drop(id); };
  Object.defineProperty(window, Symbol.for('due'), {value: () => [
    ...[...due.values()].map(at => at - performance.now()),
    ...document.getAnimations().filter(one => one.playState === 'running' && one.effect)
      .map(one => one.effect.getComputedTiming().endTime - (one.currentTime || 0)).filter(Number.isFinite),
  ].filter(left => left > 0).map(left => Number.isFinite(left) ? left : null)});
})()"""
"""For a page that keeps account of it, before any script of its own runs."""
_DUE = "() => (window[Symbol.for('due')] || (() => []))()"


async def due(tab: Tab) -> list[float]:
    """Seconds until each thing that the page has put off, infinite for what it does again and again.

    Empty for a page that was opened without `KEPT`.
    """
    found = list[float]()
    for frame in tab.frames:
        with contextlib.suppress(Error):
            found += [inf if left is None else left / 1000 for left in await frame.evaluate(_DUE)]
    return found
