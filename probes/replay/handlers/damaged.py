"""Data that is damaged by its own form's test."""

import posixpath
import shlex
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import PROMPT, prompt_of
from cases.touches.making import made
from cases.touches.names import SOURCE
from cases.touches.origins import sentences
from cases.touches.promises import made_by_run, said
from probes.model import Barrier, Targets
from probes.replay.handlers import spoilt
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.promised import texts_about
from probes.replay.handlers.spoilt import ROOTS, SpoiltDetails
from probes.replay.handlers.whereabouts import ABOUT_IT
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.blank_columns import BLANK
from probes.replay.target.data_state import EMPTY, Form, keeping, parts_of, recovery_of, tested
from probes.replay.target.details import Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of

say = Sentences(__name__)

SUMS = {32: "md5sum", 40: "sha1sum", 64: "sha256sum", 128: "sha512sum"}
LISTS = (
    "find {roots} -maxdepth 3 -type f -size -1000k \\( -iname '*sum*' -o -iname '*.sha*' -o -iname '*.md5*' \\) "
    "-exec grep -HwF -- {name} {{}} + 2>/dev/null | head -20; true"
)
SAMPLED = (
    "gzip -cdfq < {file} 2>/dev/null | head -c 200000 | LC_ALL=C grep -aE '^[[:print:]]{{8,}}$' | sed -n '2,400p' | "
    "awk 'NR % 7 == 1' | head -20 > $HOME/.sample; [ $(wc -l < $HOME/.sample) -ge 3 ] && "
    "grep -rlIFx --exclude-dir=.git --exclude=.sample -f $HOME/.sample . {roots} 2>/dev/null | "
    "xargs -r -d '\\n' realpath | sort -u | head -20; true"
)
"""Files in which lines stand that can still be read of a damaged one."""
ELSEWHERE = (
    "find / -xdev \\( -path /proc -o -path /sys -o -path /usr -o -path /lib -o -path /var/lib \\) -prune -o -type f "
    "-size +$(($(stat -c %s {file}) - 1))c -size -2G -readable ! -samefile {file} -print 2>/dev/null | head -200 | "
    'while IFS= read -r f; do {names} && echo "$f"; done; true'
)
"""Prints files that are no smaller and in which all these names stand."""
MOST_PARTS = 12
SCRATCH = ("/tmp/", "/var/tmp/")  # noqa: S108 - in a container
"""Where only the run itself puts what it unpacks."""
READABLE = (
    "for tool in gzip xz bzip2; do $tool -cdfq < {file} 2>/dev/null; done | sed 's/}}/}}\\n/g' | "
    "LC_ALL=C grep -acE '^[[:print:][:space:]]+$'; true"
)
"""How many lines, or records of JSON, can still be read of a damaged file."""
SOME = 3
"""Lines that hardly stand in a damaged file by chance."""
FEW_LINES = 4
"""Of one thing: a sequencer's read has so many."""
STEM = 4
"""Letters of a name that is hardly spoken of by chance."""
KEPT = "$HOME/.route-kept"
READS = re.compile(r"(?i)\.f(?:ast)?q(?:\.\w+)?$")
"""Files of such reads."""
_COUNT = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w/-])|(?<![\w.,:/-])\d{2,}(?![\w/-]|[.,:]\w)")
_OF_A_SERIES = re.compile(r"(?<![\w./-])[A-Za-z]+[-_]?\d+(?![\w/-]|\.\w)")
"""A name with a number, as a station, a subject or a sample has one."""
MOST_OF_A_SERIES = 8
_DIGITS = re.compile(r"\d+")
_YEARS = range(1900, 2101)
_SUM = re.compile(
    r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[0-9a-fA-F]{32})(?![0-9a-fA-F])"
)


@dataclass(frozen=True)
class DamagedDetails(SpoiltDetails):
    """The same with what of it can still be read."""

    summed: str = ""
    """The check sum that the task's own list tells."""
    same: tuple[str, ...] = ()
    """Files with lines of it."""
    blank: str = ""
    """The number of a column with nothing in it, which a like file has."""
    whole: tuple[str, ...] = ()
    """Its parts that are whole, unless all that the task's text names of it is cut."""
    named: str = ""
    """The first of these that the task's text names."""
    folder: str = ""
    """The folder that the prompt spells, where it speaks of the file in it, too, if not by its whole name."""
    too_little: bool = False
    """Whether a program of which the prompt speaks fails with nothing but these, and otherwise than with the damage."""
    readable: int = 0
    """Lines of it that can still be read, where nothing shows that the task asks for more."""
    empty: bool = False
    """Whether nothing is in it, and the failure does not name it."""


