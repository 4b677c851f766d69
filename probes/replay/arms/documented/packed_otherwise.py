"""`packed-as-its-name-says`: a file that is packed in another way than its name says, or not at all, put right."""

import posixpath
import shlex
from collections.abc import Iterator

from cases.sentences import Sentences
from cases.shell import Word
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
_PACKS = {"gz": "gzip", "bz2": "bz2", "xz": "lzma", "zst": ""}
"""By the ending: the module of Python's that reads it; none has zstd's."""
_COPIED = "import {}, shutil, sys; shutil.copyfileobj({}, {})"
_IN, _OUT = "sys.stdin.buffer", "sys.stdout.buffer"
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
    tries = [one for file in wrong for one in _tries(survey, file, is_packed[file], words.get(file))]
    return Way(PLAN, tuple(tries))


def _tries(survey: Survey, file: str, packed: str, word: Word | None) -> Iterator[Try]:
    new, blind, says = f"{FOLDER}/{posixpath.basename(file)}", survey.blind(), _says(file) or ""
    unpack = _python(packed, f"{_PACKS[packed]}.open({_IN})", _OUT) if packed else "cat"
    pack = _python(says, _IN, f"{_PACKS[says]}.open({_OUT}, 'wb')") if says else "cat"
    plain = shlex.quote(f"{new}.unpacked")
    make = f"mkdir -p {FOLDER} && {unpack} < {shlex.quote(file)} > {plain} && {pack} < {plain} > {shlex.quote(new)}"
    put = f"cp {shlex.quote(new)} {shlex.quote(file)}"
    before = f"{make} && {put} || exit"
    yield Try(strictly(survey.command, before), (make, put, survey.command), strictly(blind) if blind else None)
    if word:
        command, nothing = (exchanged(survey.command, {word: text}) for text in (new, f"{new}.not-there"))
        yield Try(strictly(command, f"{make} || exit"), (make, command), strictly(nothing))


def _python(ending: str, source: str, to: str) -> str:
    if not _PACKS[ending]:
        return f"zstd {'-dc' if source != _IN else '-c'}"
    return f"python3 -c {shlex.quote(_COPIED.format(_PACKS[ending], source, to))}"


def _says(file: str) -> str | None:
    """What its name says it is packed by; empty for nothing, None where it does not tell."""
    ending = posixpath.basename(file).rpartition(".")[2].lower()
    return ending if ending in _PACKS else "" if ending in _TEXTS else None
