"""Looking at one address through all layers, politely and guarded."""

import asyncio
from dataclasses import replace
from time import monotonic

from cases.answers.text_match import visible
from cases.sentences import Sentences
from probes.web.browser_visit import CrashError, visit
from probes.web.conditions import Conditions
from probes.web.neighbours import ask, ask_beside, robots
from probes.web.plain import Plain, fetch
from probes.web.record import Record
from probes.web.records import Look
from probes.web.rules import Match, classify, visible_text
from probes.web.snapshot import Manner, View
from probes.web.web import Web
from sandboxes.browser.layers import Handshake, Names, connect, look_up
from sandboxes.browser.urls import action_like, host_of, port_of
from sandboxes.egress import Allowed, Denied, EgressProxy, is_address

say = Sentences(__name__)


async def look(
    web: Web,
    url: str,
    needed: tuple[str, ...],
    record: Record,
    *,
    number: int = 1,
    patience: float = 8.0,
    with_sibling: bool = False,
    conditions: Conditions | None = None,
    entrance: str = "",
    neighbours: bool = True,
    pressing: bool = False,
) -> Look:
    """One visit; whatever happens on the way is in the result and in `record`.

    With an `entrance` that address is opened first, in the same session; without `neighbours` nothing else is asked.
    With `pressing` the page is scrolled and its controls are pressed.
    """
    chosen = conditions or web.patient
    first = number == 1 and chosen.patient
    manner = Manner(needed, patience, chosen, har=first, pictures=chosen.patient, entrance=entrance, pressing=pressing)
    async with web.locks[host_of(url)]:
        if refused := _refusal(web, url):
            record.note("guard", f"{url}: {refused}")
            return Look(url, Names(None), refused=refused)

        async def visited(own: Record) -> Look:
            web.visits += 1
            seen = await _layers(web, url, manner, own, number)
            return await ask_beside(web, seen, own, with_sibling=with_sibling) if neighbours else seen

        def fitting(kept: Look) -> Look | None:
            return _read_for(kept, needed)

        how = (bool(needed), number, patience, with_sibling, chosen.model_dump_json(), entrance, neighbours, pressing)
        return await web.shelf.once((_place(web, url), how), record, web.caps.kept_seconds, visited, fitting)


async def get(web: Web, url: str, record: Record, name: str) -> Plain:
    """One GET by plain HTTP through the guard, counted and polite like a visit."""
    async with web.locks[host_of(url)]:
        if refused := _refusal(web, url):
            return Plain(url, error=refused, denied=True)

        async def visited(own: Record) -> Plain:
            web.visits += 1
            async with web.proxy() as proxy:
                return (await ask(web, url, proxy, own, name)).plain

        return await web.shelf.once((_place(web, url), name), record, web.caps.kept_seconds, visited, lambda kept: kept)


def _place(web: Web, url: str) -> tuple[str, str]:
    """An address as it is seen from here."""
    return web.vantage(lab=web.is_mapped(url)), url


def _read_for(kept: Look, needed: tuple[str, ...]) -> Look | None:
    """An earlier look, read for these texts; None where either reader's text was there, which ends a visit early."""
    view, plain = kept.view, kept.plain
    seen = _seen(needed, view, kept.url) if view else ()
    seen_plain = visible(needed, visible_text(plain.body), kept.url) if plain else ()
    same = (seen, seen_plain) == (kept.seen, kept.seen_plain)
    return kept if same and not (seen or seen_plain) else None


def _refusal(web: Web, url: str) -> str:
    if action_like(url):
        return say("observe.not_visited_fetching")
    if web.visits >= web.caps.visits:
        return say("observe.not_visited_audit", visits=web.caps.visits)
    return ""


async def _names(web: Web, url: str, record: Record) -> Look:
    began = monotonic()
    host = host_of(url)
    names = web.names.get(host) or await look_up(host, web.policy.mapped(host), web.resolvers)
    if names.found:
        web.names[host] = names
    record.note("dns", f"{host}: {names}", began)
    return Look(url, names)