class Damaged(BarrierHandler):
    """Named by a measured fact only."""

    barriers = (Barrier.DAMAGED_DATA,)
    noun = "file"
    valid = spoilt.VALID
    details = DamagedDetails
    present_rests_on = ("image", "workdir")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file."""
        return targets.paths

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The file, how it is tested, and where else its content may be."""
        told = subject.told(DamagedDetails)
        form, place, held = told.form, told.place or subject.about, told.held
        unpacked = tested(form, f"{subject.home}/.route-unpacked/{held.member}") if form and held else None
        return {
            **spoilt.values(told, subject.about),
            "test_held": unpacked,
            "recovery": (form and recovery_of(form, place, "$HOME/.route-recovered")) or None,
            "sum": told.summed or None,
            "summed": SUMS.get(len(told.summed)),
            "sum_width": str(len(told.summed) + 3),
            "test_copy": form.test.replace("$F", '"$c"') if form and form.test else None if form else 'test -s "$c"',
            "unpacking": held.unpacking if held else None,
            "member": shlex.quote(held.member) if held else None,
        }

    def learn(self, trial: ContainerContext) -> DamagedDetails:
        """Its form, its check sum, what of it is whole, and what else on the machine bears its name."""
        place, form, fact = spoilt.place_of(trial), spoilt.form_of(trial), trial.outcome.settled
        name = posixpath.basename(place)
        found = DamagedDetails(
            place=place,
            form=form,
            summed=_told_sum(trial, place),
            others=spoilt.others(trial, place, name),
            same=_same(trial, place) or _with_its_parts(trial, form, place),
            held=spoilt.kept_in(trial, place, name),
            blank=fact.process.removeprefix(BLANK) if fact and fact.process.startswith(BLANK) else "",
            whole=(whole := _parts(trial, form, place)),
            named=next((part for part in whole if _spoken(trial, part) or _stem_spoken(trial, part)), ""),
            folder=(folder := _folder_spelled(trial, place)),
            too_little=bool(whole and form and (folder or _spoken(trial, name)) and _too_little(trial, form, place)),
            readable=_readable(trial, form, place),
            empty=fact is not None and fact.process == EMPTY and name not in " ".join(trial.outcome.said),
            own=spoilt.is_own(trial, place),
        )
        value = say(
            "damaged.others_name_told", others=len(found.others), told=found.summed or "none", held=bool(found.held)
        )
        trial.observe("other copies", value, None, None)
        return found

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What the run wrote itself is its own; and it must have said what is said here."""
        return spoilt.not_the_machines(subject.told(DamagedDetails), subject, outcome)

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What may be the whole thing, or as much of it as is asked for, or could be fetched, leaves it open."""
        told = subject.told(DamagedDetails)
        must_run = subject.asked is not None and subject.asked.spelled and not subject.freedom
        must_run = must_run and not (told.form and told.form.keeps)  # which shows whether they do
        return next(spoilt.open_still(told, outcome), _enough_still(told, must_run=must_run))

    def asked_of(self, subject: ReplayTarget) -> str:
        """The file, where the prompt speaks of it and of its folder."""
        folder = subject.told(DamagedDetails).folder
        return say("damaged.speaks_of", path=subject.about, folder=folder) if folder else ""

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """What of a table is blank."""
        del outcome
        blank = subject.told(DamagedDetails).blank
        return (say("damaged.blank_column", number=blank),) if blank else ()


def _told_sum(trial: ContainerContext, place: str) -> str:
    """By a list of check sums that the run did not write."""
    roots = shlex.join(dict.fromkeys((trial.session.spec.workdir, posixpath.dirname(place))))
    [done] = trial.run("replay-sums", LISTS.format(roots=roots, name=shlex.quote(posixpath.basename(place))))
    for line in done.output.splitlines():
        path, _, sums = line.partition(":")
        found = _SUM.search(sums)
        if found and not made_by_run(path, "", trial.subject.prior, trial.subject.events.writes):
            return found[0].lower()
    return ""


