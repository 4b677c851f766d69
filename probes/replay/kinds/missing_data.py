"""A file that a command needs and does not find: elsewhere under the same name, promised and absent, or made up."""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import ClassVar

from cases import CommandRun
from probes.model import Answer, Barrier, Envelope, Hypothesis
from probes.replay.kinds.archives import Holding, doubtful, holding, list_archives
from probes.replay.kinds.base import Kind
from probes.replay.kinds.makers import like_it, may_make, scripts_that_name
from probes.replay.kinds.searching import PACKED, Search, in_the_system, search_by_name, search_by_size
from probes.replay.needs import gone_to
from probes.replay.outcome import Outcome
from probes.replay.promises import listed_at, listed_without, made_by_run, said
from probes.replay.sizes import manifests, told_sizes
from probes.replay.subject import Attempt, Subject
from probes.replay.trial import Trial
from probes.task_words import ORDINARY, texts_of

REMEDY = "give the task's files with --workspace"
DOUBTS = ("sized_at", "many", "other", "unseen", "kin", "system")
"""Parameters that speak of what may be the file."""
UNPACKED = ".route-unpacked"
"""Below the home directory; the routes write it so."""


class MissingData(Kind):
    """`No such file or directory`, of a file that is no program and no header."""

    barriers = (Barrier.MISSING_DATA,)
    noun = "file"
    failure: ClassVar = {Barrier.MISSING_DATA: "no such file"}
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
    names = frozenset(
        {"path", "name", "folder", "found", "base", "packed", "spoken", "sought", "sized"}
        | {"command_found", "command_sized", "unpacking", "unpacked_base", "member", "command_unpacked"}
    )
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

    def parameters(self, barrier: Barrier, about: str, command: str, home: str) -> dict[str, str]:
        """The path from where the command itself looks, its name and its directory."""
        del barrier, home
        whole = posixpath.normpath(posixpath.join(gone_to(command), about))
        found = {"path": whole, "name": posixpath.basename(whole), "folder": posixpath.dirname(whole) or "."}
        return {key: shlex.quote(value) for key, value in found.items()} | {"spoken": about, "sought": _sought({})}

    def learn(self, trial: Trial) -> Subject:
        """Where in the container files of that name or size lie, and what the task says of it."""
        subject, about = trial.subject, trial.subject.about
        texts = tuple(_texts(trial))
        sizes = _told_sizes(trial, texts)
        search = search_by_name(trial, sizes)
        given = _nearest(about, search.usable)
        sized, alike = (None, 0) if given else search_by_size(trial, sizes, search.place)
        known = _told(trial, texts, search) | _beside(search, sizes, sized, alike)
        known |= {} if given else _elsewhere(trial, search, sizes, texts)
        places = _places(subject, given) | _places_by_size(subject, sized)
        found = {key: value for key, value in (known | places).items() if value}
        value = f"{len(search.named)} files or directories of that name" + (f", such as {given}" if given else "")
        trial.observe("search", value, None, None)
        if sizes:
            told = ", ".join(f"{size} bytes by {where}" for size, where in sizes.items())
            value = f"told: {told}; {f'the only one of that size and type is {sized}' if sized else f'{alike} others'}"
            trial.observe("search by size", value, None, None)
        return subject.with_parameters(**found, sought=_sought(sizes))

    def works(self, subject: Subject, outcome: Outcome, said: str) -> tuple[Answer, str]:
        """Only the task's own files can show that it is there."""
        there = {posixpath.basename(path) for path in outcome.given}
        if outcome.task_files is None and posixpath.basename(subject.about) not in there:
            return Answer.UNKNOWN, f"{said}, but without the task's files that says nothing: {REMEDY}."
        return super().works(subject, outcome, said)

    def meaningless(self, subject: Subject, outcome: Outcome) -> str | None:
        """Its absence means something only where the task's files are known and the task promises it."""
        told, about = subject.parameters, subject.about
        if told.get("to_make"):
            return f"{about} is what the run itself was to make"
        if told.get("taken"):
            return f"{told['taken']} was there at first, and what the run did took it away"
        if outcome.task_files is None and not told.get("absent_there"):
            listed = f"; a listing of the run shows {told['listed']}" if told.get("listed") else ""
            return f"the task's files are not known: {REMEDY}{listed}"
        if not told.get("promised"):
            return f"neither the task's text nor a README of its files speaks of {about} as being there"
        return None

    def unsettled(self, subject: Subject, outcome: Outcome) -> str | None:
        """What lies elsewhere, or can be had by the task's own words, is not missing for good."""
        told = subject.parameters
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        there = told.get("found") or told.get("packed")
        if there:
            return f"the file lies at {there}, though no route brought it to the command"
        if doubt := next((told[key] for key in ("held", "maker") if key in told), None):
            return doubt
        if doubt := next(
            (told[key] for key in ("sized_at", "many", "other", "unseen", "kin", "system") if key in told), None
        ):
            return f"{doubt}, and whether that is the file is not settled"
        if told.get("pointer") and network != "none":
            return "Git LFS fetches what a pointer stands for, which was not tried"
        if told.get("download"):
            return "the task's own words say where it can be had, which was not tried"
        return None

    def remarks(self, subject: Subject, outcome: Outcome) -> tuple[str, ...]:
        """Where it lies, and whether the task promises it."""
        told, name = subject.parameters, posixpath.basename(subject.about)
        found = []
        if outcome.passed and told.get("found"):
            same = " under the same name only" if told.get("loose") else ""
            found.append(f"The file lies at {told['found']}{same}.")
        if told.get("promised"):
            found.append(f"{told['promised'][:1].upper()}{told['promised'][1:]} speaks of {name}.")
        if told.get("absent_there"):
            found.append(f"The run's own `{told['absent_there']}` shows the directory without it.")
        beside = (*DOUBTS, "empty", "pointer")
        return (*found, *(f"{told[key]}." for key in beside if key in told))


