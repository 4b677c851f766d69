"""`another-dialect`: scripts for a version of Python that is missing, run by the one that is there.

Where they do not work then but have that Python's syntax, translated from Python 2 if need be, it is open: what is left
to change are names.
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
_PYTHON = re.compile(r"python\d+(?:\.\d+)*")
_COPY = "$HOME/.another-dialect"
_SCRIPTS = """mkdir -p "{copy}" && { find . -name '*.py' -size -300k -not -path '*/.*' -not -path '*/site-packages/*'
grep -rIlE --exclude-dir=.git --exclude='*.py' '^#!.*python' . ; } 2>/dev/null | head -100 |
while IFS= read -r f; do cp "$f" "{copy}/$(printf %s "$f" | tr / _).py"; done; ls "{copy}" | grep -q .""".replace(
    "{copy}", _COPY
)
_TRANSLATED = f"""for f in "{_COPY}"/*.py; do python3 -m py_compile "$f" 2>/dev/null ||
{{ {{ 2to3 -w -n "$f" || python3 -m lib2to3 -w -n "$f"; }} >/dev/null 2>&1
python3 -m py_compile "$f" || exit 1; }}; done"""


def another_dialect(survey: Survey) -> Way:
    """The failing command by the Python that is there, and how far that Python's compiler goes with its scripts."""
    subject, settled = survey.trial.subject, survey.trial.outcome.settled
    missing = {subject.about, settled.subject if settled else ""}
    if not any(_PYTHON.fullmatch(name.rpartition("/")[2]) for name in missing):
        return Way(PLAN, lacking=say("dialects.no_python"))
    ways = []
    if survey.own and any(map(_is_python, survey.own.step.command.words[:2])):
        own = survey.own
        newer = exchanged(own.line, {word: "python3" for word in own.step.command.words[:2] if _is_python(word)})
        ways = [Try(strictly(newer, one), (one, newer)) for one in set_ups(survey, newer)]
        if not any("python2" in name for name in missing):
            ways.insert(0, Try(strictly(newer), (newer,)))
    script = "\n".join((f"cd {shlex.quote(survey.folder)}", f"{_SCRIPTS} || exit", _TRANSLATED))
    return Way(PLAN, (*ways, Try(script, (_SCRIPTS, _TRANSLATED), in_bash=True, open=say("dialects.has_its_syntax"))))


def _is_python(word: Word) -> bool:
    return _PYTHON.fullmatch(word.text.rpartition("/")[2]) is not None
