"""Facts: what a trace tells of why a command failed, in no language."""

import json
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from cases import patterns as re
from sandboxes.tracing.fact import Fact, FactKind
from sandboxes.tracing.failed_calls import Names, facts_in
from sandboxes.tracing.failing import chain_of, failing, unheeded
from sandboxes.tracing.strace import processes

KEPT = 12
"""Facts of one command."""
SERIES = 3
"""Missing files whose names differ by numbers alone that make a series."""
KIN = 2000
"""Files of one series."""


def facts_of(log: str, hooks: str, output: str, *, oom: bool = False, within: bool = False) -> tuple[Fact, ...]:
    """What mattered, the likeliest cause first; empty where nothing failed.

    `log` is the tracer's, `hooks` what interpreters told (a JSON object a line), `output` what the command printed.
    The last process that failed is followed down to the one where it began; of its failed calls those count whose name
    was found nowhere, named ones before the last, and after them those of other processes that failed. `within` a
    command that ended well counts what failed all the same, as in a script that goes on after a failure.
    """
    everything = processes(log)
    told = _of_hooks(hooks, output)
    if not everything:
        return told
    chain = chain_of(everything[0]) or (unheeded(everything) if within else [])
    names = Names(everything, output)
    others = [process for process in failing(everything[0]) if process not in chain]
    facts = [fact for process in reversed(chain) for fact in facts_in(process, names)]
    beside = [fact for process in others for fact in facts_in(process, names)] if chain else []
    killed = next((process for process in reversed(chain) if process.signal not in (None, "SIGPIPE")), None)
    ended: list[Fact] = []
    if oom:
        ended = [Fact(kind="out of memory", subject="memory", process=(killed or everything[0]).program)]
    elif killed and killed.signal:
        ended = [Fact(kind="killed", subject=killed.signal, process=killed.program)]
    measured = (*facts, *beside)
    ranked = (*ended, *told, *(fact for fact in measured if fact.named), *(fact for fact in measured if not fact.named))
    first = {fact.key: fact for fact in reversed(ranked)}
    return tuple(_with_kin([first[key] for key in dict.fromkeys(fact.key for fact in ranked)]))[:KEPT]


def _of_hooks(hooks: str, output: str) -> tuple[Fact, ...]:
    """A fact for each exception that ended an interpreter, as our hooks told it, the last first."""
    facts = []
    for line in reversed(hooks.splitlines()):
        try:
            told: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        if fact := _of_hook(told, output):
            facts.append(fact)
    return tuple(facts)


def _of_hook(told: dict[str, Any], output: str) -> Fact | None:
    types, name = told.get("types", ()), told.get("name")
    if not isinstance(types, list) or not isinstance(name, str) or not name:
        return None
    kinds: dict[str, FactKind] = {"ModuleNotFoundError": "module missing", "packageNotFoundError": "package missing"}
    kind = next((kinds[kind] for kind in types if kind in kinds), None)
    return Fact(kind=kind, subject=name, process=str(told.get("language", "")), named=name in output) if kind else None


def _with_kin(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Several missing files of one series as one: what works once all are there needs more than one of them."""
    series = defaultdict[tuple[str, str], list[str]](list)
    for fact in facts:
        series[_series(fact)].append(fact.subject)
    for fact in facts:
        first, *kin = series[_series(fact)]
        if fact.kind != "file missing" or len(kin) + 1 < SERIES:
            yield fact
        elif fact.subject == first:
            yield fact.model_copy(update={"kin": tuple(kin[:KIN])})


def _series(fact: Fact) -> tuple[str, str]:
    folder, name = posixpath.split(fact.subject)
    return (f"{fact.kind} {folder}", re.sub(r"\d+", "#", name)) if re.search(r"\d", name) else fact.key
