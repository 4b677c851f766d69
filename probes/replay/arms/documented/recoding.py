"""`recoded`: what the failing command reads, put into UTF-8 before it, or with commas in the place of semicolons."""

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
MOST = 2
"""Files."""
_OTHER = """\
for f in FILES; do
  test -f "$f" && test -w "$f" || continue
  e=UTF-8
  if ! head -c 4000000 "$f" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; then
    case "$(head -c 2 "$f" | od -An -tx1 | tr -d ' ')" in fffe|feff) e=UTF-16;; *) e=WINDOWS-1252;; esac
    test $e = UTF-16 ||
      test "$(head -c 100000 "$f" | tr -d '\\0' | wc -c)" = "$(head -c 100000 "$f" | wc -c)" || continue
  fi
  d=plain
  case "$f" in *.csv|*.CSV)
    case "$(head -c 4000 "$f" | iconv -c -f $e -t UTF-8 | head -n 1)" in *,*) ;; *\\;*) d=semicolons;; esac;;
  esac
  test $e$d = UTF-8plain || echo "$e $d $f"
done"""
"""Those that the user may write and that are not in UTF-8, or separate by semicolons: encoding, separator, file.

What has zero bytes is no text in an encoding of single bytes.
"""


def recoded(survey: Survey) -> Way:
    """The failing command behind the recoding of each such file."""
    files = [file for file in survey.trial.outcome.opened if not survey.of_the_run(file)]
    lines = survey.ask("encodings", _OTHER.replace("FILES", shlex.join(files))) if files else []
    found = [(*words[:2], words[2]) for words in (line.split(" ", 2) for line in lines) if len(words) == 3][:MOST]
    if not found:
        return Way(PLAN, lacking=say("recoding.all_in_utf_8"))
    blind = survey.blind()
    changes = [(file, change) for name, separator, file in found for change in _changes(name, separator)]
    return Way(PLAN, tuple(_try(survey, file, change, blind) for file, change in changes))


def _changes(name: str, separator: str) -> tuple[str, ...]:
    """What brings a file's text into another form, the least first."""
    encoding = f"iconv -f {name} -t UTF-8"
    commas = f"{encoding} | tr ';,' ',.'"
    return (*(() if name == "UTF-8" else (encoding,)), *((commas,) if separator == "semicolons" else ()))


def _try(survey: Survey, file: str, change: str, blind: str | None) -> Try:
    here, kept = shlex.quote(file), shlex.quote(f"{file}.as-it-was")
    recode = f"(test -e {kept} || cp {here} {kept}) && < {kept} {change} > {here}"
    before = f"{recode} || exit"
    return Try(strictly(survey.command, before), (recode, survey.command), strictly(blind, before) if blind else None)
