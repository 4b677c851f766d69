"""Live progress on stderr: a spinner for each running probe on a terminal, plain lines elsewhere."""

from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from verify.terminal import err, one_line, shorten

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from graph import Progress

Loudness = Literal["quiet", "normal", "verbose"]
_MARKS = {"started": "…", "finished": "✓", "failed": "✗", "note": "·"}
_STYLES = {"finished": "green", "failed": "yellow", "note": "dim", "started": "dim"}


class Reporter:
    """Called with every step of an audit; a context manager, because a terminal's spinner must be put away."""

    def __init__(
        self,
        loudness: Loudness,
        told: Callable[[str], str] = str,
        bar: "Bar | None" = None,
        task: str = "",
        asking: Counter[str] | None = None,
    ) -> None:
        """Say nothing when quiet; say notes too when verbose; `told` makes of a step's words what may be shown.

        One of many has the `bar` of all, and names its `task`; of its steps only the verbose say more than that.
        `asking` counts the probes that are running in all of them.
        """
        self._told = told
        self._loudness = loudness
        self._console = err()
        self._shared = bar
        self._bar: Bar | None = bar
        self._task = task
        self._running: dict[tuple[str, str | None], TaskID] = {}
        self._asking = Counter[str]() if asking is None else asking
        self._asked = set[tuple[str, str | None]]()

    def __enter__(self) -> Self:
        """Start the live display, on a terminal only."""
        if self._bar is None and self._loudness != "quiet" and self._console.is_terminal and not self._task:
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=self._console,
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Put the live display away."""
        self._asking.subtract(probe for probe, _ in self._asked)
        self._asked.clear()
        if self._shared is not None:
            for running in self._running.values():
                self._shared.remove_task(running)
            self._running.clear()
        elif self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, step: "Progress") -> None:
        """Show one step."""
        if self._loudness == "quiet":
            return
        step = step.model_copy(update={"text": self._told(step.text)})
        key = (step.probe, step.hypothesis)
        self._count(key, step)
        if self._bar is not None:
            self._animate(key, step)
        shown = step.state in ("finished", "failed") and not self._task
        if shown or self._loudness == "verbose" or (self._bar is None and step.state == "started" and not self._task):
            self._line(step)

    def _count(self, key: tuple[str, str | None], step: "Progress") -> None:
        if step.state == "started" and key not in self._asked:
            self._asked.add(key)
            self._asking[step.probe] += 1
        elif step.state in ("finished", "failed") and key in self._asked:
            self._asked.remove(key)
            self._asking[step.probe] -= 1

    def _animate(self, key: tuple[str, str | None], step: "Progress") -> None:
        assert self._bar is not None
        of = f"{self._task}  " if self._task else ""
        text = shorten(f"{of}{step.probe}: {step.text}", max(20, self._console.width - 16))
        if step.state in ("finished", "failed"):
            if key in self._running:
                self._bar.remove_task(self._running.pop(key))
        elif key in self._running:
            self._bar.update(self._running[key], description=text)
        elif step.state == "started":
            self._running[key] = self._bar.add_task(text, total=None)

    def _line(self, step: "Progress") -> None:
        took = "" if step.seconds is None else f" ({step.seconds:.1f} s)"
        words = one_line(step.text)
        if self._console.is_terminal:
            words = shorten(words, max(40, self._console.width - len(step.probe) - len(took) - 6))
        of = f"{one_line(self._task)}  " if self._task else ""
        self._console.print(
            f"{_MARKS[step.state]} {of}{one_line(step.probe)}{took}  {words}", style=_STYLES.get(step.state)
        )
