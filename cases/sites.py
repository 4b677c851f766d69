"""Which sites a text names: addresses, and bare names of hosts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cases import patterns as re
from cases.answers.values import unaccented
from cases.model import Task

if TYPE_CHECKING:
    from tldextract import TLDExtract

_SITE = re.Whole(r"[\w-]", r"[\w-]")
_HOST = re.compile(
    r"(?i)(?<![\w@./-])(?P<scheme>https?://)?(?P<host>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24})(?![\w-]|\.\w)"
)
_BARE = frozenset({"com", "org", "net", "edu", "gov", "info"})
"""Suffixes under which a bare name is a host; under others (`run.py`, `readme.md`, `app.run`) it may be anything."""
_FILES = frozenset({"ac", "am", "as", "cc", "la", "md", "ml", "pm", "ps", "py", "rs", "sh", "so", "vi"})
"""Countries whose suffixes are, in a bare name, rather a program's, a text's or a library's."""
_PARTS = re.compile(r"\s+[|–—·•:»-]+\s+|\s*[|·•»]\s*")
"""What stands between a page's own title and its site's name."""
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}\W+(?:\w+\W+)*[^\W\d_]{2,}")
_IDEOGRAPHS = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]{4,}")
SHORTEST_NAME = 4
"""Letters of a site's name that a text names by more than chance."""
LONGEST = 200_000
"""Characters of a text that are read."""


@cache
def suffixes() -> "TLDExtract":
    """The public suffixes that the library carries; it must not fetch newer ones by itself."""
    from tldextract import TLDExtract  # noqa: PLC0415 - takes its time, and few texts name a site

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def sites_named(text: str) -> tuple[str, ...]:
    """Hosts in lower case, in order, each once."""
    found = (match for match in _HOST.finditer(text[:LONGEST]))
    return tuple(dict.fromkeys(match["host"].lower() for match in found if _is_host(match)))


def sites_of(task: Task) -> tuple[str, ...]:
    """The task's sites, and what its text names that is a site where the task is one for the web, as `museum.pt`."""
    found = (match["host"] for match in _HOST.finditer((task.prompt or "")[:LONGEST]) if match["host"].islower())
    country = (host for host in found if len(ending := host.rpartition(".")[2]) == 2 and ending not in _FILES)
    named = (host for host in country if suffixes()(host).domain and suffixes()(host).suffix)
    return tuple(dict.fromkeys((*task.sites, *named)))


def with_sites(task: Task) -> Task:
    """The task with the sites that its text names, where nothing else told them."""
    return task if task.sites or not task.prompt else task.model_copy(update={"sites": sites_named(task.prompt)})


def names_site(task: Task, host: str) -> bool:
    """Whether the task is about a host's site: by an address of its data set, by the site standing in its text, or by
    the site's own name standing there as a proper name does, with a capital letter inside a sentence.
    """
    site = suffixes()(host)
    own = {_site_of(urlsplit(url).hostname or "") for url in task.gold_urls} | {_site_of(name) for name in task.sites}
    if _site_of(host) in own:
        return True
    prompt = task.prompt or ""
    if _SITE.within(_site_of(host).removeprefix("www.").casefold(), folded := prompt.casefold()):
        return True
    if not site.suffix or len(site.domain) < SHORTEST_NAME or site.domain.casefold() not in folded:
        return False
    named = re.finditer(rf"(?i)(?<!\w){re.escape(site.domain)}(?!\w)", prompt)
    return any(match[0] != match[0].lower() and not _begins(match) for match in named)


def title_parts(title: str) -> list[str]:
    """A page's own title and its site's name, in the order in which its title has them."""
    return [part.strip() for part in _PARTS.split(title)]


def calls_itself(task: Task, titles: Mapping[str, str]) -> str:
    """The name that a site's own pages bear and that the task's text says; empty where there is none.

    `titles` are those of its pages by address. Its name stands first or last in the title of its first page, or in
    those of most pages, each with another rest. A name is two words, one with a capital letter, or four ideographs.
    """
    prompt, pages, rests = task.prompt or "", dict[str, str](), defaultdict[str, set[str]](set)
    for url, title in titles.items():
        pages[url.partition("#")[0].rstrip("/")] = title
    firsts = set[str]()
    for url, title in pages.items():
        parts = title_parts(title)
        ends = {parts[0], parts[-1]}
        for name in ends:
            rests[name].add(title)
        firsts |= ends if url.partition("://")[2].count("/") == 0 and "?" not in url else set()
    shared = {name for name, seen in rests.items() if len(seen) > 1 and len(seen) * 2 > len(set(pages.values()))}
    lasts = {title_parts(title)[-1] for title in pages.values()}
    for name in sorted(firsts | (shared & lasts), key=lambda one: (-len(one), one)):
        if (_TWO_WORDS.search(name) and name != name.lower() and _SITE.within(name, prompt)) or (
            _IDEOGRAPHS.search(name) and name in prompt
        ):
            return name
    return ""


def listed_as(task: Task, host: str, titles: Iterable[str]) -> str:
    """The name that lists of results give a host's pages, behind their own, where the task's text says it as a proper
    name and the host bears it, or a word of it; empty where there is none.
    """
    domain = unaccented(suffixes()(host).domain.casefold())
    own = {part for part in domain.split("-") if len(part) > SHORTEST_NAME}
    for name in (parts[-1] for title in titles if len(parts := title_parts(title)) > 1):
        words = unaccented(name.casefold()).split()
        borne = not own.isdisjoint(words) or "".join(words) in domain.replace("-", "")
        if borne and _TWO_WORDS.search(name) and name != name.lower() and _SITE.within(name, task.prompt or ""):
            return name
    return ""


def of_one_site(one: str, other: str) -> bool:
    """Whether two hosts are of one registered domain."""
    return _site_of(one) == _site_of(other)


def is_sibling(host: str) -> bool:
    """Whether it is one of several hosts that a site may have: neither its own name nor `www` before it."""
    return host.removeprefix("www.") != _site_of(host).removeprefix("www.")


def _begins(match: re.Match[str]) -> bool:
    """Whether a sentence begins here, where any word has a capital letter."""
    before = match.string[: match.start()].rstrip(" \t\"'“”‘’«»(*_")
    return not before or before[-1] in ".!?:\n"


def _site_of(host: str) -> str:
    return suffixes()(host).top_domain_under_public_suffix or host


def _is_host(match: re.Match[str]) -> bool:
    name = match["host"].lower()
    parts = suffixes()(name)
    sure = match["scheme"] or name.startswith("www.") or "." in parts.suffix or parts.suffix in _BARE
    return bool(parts.domain and parts.suffix and sure)
