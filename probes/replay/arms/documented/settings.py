"""`documented-setting`: variables that a document, the help or the program itself names, with the values that fit."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import replace

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import ORDINARY
from probes.barriers import RoutePlan
from probes.model import Barrier, Tier
from probes.names import conveniences
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_subject, other_work, places, says_how, table, words_in
from probes.replay.handlers.promised import count_told
from probes.replay.handlers.searching import large_enough, of_another_number
from probes.replay.handlers.settings import READ

say = Sentences(__name__)

PLAN = RoutePlan(
    id="documented-setting",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="variables that a document, the help or the program itself names; values that are shown or lie on the disk",
)
MOST = 8
SHOWN = re.compile(r"(?<![\w$./-])(?P<name>[A-Z][A-Z0-9_]{2,})=(?P<value>[\w.,:/+~-]*[\w/])")
NAME = re.compile(r"(?<![\w$./-])[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9](?![\w(])")
DEFAULT = re.compile(
    r"\$\{(?P<shell>[A-Z][A-Z0-9_]{2,}):?-(?P<there>[/~.][^}\s'\"$]*)\}"
    r"|(?:environ\.get|getenv|ENV\.fetch)\(\s*['\"](?P<name>[A-Z][A-Z0-9_]{2,})['\"],\s*['\"](?P<other>[/~.][^'\"\s]*)['\"]"
)
"""A variable that a source reads, with the place that is taken where it is not set."""
CONFIGURED = re.compile(
    r"(?<![\w$./-])(?P<name>[A-Z][A-Z0-9_]{2,})[\"']?[ \t]*[=:][ \t]*"
    r"(?P<quote>[\"']?)(?P<value>[\w.,:/+~-]*[\w/])(?P=quote)(?=[\s,;\"'}]|$)"
)
"""A variable as files of settings give it: `NAME = value` in tox.ini, `NAME: value` in YAML, `Environment=NAME=value`
in a unit of systemd's, `web: NAME=value command` in a Procfile.
"""
FILES = (
    *("*.toml", "*.yml", "*.yaml", "*.ini", "*.env", ".env*", "env.*", ".envrc"),
    *("Dockerfile*", "Procfile*", "*.service"),
)
"""Files of settings. What they set need not do the same work: a store may be one that is empty."""
_OF_TESTS = frozenset({"test", "tests", "testing", "ci", "dev", "develop", "development"})
_SWITCH = re.compile(r"(?i)[01]|true|false|on|off|yes|no")
"""Values that may leave work out."""
_OFF = re.compile(r"(?i)0|false|off|no|none")
"""Values that leave out work, but where the variable says how the work is done: then it is done without that."""
ROOM = ("$HOME", "/tmp", "$PWD")  # noqa: S108 - in a container
"""Folders in which everybody has some."""
PATH = re.compile(
    r"(?<![\w.:/~-])(?:(?P<path>(?:/|\./|\.\./|~/)[\w.+-]*(?:/[\w.+-]+)*|\w[\w.+-]*(?:/[\w.+-]+)+)/?(?![\w*{<$])"
    r"|(?P<folder>\w[\w.+-]*)(?=/))"
)


def documented_setting(survey: Survey) -> Way:
    """The failing command with one variable after another."""
    found = list(dict.fromkeys(values(survey)))[:MOST]
    other = [one for one in dict.fromkeys(_configured(survey)) if (one,) not in found][: MOST // 2]
    if not found and not other:
        return Way(PLAN, lacking=say("settings.no_variable_value"))
    blind, open_still = survey.blind(), say("settings.from_a_file")
    tries = [_try(survey, settings, blind) for settings in found]
    return Way(PLAN, (*tries, *(replace(_try(survey, (one,), blind), open=open_still) for one in other)))


def values(survey: Survey) -> Iterator[tuple[str, ...]]:
    """Assignments to try, in order: those that a text shows, places that are there, and folders with room for variables
    that a text speaks of; on a full disk for all.
    """
    read = names_read(survey.source)
    drawn = re.search(conveniences().drawn, survey.prompt) is not None
    shown = shown_in((*survey.texts, survey.help), survey.command, drawn=drawn)
    known = table().runtime.words | set(NAME.findall(survey.help))
    told = [f"{name}={value}" for name, value in shown if name in known or _is_read(name, survey.source)]
    if len({one.partition("=")[0] for one in told}) == len(told) > 1:
        yield tuple(told)
    yield from ((one,) for one in told)
    spoken = {name for text in (*survey.texts, survey.help) for name in NAME.findall(text)}
    named = [name for name in sorted(read, key=lambda one: (one not in spoken, one)) if places(name)]
    named = [name for name in named if not other_work(name)]
    if named:
        there = _places(survey)
        yield from ((f"{name}={place}",) for name in named for place in there if f"{name}={place}" not in told)
        yield from ((f"{name}={place}",) for name in named if name in spoken for place in ROOM)
    if survey.trial.subject.barrier is Barrier.DISK_FULL:
        yield from ((f"{name}={place}",) for name in places_read(survey.source) for place in ROOM)


def _configured(survey: Survey) -> Iterator[str]:
    """Assignments of variables that the sources read in files of settings beside them, but for those of tests."""
    read = names_read(survey.source)
    if not read:
        return
    names = " -o ".join(f"-name {shlex.quote(name)}" for name in FILES)
    find = f"find . -mindepth 1 -maxdepth 3 -name '.*' -type d -prune -o -type f -size -100k \\( {names} \\) -print0"
    folder = "." if survey.folder in {"/", "/root", "/home"} else survey.folder
    grep = f"head -z -n 60 | xargs -0 -r grep -HE {shlex.quote('|'.join(sorted(read)))}"
    for line in survey.ask("configured", f"cd {shlex.quote(folder)} && {find} | {grep}"):
        path, _, text = line.partition(":")
        for match in CONFIGURED.finditer(text) if _OF_TESTS.isdisjoint(words_in(path)) else ():
            does_all = same_work(match["name"], match["value"]) and not _SWITCH.fullmatch(match["value"])
            if match["name"] in read and does_all:
                yield f"{match['name']}={match['value']}"


def _is_read(name: str, source: str) -> bool:
    """Whether sources speak of the variable, or bring in the library whose name it begins with."""
    library = re.escape(name.partition("_")[0])
    brings_in = rf"(?mi:^\s*(?:import|from|use|using|require|library)\b\W*{library}\b)"
    return re.search(rf"\b{re.escape(name)}\b|{brings_in}", source) is not None


def names_read(source: str) -> set[str]:
    """Variables that sources read."""
    found = (match["name"] or match["shell"] or match["line"] for match in READ.finditer(source))
    return {name for name in found if name}


def places_read(source: str) -> list[str]:
    """Variables in whose place sources take a folder or a file where they are not set."""
    return [name for name in dict.fromkeys(name for name, _ in defaults(source)) if not other_work(name)]


def defaults(source: str) -> list[tuple[str, str]]:
    """These variables, each with the place that is taken, as the source spells it."""
    return [(one["shell"] or one["name"], one["there"] or one["other"]) for one in DEFAULT.finditer(source)]


def shown_in(texts: tuple[str, ...], command: str, *, drawn: bool = False) -> list[tuple[str, str]]:
    """Names and values of assignments in texts, without the command's own and those with which other work is done;
    `drawn` where the task may ask for what is shown on a screen.
    """
    found = dict.fromkeys((match["name"], match["value"]) for text in texts for match in SHOWN.finditer(text))
    given = {one.name for step in steps_of(command) for one in step.command.assignments}
    given |= {word.partition("=")[0] for step in steps_of(command) for word in step.command.arguments}
    return [(name, value) for name, value in found if name not in given and same_work(name, value, drawn=drawn)]


def same_work(name: str, value: str, *, drawn: bool = True) -> bool:
    """Whether a variable of that value says how the same work is done; `drawn` where that may be asked for."""
    if _OFF.fullmatch(value) and says_how(name, ""):
        return not drawn and not other_work(name)
    return not other_work(name, value) and (places(name) or says_how(name, value) or not other_subject(name))


def _places(survey: Survey) -> list[str]:
    """Files and folders that a document names, and those of the machine that are called like what is missing."""
    named = [(match["path"] or match["folder"]).rstrip("/") for text in survey.texts for match in PATH.finditer(text)]
    worth = [path for path in named if path and path not in ORDINARY and not other_work(path)]
    worth = [path for path in worth if not path.startswith(tuple(table().system.words))]
    found = survey.existing(path if path[0] in "/~" else posixpath.join(survey.folder, path) for path in worth)
    return [path for path in dict.fromkeys([*found, *_called_like(survey)]) if not survey.of_the_run(path)]


def _called_like(survey: Survey) -> Iterator[str]:
    """Where things of the missing one's name lie, and those themselves, if large enough for what is counted in it."""
    facts = survey.trial.outcome.facts
    missing = {posixpath.basename(fact.subject): fact.subject for fact in facts if fact.kind == "file missing"}
    named = [(name, path) for name, path in missing.items() if len(name) > 2][:2]
    if not named:
        return
    least = {name: count_told(path, survey.documents) for name, path in named}
    listed = " -o ".join(f"-name {shlex.quote(name)} {large_enough(size)}" for name, size in least.items())
    pruned = "\\( -path /proc -o -path /sys -o -path /dev -o -name .git -o -name site-packages \\) -prune -o"
    lines = survey.ask("called-like", f"find / -xdev {pruned} \\( {listed} \\) -readable -print 2>/dev/null | head -6")
    alike = (line for line in lines if not any(of_another_number(path, line) for _, path in named))
    for path in survey.existing(line for line in alike if not other_work(line)):
        yield posixpath.dirname(path)
        yield path


def _try(survey: Survey, settings: tuple[str, ...], blind: str | None) -> Try:
    """It proves nothing where files that are not there end with 0 as well."""
    exports = tuple(f"export {one}" for one in settings)
    refuted = strictly(blind, *exports) if blind else None
    return Try(strictly(survey.command, *exports), (*exports, survey.command), refuted)
