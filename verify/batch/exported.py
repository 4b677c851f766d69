"""What is exported: the audits of ledgers and packs, each task once, and those that could not be made."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cases import InputError
from cases.sentences import Sentences
from evidence.index import packs_in
from verify.batch.ledger import PREFIX, Reading
from verify.batch.lines import Failed, Finished, line_of
from verify.terminal import warn

say = Sentences(__name__)


@dataclass(frozen=True)
class Exported:
    """The newest audit of every task, and the newest error of those that have none."""

    audits: tuple[Finished, ...]
    """Their packs as paths from here."""
    errors: tuple[Failed, ...]


def exported(paths: Iterable[Path]) -> Exported:
    """Read ledgers, folders that hold them, and packs.

    Raises:
        InputError: a path is none of these, or nothing is in it.
        PackError: a pack is not what was written.
    """
    audits: dict[tuple[str, str], Finished] = {}
    errors: dict[tuple[str, str], Failed] = {}
    for path in paths:
        done, failed = _read(path)
        for line in done:
            known = audits.get(_task(line))
            if known is None or known.at <= line.at:
                audits[_task(line)] = line
        errors |= {_task(line): line for line in failed}
    ordered = sorted(audits.items())
    left = sorted((task, line) for task, line in errors.items() if task not in audits)
    if not ordered and not left:
        raise InputError(say("batch.exported.these_ledgers_hold_no"))
    return Exported(tuple(line for _, line in ordered), tuple(line for _, line in left))


def _task(line: Finished | Failed) -> tuple[str, str]:
    return line.benchmark, line.task_id


def _read(path: Path) -> tuple[Sequence[Finished], Sequence[Failed]]:
    ledgers = sorted(path.glob(f"{PREFIX}*.jsonl")) if path.is_dir() else [path] if path.suffix == ".jsonl" else []
    if not ledgers:
        inside = packs_in(path) if path.is_dir() and not (path / "verdict.json").is_file() else []
        return [_of_pack(one) for one in inside or [path]], ()
    audits: list[Finished] = []
    errors: list[Failed] = []
    for one in ledgers:
        ledger = Reading(one)
        for problem in ledger.problems:
            warn(problem)
        audits += [line.model_copy(update={"pack": str(one.parent / line.pack)}) for line in ledger.audits()]
        errors += ledger.errors()
    return audits, errors


def _of_pack(path: Path) -> Finished:
    """The line of a pack that no ledger speaks of, once every byte of it was compared."""
    from evidence import Packed
    from evidence.bag import TAG_MANIFEST, moment
    from evidence.checking import check

    found = check(path)
    at = moment(found.audit) or datetime.fromtimestamp(0, UTC)
    digest = hashlib.sha256(found.content[TAG_MANIFEST]).hexdigest()
    line = line_of(Packed(found.audit, path), digest, key="", seconds=0, offline=False, at=at)
    return line.model_copy(update={"pack": str(path)})
