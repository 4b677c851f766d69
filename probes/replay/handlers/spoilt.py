"""Data that is there and of no use: damaged by its own form's test, or sealed with a key that is nowhere."""

import posixpath
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import PROMPT, prompt_of, texts_of
from cases.touches.making import made
from cases.touches.names import SOURCE
from cases.touches.origins import sentences
from cases.touches.promises import made_by_run, said
from probes.model import Barrier, Targets
from probes.replay.handlers.archives import Holding, holding, list_archives
from probes.replay.handlers.base import BarrierHandler
from probes.replay.handlers.promised import texts_about
from probes.replay.handlers.searching import NOT_LOOKED_INTO
from probes.replay.resources.context import ContainerContext
from probes.replay.resources.outcome import Outcome
from probes.replay.target.blank_columns import BLANK
from probes.replay.target.data_state import Form, enc_words, form_named, inner, parts_of, recovery_of, tested
from probes.replay.target.details import Details, Named
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import gone_to
from probes.replay.target.symptom import without_changes

say = Sentences(__name__)

SUMS = {32: "md5sum", 40: "sha1sum", 64: "sha256sum", 128: "sha512sum"}
LISTS = (
    "find {roots} -maxdepth 3 -type f -size -1000k \\( -iname '*sum*' -o -iname '*.sha*' -o -iname '*.md5*' \\) "
    "-exec grep -HwF -- {name} {{}} + 2>/dev/null | head -20; true"
)
NAMED = f"find / {NOT_LOOKED_INTO} -type f -not -empty \\( {{tests}} \\) -print 2>/dev/null | head -20; true"
SAMPLED = (
    "gzip -cdfq < {file} 2>/dev/null | head -c 200000 | LC_ALL=C grep -aE '^[[:print:]]{{8,}}$' | sed -n '2,400p' | "
    "awk 'NR % 7 == 1' | head -20 > $HOME/.sample; [ $(wc -l < $HOME/.sample) -ge 3 ] && "
    "grep -rlIFx --exclude-dir=.git --exclude=.sample -f $HOME/.sample . {roots} 2>/dev/null | "
    "xargs -r -d '\\n' realpath | sort -u | head -20; true"
)
"""Files in which lines stand that can still be read of a damaged one."""
SCRATCH = ("/tmp/", "/var/tmp/")  # noqa: S108 - in a container
"""Where only the run itself puts what it unpacks."""
WORDS = 5000
"""Words that are tried as passphrases."""
ROOTS = (
    "$(find / -mindepth 1 -maxdepth 1 -type d ! -name proc ! -name sys ! -name dev ! -name run ! -name boot "
    "! -name usr ! -name 'lib*' ! -name bin ! -name sbin ! -name etc ! -name var ! -name opt ! -name root; "
    "find /opt -mindepth 1 -maxdepth 1 ! -name impassable 2>/dev/null)"
)
"""Where nothing of the system's own lies."""
LISTED = (
    "{{ printf '%s\\n' {told}; for e in '[^[:space:]]+' '[A-Za-z0-9_.-]+' '\"[^\"]+\"' '`[^`]+`' ': .+'; do "
    f"grep -rIhsoE --exclude-dir=.git --exclude-dir=node_modules --exclude-dir='.route*' \"$e\" . {ROOTS}; done; "
    "env | sed 's/^[^=]*=//'; }} | "
    "awk '{{ for (i = 0; i < 2; i++) {{ if (length($0) && length($0) < 200 && !seen[$0]++) print; "
    'gsub(/^[[:punct:][:space:]]+|[[:punct:][:space:]]+$/, "") }} '
    'if (/[0-9]/ && /[^0-9]/ && length($0) < 40) {{ gsub(/[^[:alnum:]]/, ""); if (!seen[$0]++) print; '
    "if (!seen[tolower($0)]++) print tolower($0) }} }}'"
)
"""Every word that the task's text, its documents and the environment hold, what they put in quotation marks or behind a
colon, each once as it stands and without the marks around it; numbers of things without any marks, and
in lower case, too."""
_PRINTED = "LC_ALL=C grep -acE '^[[:print:][:space:]]+$'; true"
READABLE = f"for tool in gzip xz bzip2; do $tool -cdfq < {{file}} 2>/dev/null; done | {_PRINTED}"
"""How many lines can still be read of a damaged file."""
_COUNT = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w/-])|(?<![\w.,:/-])\d{2,}(?![\w/-]|[.,:]\w)")
_YEARS = range(1900, 2101)
_ALONE = re.compile(r"(?<![\w.,/-])\d{1,4}(?![\w/-]|[.,]\d)")
_DIGITS, _FILE = re.compile(r"\d+"), re.compile(r"\w[\w-]*(?:\.\w+)+")
_BEGINNINGS = (
    "1f8b08|504b0304|fd377a585a00|425a68[3-9]|28b52ffd|377abcaf|53514c697465|25504446|89504e47|ffd8ff|89484446|7f454c46"
)
"""First bytes, in hexadecimal digits, of packed files, databases, documents, pictures and programs."""
_OF_IT = re.compile(r"\.(?:sha\d*|md5|crc32|asc|sig|sigstore|minisig)$")
"""Endings of a file's check sum or signature, which hold nothing of it."""
_MODULE = re.compile(r"^[A-Za-z_][\w.]*\.(?=\w+(?::|$))")
"""Of Python's name for an exception, which harnesses leave out."""
_SUM = re.compile(
    r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[0-9a-fA-F]{32})(?![0-9a-fA-F])"
)


