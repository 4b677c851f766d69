"""Whether the machine holds data that neither the run nor the failing command has read, and that no text accounts for:
what is missing may stand in them, in whatever form and under whatever name.
"""

import posixpath
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence

from cases import patterns as re
from cases.sentences import Sentences
from cases.task_words import prompt_of
from cases.touches.promises import LISTING, made_by_run
from probes.barriers import Trait, having
from probes.model import Barrier
from probes.replay.handlers.network import NetworkDetails
from probes.replay.handlers.searching import of_another_number
from probes.replay.resources.log import Log, run
from probes.replay.resources.run import ReplayRun
from probes.replay.target.model import ReplayTarget
from probes.replay.target.needs import scripts_of

say = Sentences(__name__)

ROWS, FEW = 20, 3
"""Rows of one form from which on a text is a table of data, alone or with others of its folder that have fewer."""
SECONDS = 60
MOST, LINES = 40, 2000
"""Tables that are looked at, and files that may be parts of one."""
_DIGITS = re.compile(r"\d+")
_URL = re.compile(r"\w+://\S+")
_MOUNTED = (
    "awk '$3 !~ /^(overlay|proc|sysfs|cgroup.*|devpts|mqueue|tmpfs|devtmpfs)$/ "
    "&& $2 !~ /^\\/(etc|proc|sys|usr|dev|opt\\/impassable)/ { print $2 }' /proc/mounts"
)
_APART = (
    "$(find / -mindepth 1 -maxdepth 1 -type d ! -name proc ! -name sys ! -name dev ! -name run ! -name boot "
    "! -name usr ! -name 'lib*' ! -name bin ! -name sbin ! -name etc ! -name var ! -name opt ! -name root; "
    "find /opt /var /var/lib /usr/local/share -mindepth 1 -maxdepth 1 -type d ! -path /opt/impassable "
    "! -path /var/lib 2>/dev/null | while IFS= read -r d; do "
    f'grep -qsxF -- "$d" /var/lib/dpkg/info/*.list || echo "$d"; done; {_MOUNTED})'
)
"""Where data of a task may lie: not in what the system's own packages brought."""
_CODE = (
    *("py", "pyc", "ipynb", "r", "R", "Rmd", "sh", "c", "h", "cc", "cpp", "hpp", "f", "f90", "java", "js", "ts"),
    *("css", "pl", "pm", "rb", "go", "rs", "jl", "m", "lua", "tcl", "cmake", "lock", "svg", "ps", "pot", "po"),
)
_SOURCES = " ".join(f"! -name '*.{ending}'" for ending in _CODE)
_INCLUDED = " ".join(f"--include='*.{ending}'" for ending in _CODE)
_STORES = (
    *("xlsx", "xls", "ods", "sqlite*", "db", "parquet", "h5", "hdf5", "nc", "npz", "npy", "rds", "rdata"),
    *("pkl", "feather", "mat", "dta", "sav", "orc", "avro"),
)
_PROSE = ("md", "txt", "rst", "org", "html", "eml", "docx", "odt", "pdf")
"""Endings of documents, any of which may tell how something was sealed."""
_COUNTING = r"""FNR == 1 { if (f && n >= FEW) print n "\t" f; n = 0; was = 0; f = FILENAME }
FNR > 5000 { nextfile }
{ rows = gsub(/<tr[ >]/, "&") + gsub(/"[^"]+" *: *"?[-+]?[0-9]/, "&") + gsub(/>[ \t]*[-+]?[0-9][^<]*<\//, "&")
  rows += gsub(/[(] *[0-9][^()]*,[^()]*[)]/, "&"); if (rows) { n += rows; next }
  s = index($0, "\t") ? "\t" : index($0, ";") ? ";" : index($0, "|") ? "|" : index($0, ",") ? "," : " +"
  k = split($0, part, s); number = 0
  for (i = 1; i <= k; i++) if (part[i] ~ /^[" $]*[-+]?[0-9][0-9.,:eE%-]*[^0-9]?[^0-9]?[^0-9]?[^0-9]?$/) number = 1
  if (k > 1 && k == was && number) n++
  was = k }
END { if (f && n >= FEW) print n "\t" f }"""
_PRUNED = " -o ".join(f"-name {name}" for name in (".git", "node_modules", "site-packages", "__pycache__", "'.route*'"))
_FIND = f"""for d in "$PWD" {_APART}; do
find "$d" -xdev \\( {_PRUNED} \\) -prune -o -type f -readable \\( {{whole}} \\) -printf "{ROWS}\\t%p\\n"
find "$d" -xdev \\( {_PRUNED} \\) -prune -o -type f -readable -size +0 -size -50000k ! \\( {{whole}} \\) {_SOURCES} \\
-exec grep -qIm1 '[0-9]' {{}} \\; -print0 | xargs -0 -r -n 500 awk {{counting}}
done 2>/dev/null | sort -u | head -{LINES}; true"""
_NAMED = (
    "printf '%s\\n' {paths} | while IFS= read -r f; do "
    f"grep -rIlF --exclude-dir=.git {_INCLUDED} -- "
    '"$(basename "$f")" . 2>/dev/null | grep -qvxF -- "./$(realpath --relative-to=. "$f")" && echo "$f"; done; true'
)
"""Of some files those that a program of the task's names, and so reads."""


