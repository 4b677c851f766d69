"""What stands at the end of a batch: the results' files, the index of its packs, and the table."""

import shlex
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from verify.batch.agreement import pairs, summaries
from verify.batch.ledger import Reading
from verify.batch.results import claims_of, write_results
from verify.batch.table import Tally, agreement_lines, next_command
from verify.terminal import clean

MOST = 2
"""Commands that are told."""
LONGEST = 300
"""Characters of a command that is told to be given again."""


def close(ledger: Reading, out: Path) -> list[str]:
    """Write results and index of a folder; returns the files' names.

    Raises:
        EnvironmentNotReady: the folder cannot be written.
    """
    from evidence.index import listing, write

    written = write_results(ledger, out)
    return [*written, write(listing(out), out).name]


def told(
    ledger: Reading, out: Path, written: list[str], keys: set[str] | None = None, *, errors: int = 0, left: int = 0
) -> Iterator[str]:
    """The table of a batch, or of the whole ledger."""
    tally = Tally()
    for line in ledger.audits(keys):
        tally.add(line)
    yield ""
    yield from tally.lines()
    claims = list(claims_of(ledger))
    if claims:
        yield from agreement_lines(summaries(claims, pairs(claims)))
    if errors:
        yield f"failed      {errors} could not be audited, as told above and in {ledger.path}"
    if left:
        yield f"left        {left} are not begun"
    cost = f", a model ${tally.cost:.4f}" if tally.cost else ""
    yield f"took        {tally.seconds:.1f} s of audits{cost}"
    if written:
        yield f"results     {', '.join(written)} in {out}"
    for number, command in enumerate(islice(next_command(tally, given(), str(out), errors=errors, left=left), MOST)):
        yield f"{'next' if not number else '':<12}{command}"


def given() -> str:
    """The command that was given, as it may be given again."""
    command = clean(f"verify {shlex.join(sys.argv[1:])}")
    return command if len(command) <= LONGEST else "verify … (the same command)"
