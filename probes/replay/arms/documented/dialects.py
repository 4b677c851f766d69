"""`another-dialect`: a script for Python 2, translated for the Python that is there.

Where it does not run then but has that Python's syntax, it is open: what is left to change are names.
"""

import shlex

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, strictly
from probes.replay.arms.documented.remedies import set_ups
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-dialect",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="docs.python.org, 2to3: automated Python 2 to 3 code translation",
)
_OLD = re.compile(r"python2(?:\.\d+)?")
_COPY = "$HOME/.another-dialect.py"


def another_dialect(survey: Survey) -> Way:
    """The script of the failing command, translated, as far as Python's compiler goes."""
    own = survey.own
    place = own.step.at(own.script.text, survey.folder) if own else None
    if own is None or place is None or not any(map(_is_old, own.step.command.words[:2])):
        return Way(PLAN, lacking=say("dialects.no_script"))
    newer = exchanged(own.line, {word: "python3" for word in own.step.command.words[:2] if _is_old(word)})
    ways = [Try(strictly(newer, one), (one, newer)) for one in set_ups(survey, newer)]
    copied = f'cp {shlex.quote(place)} "{_COPY}"'
    translated = f'{{ 2to3 -w -n "{_COPY}" || python3 -m lib2to3 -w -n "{_COPY}"; }} >/dev/null 2>&1'
    compiled = f'python3 -m py_compile "{_COPY}"'
    script = f"{copied} || exit; {translated}; {compiled}"
    shown = (copied, f'2to3 -w -n "{_COPY}"', f'python3 "{_COPY}"')
    return Way(PLAN, (*ways, Try(script, shown, open=say("dialects.has_its_syntax", script=own.script.text))))


def _is_old(word: Word) -> bool:
    return _OLD.fullmatch(word.text.rpartition("/")[2]) is not None
