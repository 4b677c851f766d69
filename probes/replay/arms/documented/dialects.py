"""`another-dialect`: a script for Python 2, translated for the Python that is there.

That it then has that Python's syntax leaves it open: what is left to change, if anything, are names and divisions, and
whether the same comes of it nobody can tell without a Python 2.
"""

import shlex

from cases import patterns as re
from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
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
    called = {step.text.rpartition("/")[2] for step in own.step.command.words[:2]} if own else set[str]()
    if own is None or place is None or not any(map(_OLD.fullmatch, (own.step.command.program, *called))):
        return Way(PLAN, lacking=say("dialects.no_script"))
    copied = f'cp {shlex.quote(place)} "{_COPY}"'
    translated = f'{{ 2to3 -w -n "{_COPY}" || python3 -m lib2to3 -w -n "{_COPY}"; }} >/dev/null 2>&1'
    compiled = f'python3 -m py_compile "{_COPY}"'
    script = f"{copied} || exit; {translated}; {compiled}"
    shown = (copied, f'2to3 -w -n "{_COPY}"', f'python3 "{_COPY}"')
    return Way(PLAN, (Try(script, shown, open=say("dialects.has_its_syntax", script=own.script.text)),))
