"""Questions the web: DNS, TCP, TLS, plain HTTP and a real browser, with controls, block rules as data, and a guard."""

from probes.browser.chromium import check_browser, find_chromium
from probes.browser.probe import BrowserProbe
from probes.browser.rules import Match, Page, Rule, classify, load_rules

__all__ = ["BrowserProbe", "Match", "Page", "Rule", "check_browser", "classify", "find_chromium", "load_rules"]
