"""What brings the thing that is missing: the release's own lists of contents first, the shipped tables as fallback."""

from dataclasses import replace

from cases.sentences import Sentences
from probes.replay.resources.run import ReplayRun
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

MOST = 3
"""Packages that are tried one after another."""


def provided(work: ReplayRun, image: str) -> ReplayTarget:
    """The subject with the packages that hold it, the likeliest first; as it is where nothing can be looked up."""
    subject = work.subject
    held = subject.handler.held(subject)
    if held is None or subject.suggested:
        return subject
    offline = work.context.settings.offline
    contents = work.shop.contents(image, work.containers, work.context.say, offline=offline)
    if contents is None:
        why = say("providing.offline_asked") if offline else say("providing.cannot")
        lists = say("providing.package_index_own", why=why)
        work.outcome.limits.append(say("providing.shipped_tables_say", lists=lists))
        return subject
    tabled = subject.values(subject.attempts[0].command).named.get("apt")
    known = [tabled] if isinstance(tabled, str) else []
    found = contents.packages(*held)
    others = () if found else contents.elsewhere(*held)  # what only bundles a copy is no way where its own package is
    packages = tuple(dict.fromkeys((*found, *known, *others)))[:MOST]
    by_index = contents.distribution(found[0]) if found and held[0] == "module" else None
    work.observe("packages that hold it", ", ".join(packages) or "none", None, None)
    return replace(subject, packages=packages, indexed=by_index)
