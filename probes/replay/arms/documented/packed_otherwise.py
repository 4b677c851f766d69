"""`packed-as-its-name-says`: a file that is packed in another way than its name says, or not at all, put right."""

import posixpath
import shlex

from cases.sentences import Sentences
from probes.barriers import RoutePlan
from probes.model import Tier
from probes.replay.arms.documented.asking import exchanged, inputs, strictly
from probes.replay.arms.documented.survey import Survey
from probes.replay.arms.documented.way import Try, Way

say = Sentences(__name__)

PLAN = RoutePlan(
    id="packed-as-its-name-says",
    tier=Tier.T2,
    needs=("shell",),
    commands=(),
    source="gzip(1), bzip2(1), xz(1), zstd(1): what packs and unpacks files, and the first bytes of each one's",
)
MOST = 3
"""Files."""
FOLDER = "/tmp/.put-right"  # noqa: S108 - in a container
_PACKS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
_TEXTS = frozenset(
    {
        *("csv", "dat", "fa", "fasta", "fastq", "fq", "gff", "gtf", "json", "jsonl", "log", "ndjson", "sam", "tab"),
        *("tsv", "txt", "vcf", "xml", "yaml", "yml"),
    }
)
"""Endings of what nobody packs without saying so."""
_LOOK = """\
for f in FILES; do
  case "$(head -c 4 "$f" 2>/dev/null | od -An -tx1 | tr -d ' \\n')" in
    1f8b*) echo "gz $f";; 425a68*) echo "bz2 $f";; fd377a58) echo "xz $f";; 28b52ffd) echo "zst $f";;
    ??*) echo "- $f";;
  esac
done"""
"""What packed each, by its first bytes."""


def packed_otherwise(survey: Survey) -> Way:
    """The failing command with each such file as its name says, in its place or in that of the command's word."""
    own = survey.own
    words = (
        {posixpath.normpath(posixpath.join(survey.folder, place)): word for word, place in inputs(own.step)}
        if own
        else {}
    )
    files = [file for file in dict.fromkeys([*survey.trial.outcome.opened, *words]) if _says(file) is not None]
    files = [file for file in files if not survey.of_the_run(file)]
    lines = survey.ask("packed-otherwise", _LOOK.replace("FILES", shlex.join(files))) if files else []
    is_packed = {file: "" if how == "-" else how for how, _, file in (line.partition(" ") for line in lines)}
    wrong = [file for file in files if file in is_packed and is_packed[file] != _says(file)][:MOST]
    if not wrong:
        return Way(PLAN, lacking=say("packed_otherwise.as_named"))
    blind = survey.blind()
    tries = []
    for file in wrong:
        new = f"{FOLDER}/{posixpath.basename(file)}"
        unpack = f"{_PACKS[is_packed[file]]} -dc" if is_packed[file] else "cat"
        pack = f" | {_PACKS[says]} -c" if (says := _says(file)) else ""
        make = f"mkdir -p {FOLDER} && {unpack} < {shlex.quote(file)}{pack} > {shlex.quote(new)}"
        put = f"cp {shlex.quote(new)} {shlex.quote(file)}"
        tries.append(
            Try(strictly(survey.command, make, put), (make, put, survey.command), strictly(blind) if blind else None)
        )
        if file in words:
            command = exchanged(survey.command, {words[file]: new})
            tries.append(Try(strictly(command, make), (make, command)))
    return Way(PLAN, tuple(tries))


def _says(file: str) -> str | None:
    """What its name says it is packed by; empty for nothing, None where it does not tell."""
    ending = posixpath.basename(file).rpartition(".")[2].lower()
    return ending if ending in _PACKS else "" if ending in _TEXTS else None
