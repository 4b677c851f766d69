"""Data that is there, whole, and without the part that the task's own program asks it for."""

import posixpath
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import prompt_of
from probes.model import Barrier, Targets
from probes.replay.handlers.archives import list_archives
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.spoilt import ROOTS
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.data_parts import alike, names_in, programs, renamed, replaced, used
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget

say = Sentences(__name__)

NAMES = 80
"""Names of the file's that are tried in the place of the missing one."""
OWN_NAMES = 12
"""Of them those that are tried in the run's own code."""
HOLDING = (
    "grep -rlaiF --exclude-dir=.git --exclude-dir=site-packages --exclude-dir=node_modules --exclude='*.md' "
    "--exclude='README*' --exclude='*.rst' -- {name} . {roots} 2>/dev/null | xargs -r -d '\\n' realpath | sort -u | "
    "head -20; true"
)
"""Files in which a name stands; what documents say of it is not it."""
DOCUMENTS = 5
ENTRIES = 3
"""Names that a text describes at least, where it describes what is in a file."""
_ENTRY = re.compile(
    r"(?m)^[ \t]*(?:[-*|][ \t]*)?[`'\"]?(?P<name>[A-Za-z_][\w.]*)[`'\"]?(?:[ \t]*[:|=–—-]|[ \t]{2,}|\t)"
    r"[^\n]*?[^\W\d_]{2,}[ ,;][^\n]*[^\W\d_]{2,}"
)
"""A name at a line's start, and what it is in a few words."""
_WORD = "zqxw"
_DIGITS = re.compile(r"\d+")
INSTEAD = """
for f in {sources}; do cp "$f" "$f.route-before"; done
(timeout 20 bash -c {command}) < /dev/null > .route-first 2>&1
while IFS= read -r w; do
  e="${{w//\\//\\\\/}}"
  for f in {sources}; do {renamed} "$f.route-before" > "$f" || exit; done
  (timeout 20 bash -c {command}) < /dev/null > .route-said 2>&1 && echo "works $w"
  tail -n 1 .route-said | grep -iqF -e "$w" -e {part} || cmp -s .route-said .route-first || echo "past $w"
done < .route-names
for f in {sources}; do mv "$f.route-before" "$f"; done; echo "tried all"
"""


@dataclass(frozen=True)
class IncompleteDetails(Details):
    """What is known of the part."""

    place: str = ""
    """The file, absolute."""
    part: str = ""
    others: tuple[str, ...] = ()
    """Other files in which the name stands, programs that ask for it left out."""
    apart: tuple[str, ...] = ()
    """Those of them that hold other data by their names: the task's text names them too, or one series has both."""
    kin: str = ""
    """A name in the file that may be meant."""
    instead: str = ""
    """A name in the file with which the command works in the place of the missing one."""
    past: str = ""
    """One with which it at least fails for something else."""
    asking: tuple[str, ...] = ()
    """The programs that ask for it."""
    many: bool = False
    """Whether the file has more names than could be tried."""
    told_apart: frozenset[str] = frozenset()
    """Names in the file that a text describes beside the missing one, so that none of them is meant by it."""
    unseen: str = ""
    """An archive that may hold it."""