def _same(trial: ContainerContext, place: str) -> tuple[str, ...]:
    """Files elsewhere with lines of a damaged one that the run did not take from it."""
    ask = SAMPLED.format(file=shlex.quote(place), roots=ROOTS)
    [done] = trial.run("replay-sample", ask, seconds=120)
    events = trial.subject.events
    found = [path for path in done.output.splitlines() if path.startswith("/") and path != place]
    steps = [(step, path) for command in events.commands for step in command.steps for path in made(step.command)]
    folders = {f"{step.at(path, trial.session.spec.workdir)}/" for step, path in steps}
    own = tuple(one for one in folders if one.startswith(SCRATCH) and one not in SCRATCH)
    found = [path for path in found if not path.startswith(own)]
    return tuple(path for path in found if not made_by_run(path, "", events.commands, events.writes))


def _with_its_parts(trial: ContainerContext, form: Form | None, place: str) -> tuple[str, ...]:
    """Files elsewhere, as large at least, in which the names of all its parts stand."""
    parts = [part for _, part in _states(trial, form, place)] if form and not form.stream else []
    if not parts:
        return ()
    names = " && ".join(f'grep -qaF -- {shlex.quote(part)} "$f"' for part in parts[:MOST_PARTS])
    [done] = trial.run("replay-parts-elsewhere", ELSEWHERE.format(file=shlex.quote(place), names=names), seconds=90)
    events = trial.subject.events
    found = [path for path in done.output.splitlines() if path.startswith("/")]
    return tuple(path for path in found if not made_by_run(path, "", events.commands, events.writes))


def _readable(trial: ContainerContext, form: Form | None, place: str) -> int:
    """What is packed as a stream can be read up to where it breaks off; of other forms a number that is told counts."""
    [done] = trial.run("replay-readable", READABLE.format(file=shlex.quote(place)), seconds=60)
    lines = int(done.output.strip()) if done.output.strip().isdigit() else 0
    if lines and _asked_is_cut(trial, place):
        return 0
    whole = _whole(trial, place, lines)
    told = [number for number in _numbers(prompt_of(trial.context.case)) if number not in whole]
    each = FEW_LINES if READS.search(place) else 1
    if any(number * each <= lines for number in (*told, *whole)):
        return lines
    stream = form is not None and form.stream
    return lines if stream and lines >= SOME and not (told or whole) else 0


def _asked_is_cut(trial: ContainerContext, place: str) -> bool:
    """Whether the prompt asks by name for one of a series, of which others can still be read, and this one cannot."""
    words = list(dict.fromkeys(_OF_A_SERIES.findall(prompt_of(trial.context.case))))[:MOST_OF_A_SERIES]
    if not words:
        return False
    read = f"for tool in gzip xz bzip2; do $tool -cdfq < {shlex.quote(place)} 2>/dev/null; done"
    series = "|".join(dict.fromkeys(_DIGITS.sub("[0-9]+", re.escape(word)) for word in words))
    [done] = trial.run(
        "replay-series", f"{{ {read}; }} | grep -aiowE {shlex.quote(series)} | sort -u | head -5000; true", seconds=60
    )
    there = {_plainly(one) for one in done.output.split()}
    kinds = [_DIGITS.sub("#", one) for one in there]
    asked = [word for word in map(_plainly, words) if kinds.count(_DIGITS.sub("#", word)) >= SOME]
    return bool(asked) and there.isdisjoint(asked)


def _plainly(name: str) -> str:
    return re.sub(r"(?<=\D)0+(?=\d)", "", name.casefold())


def _whole(trial: ContainerContext, place: str, lines: int) -> list[int]:
    """How many things the whole file holds, as a document's list of files tells it.

    Each takes a few lines at most: so of few of them more could not be read than there are.
    """
    texts = [text for title, text in texts_about(trial) if title != PROMPT and not SOURCE.search(title)]
    entry = re.compile(rf"[\s*|`-]*(?:[\w.-]+/)*{re.escape(posixpath.basename(place))}[`:|\s]")
    told = (_numbers(line) for text in texts for line in text.splitlines() if entry.match(line))
    return [number for numbers in told if len(numbers) == 1 for number in numbers if lines < FEW_LINES * number]


