"""`one-job-at-a-time`: a build that was told to do several things at once, told to do one after another."""

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word, steps_of
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="one-job-at-a-time",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="GNU make manual, Parallel Execution: recipes run one at a time unless `-j` says otherwise; ninja(1), -j",
)
_BUILDERS = frozenset({"make", "gmake", "ninja", "cmake"})
_JOBS = re.compile(r"(?P<option>-j|--jobs=)(?P<number>\d+|[$`].*)?")
_APART = frozenset({"-j", "--jobs", "--parallel"})
_NUMBER = re.compile(r"\d+|[$`].*")


def one_job(survey: Survey) -> Way:
    """The failing command with one job in the place of several."""
    words: dict[Word, str] = {}
    for step in steps_of(survey.command):
        given = step.command.words if step.command.program in _BUILDERS and step.inside == "line" else ()
        for word, after in zip(given, (*given[1:], None), strict=False):
            if word.text in _APART and after and _NUMBER.fullmatch(after.text):
                words |= {after: "1"} if after.text != "1" else {}
            elif (match := _JOBS.fullmatch(word.text)) and match["number"] != "1":
                words[word] = f"{match['option']}1"
            elif word.text in _APART:
                words[word] = "-j1"
    if not words:
        return Way(PLAN, lacking=say("one_job.no_jobs"))
    changed = exchanged(survey.command, words)
    return Way(PLAN, (Try(strictly(changed), (changed,)),))
