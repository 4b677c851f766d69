"""What of a page listens to what a visitor does."""

from collections import defaultdict
from typing import NamedTuple

from playwright.async_api import Page as Tab

from cases import patterns as re

LISTENING = 60
"""Elements that are looked at."""
_BY_HAND = re.compile(r"click|dblclick|(?:mouse|pointer|touch)\w+|contextmenu|input|change|submit")
"""Events that a visitor brings about, but for scrolling and what turns."""
_TURNS = re.compile(r"key\w+|wheel|mousewheel|drag\w*|drop")
"""Those of keys, of the wheel and of dragging."""
_PRESSES = re.compile(r"click|(?:mouse|pointer)down|touchstart")
_PRESSABLE = frozenset({"BUTTON", "SELECT", "SUMMARY"})
_WHOLE_PAGE = frozenset({"HTML", "BODY", "#document"})
"""What listens for all that is in it."""
# What holds other things to press hears of these; of what holds several parts only one is pressed.
_MARK = """function () {
  if (this.querySelector('button, select, summary, input, a')) return 'all';
  this.setAttribute('role', 'button');
  return this.children.length > 1 ? 'part' : 'all';
}"""


class Heard(NamedTuple):
    """What is listened to."""

    turns: frozenset[str]
    """The events of keys, of the wheel and of dragging."""
    others: bool
    """Whether more listens to the rest than what can be pressed."""


async def mark(tab: Tab, *, touched: bool) -> Heard:
    """Make what listens for a press something to press; and what else listens to a visitor.

    `touched` says that Playwright's own hands listen to the whole page, too.

    Source: Chrome DevTools Protocol, DOMDebugger.getEventListeners.
    """
    client = await tab.context.new_cdp_session(tab)
    try:
        heard, turns = defaultdict[int, set[str]](set), set[str]()
        for name in ("document", "window"):
            root = await client.send("Runtime.evaluate", {"expression": name})
            asked = {"objectId": root["result"]["objectId"], "depth": -1, "pierce": True}
            for one in (await client.send("DOMDebugger.getEventListeners", asked))["listeners"]:
                if _BY_HAND.fullmatch(one["type"]):
                    heard[one.get("backendNodeId", 0)].add(one["type"])
                if _TURNS.fullmatch(one["type"]):
                    turns.add(one["type"])
        others = bool(heard.pop(0, None)) and not touched
        for node, events in list(heard.items())[:LISTENING]:
            told = (await client.send("DOM.describeNode", {"backendNodeId": node}))["node"]
            if told["nodeName"] in _WHOLE_PAGE:
                others = others or not touched
                continue
            presses, known = any(_PRESSES.fullmatch(kind) for kind in events), told["nodeName"] in _PRESSABLE
            others = others or not (presses or known)
            if presses and not known:
                at = (await client.send("DOM.resolveNode", {"backendNodeId": node}))["object"]["objectId"]
                asked = {"objectId": at, "functionDeclaration": _MARK}
                marked = await client.send("Runtime.callFunctionOn", asked)
                others = others or marked["result"]["value"] == "part"
        return Heard(frozenset(turns), others or len(heard) > LISTENING)
    finally:
        await client.detach()
