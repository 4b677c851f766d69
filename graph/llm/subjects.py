"""From what a model cites to targets that a probe can act on; nothing in them is the model's own invention."""

from collections.abc import Sequence

from cases import CommandRun, PageVisit
from cases.hosts import host_of, hosts_of, urls_of
from probes import Barrier, Targets
from probes.barriers import Trait, entry, having

_MOST = 3


def targets_of(
    barrier: Barrier, names: Sequence[str], cited: str, event: CommandRun | None, visit: PageVisit | None
) -> Targets | None:
    """Targets of a hypothesis that rests on the text `cited`; None when it names nothing that stands there."""
    commands = (event.command,) if event and event.kind == "shell" and event.command.strip() else ()
    if barrier in having(Trait.WEB):
        return _web(cited, event, visit, commands)
    kind = entry(barrier)
    if kind.name is None:
        return Targets(commands=commands)
    said = f"{cited}\n{event.command if event else ''}"
    usable = [name.strip() for name in names if kind.name.pattern.fullmatch(name.strip()) and name.strip() in said]
    if not usable:
        return None
    return Targets(commands=commands).model_copy(update={kind.about: tuple(dict.fromkeys(usable))[:_MOST]})


def _web(cited: str, event: CommandRun | None, visit: PageVisit | None, commands: tuple[str, ...]) -> Targets | None:
    if visit:
        host = host_of(visit.url)
        return Targets(urls=(visit.url,), hosts=(host,) if host else ())
    text = f"{cited}\n{event.command if event else ''}"
    urls, hosts = urls_of(text), hosts_of(text)
    return Targets(urls=urls[:3], hosts=hosts[:1], commands=commands) if urls or hosts else None