def _listed_without(subject: Subject, place: str, trial: Trial) -> str:
    """The run's own listing of the directory in which the file should be, where the container has it too."""
    folder, name = posixpath.split(place)
    plain = {*ORDINARY, trial.session.spec.workdir, subject.home}
    if folder in plain or folder not in trial.outcome.given:
        return ""
    return listed_without(folder, name, subject.events.commands) or ""


def _texts(trial: Trial) -> Iterator[tuple[str, str]]:
    return texts_of(trial.context.case, trial.context.settings.workspace, trial.outcome.task_files or ())


def _told(trial: Trial, texts: Sequence[tuple[str, str]], search: Search) -> dict[str, str]:
    """What the task's words and the run's record say of it."""
    subject, about = trial.subject, trial.subject.about
    told = said(about, texts)
    failing = subject.event if subject.event is not None else 0
    writes = [write for write in subject.events.writes if write.after <= failing]
    return {
        "promised": told.promised,
        "to_make": "yes" if told.to_make or made_by_run(about, subject.output, subject.prior, writes) else "",
        "download": "yes" if told.to_fetch else "",
        "listed": listed_at(about, subject.prior) or "",
        "absent_there": _listed_without(subject, search.place, trial),
        "taken": "" if search.named else _given(posixpath.basename(search.place), search.place, trial.outcome),
    }


def _told_sizes(trial: Trial, texts: Sequence[tuple[str, str]]) -> dict[int, str]:
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


def _beside(search: Search, sizes: dict[int, str], sized: str | None, alike: int) -> dict[str, str]:
    """Sentences without their full stop about what was found and may or may not be it."""
    told = " or ".join(f"{size} bytes, as {where} says" for size, where in sizes.items())
    found = {}
    if sized:
        found["sized_at"] = f"{sized} is the only file there of that type and of the told size ({told})"
    if alike > 1:
        found["many"] = f"{alike} different files have the told size ({told})"
    for path, size in search.other[:1]:
        found["other"] = f"{path} has that name but {size} bytes instead of {told}"
    for path in search.empty[:1]:
        found["empty"] = f"{path} has that name but is empty"
    for path in search.pointers[:1]:
        found["pointer"] = f"{path} is a pointer of Git LFS, not the file itself"
    return found


