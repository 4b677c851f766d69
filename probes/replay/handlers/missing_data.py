"""A file that a command needs and does not find: elsewhere under the same name, promised and absent, or made up."""

import posixpath
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import ORDINARY, texts_of
from cases.touches.promises import listed_at, listed_without, made_by_run, said
from probes.model import Answer, Barrier, Envelope, Hypothesis
from probes.replay.handlers.archives import Holding, doubtful, holding, list_archives
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.file_details import FileDetails, Told, agreeing, file_values, is_packed
from probes.replay.handlers.makers import like_it, may_make, scripts_that_name, without_rule
from probes.replay.handlers.searching import (
    PACKED,
    Search,
    hard_coded,
    holder_of,
    in_the_system,
    pointed_at,
    search_by_name,
    search_by_size,
)
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.needs import gone_to, paths_of
from probes.replay.target.sizes import manifests, told_sizes

say = Sentences(__name__)

LINK = say("missing_data.link_machine_own")
POINTER = say("missing_data.pointer_git_lfs")
REMEDY = say("missing_data.give_task_files")

MOST = 3
"""Files of a folder that may be meant by a name that the run itself gave."""


class MissingData(BarrierHandler):
    """`No such file or directory`, of a file that is no program and no header."""

    barriers = (Barrier.MISSING_DATA,)
    noun = "file"
    failure: ClassVar = {Barrier.MISSING_DATA: "no such file"}
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
    details = FileDetails
    present_rests_on = ("image", "workdir")
    gone_suffices = True

    def same(self, subject: str, about: str) -> bool:
        """The same path, however it is spelled."""
        return posixpath.normpath(subject) == posixpath.normpath(about)

    def least(self, about: str, envelope: Envelope) -> str:
        """Look for it."""
        del envelope
        return f"ls -d {shlex.quote(about)}"

    def attempts(
        self, hypothesis: Hypothesis, event: CommandRun | None, about: str, envelope: Envelope
    ) -> tuple[Attempt, ...]:
        """The run's own command alone where it goes elsewhere first: only from there is the path what it says."""
        found = super().attempts(hypothesis, event, about, envelope)
        moves = bool(found) and not found[0].reconstructed and gone_to(found[0].command) and not about.startswith("/")
        return found[:1] if moves else found

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The path from where the command itself looks, and where what may be the file lies."""
        return file_values(subject, command)

    def learn(self, trial: ContainerContext) -> FileDetails:
        """Where in the container files of that name or size lie, and what the task says of it."""
        about = trial.subject.about
        texts = tuple(_texts(trial))
        sizes = pointed_at(trial) or _told_sizes(trial, texts)
        search = search_by_name(trial, sizes)
        given = nearest(about, search.usable)
        around = None if given else holder_of(trial, search.place)
        sized, alike = (None, 0) if given else search_by_size(trial, sizes, search.place)
        beside = Elsewhere() if given else _elsewhere(trial, search, sizes, texts)
        invented = _spelled_by_run(trial.subject) and not beside.reader and not said(about, texts).spoken
        machines_own = not guessed(trial.subject, search.place) and _of_the_machine(search.place, trial)
        value = say("missing_data.files_directories_name", named=len(search.named)) + (
            say("missing_data.such", given=given) if given else ""
        )
        trial.observe("search", value, None, None)
        if sizes:
            told = ", ".join(say("missing_data.bytes", size=size, where=where) for size, where in sizes.items())
            name = "missing_data.only_one" if sized else "missing_data.others"
            value = say(name, told=told, sized=sized, alike=alike)
            trial.observe("search by size", value, None, None)
        return FileDetails(
            told=_told(trial, texts, search, beside.reader, machines_own=machines_own),
            place=search.place,
            of_the_machine=machines_own,
            sizes=tuple(sizes),
            found=given,
            around=around,
            written=hard_coded(trial, about, around if is_packed(about, given) else given or around),
            sized=sized,
            held=beside.held,
            maker=beside.maker,
            kin=beside.kin or (_neighbours(trial, search.place) if invented else ()),
            invented=invented,
            other_doubts=(*size_doubts(search, sizes, sized, alike), *beside.doubts),
            empty=next(iter(search.empty), None),
            pointer=next(iter(search.pointers), None),
        )

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What the failing command opened it did not find made by it."""
        return bool(subject.told(FileDetails).maker)

    def works(self, subject: ReplayTarget, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Only the task's own files can show that it is there."""
        there = {posixpath.basename(path) for path in outcome.given}
        if not outcome.files_known and posixpath.basename(subject.about) not in there:
            return Answer.UNKNOWN, say("missing_data.but_without_task", said=said, remedy=REMEDY)
        return super().works(subject, outcome, said)

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """Its absence means something only where the task's files are known and the task promises it."""
        told, about = subject.told(FileDetails).told, subject.about
        if told.to_make:
            return say("missing_data.what_run_itself", about=about)
        if told.taken:
            return say("missing_data.there_first_what", taken=told.taken)
        pointer = subject.told(FileDetails).pointer
        if not outcome.files_known and not told.absent_there and not (pointer and pointer.endswith(about)):
            listed = say("missing_data.listing_run_shows", listed=told.listed) if told.listed else ""
            return say("missing_data.task_files_not", remedy=REMEDY, listed=listed)
        settled = outcome.settled is not None and outcome.settled.subject == about
        if not told.promised and not (settled and subject.told(FileDetails).of_the_machine):
            return say("missing_data.neither_task_text", about=about)
        return None

    def consequence(self, subject: ReplayTarget) -> str | None:
        """What the run was to make is missing because something before it failed."""
        about = subject.about
        return say("missing_data.what_run_itself", about=about) if subject.told(FileDetails).told.to_make else None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What lies elsewhere, or can be had by the task's own words, is not missing for good."""
        details = subject.told(FileDetails)
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        found, held, maker, doubts = details.found, details.held, details.maker, details.doubts
        reasons = (
            say("missing_data.file_lies_though", quote=shlex.quote(found)) if found else None,
            say("missing_data.below_lies_though", quote=shlex.quote(details.around)) if details.around else None,
            say("missing_data.holds_though_no", path=held.path, member=held.member) if held else None,
            say("missing_data.came_task_speaks", maker=maker) if maker else None,
            say("missing_data.whether_file_not", doubts=doubts[0]) if doubts else None,
            say("missing_data.git_lfs_fetches") if details.pointer and network != "none" else None,
            say("missing_data.task_own_words") if details.told.to_fetch and network != "none" else None,
        )
        return next(filter(None, reasons), None)

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """Where it lies, and whether the task promises it."""
        details, about = subject.told(FileDetails), subject.about
        told, there = details.told, details.found
        remarks = []
        if outcome.passed and there and not is_packed(about, there):
            same = "" if agreeing(about, there) > 1 else say("missing_data.under_same_name")
            remarks.append(say("missing_data.file_lies", quote=shlex.quote(there), same=same))
        if details.around:
            remarks.append(say("missing_data.below_lies", quote=shlex.quote(details.around)))
        if told.promised:
            remarks.append(
                say(
                    "missing_data.speaks",
                    upper=told.promised[:1].upper(),
                    promised=told.promised[1:],
                    basename=posixpath.basename(about),
                )
            )
        if told.absent_there:
            remarks.append(say("missing_data.run_own_shows", absent_there=told.absent_there))
        remarks += [f"{doubt}." for doubt in details.doubts]
        remarks += [say("missing_data.name_but_empty", empty=details.empty)] if details.empty else []
        pointer = details.pointer
        return (*remarks, *([say("missing_data.pointer_git_lfs_not", pointer=pointer)] if pointer else []))


def _dangling(place: str, trial: ContainerContext) -> bool:
    """Whether it, or a directory on the way to it, is a link that leads nowhere and that the run did not make."""
    nearest = f'd={shlex.quote(place)}; until [ -L "$d" ] || [ "$d" = / ]; do d="$(dirname "$d")"; done'
    done = trial.session.run(f'{nearest}; [ ! -e "$d" ] && echo "$d"', seconds=10, looks=True)
    name = posixpath.basename(done.output.strip())
    made = any(may_link(command, name) for command in trial.subject.prior)
    return done.ok and bool(name) and not made


def may_link(command: CommandRun, name: str) -> bool:
    """Whether a command may have made a link of the name, also where it does not spell it."""
    for step in command.steps:
        words = step.command.words[1:]
        if step.command.program == "ln" and any(
            not word.literal or posixpath.basename(word.text.rstrip("/")) == name for word in words
        ):
            return True
    return "symlink" in command.command


def _spelled_by_run(subject: ReplayTarget) -> bool:
    return any(word.endswith(subject.about) for word in paths_of(subject.attempts[0].command))


def _neighbours(trial: ContainerContext, place: str) -> tuple[str, ...]:
    """The only file of its folder, or the only two or three."""
    listing = f"find {shlex.quote(posixpath.dirname(place))} -maxdepth 1 -type f -not -empty -not -name '.*' | head -4"
    [done] = trial.run("replay-neighbours", listing)
    found = done.output.splitlines() if done.ok else []
    return tuple(found) if len(found) <= MOST else ()


def guessed(subject: ReplayTarget, place: str) -> bool:
    """Whether the run itself gave the path: in the failing command, or in a file that it wrote before."""
    failing = subject.event if subject.event is not None else 0
    written = (write.content for write in subject.events.writes if write.after <= failing)
    return any(posixpath.basename(place) in text for text in (subject.attempts[0].command, *written))


def _of_the_machine(place: str, trial: ContainerContext) -> bool:
    """Whether it lies outside the task's directory, where the run's user may write nothing."""
    if trial.session.spec.sudo or f"{place}/".startswith(f"{trial.session.spec.workdir.rstrip('/')}/"):
        return False
    nearest = f'd={shlex.quote(place)}; until [ -e "$d" ]; do d="$(dirname "$d")"; done; ! test -w "$d"'
    return trial.session.run(nearest, seconds=10, looks=True).ok


def _listed_without(subject: ReplayTarget, place: str, trial: ContainerContext) -> str | None:
    """The run's own listing of the directory in which the file should be, where the container has it too."""
    folder, name = posixpath.split(place)
    plain = {*ORDINARY, trial.session.spec.workdir, subject.home}
    if folder in plain or folder not in trial.outcome.given:
        return None
    return listed_without(folder, name, subject.events.commands)


def _texts(trial: ContainerContext) -> Iterator[tuple[str, str]]:
    yield from texts_of(trial.context.case, trial.context.settings.workspace, trial.outcome.task_files or ())
    yield from trial.outcome.documents


def _told(
    trial: ContainerContext, texts: Sequence[tuple[str, str]], search: Search, reader: str, *, machines_own: bool
) -> Told:
    subject, about = trial.subject, trial.subject.about
    told = said(about, texts)
    failing = subject.event if subject.event is not None else 0
    writes = [write for write in subject.events.writes if write.after <= failing]
    own = made_by_run(about, subject.output, subject.prior, writes)
    sign = POINTER if search.place in search.pointers and not own else LINK if _dangling(search.place, trial) else ""
    return Told(
        promised=told.promised or sign or ("" if told.spoken else reader),
        to_make=told.to_make or (not machines_own and own),
        to_fetch=told.to_fetch,
        listed=listed_at(about, subject.prior),
        absent_there=_listed_without(subject, search.place, trial),
        taken=""
        if search.named or search.pointers
        else _given(posixpath.basename(search.place), search.place, trial.outcome),
    )


def _told_sizes(trial: ContainerContext, texts: Sequence[tuple[str, str]]) -> dict[int, str]:
    """By the task's texts, the run's earlier listings, and those of other runs that did not make it themselves."""
    subject, workspace = trial.subject, trial.context.settings.workspace
    about, listed = subject.about, manifests(workspace, trial.outcome.task_files or ())
    shown = list(subject.prior)
    for events in trial.context.events.values():
        if events is not subject.events and not made_by_run(about, "", events.commands, events.writes):
            shown += events.commands
    return told_sizes(about, (*texts, *listed), shown)


def _given(name: str, place: str, outcome: Outcome) -> str:
    """Where it was before the run's first step."""
    if place in outcome.given:
        return place
    files = outcome.task_files or ()
    return next((path for path in files if f"/{path}".endswith(f"/{name}") or f"/{name}/" in f"/{path}"), "")


def size_doubts(search: Search, sizes: dict[int, str], sized: str | None, alike: int) -> Iterator[str]:
    """Doubts by name and size."""
    told = " or ".join(say("missing_data.bytes_says", size=size, where=where) for size, where in sizes.items())
    if sized:
        yield say("missing_data.only_file_there", sized=sized, told=told)
    if alike > 1:
        yield say("missing_data.different_files_told", alike=alike, told=told)
    for path, size in search.other[:1]:
        yield say("missing_data.name_but_bytes", path=path, size=size, told=told)


@dataclass(frozen=True)
class Elsewhere:
    """What may hold, make or be it, where nothing of its name lies there."""

    held: Holding | None = None
    maker: str = ""
    """A script of the task's."""
    kin: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    reader: str = ""
    """A script that reads it, where none makes it and the failing command was seen to need it."""


def _elsewhere(
    trial: ContainerContext, search: Search, sizes: dict[int, str], texts: Sequence[tuple[str, str]]
) -> Elsewhere:
    subject, place = trial.subject, search.place
    archives = list_archives(trial, posixpath.basename(place))
    held = holding(place, archives)
    reader = "\n".join((subject.attempts[0].command, subject.output, *trial.outcome.opened))
    scripts = scripts_that_name(trial, place)
    readers = without_rule(trial, place, scripts, reader)
    settled = trial.outcome.settled
    needed = settled is not None and posixpath.normpath(settled.subject) == place
    others = {path: text for path, text in scripts.items() if path not in readers}
    maker = may_make(place, others, reader, settled.process if settled and needed else "")
    namers = (
        [path for path, text in scripts.items() if posixpath.basename(place) in text] if needed and not maker else []
    )
    kin = like_it(trial, place, sizes, texts, search.named)
    unseen = doubtful(posixpath.basename(place), archives)
    system = in_the_system(trial, place)
    trial.observe("search in archives", f"{len(archives)}{f', found in {held.path}' if held else ''}", None, None)
    doubts = (unseen, say("missing_data.name", system=system[0]) if system else "")
    return Elsewhere(held, maker, kin, tuple(doubt for doubt in doubts if doubt), next(iter(namers), ""))


def nearest(about: str, paths: Sequence[str]) -> str | None:
    """The one whose end agrees most with the path, plain ones before packed ones."""
    return min(paths, key=lambda path: (path.endswith(PACKED), -agreeing(about, path), path), default=None)
