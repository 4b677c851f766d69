"""`recoded`: a text that the failing command read and that is not in UTF-8, put into it before the command."""

import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="recoded",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="iconv(1); the encodings of files without a mark, after the WHATWG's Encoding Standard, 4.2",
)
FROM = ("WINDOWS-1252", "UTF-16")
"""The commonest encodings that are not UTF-8; one of a single byte takes any text, so that it is the last resort."""
MOST = 2
"""Files."""
_OTHER = """\
for f in FILES; do
  test -w "$f" && ! head -c 4000000 "$f" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 || continue
  case "$(head -c 2 "$f" | od -An -tx1 | tr -d ' ')" in fffe|feff) echo "UTF-16 $f"; continue;; esac
  test "$(head -c 100000 "$f" | tr -d '\\0' | wc -c)" = "$(head -c 100000 "$f" | wc -c)" && echo "WINDOWS-1252 $f"
done"""
"""Those that the user may write, are not in UTF-8 and have no zero bytes, each behind what it may be in."""


def recoded(survey: Survey) -> Way:
    """The failing command behind the recoding of each such file."""
    files = [file for file in survey.trial.outcome.opened if not survey.of_the_run(file)]
    lines = survey.ask("encodings", _OTHER.replace("FILES", shlex.join(files))) if files else []
    found = [(name, file) for name, _, file in (line.partition(" ") for line in lines) if name in FROM][:MOST]
    if not found:
        return Way(PLAN, lacking=say("recoding.all_in_utf_8"))
    blind = survey.blind()
    return Way(PLAN, tuple(_try(survey, name, file, blind) for name, file in found))


def _try(survey: Survey, name: str, file: str, blind: str | None) -> Try:
    new = shlex.quote(f"{file}.utf-8")
    recode = f"iconv -f {name} -t UTF-8 {shlex.quote(file)} > {new} && mv {new} {shlex.quote(file)}"
    before = f"{recode} || exit"
    return Try(strictly(survey.command, before), (recode, survey.command), strictly(blind, before) if blind else None)
