"""What others claimed, beside what was verified: who agrees with whom, and by how much more than chance."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cases.sentences import Sentences
from graph.verdict import Status

if TYPE_CHECKING:
    from verify.batch.lines import Claimed, Finished, Unaudited

say = Sentences(__name__)

VERIFIED = "verified"
"""Our own name among the sources: 1 for supported, 0 for not supported, nothing for what is open."""
CLAIMS = "all claims"
HOW = say("batch.agreement.cohen_scikit_learn_source")
EXTRA = say("batch.agreement.needs_scikit_learn_pip")


class ClaimRow(NamedTuple):
    """One claim, and what became of it."""

    benchmark: str
    task_id: str
    source: str
    kind: str
    run_id: str | None
    claimed: float | None
    status: str | None
    """None where the task was not audited."""
    verified: int | None
    agrees: bool | None
    refuted_by: str | None
    """What showed that a task could be passed that was called impassable."""


class Pair(NamedTuple):
    """Two sources of one benchmark."""

    benchmark: str
    first: str
    second: str
    ratings: int
    agreement: float | None
    kappa: float | None


class Summary(NamedTuple):
    """What the claims about one benchmark come to."""

    benchmark: str
    claims: int
    tasks: int
    sources: int
    pairs: int
    """Of sources that have a κ."""
    between: float | None
    ours: Pair
    refuted: dict[str, int]
    """How many claims of impassable, by what refuted them."""


def rows(lines: "Iterable[Finished | Unaudited]") -> Iterator[ClaimRow]:
    """Every claim beside what was verified."""
    for line in lines:
        status: Status | None = getattr(line, "status", None)
        verified = {Status.SUPPORTED: 1, Status.NOT_SUPPORTED: 0}.get(status) if status else None
        by = " and ".join(getattr(line, "settled_by", ()))
        for one in line.claims:
            agrees = None if verified is None or one.impassable is None else one.impassable == bool(verified)
            refuted = by if agrees is False and one.impassable else None
            told = status.value if status else None
            yield ClaimRow(line.benchmark, line.task_id, *_told(one), told, verified, agrees, refuted)


def _told(one: "Claimed") -> tuple[str, str, str | None, float | None]:
    return one.source, one.kind, one.run_id, one.score


def pairs(claims: Iterable[ClaimRow]) -> list[Pair]:
    """Every two sources of a benchmark, and each source, and all claims, beside what was verified."""
    ratings: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    ours: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for row in claims:
        ours[row.benchmark, CLAIMS]  # so that a benchmark of which nothing is verified is told too
        if row.claimed is None:
            continue
        ratings[row.benchmark][row.source][row.task_id].append(row.claimed)
        if row.verified is not None:
            both = (int(row.claimed >= 0.5), row.verified)
            ours[row.benchmark, row.source].append(both)
            ours[row.benchmark, CLAIMS].append(both)
    found: list[Pair] = []
    for benchmark, sources in ratings.items():
        said = {
            name: {task: int(sum(all_) / len(all_) >= 0.5) for task, all_ in tasks.items()}
            for name, tasks in sources.items()
        }
        for first, second in combinations(sorted(said), 2):
            common = sorted(said[first].keys() & said[second].keys())
            if common:
                found.append(_pair(benchmark, first, second, [(said[first][one], said[second][one]) for one in common]))
    found += [_pair(benchmark, source, VERIFIED, both) for (benchmark, source), both in ours.items()]
    return sorted(found)


def summaries(claims: Sequence[ClaimRow], paired: Sequence[Pair]) -> list[Summary]:
    """One a benchmark."""
    found: list[Summary] = []
    for benchmark in sorted({row.benchmark for row in claims}):
        own = [row for row in claims if row.benchmark == benchmark]
        kappas = [
            one.kappa
            for one in paired
            if one.benchmark == benchmark and one.second != VERIFIED and one.kappa is not None
        ]
        refuted: dict[str, int] = defaultdict(int)
        for row in own:
            if row.refuted_by:
                refuted[row.refuted_by] += 1
        found.append(
            Summary(
                benchmark,
                claims=len(own),
                tasks=len({row.task_id for row in own}),
                sources=len({row.source for row in own}),
                pairs=len(kappas),
                between=sum(kappas) / len(kappas) if kappas else None,
                ours=next(one for one in paired if (one.benchmark, one.first) == (benchmark, CLAIMS)),
                refuted=dict(sorted(refuted.items(), key=lambda item: -item[1])),
            )
        )
    return found


def _pair(benchmark: str, first: str, second: str, both: Sequence[tuple[int, int]]) -> Pair:
    same = sum(one == other for one, other in both)
    return Pair(benchmark, first, second, len(both), round(same / len(both), 4) if both else None, _kappa(both))


def _kappa(both: Sequence[tuple[int, int]]) -> float | None:
    """Cohen's κ; None where it is not defined, or the library is not there."""
    if len(both) < 2 or len({value for pair in both for value in pair}) == 1:
        return None
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        return None
    one, other = zip(*both, strict=True)
    return round(float(cohen_kappa_score(one, other, labels=[0, 1])), 4)


def measurable() -> bool:
    """Whether the library that computes κ is there."""
    from importlib.util import find_spec

    return find_spec("sklearn") is not None
