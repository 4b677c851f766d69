"""`another-dialect`: scripts for an interpreter that is missing, run by another of its kind that is there.

Where they work by that, or have the syntax of the Python that is there, translated from Python 2 if need be, it is
open: what is left to change are names, and nobody knows whether the same comes of it.
"""

import shlex

from cases import patterns as re
from cases.sentences import Sentences
from cases.shell import Word
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, put_first, strictly
from probes.replay.arms.documented.programs import missing_programs
from probes.replay.arms.documented.remedies import set_ups
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="another-dialect",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="2to3: automated Python 2 to 3 code translation",
)
_PYTHON = re.compile(r"python\d+(?:\.\d+)*")
_KIN = {**dict.fromkeys(("ksh", "ksh93", "mksh", "pdksh", "zsh", "ash"), "bash"), "csh": "tcsh"}
"""Shells, and which other one most of their scripts can do with; what is the same program by another name is none."""
_COPY = "$HOME/.another-dialect"
_SCRIPTS = """mkdir -p "{copy}" && { find . -name '*.py' -size -300k -not -path '*/.*' -not -path '*/site-packages/*'
grep -rIlE --exclude-dir=.git --exclude='*.py' '^#!.*python' . ; } 2>/dev/null | head -100 |
while IFS= read -r f; do cp "$f" "{copy}/at$(printf %s "$f" | tr / _).py"; done; ls "{copy}" | grep -q .""".replace(
    "{copy}", _COPY
)
_TRANSLATED = f"""for f in "{_COPY}"/*.py; do python3 -m py_compile "$f" 2>/dev/null ||
{{ {{ 2to3 -w -n "$f" || python3 -m lib2to3 -w -n "$f"; }} >/dev/null 2>&1
python3 -m py_compile "$f" || exit 1; }}; done"""


def another_dialect(survey: Survey) -> Way:
    """The failing command by the Python that is there, and how far that Python's compiler goes with its scripts."""
    names = missing_programs(survey)
    others = {name: "python3" if _PYTHON.fullmatch(name) else _KIN.get(name, "") for name in names}
    there = survey.programs(filter(None, others.values()))
    instead = {name: there[other] for name, other in others.items() if other in there}
    if not instead:
        return Way(PLAN, lacking=say("dialects.no_kin"))
    put = put_first(".another-dialect-bin", instead)
    missing_one, other = next(iter(instead.items()))
    works = say("dialects.works", missing=missing_one, other=other)
    by_another = Try(strictly(survey.command, *put), (*put, survey.command), open=works)
    if "python3" not in others.values():
        return Way(PLAN, (by_another,))
    ways = []
    if survey.own and any(map(_is_python, survey.own.step.command.words[:2])):
        own = survey.own
        newer = exchanged(own.line, {word: "python3" for word in own.step.command.words[:2] if _is_python(word)})
        ways = [Try(strictly(newer, one), (one, newer)) for one in set_ups(survey, newer)]
    script = "\n".join((f"cd {shlex.quote(survey.folder)}", f"{_SCRIPTS} || exit", _TRANSLATED))
    return Way(
        PLAN,
        (*ways, by_another, Try(script, (_SCRIPTS, _TRANSLATED), in_bash=True, open=say("dialects.has_its_syntax"))),
    )


def _is_python(word: Word) -> bool:
    return _PYTHON.fullmatch(word.text.rpartition("/")[2]) is not None