async def _layers(web: Web, url: str, manner: Manner, record: Record, number: int) -> Look:
    seen = await _names(web, url, record)
    if not seen.names.found:
        return seen
    host = host_of(url)
    where = await web.policy.dial(host, port_of(url))
    if isinstance(where, Denied):
        record.note("guard", f"{host}: {where.reason}")
        return replace(seen, refused=say("observe.denied_our_guard", reason=where.reason))
    shake = await _handshake(web, url, where, record)
    seen = replace(seen, handshake=shake)
    if shake.state != "ok":
        return seen
    keys = await web.keys_for(url, shake)
    async with web.proxy() as proxy:
        plain, plain_matches = await _plain(web, url, proxy, record)
        seen = replace(seen, plain=plain, seen_plain=visible(manner.needed, visible_text(plain.body), url))
        wishes = asyncio.create_task(robots(web, url, record)) if number == 1 else None
        seen = await _browse(web, seen, manner, proxy, record, number, keys)
        if wishes:
            await wishes
        if seen.view is None or (not seen.view.html and seen.view.status is None):
            seen = replace(seen, matches=plain_matches)
        seen = await _onward(web, seen, record)
        for denial in proxy.denials:
            record.note("guard", f"{denial.host}:{denial.port}: {denial.reason}")
    return seen


async def _onward(web: Web, seen: Look, record: Record) -> Look:
    """With what the resolvers say of a host to which the page led in vain."""
    if not seen.view or not seen.view.onward or is_address(host_of(seen.view.onward)):
        return seen
    return replace(seen, onward=(await _names(web, seen.view.onward, record)).names)


async def _handshake(web: Web, url: str, where: Allowed, record: Record) -> Handshake:
    began = monotonic()
    host, tls = host_of(url), url.startswith("https:")
    shake = await connect(where, host, tls=tls, context=web.trust_for(host), via=web.via)
    connected = shake.state in {"ok", "tls_failed"}
    record.note("tcp", f"{where.address}:{where.port}: {'connected' if connected else shake.detail}", began)
    if tls and connected:
        told = f"{shake.detail}; certificate {shake.certificate}" if shake.certificate else shake.detail
        record.note("tls", f"{'verified' if shake.state == 'ok' else 'failed'}: {told}", began)
    return shake


async def _plain(web: Web, url: str, proxy: EgressProxy, record: Record) -> tuple[Plain, tuple[Match, ...]]:
    began = monotonic()
    plain = await fetch(url, proxy, web.trust_for, web.caps)
    matches = await asyncio.to_thread(classify, plain.page(url)) if plain.status else ()
    record.plain(plain, matches, began)
    return plain, matches


async def _browse(
    web: Web,
    seen: Look,
    manner: Manner,
    proxy: EgressProxy,
    record: Record,
    number: int,
    keys: frozenset[str],
) -> Look:
    """The browser, started anew once when it crashes."""
    needed, problems = manner.needed, dict[str, None]()
    for attempt in (1, 2):
        began = monotonic()
        try:
            async with web.pool.browser(keys) as started:
                record.note("chromium", f"version {started.browser.version}, sandbox {started.sandbox}")
                view = await visit(started, seen.url, proxy, manner)
        except CrashError as crash:
            problems[str(crash)] = None
            record.note("browser", f"crashed (attempt {attempt} of 2): {crash}", began)
            continue
        matches = await asyncio.to_thread(classify, view.page(seen.url)) if view.status or view.html else ()
        await asyncio.to_thread(record.view, seen.url, view, matches, began, number)
        return replace(seen, view=view, matches=matches, seen=_seen(needed, view, seen.url))
    return replace(seen, crashed=say("observe.browser_crashed_twice", problem="; then ".join(problems)))


def _seen(needed: tuple[str, ...], view: View, url: str) -> tuple[str, ...]:
    return visible(needed, f"{view.title}\n{view.said}", url) if view.status and view.status < 500 else ()
