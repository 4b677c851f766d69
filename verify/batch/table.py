"""The end of a batch: what became of the tasks, what settled them, what is missing, and what to do next."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cases.sentences import counted
from graph.verdict import Status
from verify.batch.agreement import EXTRA, HOW, measurable
from verify.terminal import one_line, shorten

if TYPE_CHECKING:
    from verify.batch.agreement import Summary
    from verify.batch.lines import Finished, Missing

STATUSES = (Status.SUPPORTED, Status.NOT_SUPPORTED, Status.INCONCLUSIVE)
LISTED = 12
"""Rows of one part; the results' files have them all."""
WIDTH = 44
REMEDIES: "dict[Missing, tuple[str, str]]" = {
    "transcript": ("a transcript", "--run PATH"),
    "task": ("the task's text and answer", "--tasks PATH"),
    "network": ("the network", "without --offline"),
    "probe": ("something that this machine lacks", "verify doctor"),
    "person": ("a person's answer", "--review"),
    "evidence": ("more than any option brings", "verify explain TASK"),
}
"""What an open audit lacks, in words, and what brings it."""


class Tally:
    """What many audits add up to."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.statuses: Counter[Status] = Counter()
        self.seconds = 0.0
        self.cost = 0.0
        self.settled: Counter[str] = Counter()
        self.missing: Counter[Missing] = Counter()
        self.supported: str | None = None
        """A pack of a task that was impassable."""
        self._parts: dict[str, dict[str, Counter[Status]]] = {
            name: defaultdict(Counter) for name in ("benchmark", "category", "locus", "agent")
        }

    def add(self, line: "Finished") -> None:
        """One more."""
        self.statuses[line.status] += 1
        self.seconds += line.seconds
        self.cost += line.cost or 0
        names = [("benchmark", line.benchmark), ("category", line.category)]
        names += [("locus", line.locus.value if line.locus else "not located")]
        names += [("agent", name) for name in line.agents]
        for part, name in names:
            self._parts[part][name][line.status] += 1
        if line.settled_by:
            self.settled[" and ".join(line.settled_by) + (" only" if len(line.settled_by) == 1 else "")] += 1
        self.missing.update(line.missing)
        if line.status is Status.SUPPORTED and self.supported is None:
            self.supported = line.pack

    @property
    def total(self) -> int:
        """How many."""
        return self.statuses.total()

    def lines(self) -> Iterator[str]:
        """The table."""
        yield " " * WIDTH + "".join(f"{status.value.replace('_', ' '):>15}" for status in STATUSES)
        yield _row(f"all {self.total}", self.statuses)
        for part, named in self._parts.items():
            if not named:
                continue
            yield part + (" (whose run failed)" if part == "agent" else "")
            ranked = sorted(named.items(), key=lambda item: (-item[1].total(), item[0]))
            for name, counts in ranked[:LISTED]:
                yield _row(f"  {shorten(name, WIDTH - 4)}", counts)
            if len(ranked) > LISTED:
                yield f"  and {len(ranked) - LISTED} more, in the results"
        if self.settled:
            yield "settled by  " + ", ".join(f"{name}: {count}" for name, count in self.settled.most_common())
        for name, count in self.missing.most_common():
            what, remedy = REMEDIES[name]
            yield f"missing     {count} need{'s' if count == 1 else ''} {what}: {remedy}"


def _row(name: str, counts: "Counter[Status]") -> str:
    return f"{one_line(name) if not name.startswith(' ') else name:<{WIDTH}}" + "".join(
        f"{counts[status] or '–':>15}" for status in STATUSES
    )


def agreement_lines(found: "Sequence[Summary]") -> Iterator[str]:
    """What the claims come to, a line a benchmark, and how that was reckoned."""
    for one in found:
        ours, pairs = one.ours, counted(one.pairs, "pair")
        yield (
            f"claims      {one_line(one.benchmark)}: {one.claims} by {counted(one.sources, 'source')} about "
            f"{counted(one.tasks, 'task')}; between sources κ {_number(one.between)} ({pairs}); "
            f"with us κ {_number(ours.kappa)}, {ours.ratings} compared"
            + (f", {ours.agreement:.0%} agree" if ours.agreement is not None else "")
        )
        if one.refuted:
            by = ", ".join(f"{count} by {name}" for name, count in one.refuted.items())
            yield f"            {counted(sum(one.refuted.values()), 'claim')} of impassable refuted: {by}"
    if found:
        yield f"            {HOW if measurable() else EXTRA}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def next_command(tally: Tally, command: str, out: str, *, errors: int, left: int) -> Iterator[str]:
    """What to give next, the most useful first."""
    if left:
        yield f"{command}    # goes on with the {left} that are left"
    elif errors:
        yield f"{command}    # tries the {errors} again that could not be audited"
    if tally.supported:
        yield f"verify issue {out}/{tally.supported}"
    of_audit = not command.startswith("verify harbor")  # whose logs are the job's own
    for name, _ in tally.missing.most_common():
        if name == "transcript" and of_audit:
            yield f"{command} --run PATH"
        elif name == "task":
            yield f"{command} --tasks PATH"
        elif name == "network":
            yield command.replace(" --offline", "")
        elif name == "probe":
            yield "verify doctor"
        elif name == "person" and of_audit:
            yield f"{command} --review"
    yield f"verify view {out}"
