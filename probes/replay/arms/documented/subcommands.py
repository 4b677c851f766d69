"""`own-subcommand`: what the task's own program lists among its commands, given to it before the failing one."""

import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import Own, start_of, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_work
from probes.replay.target.script import takes_away

say = Sentences(__name__)

PLAN = RoutePlan(
    id="own-subcommand",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="the commands that the task's own program lists in its help, its sources or the documents",
)
MOST = 6
SECONDS = 30
LISTED = re.compile(r"(?m)^[ \t]{1,12}(?P<word>[a-z][a-z0-9_-]{1,24})(?:[ ]{2,}|\t+|[ \t]+[-–:][ \t]+)\S")
"""A line of a list of commands, as argparse, click and those who write such lists by hand set it."""


def own_subcommand(survey: Survey) -> Way:
    """The failing command behind each of them that the run did not carry out."""
    own = survey.own
    first = [word.text for word in own.step.command.words if word.start > own.script.start][:1] if own else []
    if own is None or not first:
        return Way(PLAN, lacking=say("subcommands.none_given"))
    listed = [word for word in listed_beside(first[0], _texts(survey, own)) if _worth(survey, own, word)]
    if not listed:
        return Way(PLAN, lacking=say("subcommands.none_listed", text=own.script.text))
    blind = survey.blind()
    return Way(PLAN, tuple(_try(survey, own, word, blind) for word in listed[:MOST]))


def listed_beside(word: str, texts: Iterator[str]) -> list[str]:
    """The others of lists that have the word, each once."""
    lists = ([match["word"] for match in LISTED.finditer(text)] for text in texts)
    return list(dict.fromkeys(other for found in lists if word in found for other in found if other != word))


def _texts(survey: Survey, own: Own) -> Iterator[str]:
    yield from (survey.help, survey.source)
    yield from (text for text in survey.texts if own.name in text)


def _worth(survey: Survey, own: Own, word: str) -> bool:
    """Whether it works, takes nothing away, and did not work in the run already."""
    line = f"{own.called} {word}"
    steps = (step for event in survey.trial.subject.events.commands if event.failed == "no" for step in event.steps)
    done = any(start_of(step.command, own) and word in step.command.arguments for step in steps)
    return not done and not other_work(word) and not takes_away(line)


def _try(survey: Survey, own: Own, word: str, blind: str | None) -> Try:
    stays = own.folder == "."
    call = f"{own.called} {word}" if stays else f"cd {shlex.quote(own.folder)} && {own.called} {word}"
    before = f"timeout {SECONDS} bash -c {shlex.quote(call)} < /dev/null || exit"
    refuted = strictly(blind, before) if blind else None
    return Try(strictly(survey.command, before), (call if stays else f"({call})", survey.command), refuted)
