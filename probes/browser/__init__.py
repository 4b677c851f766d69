"""Questions the web: DNS, TCP, TLS, plain HTTP and a real browser, with controls, block rules as data, and a guard."""

from cases import Case
from probes.contract import Later, Slot
from probes.model import Ground, Hypothesis

__all__ = ["BrowserProbe"]


class BrowserProbe(Later):
    """Visits what a web hypothesis names and answers PRESENT, and PASSABLE where something stands in the way."""

    name = "browser"
    ground = Ground.WEB
    slot: Slot | None = "browser"
    seconds = 600.0
    home = "probes.browser.probe"

    def targets(self, hypothesis: Hypothesis, case: Case) -> tuple[str, ...]:
        """The addresses, or else its hosts' front pages."""
        del case
        return hypothesis.targets.urls or tuple(f"https://{host}/" for host in hypothesis.targets.hosts)
