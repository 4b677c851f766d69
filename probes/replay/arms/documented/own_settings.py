"""`another-settings-file`: one that the documents name, in the place of that which the failing command reads."""

import posixpath
import shlex
from collections.abc import Iterator

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way
from probes.replay.arms.documented.words import other_subject, other_work

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-settings-file",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="settings files beside the one that the program reads, which its documents name",
)
MOST = 3
"""Files."""
_SETTINGS = re.compile(r"(?i).+\.(?P<ending>conf|cfg|ini|toml|ya?ml|properties|env|rc|config)")
_NAME = re.Whole(r"[\w.-]", r"[\w-]")
_NEAR = 300
"""Characters between an option and the file that it may be given."""
_FLAG = re.compile(r"(?<![\w-])(?P<flag>--?[a-zA-Z][\w-]*)[ =]")


def another_settings_file(survey: Survey) -> Way:
    """The failing command with each, by an option that a text has before it or in the other's place."""
    tries = [one for read, other in _others(survey) for one in _tries(survey, read, other)]
    return Way(PLAN, tuple(tries), lacking="" if tries else say("own_settings.none_named"))


def _others(survey: Survey) -> Iterator[tuple[str, str]]:
    """Files that the command reads and that the task's own text does not name, each with another in its folder."""
    opened = survey.trial.outcome.opened
    mine = [file for file in opened if _SETTINGS.fullmatch(file) and not survey.of_the_run(file)]
    mine = [file for file in mine if not _NAME.within(posixpath.basename(file), survey.prompt)]
    number = 0
    for read in mine:
        match, folder = _SETTINGS.fullmatch(read), posixpath.dirname(read)
        ending = match["ending"] if match else ""
        listing = f"find {shlex.quote(folder)} -maxdepth 1 -type f -name {shlex.quote(f'*.{ending}')} | sort | head -50"
        for other in survey.ask("own-settings", listing):
            name = posixpath.basename(other)
            told = any(_NAME.within(name, text) for text in (*survey.texts, survey.help))
            if other in opened or not told or other_work(name) or other_subject(name) or survey.of_the_run(other):
                continue
            number += 1
            if number > MOST:
                return
            yield read, other


def _tries(survey: Survey, read: str, other: str) -> Iterator[Try]:
    own, empty = survey.own, f"{posixpath.dirname(other)}/no-such-settings"
    for flag in _flags(survey, posixpath.basename(other)) if own else ():
        if own and not own.has(flag):
            command = own.with_words(f"{flag} {shlex.quote(other)}")
            yield Try(strictly(command), (command,), strictly(own.with_words(f"{flag} {shlex.quote(empty)}")))
    put, nothing = f"cp {shlex.quote(other)} {shlex.quote(read)}", f": > {shlex.quote(read)}"
    yield Try(strictly(survey.command, put), (put, survey.command), strictly(survey.command, nothing))


def _flags(survey: Survey, name: str) -> list[str]:
    """Options that a text has shortly before the file's name, the nearest first."""
    found = list[str]()
    for text in (*survey.texts, survey.help):
        for match in re.finditer(re.escape(name), text):
            before = text[max(0, match.start() - _NEAR) : match.start()]
            found += reversed([one["flag"] for one in _FLAG.finditer(before)])
    return list(dict.fromkeys(found))[:2]
