"""`documented-option`: options of the task's own program that its help, its sources or the documents show."""

import posixpath
import shlex
from collections.abc import Container, Iterable, Iterator
from itertools import pairwise

from cases import CommandRun
from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import steps_of
from cases.task_words import README
from cases.touches import code_in
from cases.touches.names import SOURCE
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import Own, own_program, start_of, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_means, other_subject, other_work, says_how

say = Sentences(__name__)

PLAN = RoutePlan(
    id="documented-option",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="options of the task's own program that its help, its sources or the documents show, with each listed value",
)
MOST = 8
MADE_UP = "no-such-choice"
_FLAG = r"(?<![\w-])(?P<flag>--[a-zA-Z][\w-]*)"
_VALUE = r"[A-Za-z][\w.+-]*|\d+"
CHOICES = (
    rf"{_FLAG}(?P<joint>=|[ \t]+)[\[<({{\"']*(?P<values>(?:{_VALUE})(?:\|(?:{_VALUE}))+)",
    rf"{_FLAG}(?P<joint>=|[ \t]+)\{{(?P<values>(?:{_VALUE})(?:,[ ]?(?:{_VALUE}))+)\}}",
    rf"{_FLAG}(?P<joint>=|[ \t]+)?[^\n]{{0,200}}(?:\n[ \t]{{4,}}(?!-)[^\n]{{0,200}}){{0,4}}?"
    rf"\b(?:possible values|one of|choices|choose from|either)\b[:= ]*[\[({{\"'`]*"
    rf"(?P<values>(?:{_VALUE})(?:[\"'`]*(?:, or | or |, ?|\|)[\"'`]*(?:{_VALUE}))+)",
    rf"[\"']{_FLAG}[\"'](?P<joint>)[^)]{{0,300}}?\bchoices\s*=\s*[\[(](?P<values>[^\])]{{1,200}})",
)
"""Of an option: how a help text lists what it takes, and how argparse and click are told it."""
DEFINED = re.compile(
    rf"{_FLAG}(?P<joint>=|[ \t]+)<?[A-Z][A-Z_-]*>?[ \t]*\n?"
    rf"(?P<values>(?:[ \t]+(?:{_VALUE}):[ \t][^\n]*\n?(?:[ \t]{{6,}}(?![-\w]+:)[^\n]*\n)*){{2,}})"
)
"""Of an option: each value that it takes on a line of its own, with what it means."""
_DEFINES = re.compile(rf"(?m)^[ \t]*({_VALUE}):[ \t]")
PLAIN = re.compile(_FLAG)
_TAKES = re.compile(rf"{_FLAG}(?:=|[ \t]+)<?[A-Z][A-Z_-]*>?")
"""Of an option: how a help text shows that it takes something."""
_DATA = (
    "find . -maxdepth 4 -type f -size +0 -size -20000k -not -path '*/.*' -not -path '*/__pycache__/*' 2>/dev/null "
    "| sed 's#^[.]/##' | sort | head -60; true"
)
FLAGS, FILES = 2, 5
"""Options, and files, of which each is tried with each."""
IN_SOURCE = re.compile(r"['\"](?P<flag>--[a-zA-Z][\w-]*)['\"=]|(?m:^(?P<line>--[a-zA-Z][\w-]*)$)")
"""As sources quote it, or alone among a compiled program's texts."""


def documented_option(survey: Survey) -> Way:
    """The failing command with one option after another."""
    own = survey.own
    if own is None:
        return Way(PLAN, lacking=say("options.command_runs_no"))
    taken = taken_by_the_run(survey.trial.subject.events.commands, own)
    found = [words for words in dict.fromkeys(options(survey, own)) if re.split(r"[= ]", words)[0] not in taken][:MOST]
    files = list(with_files(survey, own, taken))
    if not found and not files:
        return Way(PLAN, lacking=say("options.nothing_shows_option", text=own.script.text))
    blind = survey.blind()
    told = frozenset(PLAIN.findall(survey.prompt))
    return Way(PLAN, (*(_try(own, one, blind, told) for one in found), *files))


def with_files(survey: Survey, own: Own, taken: Container[str]) -> Iterator[Try]:
    """Options that take something of which the documents speak, each with the task's own data that the failing command
    did not open. The program must take the one and refuse another: else nobody knows what it makes of them.
    """
    helped = {match["flag"] for match in _TAKES.finditer(survey.help)}
    spoken = dict.fromkeys(flag for text in survey.texts for flag in PLAIN.findall(text))
    flags = [flag for flag in spoken if flag in helped and flag not in taken and not own.has(flag)]
    files = _own_data(survey) if flags else []
    for flag in flags[:FLAGS]:
        for file in files if len(files) > 1 else ():
            changed = own.with_words(f"{flag} {shlex.quote(file)}")
            others = " || ".join(f"( {own.with_words(f'{flag} {shlex.quote(one)}')} )" for one in files if one != file)
            yield Try(strictly(changed), (changed,), f"{{ {others}; }} 2>/dev/null")


