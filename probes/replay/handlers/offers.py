"""What a command itself offers to do its work in smaller pieces."""

import posixpath
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import Field

from cases import Model
from cases import patterns as re
from cases.loading import Expression, load
from cases.secrets.variables import names_credential
from cases.sentences import Sentences
from cases.shell import Command, Edit, edited, steps_of
from cases.touches.promises import WRITING, said
from probes.model import Barrier
from probes.replay.handlers.handed_on import handed_on, handed_to_what_failed
from probes.replay.handlers.promised import texts_about
from probes.replay.handlers.settings import (
    AMOUNTS,
    NUMBER,
    PARSERS,
    QUOTED_OPTION,
    READ,
    SETTINGS_FILE,
    own_settings,
    set_by_itself,
    values_in,
    variables_in,
)
from probes.replay.handlers.sources import in_program, programs_elsewhere, sources
from probes.replay.handlers.sweeping import bears_on_nothing
from probes.replay.resources.context import ContainerContext
from probes.replay.target.details import Details
from probes.replay.target.manuals import amounts
from probes.replay.target.needs import gone_to, script_of

say = Sentences(__name__)

OFFERED = re.compile(r"(?<![\w-])--[a-zA-Z][\w-]+")
SETTINGS_FORM = re.compile(r"\.(?:json|toml|ya?ml|ini|cfg|conf|env)$")
DEFAULT = re.compile(
    r"['\"](?P<flag>--[a-zA-Z][\w-]*)['\"][^\n]*\bdefault\s*=\s*['\"](?P<file>[\w./-]*\w[./]\w[\w./-]*)['\"]"
)
_WORD = re.compile(r"[\w./-]+")
_TESTS = re.compile(r"(?:\[|\btest)\s+(?:!\s+)?-[a-zA-Z]\b|(?i:exists?|is_?file|access)\b")
"""Lines that ask whether a file is there, in shells and by the usual functions."""
AMOUNT = re.compile(rf"-[a-zA-Z]|{AMOUNTS}")
SWITCH = re.compile(r"(?i)(?:true|false|yes|no|on|off|none|null|auto|remote|local|online|offline|live|mock)?")
"""Values that another one may be put in the place of."""
MOST_FILES = 4
MOST_NAMES = 20
PROGRAM = re.compile(r"\w[\w.+-]*")
INTERPRETER = re.compile(
    r"(?:python[\d.]*|bash|sh|Rscript|R|perl|node|java|make|ninja|pip3?|conda|npm|cargo|kill|sudo)"
)


class _FrugalTool(Model):
    """A tool's own options for little memory."""

    pattern: Expression
    frugal: str
    """The replacement, with the pattern's groups."""
    not_if: str | None = None
    source: str


class _Offer(Model):
    """An option that makes pieces smaller, wherever a program has it."""

    flag: Expression
    values: tuple[str, ...] = Field(min_length=1)
    """In the order to try them; empty for a switch."""
    source: str


@dataclass(frozen=True)
class Offers(Details):
    """What a command, or what its script reads besides, offers to do its work otherwise."""

    named: str | None = None
    """In words."""
    unread: str | None = None
    """Why it could not be read, if so."""
    pieces: str | None = None
    """The command with each option for smaller pieces."""
    takes: bool = False
    """Whether these are options whose value the program only hands on, each of them; or, where there are none, whether
    it may be told another place than the one that is left out.
    """
    swept: bool = False
    """Whether these are variables and options that change nothing of its failure, whatever their value."""


def _frugal_tools() -> tuple[_FrugalTool, ...]:
    """In their order; the first that changes a command is taken."""
    return load(tuple[_FrugalTool, ...], "probes.replay.target", "names/frugal.toml", "tool")


def _known_offers() -> tuple[_Offer, ...]:
    """In the order to try them."""
    return load(tuple[_Offer, ...], "probes.replay.target", "names/frugal.toml", "offer")


def frugal(line: str) -> str | None:
    """The line with options of a known tool that make it do with little memory."""
    for tool in _frugal_tools():

        def modest(command: Command, tool: _FrugalTool = tool) -> Iterator[Edit]:
            if not (tool.not_if and re.search(tool.not_if, command.text)):
                yield command.start, command.end, re.sub(tool.pattern, tool.frugal, command.text)

        changed = edited(line, modest).rstrip()
        if changed != line.rstrip():
            return changed
    return None


def offers_of(trial: ContainerContext) -> Offers:
    """What the failing command's own text or help offers, and what its script reads besides."""
    read = settings_of(trial, amounts=True)
    command = trial.subject.attempts[0].command
    place, question = asked(command)
    if read.named is None and (told := _told(trial, command)):
        return replace(read, named=", ".join(told[:4]))
    if place is None:
        return read
    done, *_ = trial.run("replay-offers", question, seconds=30)
    if not done.ok:
        return replace(read, unread=done.how)
    found = offered(done.output, command)
    if not found:
        return read
    tries = [f"( {command[:place]} {words} {command[place:].strip()} )" for words in found]
    flags = ", ".join(dict.fromkeys(words.split(" ")[0] for words in found))
    trial.observe("offered by the command", flags, None, None)
    return replace(read, named=flags, pieces=" || ".join(tries))