class Incomplete(BarrierHandler):
    """Named by a measured fact only."""

    barriers = (Barrier.INCOMPLETE_DATA,)
    noun = "file"
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
    details = IncompleteDetails
    present_rests_on = ("image", "workdir")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file."""
        return targets.paths

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The file, the part, and where else that may be."""
        told = subject.told(IncompleteDetails)
        others = [path for path in told.others if _ending(path) == _ending(told.place) and path not in told.apart]
        return {
            "path": shlex.quote(told.place or subject.about),
            "part": shlex.quote(told.part),
            "swap": self._swapped(told),
            "otherwise": replaced(command, told.part, told.instead) if told.instead and not told.asking else None,
            "copies": shlex.join(others) if others else None,
        }

    def learn(self, trial: ContainerContext) -> IncompleteDetails:
        """Where else the name stands, and whether another one of the file's is meant."""
        fact = trial.outcome.settled
        if fact is None:
            return IncompleteDetails()
        part, place = fact.process, fact.subject
        asking = programs(trial.outcome.opened)
        [done] = trial.run("replay-part", HOLDING.format(name=shlex.quote(part), roots=ROOTS), seconds=120)
        others = tuple(path for path in done.output.splitlines() if path.startswith("/") and path not in asking)
        names = names_in(trial.session, place, NAMES + 1)
        described, known = _described(trial, part, others, names)
        others = tuple(path for path in others if path not in described)
        names = sorted(names, key=known.__contains__)
        listing = f"grep -liF -- {shlex.quote(part)} {shlex.join(asking)} /dev/null 2>/dev/null; true"
        sources = tuple(trial.run("replay-asking", listing)[0].output.splitlines())
        [text] = trial.run("replay-used", f"cat {shlex.join(sources or ('/dev/null',))} | head -c 200000; true")
        others_used = used(trial.session, text.output, place, part)
        tried = self._tried(trial, sources, part, others_used, [one for one in names[:NAMES] if one not in others_used])
        unseen = next((one.path or say("archives.there_more_archives") for one in list_archives(trial, part)), "")
        found = IncompleteDetails(
            place=place,
            part=part,
            others=others,
            apart=tuple(path for path in others if _holds_other_data(path, place, prompt_of(trial.context.case))),
            kin=alike(part, [one for one in names if one not in known]),
            told_apart=frozenset(known),
            instead=tried.get("works", ""),
            past=tried.get("past", ""),
            asking=sources,
            many=len(names) > NAMES or "tried" not in tried,
            unseen=unseen,
        )
        value = say("incomplete.looked", part=part, others=len(others), instead=found.instead or "none")
        trial.observe("missing part", value, None, None)
        return found

    def _swapped(self, told: IncompleteDetails) -> str | None:
        name = told.instead or told.past
        if not name:
            return None
        each = f'{renamed(told.part, name)} "$f" > "$f.route" && cat "$f.route" > "$f" && rm "$f.route"'
        return f"for f in {shlex.join(told.asking)}; do {each}; done"

    def _tried(
        self, trial: ContainerContext, sources: Sequence[str], part: str, known: Sequence[str], names: Sequence[str]
    ) -> dict[str, str]:
        """Names of the file's in the place of the missing one: the first with which the command works, or fails
        otherwise. Those that the program has a use for already are not what it means here.
        """
        command = trial.subject.attempts[0].command
        if not sources:
            asked = (
                one for one in names[:OWN_NAMES] if trial.run("replay-otherwise", replaced(command, part, one))[0].ok
            )
            return {"works": next(asked, ""), "tried": "all"}
        if not (known or names):
            return {}
        own = shlex.join(sources)
        give = f'chmod a+rw {own}; for f in {own}; do chmod a+rwx "$(dirname "$f")"; done'
        script = INSTEAD.format(
            sources=own,
            part=shlex.quote(part),
            renamed=renamed(part, _WORD).replace(_WORD, "'\"$e\"'"),
            command=shlex.quote(command),
        )
        trial.run("replay-instead-rights", give, user="root")
        words = " ".join(shlex.quote(one) for one in (*known, *names))
        done = trial.run("replay-instead", f"printf '%s\\n' {words} > .route-names", script, seconds=240)[-1]
        told = [line.partition(" ") for line in reversed(done.output.splitlines())]
        return {"past" if name in known else word: name for word, _, name in told if word in {"works", "past", "tried"}}

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What may be had elsewhere, or be there under another name, leaves it open."""
        told = subject.told(IncompleteDetails)
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        if network != "none":
            return say("spoilt.network_could_bring")
        if meant := next((one for one in (told.instead, told.kin) if one and one not in told.told_apart), None):
            return say("incomplete.may_be_meant", kin=meant, part=told.part)
        if told.others:
            return say("incomplete.stands_elsewhere", path=told.others[0], part=told.part)
        if told.unseen:
            return say("archives.could_not_listed", path=told.unseen)
        if told.many:
            return say("incomplete.many_names", most=NAMES)
        return None

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """What was searched for."""
        del outcome
        told = subject.told(IncompleteDetails)
        return (say("incomplete.part_is", part=told.part, path=told.place),) if told.part else ()


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _described(
    trial: ContainerContext, part: str, others: Sequence[str], names: Sequence[str]
) -> tuple[list[str], set[str]]:
    """Texts that describe the part in a line of its own among other names, and these: none of them is what it means,
    unless one is spoken of where the other is described.
    """
    documents, known = list[str](), set[str]()
    for path in others[:DOCUMENTS]:
        [done] = trial.run("replay-described", f"head -c 20000 {shlex.quote(path)}", seconds=20)
        found = {match["name"]: match[0] for match in _ENTRY.finditer(done.output)}
        entries = [match["name"] for match in _ENTRY.finditer(done.output)]
        others_said = [name for name, text in found.items() if name != part and _word(part).search(text)]
        own_said = [name for name in (*found, *names) if name != part and _word(name).search(found.get(part, ""))]
        if others_said or own_said:  # it may follow from the others, or be one of them
            continue
        if entries.count(part) == 1 and len(entries) >= ENTRIES and len(entries) == len(set(entries)):
            documents.append(path)
            known |= set(entries) - {part}
    return documents, known


def _ending(path: str) -> str:
    return posixpath.splitext(path)[1]


def _holds_other_data(path: str, place: str, prompt: str) -> bool:
    name, other = posixpath.basename(path), posixpath.basename(place)
    return name != other and (name in prompt or _DIGITS.sub("#", name) == _DIGITS.sub("#", other))
