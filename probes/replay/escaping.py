"""The escape arm: every route of the ladder in a container of its own, a wave of them at a time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from probes.model import Route
from probes.replay.bookkeeping import Work
from probes.replay.judging import NOT_NEEDED, unfounded, untried
from probes.replay.ladder import ReadyRoute, ladder_for
from probes.replay.log import Log, run
from probes.replay.outcome import Tried
from probes.replay.said import say
from probes.replay.walking import Walk

RESERVE_SECONDS = 45
"""Not begun when less is left: a half-tried route proves nothing."""
GIVEN_SECONDS = 60
WAVE = 2
"""Routes side by side; a fixed number, so that the same audit tries the same ones on every machine."""


def escape(work: Work, command: str) -> None:
    """Try the routes in their order until a wave brings one that works, or all of them when thoroughness is asked."""
    settings, outcome = work.context.settings, work.outcome
    ladder = ladder_for(work.subject, work.context.envelope, command, offline=settings.offline)
    for plan, reason in ladder.meaningless:
        work.observe(f"route: {plan.id}", reason, None, None)
    founded = _founded(work, ladder.ready)
    with ThreadPoolExecutor(WAVE) as pool:
        for wave in _waves(founded):
            if outcome.passed and not settings.thorough:
                outcome.tried += [untried(ready, NOT_NEEDED) for ready in wave]
            elif work.left() < RESERVE_SECONDS:
                outcome.tried += [untried(ready, say("escaping.could_not_tried")) for ready in wave]
            else:
                _side_by_side(work, pool, [Walk(work, ready, command) for ready in wave])
    for plan, reason in ladder.missing:
        outcome.tried.append(Tried(plan, Route(id=plan.id, tier=plan.tier, result="not_tried", note=reason)))
    for plan, reason in ladder.not_permitted:
        outcome.tried.append(Tried(plan, Route(id=plan.id, tier=plan.tier, result="not_permitted", note=reason)))


def _founded(work: Work, routes: tuple[ReadyRoute, ...]) -> tuple[ReadyRoute, ...]:
    """The routes that have what they start from; of the others it is told that it is not there."""
    asked = {ready.plan.id: ready.given for ready in routes if ready.given}
    if not asked or work.left() < RESERVE_SECONDS:
        return routes
    log = Log("replay-routes-begin")
    with work.bench.start(work.spec) as session:
        ends = {id_: run(session, log, given, GIVEN_SECONDS, looks=True) for id_, given in asked.items()}
    digest = work.keep(log)
    for ready in routes:
        if ready.plan.id in ends and not ends[ready.plan.id].ok:
            work.settle(unfounded(ready, ends[ready.plan.id], digest))
    return tuple(ready for ready in routes if ready.plan.id not in ends or ends[ready.plan.id].ok)


def _waves(routes: tuple[ReadyRoute, ...]) -> Iterator[list[ReadyRoute]]:
    left = iter(routes)
    while wave := list(islice(left, WAVE)):
        yield wave


def _side_by_side(work: Work, pool: ThreadPoolExecutor, walks: list[Walk]) -> None:
    """Take the results in the ladder's order, whichever came first; the first that works calls the later ones off.

    What a later one had found by then is dropped, so that an audit says the same on a quick machine and a slow one.
    """
    results = [(walk, pool.submit(walk)) for walk in walks]
    for walk, result in results:
        if work.outcome.passed and not work.context.settings.thorough:
            walk.call_off()
            result.result()
            work.settle(walk.not_needed)
        else:
            work.settle(result.result())