def _own_data(survey: Survey) -> list[str]:
    """Relative to where the command goes."""
    opened = {posixpath.normpath(path) for path in survey.trial.outcome.opened}
    found = survey.ask("data", f"cd {shlex.quote(survey.folder)} && {_DATA}")
    data = [path for path in found if not SOURCE.search(path) and not README.search(posixpath.basename(path))]
    fresh = (path for path in data if posixpath.normpath(posixpath.join(survey.folder, path)) not in opened)
    return [path for path in fresh if not survey.of_the_run(path)][:FILES]


def taken_by_the_run(commands: Iterable[CommandRun], own: Own) -> frozenset[str]:
    """Options with which the run itself called the program, and it worked: that was no way, for the run failed."""
    steps = (step for command in commands if command.failed == "no" for step in command.steps)
    mine = (step for step in steps if start_of(step.command, own))
    return frozenset(word.partition("=")[0] for step in mine for word in step.command.arguments if word.startswith("-"))


def options(survey: Survey, own: Own) -> Iterator[str]:
    """Options with their values, in this order: listed values, what documents call it with, and other means."""
    for flag, joint, value in choices((survey.help, *_about(survey.texts, own), survey.source)):
        if not own.has(flag) or value not in own.step.command.text:
            yield f"{flag}{joint}{value}"
    known = set(PLAIN.findall(survey.help)) | {one["flag"] or one["line"] for one in IN_SOURCE.finditer(survey.source)}
    for words in called_with(survey.texts, own):
        option, _, value = words.replace("=", " ").partition(" ")
        if not own.has(option) and not other_work(words) and (says_how(option, value) or not other_subject(option)):
            yield words
    spoken = [flag for text in survey.texts for flag in PLAIN.findall(text) if flag in known]
    for flag in dict.fromkeys([*spoken, *sorted(known)]):
        if not own.has(flag) and (
            other_means(flag) or (flag in spoken and not other_work(flag) and not other_subject(flag))
        ):
            yield flag


def choices(texts: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Option, what joins it to its value, and each value that is listed for it."""
    for text in texts:
        found = [(match, re.findall(_VALUE, re.sub(r"\bor\b", ",", match["values"]))) for match in _listed(text)]
        found += [(match, _DEFINES.findall(match["values"])) for match in DEFINED.finditer(text)]
        for match, values in found:
            flag, joint = match["flag"], "=" if match["joint"] == "=" else " "
            for value in values:
                if says_how(flag, value) and not other_work(flag, value):
                    yield flag, joint, value


def _listed(text: str) -> Iterator[re.Match[str]]:
    return (match for pattern in CHOICES for match in re.finditer(pattern, text))


def _about(texts: Iterable[str], own: Own) -> Iterator[str]:
    return (text for text in texts if own.name in text)


def called_with(texts: Iterable[str], own: Own) -> Iterator[str]:
    """What documents give the very program besides what the failing command gives it."""
    for code in (code for text in texts for code in code_in(text) if own.name in code):
        for step in (step for line in code.splitlines() for step in steps_of(line.strip().removeprefix("$ "))):
            start = start_of(step.command, own)
            if start is None:
                continue
            words = [word.text for word in step.command.words if word.start > start.start]
            for word, after in pairwise([*words, "-"]):
                if word.startswith("--"):
                    if "=" not in word and not after.startswith("-") and after not in own.step.command.arguments:
                        yield f"{word} {after}"
                    yield word


def _try(own: Own, words: str, without: str | None, told: Container[str]) -> Try:
    """It proves nothing where a made-up option, or files that are not there, end with 0 as well; nor with another value
    of an option that the command has and the task's own text spells, which are `told`.
    """
    flag = re.split(r"[= ]", words)[0]
    spelled = say("options.told", flag=flag) if flag in told and own.has(flag) else ""
    changed = own.with_words(words)
    made_up = own.with_words(f"--{MADE_UP}={MADE_UP}")
    refuted = made_up
    if without is not None:
        blind = own_program(without, (own.script.text,)) or own
        refuted = f"( {made_up} ) || ( {blind.with_words(words)} )"
    return Try(strictly(changed), (changed,), refuted, open=spelled)
