"""In which of a trace's processes a failure began."""

from collections.abc import Iterator, Sequence

from sandboxes.tracing.strace import Process


def chain_of(first: Process) -> list[Process]:
    """From the first process down to where its failure began: each time the child that failed last."""
    chain, process = [first], first
    while True:
        failed = failed_children(process)
        if not failed:
            break
        process = max(failed, key=lambda child: child.ended)
        chain.append(process)
    return chain if any(process.failed for process in chain) else []


def unheeded(everything: Sequence[Process]) -> list[Process]:
    """Processes whose failure nobody above them took up, with what they began; the last failure last."""
    first = [one for one in everything if one.failed and one.signal != "SIGPIPE"]
    alone = (one for one in first if one.parent is None or not one.parent.failed)
    return [process for one in sorted(alone, key=lambda one: one.ended) for process in chain_of(one)]


def failed_children(process: Process) -> list[Process]:
    return [child for child in process.children if child.failed and child.signal != "SIGPIPE"]


def failing(process: Process) -> Iterator[Process]:
    """Every process that failed, what it started before itself, the last to end first."""
    for child in sorted(failed_children(process), key=lambda child: -child.ended):
        yield from failing(child)
    if process.failed:
        yield process
