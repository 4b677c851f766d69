"""A file that a command needs and does not find: elsewhere under the same name, promised and absent, or made up."""

import posixpath
import shlex
from collections.abc import Iterator
from typing import ClassVar

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.touches.promises import said
from probes.model import Answer, Barrier, Envelope, Hypothesis
from probes.replay.handlers.base import BarrierHandler, code_attempts
from probes.replay.handlers.file_details import FileDetails, agreeing, file_values, is_packed
from probes.replay.handlers.offers import settings_of
from probes.replay.handlers.promised import count_told, sizes_told, texts_about, told_of
from probes.replay.handlers.searching import (
    Search,
    hard_coded,
    holder_of,
    pointed_at,
    search_by_name,
    search_by_size,
)
from probes.replay.handlers.whereabouts import (
    Elsewhere,
    elsewhere,
    guessed,
    nearest,
    neighbours,
    of_the_machine,
    size_doubts,
    spelled_by_run,
    without_own,
)
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.details import Named
from probes.replay.target.model import Attempt, ReplayTarget
from probes.replay.target.needs import gone_to

say = Sentences(__name__)

REMEDY = say("missing_data.give_task_files")


_TAKEN_AWAY = """d={folder}; while [ ! -d "$d" ]; do d="$(dirname "$d")"; done; cd "$d" 2>/dev/null &&
git log --all -n 20 -F --grep={name} --format= --no-renames --diff-filter=D --name-only 2>/dev/null |
sort -u | head -50; true"""
_POINTED = """for p in {paths}; do
sum="$(sed -n 's/^oid sha256://p' "$p")"; size="$(sed -n 's/^size //p' "$p")"
find / \\( -path /proc -o -path /sys \\) -prune -o -type f -size "${size}c" -print 2>/dev/null |
while IFS= read -r f; do [ "$(sha256sum < "$f" | cut -c 1-64)" = "$sum" ] && printf '%s\\t%s\\n' "$p" "$f"; done
done; true"""
"""Pointers of Git LFS with the files that have what they point to."""


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
        """The run's own code before a look, and its command alone where it goes elsewhere first: only from there is the
        path what it says.
        """
        found = (*code_attempts(event, envelope), *super().attempts(hypothesis, event, about, envelope))
        moves = bool(found) and not found[0].reconstructed and gone_to(found[0].command) and not about.startswith("/")
        return found[:1] if moves else found

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The path from where the command itself looks, and where what may be the file lies."""
        return file_values(subject, command)

    def learn(self, trial: ContainerContext) -> FileDetails:
        """Where in the container files of that name or size lie, and what the task says of it."""
        about = trial.subject.about
        texts = tuple(texts_about(trial))
        sizes = pointed_at(trial) or sizes_told(trial, texts)
        least = count_told(about, texts)
        search = search_by_name(trial, sizes, least)
        machines_own = not guessed(trial.subject, search.place) and of_the_machine(search.place, trial)
        search = without_own(trial, search) if machines_own else search
        given = nearest(about, search.usable)
        around = None if given else holder_of(trial, search.place)
        sized, alike = (None, 0) if given else search_by_size(trial, sizes, search.place)
        beside = Elsewhere() if given else elsewhere(trial, search, sizes, texts)
        invented = spelled_by_run(trial.subject) and not beside.reader and not said(about, texts).spoken
        _observe(trial, search, given, sizes, sized, alike)
        return FileDetails(
            told=told_of(trial, texts, search, beside.reader, machines_own=machines_own),
            place=search.place,
            of_the_machine=machines_own,
            sizes=tuple(sizes),
            least=least,
            found=given,
            around=around,
            written=hard_coded(trial, about, around if is_packed(about, given) else given or around),
            sized=sized,
            held=beside.held,
            maker=beside.maker,
            kin=beside.kin or (neighbours(trial, search.place) if invented else ()),
            invented=invented,
            other_doubts=(
                *size_doubts(search, sizes, least, sized, alike),
                *beside.doubts,
                *_pointed(trial, search),
                *_made_elsewhere(trial, search.place),
                *_under_another_name(trial, search.place),
            ),
            empty=next(iter(search.empty), None),
            pointer=next(iter(search.pointers), None),
            unlike=bool(search.kin),
        )

    def learns_by_facts(self, subject: ReplayTarget) -> bool:
        """What the failing command opened it did not find made by it, and what names it where nobody promised it."""
        told = subject.told(FileDetails)
        return bool(told.maker) or not (told.told.promised or told.told.to_make or told.told.to_fetch or told.found)

    def asked_of(self, subject: ReplayTarget) -> str:
        """What a pointer in its place points to."""
        told = subject.told(FileDetails)
        if told.pointer is None or told.pointer != told.place:
            return ""
        ends = (name for name in subject.works_on if f"/{told.place}".endswith(f"/{name.removeprefix('./')}"))
        file = next(ends, None)
        return say("missing_data.only_a_pointer", file=file) if file else ""

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
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        elsewhere = told.to_fetch and network == "none"
        if not (told.promised or elsewhere) and not (settled and subject.told(FileDetails).of_the_machine):
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


def _observe(
    trial: ContainerContext, search: Search, given: str | None, sizes: dict[int, str], sized: str | None, alike: int
) -> None:
    """What the searches by name and by size found, into the evidence."""
    found = say("missing_data.files_directories_name", named=len(search.named))
    trial.observe("search", found + (say("missing_data.such", given=given) if given else ""), None, None)
    if sizes:
        told = ", ".join(say("missing_data.bytes", size=size, where=where) for size, where in sizes.items())
        name = "missing_data.only_one" if sized else "missing_data.others"
        trial.observe("search by size", say(name, told=told, sized=sized, alike=alike), None, None)


def _made_elsewhere(trial: ContainerContext, place: str) -> Iterator[str]:
    """That the command was to make it itself, and reads what may tell it to do so elsewhere."""
    facts = (fact for fact in trial.outcome.facts if fact.kind == "file missing" and fact.subject == place)
    if any(fact.access == "write" for fact in facts):
        offers = settings_of(trial, place=place)
        if reads := offers.named or offers.unread:
            yield say("disk_full.what_command_reads", reads=reads)


def _pointed(trial: ContainerContext, search: Search) -> tuple[str, ...]:
    """What a pointer of its name in another folder points to, which lies on the machine, may be it."""
    others = [path for path in search.pointers if path != search.place]
    if not others:
        return ()
    [done] = trial.run("replay-pointed", _POINTED.replace("{paths}", shlex.join(others)), seconds=60)
    found = (line.partition("\t") for line in done.output.splitlines())
    return tuple(say("missing_data.pointed", pointer=pointer, path=path) for pointer, _, path in found if path)[:1]


def _under_another_name(trial: ContainerContext, place: str) -> Iterator[str]:
    """What a commit took away that speaks of the file may be it."""
    name, ending = posixpath.basename(place), posixpath.splitext(place)[1]
    if not ending:
        return
    ask = _TAKEN_AWAY.format(folder=shlex.quote(posixpath.dirname(place)), name=shlex.quote(name))
    [done] = trial.run("replay-taken-away", ask, seconds=30)
    other = (path for path in done.output.splitlines() if path.endswith(ending) and posixpath.basename(path) != name)
    if path := next(other, ""):
        yield say("missing_data.taken_away", path=path, name=name)
