"""The end of a batch: what became of the tasks, what settled them, what is missing, and what to do next."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cases.sentences import Sentences, counted
from graph.verdict import Status
from verify.batch.agreement import EXTRA, HOW, measurable
from verify.terminal import one_line, shorten

if TYPE_CHECKING:
    from verify.batch.agreement import Summary
    from verify.batch.lines import Finished, Missing

say = Sentences(__name__)

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
        names += [("locus", line.locus.value if line.locus else say("batch.table.not_located"))]
        names += [("agent", name) for name in line.agents]
        for part, name in names:
            self._parts[part][name][line.status] += 1
        if line.settled_by:
            self.settled[
                " and ".join(line.settled_by)
                + (" only" if len(line.settled_by) == 1 and " " not in line.settled_by[0] else "")
            ] += 1
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
            yield part + (say("batch.table.run_failed") if part == "agent" else "")
            ranked = sorted(named.items(), key=lambda item: (-item[1].total(), item[0]))
            for name, counts in ranked[:LISTED]:
                yield _row(f"  {shorten(name, WIDTH - 4)}", counts)
            if len(ranked) > LISTED:
                yield say("batch.table.more_results", number=len(ranked) - LISTED)
        if self.settled:
            yield say(
                "batch.table.settled", by=", ".join(f"{name}: {count}" for name, count in self.settled.most_common())
            )
        for name, count in self.missing.most_common():
            what, remedy = REMEDIES[name]
            yield say("batch.table.missing_need", tasks=counted(count, "task"), what=what, remedy=remedy)


def _row(name: str, counts: "Counter[Status]") -> str:
    return f"{one_line(name) if not name.startswith(' ') else name:<{WIDTH}}" + "".join(
        f"{counts[status] or '–':>15}" for status in STATUSES
    )


def agreement_lines(found: "Sequence[Summary]") -> Iterator[str]:
    """What the claims come to, a line a benchmark, and how that was reckoned."""
    for one in found:
        yield _claims(one)
        if one.refuted:
            by = ", ".join(f"{count} by {name}" for name, count in one.refuted.items())
            refuted = counted(sum(one.refuted.values()), "claim of impassable", "claims of impassable")
            yield say("batch.table.claims_impassable_refuted", refuted=refuted, by=by)
    if any(one.between is not None or one.ours.kappa is not None for one in found) or (found and not measurable()):
        yield f"            {HOW if measurable() else EXTRA}"


def _claims(one: "Summary") -> str:
    ours = one.ours
    told = say(
        "batch.table.claims_sources_about_tasks",
        benchmark=one_line(one.benchmark),
        claims=counted(one.claims, "claim"),
        sources=counted(one.sources, "source"),
        tasks=counted(one.tasks, "task"),
    )
    if one.between is not None:
        told += say("batch.table.claims_between", kappa=f"{one.between:.2f}", pairs=counted(one.pairs, "pair"))
    if ours.agreement is not None:
        told += say("batch.table.claims_with_us", agreement=ours.agreement, ratings=ours.ratings)
    if ours.kappa is not None:
        told += say("batch.table.claims_kappa", kappa=f"{ours.kappa:.2f}")
    return told


def next_command(tally: Tally, command: str, out: str, *, errors: int, left: int) -> Iterator[str]:
    """What to give next, the most useful first."""
    if left:
        yield say("batch.table.goes_left", command=command, left=left)
    elif errors:
        yield say("batch.table.tries_again_could_not", command=command, errors=errors)
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
