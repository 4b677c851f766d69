"""`own-module-renamed`: a module of the run's own that hides one of Python's, under another name."""

import posixpath
import shlex
import sys

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="own-module-renamed",
    tier=Tier.T1,
    needs=("shell",),
    commands=(),
    source="Python's library reference, sys.stdlib_module_names: these names are its own",
)
MOST = 4
_RENAME = """cd {folder} && mv {name}.py own_{name}.py && rm -rf __pycache__
has="$(sed -nE 's/^((def|class) +([A-Za-z_0-9]+)|([A-Za-z_0-9]+) *=).*/\\3\\4/p' own_{name}.py)"
for f in *.py */*.py; do test -f "$f" || continue
sed -i -E 's/^([[:space:]]*)import[[:space:]]+{name}[[:space:]]*$/\\1import own_{name} as {name}/' "$f"
for n in $has; do
sed -i -E "s/^([[:space:]]*from[[:space:]]+\\.?){name}([[:space:]]+import[^#]*\\b$n\\b)/\\1own_{name}\\2/" "$f"
done; done"""
"""Gives it another name, also where it is brought in: whole, or by what it has."""


def own_module_renamed(survey: Survey) -> Way:
    """The failing command once all of them bear other names."""
    find = f"find {shlex.quote(survey.folder)} -maxdepth 3 -name '*.py' -not -path '*/.*' -not -path '*-packages/*'"
    paths = survey.ask("own-modules", f"{find} 2>/dev/null | head -200")
    hiding = [path for path in paths if _module(path) in sys.stdlib_module_names and survey.of_the_run(path)][:MOST]
    if not hiding:
        return Way(PLAN, lacking=say("shadowing.none_hidden"))
    renaming = [_RENAME.format(folder=shlex.quote(posixpath.dirname(path)), name=_module(path)) for path in hiding]
    done = tuple(f"( {one} ) || exit" for one in renaming)
    return Way(PLAN, (Try(strictly(survey.command, *done), (*renaming, survey.command)),))


def _module(path: str) -> str:
    return posixpath.basename(path).removesuffix(".py")