def _told(trial: ContainerContext, command: str) -> list[str]:
    """Options with a value that a manual page of a program of the line's tells of, and that the line does not give."""
    steps = [step.command for step in steps_of(command) if step.inside == "line" and step.command.words]
    names = dict.fromkeys(posixpath.basename(one.words[0].text) for one in steps)
    pages = " -o ".join(f"-name {shlex.quote(f'{name}.[1-9]')}" for name in names if PROGRAM.fullmatch(name))
    if not pages:
        return []
    find = f"find {shlex.quote(trial.session.spec.workdir)} -maxdepth 6 -type f \\( {pages} \\) -print0 2>/dev/null"
    [done] = trial.run("replay-manual", f"{find} | head -z -n 3 | xargs -0 -r head -q -c 40000", seconds=20)
    return [flag for flag in amounts(done.output) if not _has(flag, command)]


def settings_of(trial: ContainerContext, but: str = "", *, amounts: bool = False, place: str = "") -> Offers:
    """What the failing command's script reads besides its input; lines that say `but`, or name a credential that stood
    in the way and was stood in for, or that the command sets, are left out, and so are variables that the script sets
    itself, files of settings that hold nothing but that and numbers, those that lie there or that the command names and
    that it does not open, those that the task asks the run to make, and those that come from where `but` stands;
    parsers of settings where it opened no file of such a form that the sources name, and options whose default is a
    file that is there or the `place` that the task demands. `amounts` count only where less of something may do.
    """
    command = trial.subject.attempts[0].command
    programs = programs_elsewhere(trial)
    text, compiled = sources(trial, command, programs), in_program(trial, command, programs)
    if text is None or compiled is None:
        return Offers(unread=say("offers.sources_long_many"))
    wanted = trial.outcome.credentials
    left_out = [*([but, *_leading_to(trial, text, but)] if but else []), *(wanted.names if wanted else ())]
    set_here = (one.name for step in steps_of(command) for one in step.command.assignments)
    left_out += [name for name in set_here if names_credential(name)]
    own, whole = set_by_itself(text), text
    text = "".join(line for line in text.splitlines(keepends=True) if not any(name in line for name in left_out))
    for name in own:
        text = re.sub(rf"\$(?:\{{{name}\}}|{name}(?!\w))", "", text)
    for name in _never_read(trial, text):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", "", text)
    for name in _of_files(trial, text, place):
        text = re.sub(rf"{re.escape(name)}(?![\w-])", "", text)
    for name in (*_only_fetched(trial, whole), *_fetched_from(trial, whole, but)):
        text = re.sub(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", "", text)
    spelled = (path for path in _sought(trial) if SETTINGS_FORM.search(path))
    sought = [path for path in spelled if posixpath.basename(path).partition(".")[0] in whole]
    if trial.outcome.loaded is not None and all(posixpath.basename(path) in left_out for path in sought):
        text = re.sub(PARSERS, "", text)
    found = [one for one in (*own_settings(text, command), *compiled) if amounts or not AMOUNT.fullmatch(one)]
    found = [one for one in found if one != AMOUNTS or not _told_by_the_task(trial)]
    if not found:
        led = [line for line in whole.splitlines() if but and but in line]
        return Offers(takes=any(QUOTED_OPTION.search(line) or READ.search(line) for line in led))
    trial.observe("read by the script", ", ".join(found), None, None)
    takes = handed_on(whole, trial.subject.output).issuperset(found)
    swept = not takes and not compiled and bears_on_nothing(trial, text, whole, asked(command)[0])
    return Offers(named=", ".join(found[:4]), takes=takes, swept=swept)


def _told_by_the_task(trial: ContainerContext) -> bool:
    """Whether the numbers among the arguments of a command that fills the disk are the task's own, and no option's."""
    asked, told = trial.subject.asked, set[str]()
    if trial.subject.barrier is not Barrier.DISK_FULL or asked is None or not asked.spelled:
        return False
    for step in steps_of(asked.command):
        told |= {word for word in step.command.arguments if NUMBER.fullmatch(word)}
    for step in steps_of(trial.subject.attempts[0].command):
        words = step.command.arguments
        for before, word in zip(("", *words), words, strict=False):
            if NUMBER.fullmatch(word) and (before.startswith("-") or word not in told):
                return False
    return True


def _never_read(trial: ContainerContext, text: str) -> list[str]:
    """Files of settings that sources name and the failing command did not open: those that lie there, that it names
    itself, that they only write, or that the run is to make.
    """
    if trial.outcome.loaded is None:
        return []
    names = list(dict.fromkeys(match["file"] for match in SETTINGS_FILE.finditer(text)))[:MOST_NAMES]
    ends = {name: f"/{posixpath.normpath(name).lstrip('/')}" for name in names}
    unread = [name for name in names if not any(path.endswith(ends[name]) for path in trial.outcome.opened)]
    if not unread:
        return []
    there = _there(trial, unread)
    words = {word for step in steps_of(trial.subject.attempts[0].command) for word in step.command.arguments}
    texts = tuple(texts_about(trial))
    return [
        name for name in unread if name in there or name in words or _made_by(text, name) or said(name, texts).to_make
    ]


def _made_by(text: str, name: str) -> bool:
    """Whether each line of sources that names a file writes it."""
    return all(WRITING.search(line) for line in text.splitlines() if name in line)


def _only_fetched(trial: ContainerContext, text: str) -> list[str]:
    """What stands only in calls of the function that failed, and is no file that is there."""
    names = [name for name in handed_to_what_failed(text, trial.subject.output) if name.strip()][:MOST_NAMES]
    there = _there(trial, names) if names else []
    return [name for name in names if name not in there]


def _fetched_from(trial: ContainerContext, text: str, host: str) -> list[str]:
    """Files of the forms of settings that stand in a line with the host, where they are not there and nothing tests
    whether they are: it brings them.
    """
    lines = [line for line in text.splitlines() if host in line] if host else []
    names = [word for line in lines for word in _WORD.findall(line) if SETTINGS_FORM.search(word)]
    tested = " ".join(line for line in text.splitlines() if _TESTS.search(line))
    names = [name for name in dict.fromkeys(names) if posixpath.basename(name) not in tested][:MOST_NAMES]
    there = _there(trial, names) if names else []
    return [name for name in names if name not in there]


def _of_files(trial: ContainerContext, text: str, place: str) -> list[str]:
    """Options whose default is a file that is there, or the place: another one would be another input or output."""
    found = {match["flag"]: match["file"] for match in DEFAULT.finditer(text)}
    there = [*(_there(trial, found.values()) if found else []), place]
    return [flag for flag, file in found.items() if file in there]


def _there(trial: ContainerContext, names: Iterable[str]) -> list[str]:
    """Those of the files that lie where the failing command looks from."""
    folder = gone_to(trial.subject.attempts[0].command) or "."
    listing = f"cd {shlex.quote(folder)} && ls -d -- {shlex.join(names)} 2>/dev/null; true"
    return trial.run("replay-settings-there", listing, seconds=20)[0].output.splitlines()


def _sought(trial: ContainerContext) -> Iterator[str]:
    """Files of the task's that the failing command opened, or did not find."""
    yield from trial.outcome.opened
    yield from (fact.subject for fact in trial.outcome.facts if fact.kind == "file missing")


def _leading_to(trial: ContainerContext, text: str, told: str) -> list[str]:
    """Files of settings, those that the command opened first, that say where it is led to and switch nothing; and the
    names of what those set that a shell reads in.
    """
    here = gone_to(trial.subject.attempts[0].command) or "."
    names = dict.fromkeys(match["file"] for match in SETTINGS_FILE.finditer(text))
    found = []
    for name in list(names)[:MOST_FILES]:
        opened = next((path for path in trial.outcome.opened if path.endswith(f"/{name.lstrip('./')}")), "")
        place = opened or posixpath.join(here, name)
        [done] = trial.run("replay-settings-file", f"head -c 20000 {shlex.quote(place)}", seconds=20)
        values = values_in(done.output) if done.ok else []
        others = [value for value in values if told not in value and not NUMBER.fullmatch(value)]
        if values and (not others or (len(others) < len(values) and not any(map(SWITCH.fullmatch, others)))):
            found += [name, *(variables_in(done.output) if _read_in(text, name) else ())]
    return found


def _read_in(text: str, name: str) -> bool:
    return re.search(rf"(?m)(?:^|[;&])[ \t]*(?:\.|source)[ \t]+{re.escape(name)}(?![\w./-])", text) is not None


def offered(text: str, command: str) -> list[str]:
    """Options with a value each, in the order to try them; those that the command has already are left out."""
    flags = [flag for flag in dict.fromkeys(OFFERED.findall(text)) if not _has(flag, command)]
    known = [(flag, offer) for offer in _known_offers() for flag in flags if re.fullmatch(offer.flag, flag)]
    found = (f"{flag} {value}".strip() for flag, offer in known for value in offer.values)
    return list(dict.fromkeys(found))


def asked(line: str) -> tuple[int | None, str]:
    """Where in a line a command's options would go, and the command that shows which there are."""
    steps = [step for step in steps_of(line) if step.inside == "line"]
    for step in steps:
        if script := script_of(step.command):
            return script.end, f"head -c 200000 {shlex.quote(posixpath.join(step.folder or '', script.text))}"
    first = next((step.command for step in steps if step.command.program != "cd"), None)
    plain = first and not first.wrappers and first.words and PROGRAM.fullmatch(first.words[0].text)
    if first and plain and "\n" not in line.strip() and not INTERPRETER.fullmatch(first.program):
        return first.words[0].end, f"timeout 20 {first.program} --help 2>&1 < /dev/null | head -c 200000"
    return None, ""


def _has(flag: str, line: str) -> bool:
    words = (word for step in steps_of(line) for word in step.command.arguments)
    return any(word.partition("=")[0] == flag for word in words)