@dataclass(frozen=True)
class SpoiltDetails(Details):
    """What is known of the file and where else its content may be."""

    place: str = ""
    """Absolute."""
    form: Form | None = None
    summed: str = ""
    """The check sum that the task's own list tells."""
    others: tuple[str, ...] = ()
    """Other files of its name, or of what is sealed in it."""
    same: tuple[str, ...] = ()
    """Files with lines of it."""
    held: Holding | None = None
    blank: str = ""
    """The number of a column with nothing in it, which a like file has."""
    whole: tuple[str, ...] = ()
    """Its parts that are whole, where the task's text names none that is not."""
    lost: str = ""
    """A file that the task's text names, like its parts that are whole, and that is nowhere."""
    enough: int = 0
    """A number that the task's text tells, of which as many lines can still be read; 0 where there is none such."""
    own: bool = False
    """Whether the run wrote it itself."""
    tries: str | None = None
    """What tries each line of its input as a passphrase."""
    told: tuple[str, ...] = ()
    """The words of the task's text."""
    words: int = 0
    """How many words of the task's documents there are to try."""


class Spoilt(BarrierHandler):
    """Named by a measured fact only."""

    barriers = (Barrier.DAMAGED_DATA, Barrier.SEALED_DATA)
    noun = "file"
    valid = re.compile(r"[^\x00-\x1f'\"`$\\*?]{1,400}")
    details = SpoiltDetails
    present_rests_on = ("image", "workdir")

    def named(self, targets: Targets) -> tuple[str, ...]:
        """The file."""
        return targets.paths

    def values(self, subject: ReplayTarget, command: str) -> Named:
        """The file, how it is tested or opened, and where else its content may be."""
        told = subject.told(SpoiltDetails)
        form, place, held = told.form, told.place or subject.about, told.held
        return {
            "path": shlex.quote(place),
            "folder": shlex.quote(posixpath.dirname(place) or "."),
            "test": tested(form, place) if form and form.test else f"test -s {shlex.quote(place)}",
            "test_held": tested(form, f"{subject.home}/.route-unpacked/{held.member}") if form and held else None,
            "recovery": (form and recovery_of(form, place, "$HOME/.route-recovered")) or None,
            "sum": told.summed or None,
            "summed": SUMS.get(len(told.summed)),
            "sum_width": str(len(told.summed) + 3),
            "copies": shlex.join(told.others) if told.others else None,
            "test_copy": form.test.replace("$F", '"$c"') if form and form.test else None if form else 'test -s "$c"',
            "unpacking": held.unpacking if held else None,
            "member": shlex.quote(held.member) if held else None,
            "words": _listed(told.told),
            "tries": told.tries,
            "keyed": _keyed(form, place),
        }

    def learn(self, trial: ContainerContext) -> SpoiltDetails:
        """Its form, its check sum, and what else on the machine bears its name."""
        subject = trial.subject
        here = posixpath.join(trial.session.spec.workdir, gone_to(subject.attempts[0].command))
        place = posixpath.normpath(posixpath.join(here, subject.about))
        fact = trial.outcome.settled
        form = form_named(fact.process) if fact else None
        sealed = subject.barrier is Barrier.SEALED_DATA
        name = inner(place) if sealed else posixpath.basename(place)
        writes = [write for write in subject.events.writes if write.after <= (subject.event or 0)]
        held = holding(posixpath.join(posixpath.dirname(place), name), list_archives(trial, name))
        held = held if held and held.path != place else None
        whole, lost = ((), "") if sealed else _parts(trial, form, place)
        words = _words(trial) if sealed else ()
        found = SpoiltDetails(
            place=place,
            form=form,
            summed="" if sealed else _told_sum(trial, place),
            others=_others(trial, place, name),
            same=() if sealed else _same(trial, place, whole),
            held=held,
            blank=fact.process.removeprefix(BLANK) if fact and fact.process.startswith(BLANK) else "",
            whole=() if lost else whole,
            lost=lost,
            enough=0 if sealed else _enough(trial, place),
            own=made_by_run(place, "", subject.prior, writes),
            tries=_tries(form, trial.outcome, place),
            told=words,
            words=_count(trial, words) if sealed else 0,
        )
        value = say("spoilt.others_name_told", others=len(found.others), told=found.summed or "none", held=bool(held))
        trial.observe("other copies", value, None, None)
        return found

    def meaningless(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What the run wrote itself is its own; and it must have said what is said here."""
        if subject.told(SpoiltDetails).own:
            return say("spoilt.what_run_itself", about=subject.about)
        here = {_MODULE.sub("", without_changes(line)) for line in outcome.said}
        name = posixpath.basename(subject.about)
        told = [step.output or "" for step in subject.events.commands if name in f"{step.command}{step.output}"]
        recorded = {without_changes(line) for text in (subject.output, *told) for line in text.splitlines()}
        if here and recorded and not any(one.endswith(line) for one in recorded for line in here):
            return say("spoilt.run_own_output")
        return None

    def unsettled(self, subject: ReplayTarget, outcome: Outcome) -> str | None:
        """What may be the whole or the open thing, or could be fetched, leaves it open."""
        told = subject.told(SpoiltDetails)
        network = outcome.profile.get("envelope", {}).get("network", {}).get("value", "none")
        if network != "none":
            return say("spoilt.network_could_bring")
        if told.others:
            return say("spoilt.bears_name_whether", others=told.others[0])
        if told.enough or told.same or told.whole:
            return _enough_still(told)
        if told.held:
            return say("spoilt.holds_whether_file", path=told.held.path, member=told.held.member)
        if told.words > WORDS:
            return say("spoilt.task_documents_words", words=told.words, most=WORDS)
        return None

    def asked_of(self, subject: ReplayTarget) -> str:
        """What the task's text names of it, whatever the run could read of the rest."""
        told = subject.told(SpoiltDetails)
        return say("spoilt.lost", part=told.lost, place=told.place) if told.lost else ""

    def remarks(self, subject: ReplayTarget, outcome: Outcome) -> tuple[str, ...]:
        """What of a table is blank."""
        del outcome
        blank = subject.told(SpoiltDetails).blank
        return (say("spoilt.blank_column", number=blank),) if blank else ()


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


def _others(trial: ContainerContext, place: str, name: str) -> tuple[str, ...]:
    """Files elsewhere that bear the name, with or without its endings, or follow it as the rest of it would."""
    stem = name.partition(".")[0]
    tests = " -o ".join(f"-iname {shlex.quote(one)}" for one in dict.fromkeys((name, f"{name}.*", f"{stem}.*", stem)))
    [done] = trial.run("replay-others", NAMED.format(tests=tests), seconds=120)
    found = (path for path in done.output.splitlines() if path.startswith("/") and path != place)
    return tuple(path for path in found if not _OF_IT.search(path))


def _same(trial: ContainerContext, place: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Files elsewhere with lines of a damaged one, without its `parts` and what the run took from it."""
    ask = SAMPLED.format(file=shlex.quote(place), roots=ROOTS)
    [done] = trial.run("replay-sample", ask, seconds=120)
    events = trial.subject.events
    found = [path for path in done.output.splitlines() if path.startswith("/") and path != place]
    steps = [(step, path) for command in events.commands for step in command.steps for path in made(step.command)]
    folders = {f"{step.at(path, trial.session.spec.workdir)}/" for step, path in steps}
    own = tuple(one for one in folders if one.startswith(SCRATCH) and one not in SCRATCH)
    inside = tuple(f"/{part}" for part in parts)
    found = [path for path in found if not path.startswith(own) and not path.endswith(inside)]
    return tuple(path for path in found if not made_by_run(path, "", events.commands, events.writes))


def _enough(trial: ContainerContext, place: str) -> int:
    """Perhaps the task asks of no more than these; the most that a document tells of the file is what the whole has."""
    texts = [text for title, text in texts_about(trial) if title != PROMPT and not SOURCE.search(title)]
    about = [line for text in texts for line in text.splitlines() if posixpath.basename(place) in line]
    whole = {max(numbers) for line in about if (numbers := _numbers(line))}
    told = [one for one in _numbers(prompt_of(trial.context.case)) if one not in whole]
    if not told:
        return 0
    [done] = trial.run("replay-readable", READABLE.format(file=shlex.quote(place)), seconds=60)
    lines = int(done.output.strip()) if done.output.strip().isdigit() else 0
    return next((number for number in told if number <= lines), 0)


def _numbers(text: str) -> list[int]:
    """Numbers of things that it tells: no years."""
    found = (int(word.replace(",", "")) for word in _COUNT.findall(text))
    return [number for number in found if number not in _YEARS]


def _enough_still(told: SpoiltDetails) -> str:
    if told.enough:
        return say("spoilt.enough", count=told.enough)
    if told.same:
        return say("spoilt.lines_stand", path=told.same[0])
    return say("spoilt.parts_whole", part=told.whole[0], count=len(told.whole))


def _parts(trial: ContainerContext, form: Form | None, place: str) -> tuple[tuple[str, ...], str]:
    """What is whole of a damaged file, and what the task's text names of it that is lost."""
    if form is None or not form.parts:
        return (), ""
    [done] = trial.run("replay-parts", parts_of(form, place), seconds=60)
    found = [line.partition(" ")[::2] for line in done.output.splitlines()]
    whole = tuple(part for state, part in found if state == "whole")
    prompt = prompt_of(trial.context.case)
    cut = next((part for state, part in found if state == "cut" and said(part, [(PROMPT, prompt)]).spoken), "")
    names = {posixpath.basename(part) for part in whole}
    if cut or _one_is_asked_for(prompt, names) or not _read_together(trial, names):
        return whole, cut
    return whole, _lost(trial, prompt, names)


def _one_is_asked_for(prompt: str, parts: set[str]) -> bool:
    """Whether a sentence names a whole part, or its number, and none that is not whole: it may ask of that alone."""
    shapes = {_DIGITS.sub("#", part) for part in parts}
    numbers = {one.lstrip("0") for part in parts for one in _DIGITS.findall(part)}
    for sentence in sentences(prompt):
        named = {name for name in _FILE.findall(sentence) if _DIGITS.sub("#", name) in shapes}
        alone = {one.lstrip("0") for one in _ALONE.findall(sentence)}
        if (named and named <= parts) or (not named and not numbers.isdisjoint(alone)):
            return True
    return False


def _read_together(trial: ContainerContext, parts: Collection[str]) -> bool:
    """Whether the run worked on all that is left of them at once: as it understood its task, it needs them all."""
    endings = {posixpath.splitext(part)[1] for part in parts} - {""}
    return any(f"*{ending}" in event.command for event in trial.subject.events.commands for ending in endings)


def _lost(trial: ContainerContext, prompt: str, parts: Collection[str]) -> str:
    """A file that the prompt names as one of these, but for its number, which is neither among them nor elsewhere."""
    shapes = {_DIGITS.sub("#", part) for part in parts}
    named: Iterator[str] = (one for one in dict.fromkeys(_FILE.findall(prompt)) if _DIGITS.sub("#", one) in shapes)
    for name in (one for one in named if one not in parts):
        [done] = trial.run("replay-lost", NAMED.format(tests=f"-name {shlex.quote(name)}"), seconds=60)
        if not done.output.strip():
            return name
    return ""


def _words(trial: ContainerContext) -> tuple[str, ...]:
    texts = [text for title, text in texts_of(trial.context.case, None, ()) if title == PROMPT]
    forms = (r"\S+", r"[A-Za-z0-9_.-]+", r"[A-Za-z0-9]+", r'"[^"\n]+"', r"`[^`\n]+`", r": [^\n]+")
    found = (match[0] for text in texts for form in forms for match in re.finditer(form, text))
    return tuple(dict.fromkeys(word for word in found if word))


def _listed(told: tuple[str, ...]) -> str:
    return LISTED.format(told=shlex.join(told))


def _count(trial: ContainerContext, told: tuple[str, ...]) -> int:
    [done] = trial.run("replay-words", f"{_listed(told)} | wc -l", seconds=60)
    return int(done.output.strip()) if done.output.strip().isdigit() else 0


def _tries(form: Form | None, outcome: Outcome, place: str) -> str | None:
    """What tries each line of its input as a passphrase, and keeps what comes out of the right one."""
    if form is None or not form.opens:
        return None
    words = enc_words(outcome.called, place) if "{words}" in form.opens else ""
    if words is None:
        return None
    opens = form.opens.replace("{words}", words).replace("$F", shlex.quote(place)).replace("$O", '"$O"')
    whole = f" && {_whole(inner(place))}" if form.may_err else ""
    kept = f'{{ {opens}; }} 2>/dev/null && test -s "$O"{whole} && cp "$O" "$HOME/.route-opened"'
    each = f'export W="$1"; O="$(mktemp)"; {kept}; rm -f "$O"'
    return f"xargs -d '\\n' -P 2 -n 1 sh -c {shlex.quote(each)} sh 2>/dev/null"


def _keyed(form: Form | None, place: str) -> str | None:
    """What tries the keys among the files listed at .route-keys, and keeps what the right one opens."""
    if form is None or not form.keyed:
        return None
    opened = form.keyed.replace("$K", "$HOME/.route-keys").replace("$F", shlex.quote(place))
    return opened.replace("$O", "$HOME/.route-opened")


def _whole(name: str) -> str:
    """Whether what came out at $O is what such a name says: a wrong key gives noise now and then."""
    if re.search(r"\.(gz|tgz)$", name):
        return 'gzip -t < "$O"'
    if name.endswith((".xz", ".txz")):
        return 'xz -t < "$O"'
    known = f"head -c 16 \"$O\" | od -An -v -tx1 | tr -d ' \\n' | grep -qE '^({_BEGINNINGS})'"
    return f'{{ {known} || tar -tf "$O" || ! LC_ALL=C grep -qP \'[\\x00-\\x08\\x0e-\\x1f]\' "$O"; }}'
