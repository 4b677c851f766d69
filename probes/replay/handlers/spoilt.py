"""Data that is there and of no use, damaged or sealed: where it lies, and what else on the machine may be it."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.touches.names import SOURCE
from cases.touches.promises import made_by_run
from probes.replay.handlers.archives import Holding, holding, list_archives
from probes.replay.handlers.searching import NOT_LOOKED_INTO, of_another_number
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data_state import Form, form_named, tested
from probes.replay.target.details import Details
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to, scripts_of
from probes.replay.target.symptom import without_changes

say = Sentences(__name__)

VALID = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
"""Paths that can be asked about."""
NAMED = f"find / {NOT_LOOKED_INTO} -type f -not -empty \\( {{tests}} \\) -print 2>/dev/null | head -20; true"
ROOTS = (
    "$(find / -mindepth 1 -maxdepth 1 -type d ! -name proc ! -name sys ! -name dev ! -name run ! -name boot "
    "! -name usr ! -name 'lib*' ! -name bin ! -name sbin ! -name etc ! -name var ! -name opt ! -name root; "
    "find /opt -mindepth 1 -maxdepth 1 ! -name impassable 2>/dev/null)"
)
"""Where nothing of the system's own lies."""
_OF_IT = re.compile(r"\.(?:sha\d*|md5|crc32|asc|sig|sigstore|minisig)$")
"""Endings of a file's check sum or signature, which hold nothing of it."""
_MODULE = re.compile(r"^[A-Za-z_][\w.#]*\.(?=\w+(?::|$))")
"""Of Python's name for an exception, its figures made alike; harnesses leave it out."""


@dataclass(frozen=True)
class SpoiltDetails(Details):
    """What is known of the file and where else its content may be."""

    place: str = ""
    """Absolute."""
    form: Form | None = None
    others: tuple[str, ...] = ()
    """Other files of its name, or of what is sealed in it."""
    held: Holding | None = None
    own: bool = False
    """Whether the run wrote it itself."""


def place_of(trial: ContainerContext) -> str:
    """Where the file lies, as the failing command reaches it."""
    subject = trial.subject
    here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
    return posixpath.normpath(posixpath.join(here, subject.about))


def form_of(trial: ContainerContext) -> Form | None:
    """By the fact that settled it."""
    fact = trial.outcome.settled
    return form_named(fact.process) if fact else None


def kept_in(trial: ContainerContext, place: str, name: str) -> Holding | None:
    """An archive that holds a file of that name, where it is not the file itself."""
    held = holding(posixpath.join(posixpath.dirname(place), name), list_archives(trial, name))
    return held if held and held.path != place else None


def is_own(trial: ContainerContext, place: str) -> bool:
    """Whether the run wrote it before the failing command."""
    subject = trial.subject
    writes = [write for write in subject.events.writes if write.after <= (subject.event or 0)]
    return made_by_run(place, "", subject.prior, writes)


def others(trial: ContainerContext, place: str, name: str) -> tuple[str, ...]:
    """Files elsewhere that bear the name, with or without its endings, or follow it as the rest of it would."""
    stem = name.partition(".")[0]
    tests = " -o ".join(f"-iname {shlex.quote(one)}" for one in dict.fromkeys((name, f"{name}.*", f"{stem}.*", stem)))
    [done] = trial.run("replay-others", NAMED.format(tests=tests), seconds=120)
    found = (path for path in done.output.splitlines() if path.startswith("/") and path != place)
    found = (path for path in found if not of_another_number(path, place))
    run = {*trial.outcome.opened, *scripts_of(trial.subject.attempts[0].command)}
    found = (path for path in found if not (SOURCE.search(path) and path in run))
    return tuple(path for path in found if not (_OF_IT.search(path) or _put_there(path, trial.subject)))


def _put_there(path: str, subject: ReplayTarget) -> bool:
    """Whether a step of the run's that names its folder made a file of that name: an attempt of its own."""
    made = (one for one in subject.events.commands if made_by_run(path, "", (one,), ()))
    return any(posixpath.dirname(path) in one.command for one in made)


def values(told: SpoiltDetails, about: str) -> dict[str, str | None]:
    """The file, how it is tested, and where else its content may be; `about` is its path where no other is known."""
    place = told.place or about
    return {
        "path": shlex.quote(place),
        "folder": shlex.quote(posixpath.dirname(place) or "."),
        "test": tested(told.form, place) if told.form and told.form.test else f"test -s {shlex.quote(place)}",
        "copies": shlex.join(told.others) if told.others else None,
    }


def not_the_machines(told: SpoiltDetails, subject: ReplayTarget, outcome: Outcome) -> str | None:
    """What the run wrote itself is its own; and it must have said what is said here, unless that lies behind what it
    had no credential for.
    """
    if told.own:
        return say("spoilt.what_run_itself", about=subject.about)
    here = {_MODULE.sub("", without_changes(line)) for line in outcome.said}
    name = posixpath.basename(subject.about)
    texts = [step.output or "" for step in subject.events.commands if name in f"{step.command}{step.output}"]
    recorded = {without_changes(line) for text in (subject.output, *texts) for line in text.splitlines()}
    if outcome.credentials:
        return None
    if here and recorded and not any(one.endswith(line) for one in recorded for line in here):
        return say("spoilt.run_own_output")
    return None


def open_still(told: SpoiltDetails, outcome: Outcome) -> Iterator[str]:
    """What may be the whole or the open thing, or could be fetched."""
    network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
    if network != "none":
        yield say("spoilt.network_could_bring")
    if told.others:
        yield say("spoilt.bears_name_whether", others=told.others[0])
    if told.held:
        yield say("spoilt.holds_whether_file", path=told.held.path, member=told.held.member)
