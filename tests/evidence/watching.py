"""A browser's page under watch: whatever a page of ours must not do."""

from pathlib import Path

from playwright.sync_api import BrowserContext, Page


class Watched:
    """A page and everything it did that a report must not do."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))

    def open(self, target: Path | str, settle: int = 0) -> "Watched":
        """Load a file or an address, and give what a script may have begun `settle` milliseconds."""
        self.page.goto(target.as_uri() if isinstance(target, Path) else target)
        if settle:
            self.page.wait_for_timeout(settle)
        return self

    def unfold(self) -> "Watched":
        """Open whatever is folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        return self

    @property
    def asked(self) -> list[str]:
        """Requests besides the page's own and its inlined pictures."""
        return [url for url in self.requests[1:] if not url.startswith("data:")]

    @property
    def pwned(self) -> bool:
        """Whether an attack's script ran."""
        return self.page.evaluate("typeof window.pwned") != "undefined"