_BINARY = (
    """-size +0 ! -name '*.so*' ! -name '*.pyc' ! -name '*.o' ! -name '*.a' -exec sh -c '! grep -qI . "$1"' _ {} ';'"""
)
"""For find(1): what is no text."""
_STORED = (
    '-size +0 -exec sh -c \'head -c 16 "$1" | LC_ALL=C grep -qaE '
    "\"^(SQLite format 3|.HDF|CDF|PAR1|Obj.avro|ARROW1)\"' _ {} ';'"
)
"""For find(1): what begins as databases and tables do, whatever their names."""


def look_for_unread(work: ReplayRun) -> None:
    """Leave in the outcome the first such file, where what failed is want of data."""
    if not _wants_data(work):
        return
    log = Log("replay-unread")
    endings = (*_STORES, *_PROSE) if work.subject.barrier is Barrier.SEALED_DATA else _STORES
    whole = " -o ".join(f"-iname '*.{ending}'" for ending in endings)
    whole = f"{whole} -o \\( {_STORED} \\)"
    if work.subject.barrier is Barrier.NETWORK:
        whole = f"{whole} -o \\( {_BINARY} \\)"
    counting = shlex.quote(_COUNTING.replace("FEW", str(FEW)))
    with work.containers.start(work.spec) as session:
        ask = _FIND.replace("{whole}", whole).replace("{counting}", counting)
        done = run(session, log, ask, SECONDS, looks=True)
        found = _tables(done.output, work)
        unread = list(dict.fromkeys(_large_enough(found)))[:MOST]
        naming = _NAMED.replace("{paths}", shlex.join(unread))
        named = run(session, log, naming, SECONDS, looks=True).output.splitlines() if unread else []
    left = [path for path in unread if path not in named]
    work.observe("data that nobody read", ", ".join(left[:3]) or "none", None, work.keep(log))
    if left or done.timed_out:
        work.outcome.unread = say("unread.may_hold", path=left[0]) if left else say("unread.no_time")


def _tables(told: str, work: ReplayRun) -> list[tuple[int, str]]:
    """Rows and paths of what nobody has read."""
    lines = (line.partition("\t") for line in told.splitlines())
    return [(int(rows), path) for rows, _, path in lines if path.startswith("/") and not _accounted(path, work)]


def _large_enough(found: Sequence[tuple[int, str]]) -> Iterator[str]:
    together = defaultdict[tuple[str, str], int](int)
    for rows, path in found:
        together[posixpath.dirname(path), posixpath.splitext(path)[1]] += rows
    for _, path in found:
        if together[posixpath.dirname(path), posixpath.splitext(path)[1]] >= ROWS:
            yield path


def _wants_data(work: ReplayRun) -> bool:
    """A file that is missing, damaged, sealed or lacks a part, or that may not be read; what an option of a program's
    could be given in place of what was to be fetched, or what a program of the task's fetches that nobody told to run.
    """
    subject, fact = work.subject, work.outcome.settled
    if subject.barrier is Barrier.NETWORK:
        asked = subject.asked is not None and subject.asked.spelled
        offered = subject.told(NetworkDetails).offered
        return offered.takes or offered.swept or (bool(scripts_of(subject.attempts[0].command)) and not asked)
    if subject.barrier is Barrier.PERMISSION:
        return fact is not None and fact.access == "read"
    return subject.barrier in having(Trait.DATA)


def _accounted(path: str, work: ReplayRun) -> bool:
    """Whether the run or the failing command has read it, the task's text names it, or it is another of a series."""
    subject, name = work.subject, posixpath.basename(path)
    if path in work.outcome.opened or path.endswith(f"/{posixpath.basename(subject.about)}"):
        return True
    series = _DIGITS.sub("#", name) == _DIGITS.sub("#", posixpath.basename(subject.about))
    if series or of_another_number(subject.about, path) or name in prompt_of(work.context.case):
        return True
    events = subject.events
    return made_by_run(path, "", events.commands, events.writes) or any(_reads(one, path) for one in _read(subject))


def _read(subject: ReplayTarget) -> Iterator[str]:
    """The texts of the run's commands that did more than list names."""
    for event in subject.events.commands:
        yield from (step.command.text for step in event.steps if step.command.program not in LISTING)
        if not event.steps:
            yield event.command


def _reads(command: str, path: str) -> bool:
    folder = posixpath.basename(posixpath.dirname(path))
    ending = posixpath.splitext(path)[1]
    names = (posixpath.basename(path), f"{folder}/*", f"*{ending}" if ending else "/*")
    return any(one in _URL.sub("", command) for one in names)
