"""An answer to an address beside the one in question: what is asked of the same host as a control."""

from dataclasses import dataclass

from probes.web.plain import Plain
from probes.web.rules import Match, count, title_of, visible_text
from probes.web.snapshot import View

_TYPED = "textarea, input:not([type]), " + ", ".join(
    f"input[type={kind}]" for kind in ("text", "search", "email", "number", "tel", "url", "password")
)


@dataclass(frozen=True)
class Beside:
    """What plain HTTP was answered, and the rules that hold for it."""

    plain: Plain
    matches: tuple[Match, ...] = ()
    view: View | None = None
    """What the browser saw of it, without its source, where plain HTTP does not show what a page is."""

    @property
    def text(self) -> str:
        """What it shows."""
        return self.view.text if self.view else visible_text(self.plain.body)

    @property
    def title(self) -> str:
        """Its title."""
        return self.view.title if self.view else title_of(self.plain.body)

    @property
    def passwords(self) -> int:
        """Fields for a password, hidden ones included where only its source is known."""
        return self.view.shape.passwords if self.view else count(self.plain.body, "input[type=password]")

    @property
    def fields(self) -> bool:
        """Whether it has anything to type into."""
        return (self.view.shape.fields if self.view else count(self.plain.body, _TYPED)) > 0

    @property
    def status(self) -> int | None:
        """As the browser saw it, or the plain client."""
        return self.view.status if self.view else self.plain.status

    @property
    def trouble(self) -> str:
        """Why the answer does not come from a living site that lets us in; empty where it does."""
        walls = [match.rule for match in self.matches if match.decisive]
        if self.plain.error:
            return self.plain.error
        if walls:
            return f"rule {walls[0]}"
        status = self.plain.status or 0
        return f"status {status}" if status >= 500 or status == 429 else ""

    def __str__(self) -> str:
        """For an observation."""
        rules = f"; rules: {', '.join(match.rule for match in self.matches)}" if self.matches else ""
        return (self.plain.error or f"status {self.plain.status}") + rules