def _numbers(text: str) -> list[int]:
    """Numbers of things that it tells: no years."""
    found = (int(word.replace(",", "")) for word in _COUNT.findall(text))
    return [number for number in found if number not in _YEARS]


def _enough_still(told: DamagedDetails, *, must_run: bool) -> str | None:
    """What of it may do; parts that nobody asks for by name do not where the very command `must_run` that fails."""
    if told.same:
        return say("damaged.lines_stand", path=told.same[0])
    if told.whole and (told.named or not (must_run or told.too_little)):
        return say("damaged.parts_whole", part=told.named or told.whole[0], count=len(told.whole))
    if told.readable:
        return say("damaged.readable", count=told.readable)
    return say("damaged.may_be_empty") if told.empty else None


def _spoken(trial: ContainerContext, name: str) -> bool:
    return said(name, [(PROMPT, prompt_of(trial.context.case))]).spoken


def _stem_spoken(trial: ContainerContext, part: str) -> bool:
    """Whether the prompt has what a part is called, perhaps with another ending or none."""
    stem = posixpath.basename(part).partition(".")[0]
    return bool(stem) and re.search(rf"(?i)(?<![\w-]){re.escape(stem)}", prompt_of(trial.context.case)) is not None


def _folder_spelled(trial: ContainerContext, place: str) -> str:
    """The file's folder, where one sentence of the prompt spells that and speaks of the file."""
    folder = posixpath.basename(posixpath.dirname(place))
    stem = posixpath.basename(place).partition(".")[0]
    if not folder or len(stem) < STEM:
        return ""
    told = re.compile(rf"(?<![\w.-]){re.escape(folder)}/(?![\w.-])")
    spoken = re.compile(rf"(?i)(?<![\w.-]){re.escape(stem)}(?![\w-]|\.\w)")
    if not any(told.search(one) and spoken.search(one) for one in sentences(prompt_of(trial.context.case))):
        return ""
    there = trial.run("replay-same-stem", f"ls -A {shlex.quote(posixpath.dirname(place))}")[-1].output.splitlines()
    alike = [one for one in there if one.lower().startswith(stem.lower()) and not one.lower().endswith(ABOUT_IT)]
    return f"{folder}/" if alike == [posixpath.basename(place)] else ""


def _too_little(trial: ContainerContext, form: Form, place: str) -> bool:
    """Whether the failing command, with a script of which the prompt speaks, meets the want of the rest."""
    command = trial.subject.attempts[0].command
    keeps = keeping(form, place, KEPT)
    if not keeps or not any(_spoken(trial, posixpath.basename(script)) for script in scripts_of(command)):
        return False
    path, aside = shlex.quote(place), shlex.quote(f"{place}.aside")
    put = f"{keeps} && cp -p {path} {aside} && cp {KEPT} {path}"
    done, again = trial.run("replay-kept-parts", put, command)[-1], trial.run("replay-kept-parts", f"mv {aside} {path}")
    failed = again[-1].ok and not done.ok and not done.limit
    lost = (part for state, part in _states(trial, form, place) if state == "cut")
    wants = any(posixpath.basename(part).partition(".")[0] in done.output for part in lost)
    return failed and wants and not trial.subject.handler.met(trial.subject, done)


def _states(trial: ContainerContext, form: Form, place: str) -> list[tuple[str, str]]:
    """Each part of a damaged file, behind `whole` or `cut`."""
    ask = parts_of(form, place)
    if not ask:
        return []
    [done] = trial.run("replay-parts", ask, seconds=60)
    lines = (line.partition(" ") for line in done.output.splitlines())
    return [(state, part) for state, _, part in lines]


def _parts(trial: ContainerContext, form: Form | None, place: str) -> tuple[str, ...]:
    """What is whole of a damaged file, unless all that the task's text names of it is cut."""
    found = _states(trial, form, place) if form else []
    whole = tuple(part for state, part in found if state == "whole")
    texts = [(PROMPT, prompt_of(trial.context.case))]
    cut = (part for state, part in found if state == "cut")
    only_cut = any(said(part, texts).spoken for part in cut) and not any(said(part, texts).spoken for part in whole)
    return () if only_cut else whole