def _elsewhere(trial: Trial, search: Search, sizes: dict[int, str], texts: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What archives hold, what scripts of the task may make, and what lies in its place under another name."""
    subject, place = trial.subject, search.place
    archives = list_archives(trial, posixpath.basename(place))
    held = holding(place, archives)
    reader = f"{subject.attempts[0].command}\n{subject.output}"
    maker = may_make(place, scripts_that_name(trial, place), reader)
    kin = like_it(trial, place, sizes, texts, search.named)
    unseen = doubtful(posixpath.basename(place), archives)
    system = in_the_system(trial, place)
    trial.observe("search in archives", f"{len(archives)}{f', found in {held.path}' if held else ''}", None, None)
    found = _unpacked(subject, held, place) if held else {}
    return found | {
        "held": f"{held.path} holds {held.member}, though no route brought it to the command" if held else "",
        "unseen": unseen,
        "maker": f"{maker}, which came with the task, speaks of the file and may make it" if maker else "",
        "kin": f"{kin} is of the same type and has a like name or the same folder" if kin else "",
        "system": f"{system[0]} has that name" if system else "",
    }


def _unpacked(subject: Subject, held: Holding, place: str) -> dict[str, str]:
    base, new = held.base(place), f"{subject.home}/{UNPACKED}/{held.member}"
    return {
        "unpacking": held.unpacking,
        "unpacked_base": shlex.quote(base) if base else "",
        "member": shlex.quote(held.member),
        "command_unpacked": _with(subject, new) or "",
    }


def _sought(sizes: dict[int, str]) -> str:
    """For find(1): of any size but none, or one of the told ones."""
    wanted = " -o ".join(f"-size {size}c" for size in sizes)
    return f"-type f \\( {wanted} \\)" if wanted else "-not -empty"


def _places_by_size(subject: Subject, sized: str | None) -> dict[str, str]:
    places = _places(subject, sized)
    names = {"found": "sized", "command_found": "command_sized"}
    return {names[key]: value for key, value in places.items() if key in names}


def _nearest(about: str, paths: Sequence[str]) -> str | None:
    """The one whose end agrees most with the path, plain ones before packed ones."""
    return min(paths, key=lambda path: (path.endswith(PACKED), -_agreeing(about, path), path), default=None)


def _agreeing(about: str, path: str) -> int:
    pairs = zip(reversed(posixpath.normpath(about).split("/")), reversed(path.split("/")), strict=False)
    count = 0
    for one, other in pairs:
        if one.lower() != other.lower():
            break
        count += 1
    return count


def _places(subject: Subject, found: str | None) -> dict[str, str]:
    about = subject.about
    if found is None:
        return {}
    if found.endswith(PACKED) and not about.endswith(PACKED):
        return {"packed": shlex.quote(found)}
    places = {"found": shlex.quote(found), "loose": "" if _agreeing(about, found) > 1 else "yes"}
    relative = posixpath.normpath(about)
    if not relative.startswith(("/", "..")) and found.endswith(f"/{relative}"):
        places["base"] = shlex.quote(found.removesuffix(f"/{relative}"))
    if there := _with(subject, found):
        places["command_found"] = there
    return places


def _with(subject: Subject, path: str) -> str | None:
    """The failing command with another path; None where it does not name the file, or the path is no plain one."""
    about, command = subject.about, subject.attempts[0].command
    exact = re.compile(rf"(?<![\w./-]){re.escape(about)}(?![\w.-])")
    return path.join(exact.split(command)) if re.fullmatch(r"[\w./-]+", path) and exact.search(command) else None
